import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { withdraw } from '../../src/store/saving/withdrawals.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('changes at a command line', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  const run = (...argv: string[]) =>
    askProgram(['changes', '--since', '2026-10-01', '--kind', 'party', ...argv], {
      env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
    });
  const asJson = async (...argv: string[]) => JSON.parse((await run('--json', ...argv)).stdout);

  it('are all shown, and with --limit as many, with how many there are', async () => {
    const all = await run();
    expect(all.stdout.match(/ added /g)).to.have.length(8);
    expect(all.stdout).not.to.include('shown');
    const two = await run('--limit', '2');
    expect(two.stdout.split('\n').slice(0, 2)).to.deep.equal(all.stdout.split('\n').slice(0, 2));
    expect(two.stdout.split('\n')[2]).to.equal('shown 2 of 8');
    expect((await run('--limit', '8')).stdout).to.equal(all.stdout);
    expect((await run('--limit', '2', '--exit-status')).exit).to.equal(20);
    expect((await run('--limit', '0')).exit).to.equal(2);
  });

  it('go on behind a cursor, with a limit and without', async () => {
    const { items } = await asJson();
    const first = await asJson('--limit', '3');
    expect(first).to.include({ shown: 3, total: 8 });
    expect(first.items).to.deep.equal(items.slice(0, 3));
    const second = await asJson('--limit', '3', '--cursor', first.next_cursor);
    expect(second.items).to.deep.equal(items.slice(3, 6));
    const remainingPage = await asJson('--cursor', second.next_cursor);
    expect([remainingPage.items, remainingPage.next_cursor]).to.deep.equal([items.slice(6), null]);
  });

  it('of somebody who was withdrawn are shown where the profile is asked for, with exit 3', async () => {
    const mirror = openWritableMirror(demo.db);
    const id = mirror
      .column<number>("SELECT id FROM record WHERE kind = 'politician' AND key = 'oceane-bruyevre'")
      .get()!;
    transaction(mirror, () => withdraw(mirror, id, '2026-11-20T06:00:00.000Z'));
    mirror.close();
    const env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
    for (const name of ['oceane-bruyevre', 'Océane Bruyèvre']) {
      const { exit, stdout, stderr } = await askProgram(['politicians', name], { env });
      expect(exit).to.equal(3);
      expect(stderr).to.include('oceane-bruyevre was withdrawn on 2026-11-20');
      expect(stdout).to.include('withdrawn');
    }
  });
});
