import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { querySteps } from '../../src/store/search/reading.ts';
import { nameStep } from '../../src/store/search/search.ts';
import { addingSteps, matchingSteps, nearSteps } from '../../src/store/search/steps.ts';
import { transaction } from '../../src/store/transaction.ts';
import { searchWords } from '../helpers/search-words.ts';

const steps = [...querySteps, nameStep, ...matchingSteps, ...nearSteps, ...addingSteps];

/** A query that needs the step, by name of step. */
const exampleQueries: Record<string, string> = {
  reference: 'scrutin n° 3691',
  period: 'scrutins du 23 janvier 2025',
  name: 'garde des sceaux',
  passage: 'les gardiens de phare partent en retraite',
  acronym: "aide médicale d'État",
  words: 'trains de nuit',
  verb: 'voter',
  completion: 'agricult',
  split: 'pouvoirdachat',
  family: 'immigrant',
  spelling: 'retriates',
  file: 'qui vote la loi Plein Air',
  'any-word': 'pourquoi les phares ferment-ils en hiver',
};

describe('the steps of a search', () => {
  let folder: string;
  let mirror: Mirror;

  const save = (kind: KindName, documents: readonly Document[]) => {
    const saver = createSaver(mirror, kindOf(kind), { at: '2026-01-01T00:00:00.000Z' });
    for (const document of documents) saver.save(document);
    saver.finish();
  };
  const texts = [
    'Les gardiens de phare partent en retraite avant les pêcheurs.',
    "L'aide médicale d'État (AME) est accordée au port.",
    "L'AME est un droit.",
    'Des trains de nuit pour la côte.',
    'Voter en mai.',
    'Les marins votent.',
    "L'agriculture de la baie.",
    "Le pouvoir d'achat des éclusiers.",
    'Les immigrations anciennes.',
    'Les retraites des marins.',
    'Un phare en hiver.',
  ];
  const explained = (query: string, types?: KindName[]) =>
    searchWords(mirror, { query, limit: 20, explain: true, ...(types && { types }) }).remarks.map(String);
  /** The number of results that a step states; null if it was not run. */
  const resultsOf = (name: string, lines: readonly string[]): number | null => {
    const line = lines.find((each) => each.startsWith(`step ${name}: `));
    return line === undefined ? null : Number(/: (\d+) result/.exec(line)![1]);
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-steps-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    transaction(mirror, () => {
      save(
        'content',
        texts.map((text, at) => ({ id: `t${at}`, title: `Note ${at}`, text })),
      );
      save(
        'content',
        [1, 2, 3].map((at) => ({
          id: `plage-${at}`,
          title: 'Plein Air',
          text: 'La loi Plein Air.',
          dossier: 'Plages',
        })),
      );
      save('ballot', [
        { id: 'b1', number: 3691, title: 'Ensemble de la proposition sur les plages', date: '2025-01-23' },
        ...[
          'loi de finances pour 2025',
          'loi de financement de la sécurité sociale pour 2025',
          'loi de finances pour 2026',
        ].map((law, at) => ({
          id: `law-${at}`,
          title: `l'ensemble du projet de ${law} (première lecture)`,
          date: '2025-02-01',
        })),
      ]);
      save('politician', [{ slug: 'jeanne-sel', full_name: 'Jeanne Sel', current_role: 'garde des sceaux' }]);
    });
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have names of their own', () => {
    expect(new Set(steps.map(({ name }) => name))).to.have.length(steps.length);
  });

  it('read the usual name of the law of a year as its full one, for any year, and for no other text', () => {
    const idsOf = (query: string) =>
      searchWords(mirror, { query, limit: 20, types: ['ballot'] }).items.map(({ id }) => id);
    for (const query of ['budget 2025', 'PLF 2025', 'loi de finances 2025', "budget de l'État 2025"])
      expect(idsOf(query), query).to.deep.equal(['AN:law-0']);
    for (const query of ['PLFSS 2025', 'budget de la sécu 2025', 'budget de la sécurité sociale 2025'])
      expect(idsOf(query), query).to.deep.equal(['AN:law-1']);
    expect(idsOf('budget 2026')).to.deep.equal(['AN:law-2']);
    expect(idsOf('budget 2027')).to.deep.equal([]);
  });

  for (const { name } of steps)
    it(`include ${name}, which has results for its example, "${exampleQueries[name]}"`, () => {
      const isOfBallots = name === 'reference' || name === 'period';
      expect(resultsOf(name, explained(exampleQueries[name]!, isOfBallots ? ['ballot'] : undefined))).to.be.greaterThan(
        0,
      );
    });

  it('are explained in the order in which they ran, also those without a result', () => {
    expect(explained('trains de nuit')).to.deep.equal([
      'step name: 0 results (people and parties that the query names)',
      'step words: 1 result (all words, in singular and plural, and long forms of acronyms)',
      'step any-word: 0 results (any of the words, most and rarest first)',
    ]);
    expect(resultsOf('words', explained('retriates'))).to.equal(0);
  });

  it('are left out of the explanation where they do not apply, and include similar names', () => {
    expect(resultsOf('any-word', explained('zzzz')), 'one word').to.equal(null);
    expect(resultsOf('near-name', explained('jeane sel'))).to.equal(1);
  });

  it('are explained apart for the records of an author whom the query names', () => {
    expect(explained('Jeanne Sel phare').filter((line) => line.includes('by Jeanne Sel'))).to.not.be.empty;
  });

  it('are not mentioned without being requested', () => {
    expect(searchWords(mirror, { query: 'trains de nuit', limit: 20 }).remarks).to.deep.equal([]);
  });
});
