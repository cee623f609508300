import { expect } from 'chai';
import { parseQuery, quoteWords } from '../../src/language/query.ts';

const proses = [
  ['impôts locaux', [['impot'], ['local']]],
  ["l'état d'urgence", [['etat'], ['urgenc']]],
  ['49.3', [['49_3']]],
  ['article 50 000 euros', [['articl'], ['50000'], ['euro']]],
  ['20 pour cent', [['20'], ['pourcent']]],
  ['49 alinéa 3', [['49_3']]],
  ['#FinDeVie', [['fin'], ['de'], ['vie']]],
  ['#plf2026', [['plf'], ['2026']]],
  ['2024 577', [['2024'], ['577']]],
  ['L. 123-4', [['l'], ['123_4']]],
  ['n° 12', [['12']]],
  ['prix de l electricite', [['prix'], ['de'], ['electricit']]],
  ['Qu est ce que l eau', [['est'], ['ce'], ['que'], ['eau']]],
  ['L eau', [['eau']]],
  ['vitamine D et C', [['vitamin'], ['d'], ['et'], ['c']]],
  ['"plan d urgence"', [['plan', 'urgenc']]],
  ['L 123-4', [['l'], ['123_4']]],
  ['t l n', [['t'], ['l'], ['n']]],
  ['anne-lise', [['anne', 'lise']]],
  ['AND OR NOT NEAR', [['and'], ['or'], ['not'], ['near']]],
  ['"pouvoir d\'achat" loi', [['pouvoir', 'achat'], ['loi']]],
  ['«pouvoir d’achat»', [['pouvoir', 'achat']]],
  ['loi"projet de"vote', [['loi'], ['projet', 'de'], ['vote']]],
  ['loi "vote', [['loi'], ['vote']]],
  ['"a b" c"', [['a', 'b'], ['c']]],
  ['title:loi (vote) ^x', [['titl', 'loi'], ['vote'], ['x']]],
  ['" " "" * ! \' d\' loi', [['loi']]],
  ['', []],
] as const;

describe('quoteWords', () => {
  const quotedQueries = {
    'budget 2025': '"budget" "2025"',
    "fin de vie retrait* l'eau": '"fin" de "vie" "retrait"* "l\'eau"',
    '"trains de nuit" phare': '"trains de nuit" "phare"',
    '«trains de nuit» -phare -"port neuf"': '"trains de nuit" -phare -"port neuf"',
    'party:ADR politician:"Anne Merlin" AN:12': 'party:ADR politician:"Anne Merlin" "AN:12"',
    'port sans digue "': '"port" "sans" "digue"',
    '10 000 euros': '"10 000" "euros"',
    'party: LFI -type:speech logement': 'party: "LFI" -type:speech "logement"',
  };

  for (const [query, quoted] of Object.entries(quotedQueries))
    it(`turns ${query} into ${quoted}, which it leaves as it is`, () => {
      expect(quoteWords(query).trim()).to.equal(quoted);
      expect(quoteWords(quoted)).to.equal(quoted);
    });
});

describe('parseQuery', () => {
  for (const [query, prose] of proses) {
    it(`reads ${JSON.stringify(query)} as ${JSON.stringify(prose)}`, () => {
      expect(parseQuery(query).terms.map((term) => term.prose)).to.deep.equal(prose);
    });
  }

  it('describes a word', () => {
    const [term] = parseQuery("  Borel-à-l'Aiguillier ").terms;
    expect(term).to.deep.equal({
      text: "Borel-à-l'Aiguillier",
      prose: ['borel', 'a', 'aiguillier'],
      readings: [],
      name: ['borel', 'a', 'l', 'aiguillier'],
      nameJoined: 'borelalaiguillier',
      phrase: false,
      prefix: false,
    });
  });

  it('describes a phrase and a prefix', () => {
    const { terms } = parseQuery('"Le Roc" retr* "projet de lo*" "vote bla"*');
    const shapes = terms.map(({ text, phrase, prefix }) => [text, phrase, prefix]);
    expect(shapes).to.deep.equal([
      ['Le Roc', true, false],
      ['retr', false, true],
      ['vote bla', true, true],
    ]);
  });

  it('gives a word without accents both of its readings, and keeps the others apart', () => {
    const read = (query: string) =>
      parseQuery(query).terms.map(({ prose, readings }) => [
        prose.join(' '),
        readings.map((tokens) => tokens.join(' ')),
      ]);
    expect(read('marche')).to.deep.equal([['march', ['marché']]]);
    expect(read('marché')).to.deep.equal([['marché', []]]);
    expect(read('cote')).to.deep.equal([['cote', ['côte', 'coté']]]);
    expect(read('cotés')).to.deep.equal([['coté', []]]);
    expect(read('sur')).to.deep.equal([['sur', ['sûr']]]);
    expect(read('"marche public"')).to.deep.equal([['march public', ['marché public']]]);
    expect(read('budget')).to.deep.equal([['budget', []]]);
  });

  it('takes numbers, dates and what is written apart for what others write, but in phrases', () => {
    const readings = (query: string) =>
      parseQuery(query).terms.map((term) => term.readings.map((tokens) => tokens.join(' ')));
    expect(readings('49 alinéa 3')[0]).to.include('49 alinea 3');
    expect(readings('"49 alinéa 3"')).to.deep.equal([[]]);
  });

  it('sets apart what must not be found, and what is asked of the records', () => {
    const { terms, excluded, filters } = parseQuery(
      'loi -vote -"projet de loi" demi-tour type:speech party:"Les Vergers" since:2024-01-01 x:y',
    );
    expect(terms.map(({ text }) => text)).to.deep.equal(['loi', 'demi-tour', 'x:y']);
    expect(excluded.map(({ text, phrase }) => [text, phrase])).to.deep.equal([
      ['vote', false],
      ['projet de loi', true],
    ]);
    expect(filters.map(({ name, value }) => [name, value])).to.deep.equal([
      ['type', 'speech'],
      ['party', 'Les Vergers'],
      ['since', '2024-01-01'],
    ]);
  });

  it('takes AND for nothing, NOT for a minus, and says of OR that it is left out, in capitals between other words', () => {
    const read = (query: string) => {
      const { terms, excluded, remarks } = parseQuery(query);
      return [terms.map(({ text }) => text), excluded.map(({ text }) => text), remarks.length];
    };
    expect(read('aide AND mourir')).to.deep.equal([['aide', 'mourir'], [], 0]);
    expect(read('port NOT pêche phare')).to.deep.equal([['port', 'phare'], ['pêche'], 0]);
    expect(read('phare OU digue')).to.deep.equal([['phare', 'digue'], [], 1]);
    expect(read('NOT phare')).to.deep.equal([['NOT', 'phare'], [], 0]);
    expect(read('LINGOTS OU OR FIN')).to.deep.equal([['LINGOTS', 'OU', 'OR', 'FIN'], [], 0]);
  });

  it('reads filters with a minus, with a space before the value, and leaves those without any out', () => {
    const read = (query: string) => {
      const { terms, excluded, filters, remarks } = parseQuery(query);
      expect(excluded).to.deep.equal([]);
      const all = filters.map(({ name, value, isExcluded }) => `${isExcluded ? '-' : ''}${name}=${value}`);
      return [...all, ...terms.map(({ text }) => text), ...remarks.map(String)];
    };
    expect(read('port -type:speech -party:"Les Quais" until:2020')).to.deep.equal([
      '-type=speech',
      '-party=Les Quais',
      'until=2020',
      'port',
    ]);
    expect(read('party: LQ port')).to.deep.equal(['party=LQ', 'port']);
    expect(read('party: since:2020')).to.deep.equal(['since=2020', 'party: was ignored: it has no value']);
    expect(read('port type:')).to.deep.equal(['port', 'type: was ignored: it has no value']);
    expect(parseQuery('type: port').filters[0]?.asWords.map(({ text }) => text)).to.deep.equal(['type', 'port']);
  });

  it('leaves out all that stands behind -" where its pair was forgotten', () => {
    const { terms, excluded } = parseQuery('port -"bateau de pêche');
    expect(terms.map(({ text }) => text)).to.deep.equal(['port']);
    expect(excluded.map(({ text, phrase }) => [text, phrase])).to.deep.equal([['bateau de pêche', true]]);
  });

  it('takes letters that a program wrote as one, or twice as wide, for what they are', () => {
    for (const query of ['ﬁnances', 'ｆｉｎａｎｃｅｓ'])
      expect(parseQuery(query)).to.deep.equal(parseQuery('finances'));
  });

  it('takes a beginning for that of words whose endings or accents give them other tokens', () => {
    const readings = (query: string) =>
      parseQuery(query).terms.flatMap((term) => term.readings.map((tokens) => tokens.join(' ')));
    expect(readings('nationau*')).to.include('national');
    expect(readings('"grands travau*"')).to.include('grand traval');
    expect(readings('entrepris*')).to.include('entrepri');
    expect(readings('initiativ*')).to.include('initiatif');
    expect(readings('pêch*')).to.include.members(['pêche', 'pêcheur']);
    expect(readings('pech*')).to.include('pêche');
    expect(readings('imm*')).to.deep.equal([]);
    expect(readings('mau*')).to.not.include('mal');
  });

  it('reads words with a sign between them each by itself, where they are not one', () => {
    const words = (query: string) => parseQuery(query).terms.map(({ text }) => text);
    expect(words('ports/phares -digue')).to.deep.equal(['ports', 'phares']);
    expect(words('ports|phares;digues')).to.deep.equal(['ports', 'phares', 'digues']);
    for (const query of ['12/30', 'R&D', 'https://ports.fr', 'demi-tour', 'type:content,speech'])
      expect(words(query), query).to.deep.equal(query.startsWith('type') ? [] : [query]);
  });

  it('leaves a beginning of two letters out, and says so', () => {
    expect(parseQuery('a* re* phare').remarks.map(String)).to.deep.equal([
      '"a*" was ignored: a prefix needs 3 letters',
      '"re*" was ignored: a prefix needs 3 letters',
    ]);
    expect(parseQuery('a* phare').terms).to.have.lengthOf(1);
    expect(parseQuery('habites*').terms[0]).to.deep.include({
      prose: ['habites'],
      readings: [['habit'], ['habité']],
    });
  });

  it('keeps 32 terms, phrases of 32 tokens and words of 12', () => {
    expect(parseQuery('mot '.repeat(100)).terms).to.have.lengthOf(32);
    expect(parseQuery(`"${'mot '.repeat(100)}"`).terms[0]?.prose).to.have.lengthOf(32);
    expect(parseQuery('a-'.repeat(100)).terms[0]?.prose).to.have.lengthOf(12);
    expect(parseQuery('a-'.repeat(100)).terms[0]?.name).to.have.lengthOf(12);
  });

  const hostile = ['\0', '\ud800', '"'.repeat(10_001), '*'.repeat(10_000), '"*'.repeat(5000), '('.repeat(10_000)];
  for (const query of [
    ...hostile,
    '\u202e"',
    "'; DROP TABLE x; --",
    '1 000 '.repeat(5000),
    'e\u0301"',
    'x'.repeat(10_000_000),
  ]) {
    it(`takes ${JSON.stringify(query.slice(0, 12))} without an error`, () => {
      for (const { prose, name, nameJoined } of parseQuery(query).terms) {
        expect(prose).to.not.be.empty;
        expect(name).to.not.be.empty;
        for (const token of [...prose, ...name, nameJoined])
          expect(token).to.match(/^[a-z0-9_\u0080-\u{10ffff}]{1,64}$/u);
      }
    });
  }
});
