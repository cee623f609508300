import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { history } from '../../src/questions/history.ts';
import { fieldsAt, readTwoNights, refusalAt } from './question-results.ts';

const nights = ['2026-11-01T06:00:00.000Z', '2026-11-05T06:00:00.000Z'];

describe('the question for the history of a record', () => {
  const night = readTwoNights();
  const versionRows = (parameters: Record<string, unknown>, mirror = night.now) =>
    fieldsAt(mirror, history, ['part', 'seen_from', 'seen_to', 'ended_by'], parameters);

  it('tells the versions of an edited record, the newest first, and what the edit changed', async () => {
    const parameters = { kind: 'promise', key: 'promise-bruyevre-2025-001' };
    expect(await versionRows(parameters)).to.deep.equal([
      ['row', nights[1], null, null],
      ['row', nights[0], nights[1], 'edited'],
    ]);
    const [edit] = await fieldsAt(night.now, history, ['changes'], parameters);
    expect(edit![0]).to.deep.equal([{ field: 'topic', old: 'retraites', new: 'fanaux' }]);
  });

  it('tells what was withdrawn, and when', async () => {
    expect(await versionRows({ kind: 'promise', key: 'promise-bruyevre-2025-003' })).to.deep.equal([
      ['row', nights[0], nights[1], 'withdrawn'],
    ]);
  });

  it('takes a name, and says which key it means', async () => {
    const listing = await ask(night.now, history, { kind: 'politicians', key: 'Océane Bruyèvre' });
    expect(listing.extra).to.deep.equal({ kind: 'politician', key: 'oceane-bruyevre', former_key: null });
    expect(listing.notes!().map(String)).to.deep.equal(['politician oceane-bruyevre, as received by this mirror']);
  });

  it('refuses a key that was never seen, and a kind that there is not', async () => {
    expect(await refusalAt(night.now, history, { kind: 'quote', key: 'nothing' })).to.include({
      exit: 3,
      message: 'this mirror never contained a quote "nothing"',
    });
    expect(await refusalAt(night.now, history, { kind: 'quotation', key: 'x' })).to.include({ exit: 2 });
  });
});
