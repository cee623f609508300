import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AmbiguousNameError, NotFoundError } from '../../src/errors.ts';
import { ask, itemsOf } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { findFilterSlug, findFilterSlugs, findGroups, resolveParty } from '../../src/names/lookup.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { politicians } from '../../src/questions/politicians.ts';
import { resolveParties } from '../../src/questions/resolved-parties.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { type Phrase, speechOf } from '../../src/words/speech.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';

const group = (slug: string, name: string, short_name: string, start_date: string, end_date: string | null) => ({
  slug,
  name,
  short_name,
  chamber: slug.endsWith('senat') ? 'Senat' : 'AN',
  start_date,
  end_date,
});

const parties = [
  { slug: 'les-riverains', name: 'Les Riverains', short_name: 'RIV', chamber: null, end_date: null },
  { slug: 'parti-du-phare', name: 'Parti du Phare', short_name: 'PPH', chamber: null, end_date: null },
  { slug: 'petit-port', name: 'Petit Port', short_name: 'PPO', chamber: null, end_date: null },
  group('lri-an1', 'Les Riverains', 'LRI', '2020-01-01', '2023-12-31'),
  group('dri-an2', 'Droite des Rives', 'DRI', '2024-01-01', null),
  group('riv-senat', 'Les Riverains', 'LRS', '2010-01-01', null),
  group('phare-an1', 'Phare et Mer', 'PHA-MER', '2020-01-01', '2023-12-31'),
  group('phare-an2', 'Phare et Terre', 'PHA-TER', '2024-01-01', null),
  group('quai-an1', 'Le Quai', 'QUA', '2020-01-01', '2023-12-31'),
  group('digue-an2', 'La Digue', 'DIG', '2024-01-01', null),
  group('lune-an1', 'La Lune', 'LUN', '2020-01-01', '2023-12-31'),
  { slug: 'parti-insulaire', name: 'Parti insulaire', short_name: 'PIN', chamber: null, end_date: null },
  {
    slug: 'parti-insulaire-libre',
    name: 'Insulaires libres',
    short_name: 'PIL',
    chamber: null,
    end_date: '2001-01-01',
  },
  group('ile-an1', 'Députés insulaires', 'ILE', '2002-06-25', '2007-06-19'),
  group('ile-an2', 'Île et Mer', 'IEM', '2024-01-01', null),
  {
    slug: 'parti-insulaire-du-nord',
    name: 'Parti insulaire du Nord',
    short_name: 'PIN-N',
    chamber: null,
    end_date: null,
  },
  group('ins-an0', 'Insulaire', 'INS', '1998-01-01', '2002-06-19'),
  group('aube-an0', 'Aube', 'AUB', '1998-01-01', '2002-06-19'),
  group('ni-an2', 'Non inscrit', 'NI', '2024-01-01', null),
];

const person = (slug: string, party: string, ...stays: [string, string, string | null][]) => ({
  slug,
  full_name: slug,
  party,
  group: stays.at(-1)![2] === null ? stays.at(-1)![0] : null,
  affiliations: [
    { party, role: 'Membre', start: null, end: null },
    ...stays.map(([each, start, end]) => ({ party: each, role: 'Membre', start, end })),
  ],
});

const [first, second]: [string, string | null][] = [
  ['2020-01-02', '2023-12-31'],
  ['2024-01-02', null],
];
const people = [
  person('a-un', 'les-riverains', ['lri-an1', ...first!], ['dri-an2', ...second!]),
  person('a-deux', 'les-riverains', ['lri-an1', ...first!], ['dri-an2', ...second!]),
  person('a-trois', 'les-riverains', ['ni-an2', ...second!]),
  person('a-quatre', 'les-riverains', ['riv-senat', '2012-01-01', null]),
  person('a-cinq', 'les-riverains', ['riv-senat', '2012-01-01', null]),
  person('b-un', 'parti-du-phare', ['phare-an1', ...first!], ['phare-an2', ...second!]),
  person('b-deux', 'parti-du-phare', ['phare-an1', ...first!], ['phare-an2', ...second!]),
  person('c-un', 'petit-port', ['phare-an2', ...second!]),
  person('e-un', 'parti-insulaire', ['ile-an2', ...second!]),
  person('e-deux', 'parti-insulaire', ['ile-an2', ...second!]),
  person('f-un', 'parti-du-quai', ['quai-an1', ...first!], ['digue-an2', ...second!]),
  person('f-deux', 'parti-du-quai', ['quai-an1', ...first!], ['digue-an2', ...second!]),
  person('f-trois', 'parti-du-quai', ['quai-an1', ...first!], ['ni-an2', ...second!]),
  person('d-un', 'petit-port', ['lune-an1', ...first!], ['dri-an2', ...second!]),
];

const groupVotes = (party: string, position: string) => ({
  party,
  party_name: null,
  for: 1,
  against: 0,
  abstention: 0,
  position,
});
const ballot = {
  scrutin_id: 'V1',
  chamber: 'AN',
  date: '2025-01-01',
  votes_by_party: [
    groupVotes('dri-an2', 'pour'),
    groupVotes('phare-an2', 'contre'),
    groupVotes('ni-an2', 'pour'),
    groupVotes('ile-an2', 'pour'),
    groupVotes('digue-an2', 'pour'),
  ],
};

describe('a name of a party', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-names-'));
  let mirror: Mirror;
  before(() => {
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    saveAll(mirror, 'party', parties);
    saveAll(mirror, 'politician', people);
    saveAll(mirror, 'ballot', [ballot]);
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const voting = new Set(['dri-an2', 'phare-an2', 'ni-an2', 'ile-an2', 'digue-an2']);
  const resolvedSlugs = (name: string) => {
    const { party, groups } = resolveParty(mirror, name);
    return [party?.slug ?? null, ...groups.map(({ slug }) => slug)];
  };

  it('means the party and the groups in which most of its members sit, by chamber, the latest first', () => {
    for (const name of ['RIV', 'Les Riverains', 'les-riverains', 'les riverains'])
      expect(resolvedSlugs(name), name).to.deep.equal(['les-riverains', 'dri-an2', 'riv-senat', 'lri-an1']);
    expect(findGroups(mirror, 'RIV', voting)).to.deep.equal(['dri-an2']);
  });

  it('means the party that goes on where only groups that have ended bear it, and the party its name', () => {
    expect(resolvedSlugs('LRI')).to.deep.equal(['les-riverains', 'dri-an2', 'riv-senat', 'lri-an1']);
    expect(findFilterSlug(mirror, 'party', 'LRI')).to.equal('les-riverains');
    expect(findFilterSlugs(mirror, 'party', 'LRI')[0]).to.equal('les-riverains');
  });

  it('means the groups of the only party that has some now where groups are meant, and nothing where two have', () => {
    const brumes = ['nord', 'sud'].map((each) => ({
      slug: `les-brumes-${each}`,
      name: `Les Brumes ${each}`,
      kind: 'parti',
    }));
    const sitting = (of: string, group: string) =>
      ['un', 'deux'].map((each) => person(`${of}-${each}`, of, [group, ...second!]));
    const inMirrorOf = <Result>(persons: Document[], look: (written: Mirror) => Result) => {
      const own = createTemporaryMirror();
      try {
        saveAll(own.mirror, 'party', [...parties, ...brumes]);
        saveAll(own.mirror, 'politician', persons);
        return look(own.mirror);
      } finally {
        own.remove();
      }
    };
    const groupsOf = (written: Mirror) => resolveParty(written, 'brumes', true).groups.map(({ slug }) => slug);
    const ofFirst = sitting('les-brumes-nord', 'dri-an2');
    expect(inMirrorOf(ofFirst, groupsOf)).to.deep.equal(['dri-an2']);
    const ofBoth = [...ofFirst, ...sitting('les-brumes-sud', 'phare-an2')];
    expect(() => inMirrorOf(ofBoth, groupsOf)).to.throw(AmbiguousNameError);
    expect(() => inMirrorOf(ofFirst, (written) => resolveParty(written, 'brumes'))).to.throw(AmbiguousNameError);
  });

  it('means a group where its short name is that of a group that goes on', () => {
    expect(resolvedSlugs('DRI')).to.deep.equal([null, 'dri-an2']);
    expect(findFilterSlug(mirror, 'party', 'DRI')).to.equal('dri-an2');
  });

  it('takes no group for that of a party with few of its members, and none for non-attached members', () => {
    expect(resolvedSlugs('PPO')).to.deep.equal(['petit-port']);
    expect(() => findGroups(mirror, 'PPO', voting)).to.throw(NotFoundError, 'petit-port has voted in no ballot');
  });

  it('means what goes on where only a part of it is said, before groups and parties that have ended', () => {
    expect(resolvedSlugs('insulaires')).to.deep.equal(['parti-insulaire', 'ile-an2']);
    expect(findGroups(mirror, 'insulaires', voting)).to.deep.equal(['ile-an2']);
    expect(resolvedSlugs('Députés insulaires'), 'a whole name is that of what has ended').to.deep.equal([
      null,
      'ile-an1',
    ]);
    for (const name of ['insulaire', 'Insulaire', 'insulaires', 'les insulaires', 'parti insulaire'])
      expect(resolvedSlugs(name), name).to.deep.equal(['parti-insulaire', 'ile-an2']);
    expect(resolvedSlugs('Aube'), 'one word that nothing else bears').to.deep.equal([null, 'aube-an0']);
    expect(resolvedSlugs('INS')).to.deep.equal([null, 'ins-an0']);
    const parameterValues = { voted: [{ requestedName: 'insulaires', stance: 'for' }] };
    expect(resolveParties(mirror, ballots.parameters, parameterValues)[0]).to.deep.include({
      asked: 'insulaires',
    });
  });

  it('means for ballots the group in which most members of an ended group of that name sit now', () => {
    expect(findGroups(mirror, 'Le Quai', voting)).to.deep.equal(['digue-an2']);
    expect(findGroups(mirror, 'QUA', new Set([...voting, 'quai-an1']))).to.deep.equal(['digue-an2', 'quai-an1']);
    expect(() => findGroups(mirror, 'quai-an1', voting), 'a slug is one group').to.throw(NotFoundError);
    expect(findGroups(mirror, 'digue-an2', voting)).to.deep.equal(['digue-an2']);
    const [resolved] = resolveParties(mirror, ballots.parameters, { voted: [{ requestedName: 'QUA', stance: 'for' }] });
    expect(speechOf('en').render(resolved!.note)).to.equal(
      'QUA: in the Assemblée nationale La Digue (DIG) since 1 January 2024, in which most members of the former group of that name sit now',
    );
  });

  it('lists groups that several records bear and chooses none', () => {
    expect(() => resolvedSlugs('PHA')).to.throw(AmbiguousNameError);
    const hint = /phare-an1 {2}Phare et Mer {2}\(AN, 2020–2023\)\n {2}phare-an2 {2}Phare et Terre {2}\(AN, 2024–\)/;
    expect(() => resolvedSlugs('PHA'))
      .to.throw()
      .with.property('hint')
      .that.matches(hint);
  });

  it('is told with whom it was taken for, and where members of an ended group sit', () => {
    const notesOf = (parameters: object, values: object) =>
      resolveParties(mirror, parameters as never, values as never).map(({ note }) => speechOf('en').render(note));
    expect(notesOf(ballots.parameters, { voted: [{ requestedName: 'LRI', stance: 'for' }] })).to.deep.equal([
      'LRI: Les Riverains (RIV); in the Assemblée nationale Droite des Rives (DRI) since 1 January 2024',
    ]);
    expect(notesOf(politicians.parameters, { party: 'LUN' })).to.deep.equal([
      'LUN: in the Assemblée nationale La Lune (LUN) until 31 December 2023; its members sit now in dri-an2 (1); `hemicycle politicians --group dri-an2` lists all members of dri-an2',
    ]);
    expect(notesOf(politicians.parameters, { party: 'dri-an2' })).to.deep.equal([]);
    expect(() => findGroups(mirror, 'LUN', voting))
      .to.throw(NotFoundError)
      .with.property('hint')
      .that.satisfies((hint: Phrase) => /`hemicycle ballots --group dri-an2`/.test(`${hint}`));
  });
});

describe('candidates of one name', () => {
  it('are listed with the days that they state as texts', () => {
    const own = createTemporaryMirror();
    saveAll(own.mirror, 'politician', [
      { slug: 'jumeau-1', full_name: 'Odilon Jumeau', birth_date: 1970, current_role: 7 },
      { slug: 'jumeau-2', full_name: 'Odilon Jumeau', birth_date: '1980-02-01', current_role: ['x'] },
    ]);
    expect(() => findFilterSlug(own.mirror, 'politician', 'Odilon Jumeau'))
      .to.throw(AmbiguousNameError)
      .with.property('candidates')
      .that.deep.includes({ key: 'jumeau-2', name: 'Odilon Jumeau', about: '1980–' });
    own.remove();
  });
});

describe('non-attached members', () => {
  it('are meant in every chamber by any of their names, and in one by a slug', () => {
    const own = createTemporaryMirror();
    saveAll(own.mirror, 'party', [
      group('ni-an1', "Députés n'appartenant à aucun groupe", 'NI', '2020-01-01', '2023-12-31'),
      group('ni-an2', 'Non inscrit', 'NI', '2024-01-01', null),
      group('sans-senat', 'Non inscrits', 'SANS', '2010-01-01', null),
    ]);
    const slugs = (name: string) => findFilterSlugs(own.mirror, 'party', name, true);
    for (const name of ['non inscrits', 'Non-inscrits', 'non inscrit', 'NI', 'non-attached'])
      expect(slugs(name), name).to.have.members(['ni-an2', 'sans-senat', 'ni-an1']);
    expect(slugs('ni-an2')).to.deep.equal(['ni-an2']);
    expect(slugs('SANS')).to.deep.equal(['sans-senat']);
    own.remove();
  });

  it('of a chamber are meant where one is chosen, and named in the note', async () => {
    const own = createTemporaryMirror();
    saveAll(own.mirror, 'party', [
      group('ni-an1', "Députés n'appartenant à aucun groupe", 'NI', '2020-01-01', '2023-12-31'),
      group('ni-an2', 'Non inscrit', 'NI', '2024-01-01', null),
      group('sans-senat', 'Non inscrits', 'SANS', '2010-01-01', null),
      { slug: 'ni-pe', name: 'Non-inscrits', short_name: 'NI', chamber: 'PE', start_date: '2024-07-16' },
    ]);
    saveAll(own.mirror, 'politician', [
      { slug: 'ysaline-corbiere', full_name: 'Ysaline Corbière', chamber: 'AN', group: 'ni-an2' },
      { slug: 'odon-varenne', full_name: 'Odon Varenne', chamber: 'Senat', group: 'sans-senat' },
      { slug: 'ada-le-gall', full_name: 'Ada Le Gall', chamber: 'PE', group: 'ni-pe' },
    ]);
    const answerTo = async (values: object) => {
      const listing = await ask(own.mirror, politicians, { ...values });
      const [note] = listing.notes!().map((each) => speechOf('en').render(each));
      return { slugs: (await itemsOf(listing)).map(({ slug }) => slug), note };
    };
    for (const filter of ['group', 'party'])
      for (const [chamber, slug, note] of [
        ['Senat', 'odon-varenne', /^NI: in the Sénat Non inscrits \(SANS\) since 1 January 2010$/],
        ['Sénat', 'odon-varenne', /^NI: in the Sénat Non inscrits \(SANS\) since 1 January 2010$/],
        ['AN', 'ysaline-corbiere', /^NI: in the Assemblée nationale Non inscrit \(NI\) since 1 January 2024/],
      ] as const) {
        const answer = await answerTo({ [filter]: 'NI', chamber });
        expect(answer.slugs, `${filter} ${chamber}`).to.deep.equal([slug]);
        expect(answer.note)
          .to.match(note)
          .and.not.match(/Sénat.*Assemblée|Assemblée.*Sénat/);
      }
    const { slugs, note } = await answerTo({ group: 'NI', chamber: 'PE' });
    expect(slugs).to.deep.equal(['ada-le-gall']);
    expect(note)
      .to.match(/Non-inscrits/)
      .and.not.match(/Sénat|Assemblée/);
    expect((await answerTo({ party: 'NI', chamber: 'PE' })).slugs).to.deep.equal(['ada-le-gall']);
    expect((await answerTo({ party: 'ni-an2', chamber: 'Senat' })).slugs, 'a slug is one group').to.deep.equal([]);
    own.remove();
  });
});
