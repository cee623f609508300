import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import type { RecordContext } from '../../src/store/records/record-context.ts';
import { profileView } from '../../src/terminal/profile-view.ts';
import { profilePage } from '../../src/terminal/record-view.ts';
import { displayWidth } from '../../src/terminal/width.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { terminalOfWidth } from '../helpers/memory-sink.ts';

const politician: Document = {
  slug: 'ada-brume',
  full_name: 'Ada Brume',
  current_role: 'Députée (Val-d’Ombre)',
  party: 'aube',
  group: 'aube-an2',
  birth_date: '2001-03-01',
  birth_place: 'Ombreville',
  death_date: null,
  bio: 'Ada Brume, née à Ombreville, est une femme politique fictive.',
  affiliations: [
    { party: 'crue', role: 'Membre', start: '2029-06-01', end: '2030-12-31' },
    { party: 'aube', role: 'Membre', start: '2031-01-02', end: null },
    { party: 'marée', role: null, start: null, end: null },
  ],
  quotes: Array.from({ length: 5 }, (_, at) => ({ id: `q-${at}`, text: `Mot ${at}`, date: '2031-02-03' })),
  sources: [{ id: 'src-1', title: 'Registre', url: 'https://vitrine.example/registre', publisher: 'Vitrine' }],
  source_ids: ['src-1'],
  updated_at: '2031-05-06',
  eye_colour: 'gris',
  score: 0,
};

const names = new Map([
  ['aube', 'L’Aube (AUB)'],
  ['crue', 'La Crue'],
]);

const context: RecordContext = {
  nameOf: (_, slug) => names.get(slug) ?? null,
  relatedCounts: [
    { kind: 'quote', count: 5, latest: '2031-02-03', jsonKind: null },
    { kind: 'content', count: 1200, latest: '2031-02-04', jsonKind: 'amendement' },
  ],
};

const pageAt = (columns: number, document = politician) =>
  profilePage('politician', document, { context, terminal: terminalOfWidth(columns) });

describe('the profile of a politician at a terminal', () => {
  it('begins with name, slug, office, party by name and days as people write them', () => {
    expect(pageAt(80).split('\n\n')[0]).to.equal(
      [
        'Ada Brume',
        'slug          ada-brume',
        'current role  Députée (Val-d’Ombre)',
        'party         L’Aube (AUB) · aube',
        'updated at    6 May 2031',
        'group         aube-an2',
        'birth date    1 March 2001',
        'birth place   Ombreville',
        'eye colour    gris',
        'score         0',
      ].join('\n'),
    );
  });

  it('explains itself where the mirror composed it, and not where it was fetched', async () => {
    const composed = { ...politician, composed: true };
    expect(pageAt(120, composed)).to.match(/\n {2}≈ composed from the datasets: [\s\S]*--details[\s\S]*all`\)\n/);
    expect(pageAt(120)).not.to.include('≈');
    const { paragraphs } = profileView('politician', composed, terminalOfWidth(120));
    expect(paragraphs.at(-1)!.text).to.include('≈ composed from the datasets');
    await loadLanguage('fr');
    const french = { ...terminalOfWidth(120), speech: speechOf('fr') };
    expect(profilePage('politician', composed, { context, terminal: french })).to.include('≈ composé');
  });

  it('lists changes of party, the latest first', () => {
    expect(pageAt(80)).to.contain(
      [
        'affiliations (3)',
        '  Membre · 2 January 2031 – … · L’Aube (AUB) · aube',
        '  Membre · 1 June 2029 – 31 December 2030 · La Crue · crue',
        '  marée',
      ].join('\n'),
    );
    expect(pageAt(40)).to.contain('  Membre · 2 January 2031 – … · L’Aube\n    (AUB) · aube\n');
  });

  it('counts what is held of them, with the command that lists it', () => {
    expect(pageAt(80)).to.contain(
      [
        'In this mirror',
        '  5 quotes · the latest of 3 February 2031',
        '    hemicycle feed --politician ada-brume --types quote',
        '  1,200 amendments · the latest of 4 February 2031',
      ].join('\n'),
    );
    expect(pageAt(80)).to.contain('\n  Mot 0 · 3 February 2031 · q-0\n');
  });

  it('writes the address of a source whole, wider than the terminal if need be', () => {
    const url = `https://vitrine.example/${'registre-'.repeat(12)}`;
    expect(pageAt(80)).to.contain('  Vitrine · Registre · https://vitrine.example/registre · src-1\n');
    expect(pageAt(80, { ...politician, sources: [{ url }] })).to.contain(`${url}\n`);
  });

  it('speaks French where it is asked to', async () => {
    await loadLanguage('fr');
    const terminal = { ...terminalOfWidth(80), speech: speechOf('fr') };
    const page = profilePage('politician', politician, { context, terminal });
    expect(page).to.contain('1er mars 2001');
    expect(page).to.contain('appartenances (3)');
    expect(page).to.contain('Dans ce miroir');
  });

  it('is broken by no record: escapes, marks of direction, and names of 10,000 letters', () => {
    const long = 'é'.repeat(10_000);
    const hostile = {
      ...politician,
      full_name: `\x1b]0;x\x07Ada\u202e Brume ${'mot '.repeat(30)}`,
      current_role: '\x1b[2J\u200b',
      quotes: [{ text: long, date: '\x1b[31m', id: 'q\u2066' }],
      affiliations: [{ party: '\x1b[5m', role: '\u202e', start: '\x1b[5m', end: null }],
      sources: [{ title: '\x1b]8;;file:///etc\x1b\\x', url: 'javascript:alert(1)' }],
    };
    for (const columns of [40, 80, 200]) {
      const page = pageAt(columns, hostile);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      expect(page).to.not.match(/[\x00-\x09\x0b-\x1f\x7f\u200b\u202e\u2066]/);
      for (const line of page.split('\n')) expect(displayWidth(line), line).to.be.at.most(columns);
    }
  });
});

describe('the profile of a party at a terminal', () => {
  it('says when it existed, how many it counts, and who is held here, the first by name and slug', () => {
    const members = Array.from({ length: 24 }, (_, at) => ({ slug: `m-${at}`, full_name: `Membre ${at}` }));
    const party: Document = {
      slug: 'aube-an2',
      name: 'L’Aube',
      short_name: 'AUB',
      chamber: 'AN',
      start_date: '2031-06-01',
      end_date: null,
      member_count: 0,
      members,
    };
    const page = profilePage('party', party, {
      context: { nameOf: () => null, relatedCounts: [] },
      terminal: terminalOfWidth(80),
    });
    expect(page).to.equal(
      [
        'L’Aube',
        'slug          aube-an2',
        'short name    AUB',
        'chamber       Assemblée nationale',
        'start date    1 June 2031',
        'member count  0 stated by the service, undated',
        '',
        'members (24)',
        ...Array.from({ length: 20 }, (_, at) => `  Membre ${at} · m-${at}`),
        '  … and 4 more (--json shows all)',
        '',
      ].join('\n'),
    );
  });
});
