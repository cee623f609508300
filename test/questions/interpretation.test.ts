import { expect } from 'chai';
import { ask, ballots, feed, type ListQuestion, search } from '../../src/index.ts';
import { changes } from '../../src/questions/changes.ts';
import { cohesion } from '../../src/questions/cohesion.ts';
import { compare } from '../../src/questions/compare.ts';
import { readValues } from '../../src/questions/parameter.ts';
import { records } from '../../src/questions/record.ts';
import { readTwoNights } from './question-results.ts';

describe('what words of a query mean', () => {
  const night = readTwoNights();
  const answerOf = async (question: ListQuestion, parameters: Record<string, unknown>) => {
    const { items, total, extra } = await ask(night.now, question, { limit: 50, ...parameters });
    const ids = [...(items as Iterable<Record<string, unknown>>)].map(({ id, key = id }) => String(key));
    return { total, ids: ids.toSorted(), interpreted: extra?.interpreted };
  };
  const surfaces = (kind: string): [ListQuestion, Record<string, unknown>][] => [
    [search, { type: kind }],
    [feed, { types: kind }],
    [records, { kind }],
    [changes, { kind, only: 'added', since: '2000-01-01' }],
  ];

  const authors = [
    { q: 'bruyevre retraites', words: 'bruyevre', values: ['oceane-bruyevre'], names: ['Océane Bruyèvre'] },
    { q: 'ADR logement', words: 'ADR', values: ['alliance-des-rivages'], names: ['Alliance des Rivages'] },
  ];

  for (const { q, words, values, names } of authors)
    it(`is stated for "${q}", and applied alike in searches, feeds and lists`, async () => {
      const answers = await Promise.all(surfaces('promise').map(([each, rest]) => answerOf(each, { q, ...rest })));
      const [first] = answers;
      expect(first!.ids).not.to.be.empty;
      for (const answer of answers) expect(answer).to.deep.equal(first);
      expect(first!.interpreted).to.deep.include({ words, as: 'author', values, names });
    });

  it('is not applied with `literal`, which searches each word as if it stood in quotation marks', async () => {
    for (const { q } of authors)
      for (const [question, parameters] of surfaces('promise')) {
        const literal = await answerOf(question, { q, literal: true, ...parameters });
        expect(literal.interpreted, question.name).to.equal(undefined);
        const quoted = q.replaceAll(/\S+/g, '"$&"');
        expect(literal).to.deep.equal(await answerOf(question, { q: quoted, ...parameters }));
      }
  });

  it('is not an author in quotation marks: only texts with the words are left', async () => {
    const counts = await Promise.all(
      ['ADR logement', '"ADR" logement', 'bruyevre propose des logements', '"bruyevre" propose des logements'].map(
        async (q) => (await answerOf(records, { q, kind: 'promise' })).total,
      ),
    );
    expect(counts).to.deep.equal([1, 0, 1, 0]);
  });

  it('is not an author behind a filter that a list has no name for, with `literal`', async () => {
    for (const [question, parameters] of surfaces('promise').slice(1))
      expect(
        (await answerOf(question, { q: 'party: ADR logement', literal: true, ...parameters })).interpreted,
      ).to.equal(undefined);
  });

  it('leaves the query of a search as it was sent, and a number in groups of digits as one', async () => {
    const { lead, total } = search.read(
      night.now,
      { ...readValues(search.parameters, { q: ['10 000'], literal: ['true'] }).values } as never,
      { searchesByMeaning: false, asOf: null },
    );
    expect(lead!.query).to.equal('10 000');
    expect(total).to.equal((await answerOf(search, { q: '10 000' })).total);
  });

  it('is for a figure what it is for the list of its ballots', async () => {
    for (const q of ['alliance-des-rivages', 'ADR logement', 'scrutin n° 4', 'budget 2031']) {
      const { interpreted } = await answerOf(ballots, { q });
      const pair = await ask(night.now, compare, { q, group: ['ADR', 'majority'] });
      expect(pair.extra!.interpreted, q).to.deep.equal(interpreted);
      expect((await ask(night.now, cohesion, { q })).extra!.interpreted, q).to.deep.equal(interpreted);
    }
  });

  it('is stated for ballots and for figures over them', async () => {
    const { items } = await ask(night.now, ballots, { limit: 1 });
    const [{ date = '' } = {}] = [...(items as Iterable<{ date?: string }>)];
    const period = { words: date, as: 'period', values: [date, date] };
    for (const [question, parameters] of [
      [ballots, {}],
      [compare, { group: ['ADR', 'majority'] }],
      [cohesion, {}],
    ] as [ListQuestion, object][]) {
      const q = `scrutins ${date}`;
      expect((await ask(night.now, question, { q, ...parameters })).extra!.interpreted, question.name).to.deep.include(
        period,
      );
      const { extra } = await ask(night.now, question, { q, literal: true, ...parameters });
      expect(extra!.interpreted, question.name).to.equal(undefined);
    }
  });
});
