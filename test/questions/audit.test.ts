import { expect } from 'chai';
import { audit } from '../../src/questions/audit.ts';
import { fieldsAt, readTwoNights, refusalAt, walkAt } from './question-results.ts';

describe('the question for moderation entries', () => {
  const night = readTwoNights();

  it('lists the newest first', async () => {
    const dates = async (mirror: typeof night.now) => (await fieldsAt(mirror, audit, ['date'], { limit: 2 })).flat();
    expect(await dates(night.past)).to.deep.equal(['2026-10-25T11:49:49Z', '2026-10-21T14:27:08Z']);
    expect(await dates(night.now)).to.deep.equal(['2026-11-04T08:00:00Z', '2026-10-25T11:49:49Z']);
  });

  it('takes the kind that was touched, also in the plural', async () => {
    for (const entity_type of ['promise', 'Promises', 'PROMISE']) {
      const types = await fieldsAt(night.now, audit, ['entity_type'], { entity_type, limit: 200 });
      expect(types.flat(), entity_type).to.deep.equal(Array(8).fill('promise'));
    }
  });

  it('gives every entry once over all pages, newest to oldest', async () => {
    const { pages, total } = await walkAt(night.now, audit, { limit: 25 });
    expect([total, ...pages.map((page) => page.length)]).to.deep.equal([61, 25, 25, 11]);
    const dates = pages.flat().map(({ date }) => String(date));
    expect(dates).to.deep.equal([...dates].sort().reverse());
    expect(new Set(pages.flat().map(({ id }) => id))).to.have.length(61);
  });

  it('refuses a kind that no entry names, with the near one, and more than 200', async () => {
    expect(await refusalAt(night.now, audit, { entity_type: 'promis' })).to.deep.equal({
      exit: 3,
      message: 'no entity type is called "promis" in the mirror',
      hint: 'did you mean: promise?',
    });
    expect(await refusalAt(night.now, audit, { limit: 201 })).to.include({
      exit: 2,
      message: '--limit must be at most 200',
    });
  });
});
