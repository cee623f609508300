import { expect } from 'chai';
import { ask, type ListQuestion, type RecordQuestion } from '../../src/index.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { compare } from '../../src/questions/compare.ts';
import { findExample } from '../../src/questions/examples.ts';
import { feed } from '../../src/questions/feed.ts';
import { questions } from '../../src/questions/table.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';
import { readTwoNights } from './question-results.ts';

describe('the example of a parameter', () => {
  const night = readTwoNights();

  for (const question of questions)
    it(`of \`${question.name}\` is answered by the mirror that it is made for`, async () => {
      for (const name of Object.keys(question.parameters)) {
        const example = findExample(night.now, question, name);
        if (typeof example !== 'string') continue;
        const places = Object.entries(question.parameters)
          .filter(([, { isRequired }]) => isRequired)
          .map(([each, { schema }]) => [
            each,
            findExample(night.now, question, each) ?? [schema.enum ?? 'gardiens'].flat()[0],
          ]);
        const parameters = { ...Object.fromEntries(places), [name]: example };
        if (question.answers === 'list') await ask(night.now, question as ListQuestion, parameters);
        else expect((await ask(night.now, question as RecordQuestion, parameters)).item).to.be.an('object');
      }
    });

  it('is one that this mirror knows, where it does not know the described one', () => {
    const own = createTemporaryMirror();
    saveAll(own.mirror, 'party', [{ slug: 'abeilles', name: 'Les Abeilles', short_name: 'ABE' }]);
    const votes = { for: 1, against: 0, abstention: 0, non_voting: 0, position: 'pour' };
    const ballot = { scrutin_id: 'X1', chamber: 'AN', title: 'T', date: '2026-01-01', result: 'rejeté' };
    saveAll(own.mirror, 'ballot', [{ ...ballot, votes_by_party: [{ party: 'abeilles', ...votes }] }]);
    expect(findExample(own.mirror, ballots, 'voted')).to.equal('abeilles:for');
    expect(findExample(own.mirror, compare, 'group')).to.equal('abeilles,majority');
    expect(findExample(own.mirror, ballots, 'result')).to.equal('rejeté');
    expect(findExample(own.mirror, feed, 'topic')).to.equal(null);
    expect(findExample(own.mirror, ballots, 'limit')).to.equal(undefined);
    own.remove();
  });
});
