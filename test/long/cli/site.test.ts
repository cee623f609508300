import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindOf } from '../../../src/model/kinds.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { saveDetail } from '../../../src/store/saving/detail.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { demoMirrorForEach } from '../../helpers/demo-mirror.ts';
import { askProgram } from '../../helpers/program.ts';

describe('a site', function () {
  this.timeout(120_000);
  const demo = demoMirrorForEach();
  const db = () => join(demo.folder, 'small.db');
  const run = (...argv: string[]) => askProgram(argv, { env: { ...demo.env, HEMICYCLE_DB: db() } });
  beforeEach(async () => {
    const files = ['politicians', 'parties', 'promises'].map((kind) => `fixtures/demo/${kind}.ndjson`);
    for (const file of files) expect((await run('import', file, '--quiet')).exit).to.equal(0);
  });
  const holding = (text: string) =>
    readdirSync(demo.out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
      .map(({ name }) => name);

  it('lacks a withheld politician although a profile names a topic of no record', async () => {
    const slug = 'zenobie-quillevere';
    const name = 'Zénobie Quillévéré';
    const mirror = openWritableMirror(db());
    const profile = { slug, full_name: name, positions: [{ topic: 'x' }] };
    const at = '2026-11-02T06:00:00.000Z';
    transaction(mirror, () => saveDetail(mirror, kindOf('politician'), profile, { at }));
    mirror.close();
    expect(await run('site', '-o', demo.out)).to.include({ exit: 0 });
    expect(holding(name)).not.to.have.length(0);
    await run('withhold', 'politician', slug, '--reason', 'objection');
    expect(await run('site', '-o', demo.out)).to.include({ exit: 0 });
    expect([...holding(slug), ...holding(name)]).to.deep.equal([]);
  });

  it('is written without a record that cannot be shown: exit 5, and its address and the reason on stderr', async () => {
    const mirror = openWritableMirror(db());
    mirror.sql('UPDATE record SET detail = ? WHERE key = ?').run('{', 'promise-bruyevre-2025-001');
    mirror.close();
    const { exit, stderr } = await run('site', '-o', demo.out);
    expect(exit).to.equal(5);
    expect(stderr)
      .to.match(/^\/records\/promise\/promise-bruyevre-2025-001: .*JSON/m)
      .and.match(/^Error: .*: \d+ pages could not be written; all others were written/m);
    expect(holding('Océane Bruyèvre')).not.to.have.length(0);
    const { stdout } = await run('site', '-o', demo.out, '--json');
    const addresses = JSON.parse(stdout).failures.map(({ address }: { address: string }) => address);
    expect(addresses).to.include('/records/promise/promise-bruyevre-2025-001');
  });
});
