import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { datasets } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { type Dialect, type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { runAtTerminal, runProgram } from '../helpers/program.ts';
import { createTemporaryMirror, hashesOf, syncOnce } from '../helpers/sync-run.ts';

const at = '2026-11-01T12:00:00.000Z';
const now = () => Date.parse(at);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a verbatim export', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  let out: string;
  const start = async (dataset: Dialect['dataset'] = 'semicolon') => {
    own = createTemporaryMirror();
    out = join(own.folder, 'out');
    service = await startFakeService({ ...dialects[0]!, ...(dataset ? { dataset } : {}) });
    await syncOnce(own, service.baseUrl, { now });
  };
  afterEach(async () => {
    own.remove();
    await service.close();
  });
  const run = (...argv: string[]) =>
    runProgram(['export', ...argv], { env: { HEMICYCLE_DB: own.mirror.path, HOME: own.folder } });
  const sent = async (plural: string, format = 'csv') => {
    const answer = await fetch(`${service.baseUrl}/export/dataset?entity=${plural}&format=${format}`);
    return Buffer.from(await answer.arrayBuffer());
  };

  for (const dataset of ['parquet', 'csv', 'semicolon', 'tab'] as const) {
    it(`into a folder is what the service sent (${dataset}), described and verified`, async () => {
      await start(dataset);
      const format = dataset === 'parquet' ? 'parquet' : 'csv';
      const { exit, stderr } = await run('--all', '--verbatim', '-o', `${out}/`);
      expect(exit, stderr).to.equal(0);
      const { resources } = JSON.parse(readFileSync(join(out, 'datapackage.json'), 'utf8'));
      expect(resources.map(({ name }: { name: string }) => name)).to.have.members(
        datasets.map(({ plural }) => plural),
      );
      for (const resource of resources) {
        const body = await sent(resource.name, format);
        expect(hashOf(readFileSync(join(out, resource.path))), resource.path).to.equal(hashOf(body));
        expect(resource).to.include({
          path: `${resource.name}.${format}`,
          hash: `sha256:${hashOf(body)}`,
          bytes: body.length,
          verbatim: true,
          retrieved_at: at,
        });
        const delimiter = { semicolon: ';', tab: '\t', csv: ',', parquet: undefined }[dataset];
        expect(resource.dialect?.delimiter).to.equal(delimiter);
        expect(stderr).to.include(`downloaded ${at}, SHA-256 ${hashOf(body)}`);
      }
      expect((await run('verify', out)).exit).to.equal(0);
    });
  }

  it('of a folder in which a byte changed is found by verify, exit 12', async () => {
    await start();
    await run('--all', '--verbatim', '-o', `${out}/`);
    const file = join(out, 'quotes.csv');
    const bytes = readFileSync(file);
    bytes[bytes.length - 20]! ^= 1;
    writeFileSync(file, bytes);
    const { exit, stdout } = await run('verify', out);
    expect(exit).to.equal(12);
    expect(stdout).to.match(/^quotes\.csv: is not what SHA256SUMS says/m);
  });

  it('can be imported, and gives the same records, hash for hash', async () => {
    await start('parquet');
    await run('--all', '--verbatim', '-o', `${out}/`);
    const other = openWritableMirror(join(own.folder, 'other.db'));
    await importFiles(other, findImportFiles(out), { at });
    for (const { name } of datasets)
      expect(hashesOf(other, name), name).to.deep.equal(hashesOf(own.mirror, name));
    other.close();
  });

  it('into a file has its hash and date beside it', async () => {
    await start();
    const file = join(own.folder, 'quotes.csv');
    expect((await run('quotes', '--verbatim', '-o', file)).exit).to.equal(0);
    const body = await sent('quotes');
    expect(readFileSync(file).equals(body)).to.equal(true);
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8'));
    expect(meta).to.include({ sha256: hashOf(body), verbatim: true, retrieved_at: at, bytes: body.length });
    expect(meta.attribution.retrieved_at).to.equal(at);
    const again = await run('quotes', '--verbatim', '-o', file, '--if-changed');
    expect(again.stderr).to.include('nothing changed');
  });

  it('into stdout is the bytes alone; stderr says hash and date', async () => {
    await start();
    const body = await sent('parties');
    const { stdout, stderr, exit } = await run('parties', '--verbatim');
    expect(exit).to.equal(0);
    expect(stdout).to.equal(body.toString().replaceAll('\r\n', '\n'));
    expect(stderr).to.match(new RegExp(`^parties: downloaded ${at}, SHA-256 ${hashOf(body)}\nSource: `));
    expect((await run('parties', '--verbatim', '--quiet')).stderr).to.match(/^Source: .*\n$/);
  });

  it('is not for a terminal', async () => {
    await start();
    const env = { HEMICYCLE_DB: own.mirror.path, HOME: own.folder };
    for (const argv of [['--verbatim'], ['--format', 'parquet']]) {
      const { stdout, exit } = await runAtTerminal(['export', 'parties', ...argv], { env });
      expect(exit).to.equal(2);
      expect(stdout).to.match(/not for a terminal\n.*-o parties\./);
    }
  });

  it('keeps the date of its data where the package states one', async () => {
    await start();
    await syncOnce(own, service.baseUrl, { now: () => now() + 86_400_000 });
    await run('--all', '--verbatim', '-o', `${out}/`);
    const described = JSON.parse(readFileSync(join(out, 'datapackage.json'), 'utf8'));
    expect(described.created).to.equal('2026-11-02T12:00:00.000Z');
    expect(readFileSync(join(out, 'ATTRIBUTION.txt'), 'utf8')).to.include('retrieved 2026-11-02');
  });

  const shaping = [
    ['--columns', 'id'],
    ['--party', 'parti-du-verger'],
    ['--politician', 'oceane-bruyevre'],
    ['--since', '7d'],
    ['--as-of', '2026-11-01'],
    ['--excel-fr'],
    ['--spreadsheet-safe'],
    ['--attribution-column'],
    ['--no-header'],
    ['--sqlite', 'plain.db'],
    ['--format', 'parquet'],
    ['--format', 'ndjson'],
    ['-o', 'quotes.parquet'],
    ['-o', 'quotes.csv.gz'],
  ];
  it('cannot be cut, shaped or called something else: exit 2, and nothing is written', async function () {
    this.timeout(60_000);
    await start();
    for (const flags of shaping) {
      const { exit, stdout } = await run('quotes', '--verbatim', ...flags);
      expect({ exit, stdout }, flags.join(' ')).to.deep.equal({ exit: 2, stdout: '' });
    }
    expect(existsSync('quotes.parquet') || existsSync('quotes.csv.gz') || existsSync('plain.db')).to.equal(
      false,
    );
    const mixed = await run('quotes', '--verbatim', '--format', 'parquet');
    expect(mixed.stderr).to.match(/^Error: quotes were downloaded as csv: .*\n.*quotes\.csv/);
    const none = await run('content', 'quotes', '--verbatim', '-o', `${out}/`);
    expect(none.exit).to.equal(2);
    expect(none.stderr).to.match(/^Error: content cannot be exported verbatim/);
    expect((await run('quotes', 'parties', '--verbatim')).stderr).to.match(/stdout takes one dataset/);
  });

  it('of a mirror that only files filled is refused with what to do, exit 10', async () => {
    await start();
    const demo = await createDemoMirror();
    const { exit, stderr, stdout } = await run('--all', '--verbatim', '-o', `${out}/`, '--db', demo.db);
    expect({ exit, stdout }).to.deep.equal({ exit: 10, stdout: '' });
    expect(stderr).to.match(/^Error: this mirror holds no download of politicians, .*\n`hemicycle sync`/);
    const told = await run('quotes', '--verbatim', '--json', '--db', demo.db);
    expect(JSON.parse(told.stderr).error).to.include({ code: 'NO_DOWNLOAD', exit: 10 });
    expect(existsSync(out)).to.equal(false);
    demo.remove();
  });

  it('of a mirror that is damaged leaves the last good one, exit 10', async () => {
    await start();
    await run('--all', '--verbatim', '-o', `${out}/`);
    const before = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
    own.mirror.database.exec("UPDATE download_part SET zstd = x'0011223344' WHERE kind = 'quote'");
    const { exit, stderr } = await run('--all', '--verbatim', '-o', `${out}/`);
    expect(exit).to.equal(10);
    expect(stderr).to.match(/the kept download of the dataset quote is damaged\n.*sync --full/);
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).to.equal(before);
    expect(readdirSync(own.folder).filter((name) => name.includes('hemicycle-'))).to.deep.equal([]);
  });
});
