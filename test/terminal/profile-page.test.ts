import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import type { RecordContext } from '../../src/store/records/record-context.ts';
import { profilePage } from '../../src/terminal/profile-page.ts';
import { profileView } from '../../src/terminal/profile-view.ts';
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

const context: RecordContext = {
  names: new Map([
    ['party:aube', 'L’Aube (AUB)'],
    ['party:crue', 'La Crue'],
  ]),
  heldRecords: [
    { kind: 'quote', count: 5, latest: '2031-02-03', textKind: null },
    { kind: 'content', count: 1200, latest: '2031-02-04', textKind: 'amendement' },
  ],
};

const pageAt = (columns: number, document = politician) =>
  profilePage('politician', document, { context, terminal: terminalOfWidth(columns) });

describe('the profile of a politician at a terminal', () => {
  it('begins with name, office, party by name and days as people write them', () => {
    expect(pageAt(80).split('\n\n')[0]).to.equal(
      [
        'Ada Brume  ada-brume',
        'Députée (Val-d’Ombre)',
        '  party       L’Aube (AUB)  aube',
        '  group       aube-an2',
        '  born        1 March 2001, Ombreville',
        '  eye colour  gris',
        '  score       0',
        '  updated     6 May 2031',
      ].join('\n'),
    );
  });

  it('ends with what it means where the mirror composed it, and says nothing of a fetched one', async () => {
    const composed = { ...politician, composed: true };
    expect(pageAt(120, composed)).to.match(/≈ composed from the datasets: [\s\S]*--details[\s\S]*all`\)\n$/);
    expect(pageAt(120)).not.to.include('≈');
    const { paragraphs } = profileView('politician', composed, terminalOfWidth(120));
    expect(paragraphs.at(-1)!.text).to.include('≈ composed from the datasets');
    await loadLanguage('fr');
    const french = { ...terminalOfWidth(120), speech: speechOf('fr') };
    expect(profilePage('politician', composed, { context, terminal: french })).to.include('≈ composé');
  });

  it('tells changes of party as a timeline, the latest first', () => {
    expect(pageAt(80)).to.contain(
      [
        'Parties and groups over time',
        '  since 2 January 2031            Membre · L’Aube (AUB)  aube',
        '  1 June 2029 – 31 December 2030  Membre · La Crue  crue',
        '  no day stated                   marée',
      ].join('\n'),
    );
    expect(pageAt(40)).to.contain('  since 2 January 2031\n    Membre · L’Aube (AUB)  aube\n');
  });

  it('counts what is held of them, with the command that lists it', () => {
    expect(pageAt(120)).to.contain(
      '  1,200 amendments  the latest of 4 February 2031  hemicycle feed --politician ada-brume --types content\n',
    );
    expect(pageAt(80)).to.contain('and 2 more: hemicycle feed --politician ada-brume --types quote\n');
  });

  it('writes sources out as numbered footnotes, or links them where the terminal can', () => {
    expect(pageAt(80)).to.contain('[1] Registre\n      Vitrine  src-1\n      https://vitrine.example/registre\n');
    const terminal = { ...terminalOfWidth(80), colour: true, hyperlinks: true };
    const linked = profilePage('politician', politician, { context, terminal });
    expect(linked).to.contain('\x1b]8;;https://vitrine.example/registre\x1b\\Registre\x1b]8;;\x1b\\');
    expect(linked.match(/vitrine\.example/g)).to.have.length(1);
  });

  it('speaks French where it is asked to', async () => {
    await loadLanguage('fr');
    const terminal = { ...terminalOfWidth(80), speech: speechOf('fr') };
    const page = profilePage('politician', politician, { context, terminal });
    expect(page).to.contain('1er\u00a0mars 2001');
    expect(page).to.contain('Partis et groupes au fil du temps');
    expect(page).to.contain('«\u00a0Mot 0\u00a0»');
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
  it('says when it existed, how many it counts, and who is held here, with the command for the others', () => {
    const members = Array.from({ length: 14 }, (_, at) => ({ slug: `m-${at}`, full_name: `Membre ${at}` }));
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
      context: { names: new Map(), heldRecords: [] },
      terminal: terminalOfWidth(80),
    });
    expect(page).to.equal(
      [
        'L’Aube  aube-an2',
        '  short name  AUB',
        '  chamber     Assemblée nationale',
        '  existed     since 1 June 2031',
        '  members     14 today (affiliations); 0 stated by the service, undated',
        '',
        'Members today: 14',
        ...Array.from({ length: 12 }, (_, at) => `  Membre ${at}  m-${at}`),
        '  and 2 more: hemicycle politicians --party aube-an2 --all',
        '',
      ].join('\n'),
    );
  });
});
