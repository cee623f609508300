import { expect } from 'chai';
import { createCandidate } from '../../src/names/candidate.ts';
import { distinctNames, findByShortName, guessNames, matchNames, mostCertainMatches } from '../../src/names/rules.ts';

type Facts = Omit<Parameters<typeof createCandidate>[0], 'key' | 'name'>;

const person = (name: string, surname: string, facts: Facts = {}) =>
  createCandidate({ key: name.toLowerCase().replace(/[^a-z]+/g, '-'), name, surname, ...facts });
const party = (key: string, name: string, shortName: string | null, preference: number, facts: Facts = {}) =>
  createCandidate({ key, name, shortName, preference, ...facts });

const candidates = [
  person('Anne Le Roc', 'leroc', { gender: 'F' }),
  person('Luc Le Roc', 'leroc', { gender: 'M' }),
  person('Jean-Luc Merlin', 'merlin', { gender: 'M' }),
  person('Luc Anne-Vatel', 'annevatel', { gender: 'M' }),
  person('Anne Merle', 'merle', { gender: 'F', countReferences: () => 3 }),
  person('Anna Merle', 'merle', { gender: 'F', countReferences: () => 9 }),
  person('Camille Rouvre', 'rouvre'),
  person('Luc Rouvre', 'rouvre', { gender: 'M' }),
  person('Odon Paul Quentin Rive', 'rive'),
  party('marins', 'Les Marins volontaires - LMV', 'LMV', 2, {
    acronyms: ['marvol'],
    formerNames: ['Mouvement des quais'],
  }),
  party('large', 'Parti socialiste du large', 'PSL', 1),
  party('psa', 'Socialiste', null, 0),
  party('rade', 'La Rade insoumise', 'LRI', 1),
  party('rade-front', 'Groupe La Rade insoumise et alliés', 'LRI-NF', 1),
  party('vent-1', 'Parti du vent', 'PDV', 1, { acronyms: ['marvol'] }),
  party('vent-2', 'Groupe du vent', 'PDV', 2),
  party('phares', 'Union des phares', null, 0),
  party('phares-neufs', 'Nouvelle Union des phares', null, 1),
  party('rivage', 'Pour le Rivage', null, 1),
  party('citoyen', 'Comité républicain citoyen écologiste', null, 1),
];

const keysOf = (found: readonly { key: string }[]) => found.map(({ key }) => key).join(', ');

describe('a name', () => {
  const cases: [query: string, matches: string, surest?: string][] = [
    [' anne-le-roc ', 'key anne-le-roc'],
    ['ANNE-LE-ROC', 'key anne-le-roc'],
    ['L.M.V.', 'short-name marins'],
    ['PDV', 'short-name vent-2'],
    ['Anne Le Roc', 'exact anne-le-roc'],
    ['LEROC Anne', 'exact anne-le-roc'],
    ['roc anne le', 'exact anne-le-roc'],
    ['Merlin Luc Jean', 'exact jean-luc-merlin'],
    ['Mme Le Roc', 'words anne-le-roc'],
    ['M. Le Roc', 'words luc-le-roc'],
    ['M. Anne Le Roc', 'exact anne-le-roc'],
    ['Mme Rouvre', 'words camille-rouvre'],
    ['Le Roc', 'words anne-le-roc, words luc-le-roc'],
    ['anne', 'words anne-le-roc, words luc-anne-vatel, words anne-merle'],
    ['Les Marins volontaires', 'exact marins'],
    ['Les Marins volontaires LMV', 'exact marins'],
    ['marvol', 'acronym marins'],
    ['Mouvement des quais', 'former-name marins'],
    ['quais', 'words marins'],
    ['mouvement marins', ''],
    ['CRCE', 'acronym citoyen'],
    [' CRC', ''],
    ['crce', ''],
    ['CRCEX', ''],
    ['OPQR', ''],
    ['socialiste', 'words large, exact psa', 'large'],
    ['socialistes', 'forms large, forms psa', 'large'],
    ['Parti socialiste', 'words large, forms psa', 'large'],
    ['les insoumis', 'forms rade'],
    ['rade insoumise', 'words rade, words rade-front', 'rade'],
    ['La Rade', 'words rade, words rade-front'],
    ['rades', ''],
    ['rivages', ''],
    [' rivages ', ''],
    ['Rivages', 'forms rivage'],
    ['volontaire', 'forms marins'],
    ['volont', 'prefix marins'],
    ['Union des phares', 'exact phares, words phares-neufs', 'phares'],
    ['Insoumis', 'forms rade, prefix rade-front', 'rade'],
    ['groupe du vent', 'exact vent-2, forms vent-1', 'vent-2'],
    ['vent', 'words vent-1, words vent-2'],
    ['JL Merlin', 'prefix jean-luc-merlin'],
    ['jlm', ''],
    ['Anne M.', 'prefix anne-merle'],
    ['A. Merle', 'prefix anne-merle, prefix anna-merle'],
    ['Mer', ''],
    ['merl', 'prefix jean-luc-merlin, prefix anne-merle, prefix anna-merle'],
    ['socia', 'prefix large, prefix psa', 'large'],
    ['xyzt', ''],
    ['', ''],
  ];
  for (const [query, matches, surest] of cases)
    it(`matches ${matches || 'nobody'}: ${query}`, () => {
      const found = matchNames(query, candidates);
      expect(found.map(({ matchKind, candidate }) => `${matchKind} ${candidate.key}`).join(', ')).to.equal(matches);
      expect(found.every(({ distance }) => distance === 0)).to.equal(true);
      expect(keysOf(mostCertainMatches(query, candidates))).to.equal(
        surest ?? keysOf(found.map(({ candidate }) => candidate)),
      );
    });

  it('is matched in the reading without its title, by these words', () => {
    const [match] = matchNames('la ministre Anne Le Roc', candidates);
    expect(match).to.include({ matchKind: 'exact' });
    expect(match!.words).to.deep.equal(['anne', 'le', 'roc']);
  });

  it('that is a short name has every bearer, whatever is preferred', () => {
    expect(keysOf(findByShortName('p.d.v.', candidates))).to.equal('vent-1, vent-2');
    expect(findByShortName('', candidates)).to.deep.equal([]);
  });
});

describe('a guess at a name without a match', () => {
  const cases: [query: string, guesses: string][] = [
    ['lri', 'prefix rade-front 0, prefix rade 0, initials rade 0'],
    ['psl', 'prefix large 0, initials large 0'],
    ['alr', 'initials anne-le-roc 0'],
    ['a l r', 'initials anne-le-roc 0'],
    ['c', ''],
    ['cr', 'initials camille-rouvre 0'],
    ['cr x', ''],
    ['al r', ''],
    ['s', ''],
    ['psl x', ''],
    ['Merlain', 'sound jean-luc-merlin 0.75'],
    ['Anne Rok', 'typo anne-le-roc 1'],
    ['Leroccc', 'sound anne-le-roc 0.75, sound luc-le-roc 0.75'],
    ['Le Rocc', 'sound anne-le-roc 0.75, sound luc-le-roc 0.75'],
    ['Le Ro', ''],
    ['Mearle', 'typo anna-merle 1, typo anne-merle 1'],
    ['Mme Mearle', 'typo anna-merle 1, typo anne-merle 1'],
    ['Camile Rouvr', 'sound camille-rouvre 1.1'],
    ['abcdefghijkl', ''],
  ];
  for (const [query, guesses] of cases)
    it(`is ${guesses || 'nobody'} for ${query}`, () => {
      const found = guessNames(query, candidates);
      const texts = found.map(({ matchKind, candidate, distance }) => `${matchKind} ${candidate.key} ${distance}`);
      expect(texts.join(', ')).to.equal(guesses);
    });

  it('names each key once', () => {
    const named = [
      { key: 'a', name: 'A', distance: 1 },
      { key: 'b', name: 'B', distance: 1 },
      { key: 'a', name: 'A', distance: 2 },
    ];
    expect(distinctNames(named)).to.deep.equal([
      { key: 'a', name: 'A' },
      { key: 'b', name: 'B' },
    ]);
  });
});
