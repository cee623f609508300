import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithPast, rewritten } from '../evidence/made.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

describe('hemicycle evidence', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let file: string;
  before(async () => {
    demo = await createDemoMirror();
    file = join(demo.folder, 'evidence.zip');
  });
  after(() => {
    demo.remove();
  });
  const run = (argv: string[], env: Record<string, string> = {}) =>
    runProgram(argv, { env: { HEMICYCLE_DB: demo.db, HOME: demo.folder, ...env } });

  it('takes records as `show` does, several at once, and is checked without a mirror', async () => {
    const words = [
      'AN:VAL1V4',
      'politician',
      'oceane-bruyevre',
      'promise:promise-bruyevre-2025-001',
      'VAL1V4',
    ];
    const env = { SOURCE_DATE_EPOCH: '1790000000' };
    const made = await run(['evidence', ...words, '-o', file, '--json'], env);
    expect(made.exit, made.stderr).to.equal(0);
    const { item, attribution } = JSON.parse(made.stdout);
    expect(item.records).to.deep.equal([
      { kind: 'ballot', key: 'AN:VAL1V4', versions: 1 },
      { kind: 'politician', key: 'oceane-bruyevre', versions: 1 },
      { kind: 'promise', key: 'promise-bruyevre-2025-001', versions: 1 },
    ]);
    expect(item.made_at).to.equal('2026-09-21T14:13:20.000Z');
    expect(attribution.text).to.include('Service de Valombre (fictional) (https://valombre.example)');
    const elsewhere = { HEMICYCLE_DB: join(demo.folder, 'none.db') };
    const verified = await run(['evidence', 'verify', file], elsewhere);
    expect([verified.exit, verified.stderr]).to.deep.equal([0, '']);
    expect(verified.stdout).to.equal(
      `${file}: ok, 9 files; made 2026-09-21T14:13:20.000Z, of ballot:AN:VAL1V4, politician:oceane-bruyevre, promise:promise-bruyevre-2025-001\nwhen it was made is the maker’s word\n`,
    );
    const bytes = readFileSync(file);
    await run(['evidence', ...words, '-o', file], env);
    expect(readFileSync(file).equals(bytes)).to.equal(true);
  });

  it('ends with 12 and a name where a byte was changed', async () => {
    expect((await run(['evidence', 'AN:VAL1V4', '-o', file])).exit).to.equal(0);
    const bytes = readFileSync(file);
    bytes.write('X', bytes.indexOf('"title"') + 1);
    writeFileSync(file, bytes);
    const { exit, stdout, stderr } = await run(['evidence', 'verify', file, '--json']);
    expect(exit).to.equal(12);
    expect(JSON.parse(stdout).faults).to.deep.equal([
      {
        part: 'data/1-ballot-an-val1v4/1-row.json',
        reason: 'its SHA-256 is not the one in manifest-sha256.txt',
      },
    ]);
    expect(JSON.parse(stderr).error).to.include({ code: 'VERIFICATION', exit: 12 });
    expect((await run(['evidence', 'verify', join(demo.folder, 'none.zip')])).exit).to.equal(12);
  });

  it('sends nothing to the terminal that acts on it, whatever the file states', async () => {
    const own = createTemporaryMirror();
    try {
      fillWithPast(own.mirror);
      const records = [{ kind: 'promise', key: '\u001b]0;owned\u0007\u001b[2J\u202eprm-1\nok' }];
      writeFileSync(file, rewritten(own.mirror, { records }));
    } finally {
      own.remove();
    }
    const { exit, stdout } = await run(['evidence', 'verify', file]);
    expect(exit).to.equal(0);
    expect(stdout.split('\n')[0]).to.equal(
      `${file}: ok, 9 files; made 2026-11-22T10:00:00.000Z, of promise:]0;owned[2Jprm-1 ok`,
    );
  });

  it('says what is missing in what was typed', async () => {
    expect((await run(['evidence', 'AN:VAL1V4'])).exit).to.equal(2);
    const kind = await run(['evidence', 'ballot', '-o', file]);
    expect([kind.exit, kind.stderr]).to.deep.equal([
      2,
      'Error: ballot names a kind, and no record of it\nwrite its key behind it: ballot KEY\n',
    ]);
    expect((await run(['evidence', 'AN:VAL1V4', '-o', demo.db])).exit).to.equal(10);
    expect((await run(['evidence', 'AN:VAL1V4', '-o', file, '--as-of', '2020-01-01'])).exit).to.equal(8);
  });
});
