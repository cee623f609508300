import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { keyOf } from '../../src/model/facets.ts';
import { kindOf, kinds } from '../../src/model/kinds.ts';
import { kindNames, record, records } from '../../src/questions/record.ts';
import { demoRecords } from '../server/demo-server.ts';
import { readTwoNights, refusalAt } from './question-results.ts';

describe('the question for any record', () => {
  const night = readTwoNights();
  const recordItem = async (kind: string, key: string, mirror = night.now) =>
    (await ask(mirror, record, { kind, key })).item;

  for (const kind of kinds.filter(({ name }) => name !== 'audit'))
    it(`reads a ${kind.name} by its key, the kind in the singular or the plural`, async () => {
      const key = keyOf(kindOf(kind.name), demoRecords(kind)[0]!);
      const item = await recordItem(kind.name, key, night.past);
      expect(item).to.be.an('object').that.is.not.empty;
      expect(await recordItem(kind.plural, key, night.past)).to.deep.equal(item);
    });

  it('takes names of politicians and parties, of nothing else', async () => {
    expect(await recordItem('party', 'ADR')).to.include({ slug: 'alliance-des-rivages' });
    expect(await recordItem('politician', 'Océane Bruyèvre')).to.include({ slug: 'oceane-bruyevre' });
    expect(await refusalAt(night.now, record, { kind: 'quote', key: 'Océane Bruyèvre' })).to.include({
      exit: 3,
    });
  });

  it('refuses an unknown kind and an unknown key, and names what is near', async () => {
    expect(await refusalAt(night.now, record, { kind: 'promis', key: 'x' })).to.deep.equal({
      exit: 2,
      message: `kind must be one of ${kindNames.join(', ')}`,
      hint: 'did you mean: promise?',
    });
    const { exit, hint } = await refusalAt(night.now, record, {
      kind: 'promise',
      key: 'promise-bruyevre-2025-00',
    });
    expect([exit, hint]).to.have.property('0', 3);
    expect(hint).to.match(/^did you mean: promise-bruyevre-2025-001 \(/);
  });

  it('names the group that was typed in the command that lists ballots by group', async () => {
    for (const filter of [{ group: 'ADR' }, { party: 'PDV,ADR' }]) {
      const { exit, hint } = await refusalAt(night.now, records, { kind: 'ballot', ...filter });
      const [typed] = Object.values(filter);
      expect(exit).to.equal(2);
      expect(hint).to.equal(`\`hemicycle ballots --group ${typed}\` lists ballots with the votes of the group`);
    }
  });

  it('reads no record that was withdrawn, but of the past what it said', async () => {
    const key = 'promise-bruyevre-2025-003';
    expect(await refusalAt(night.now, record, { kind: 'promise', key })).to.include({ exit: 3 });
    expect(await recordItem('promise', key, night.past)).to.include({ id: key });
  });

  it('lists a record under its own key, whatever unknown field of it is called so', () => {
    expect(records.toRow!({ id: 'q-1', key: 'other', text: 'Oui.' })).to.include({
      key: 'q-1',
      title: 'Oui.',
    });
  });
});
