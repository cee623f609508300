import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportFolder } from '../../src/export/folder.ts';
import { createPart } from '../../src/export/part.ts';
import { exportTable } from '../../src/export/tables.ts';
import { verifyExport, verifyFile, verifyLake, verifyReleases } from '../../src/export/verify.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

const sumOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('the check of what others hand over', () => {
  const demo = readDemoMirror();
  let out: string;
  beforeEach(async () => {
    out = join(demo.folder, 'out');
    const citation = { name: 'Test', siteUrl: null };
    const table = exportTable(demo.mirror, kindOf('party'), { citation, filter: {} });
    const options = { created: '2026-11-01T00:00:00Z', ifChanged: false, maxShrink: 1 };
    await exportFolder([createPart(table, { format: 'csv', header: true })], out, options);
    writeFileSync(join(demo.folder, 'secret.txt'), 'secret');
  });
  afterEach(() => rmSync(out, { recursive: true }));

  const sums = () => join(out, 'SHA256SUMS');
  const faultsOf = (checked: { path: string; faults: unknown[] }[]) =>
    checked.filter(({ faults }) => faults.length > 0).map(({ path, faults }) => `${path}: ${faults}`);
  const fifo = (path: string) => {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
  };

  it('opens nothing outside the folder, and says the same whatever stands there', async () => {
    mkdirSync(join(out, 'below'));
    symlinkSync('../secret.txt', join(out, 'link.txt'));
    symlinkSync('../..', join(out, 'below/up'));
    const outside = ['../secret.txt', 'below/../../secret.txt', join(demo.folder, 'secret.txt')];
    const paths = [...outside, 'link.txt', 'below/up/secret.txt', 'below/up/nothing.txt'];
    const own = readFileSync(sums(), 'utf8');
    const faultsWithContent = async (content: string) => {
      const lines = paths.map((path) => `${sumOf(content)}  ${path}\n`);
      writeFileSync(sums(), own + lines.join(''));
      return faultsOf(await verifyExport(out));
    };
    const right = await faultsWithContent('secret');
    expect(right).to.deep.equal(await faultsWithContent('another'));
    expect(right).to.deep.equal([
      ...paths.slice(0, 3).map((path) => `${path}: cannot be read: it points outside the folder`),
      ...paths.slice(3).map((path) => `${path}: cannot be read: it leads through a symbolic link`),
    ]);
    const log = join(out, 'below/_delta_log');
    mkdirSync(log);
    const add = { path: '../up/secret.txt', partitionValues: {}, size: 6, stats: '{"numRecords":1}' };
    writeFileSync(join(log, `${'0'.repeat(20)}.json`), JSON.stringify({ add }));
    writeFileSync(join(out, 'versions.json'), JSON.stringify({ tables: { below: {}, '../below': {} } }));
    expect(faultsOf(await verifyLake(out))).to.deep.equal([
      'below/../up/secret.txt: cannot be read: it points outside the folder',
      '../below/_delta_log: is not there',
    ]);
  });

  it('waits for no pipe and no device, in the place of whichever file', async () => {
    fifo(join(out, 'parties.csv'));
    expect(faultsOf(await verifyExport(out))).to.deep.equal(['parties.csv: cannot be read: it is not a regular file']);
    fifo(join(out, 'datapackage.json'));
    expect(faultsOf(await verifyExport(out))).to.have.lengthOf(2);
    fifo(join(out, 'parties.csv.meta.json'));
    expect(faultsOf(await verifyFile(join(out, 'parties.csv')))).to.have.lengthOf(1);
    for (const name of ['SHA256SUMS', 'versions.json', 'releases.json']) fifo(join(out, name));
    const refused = (done: Promise<unknown>) => done.then(String, (error: Error) => error.message);
    expect(await refused(verifyExport(out))).to.include('cannot be read: it is not a regular file');
    expect(await refused(verifyLake(out))).to.include('cannot be read');
    mkdirSync(join(out, '2026-11-01'));
    fifo(join(out, '2026-11-01/SHA256SUMS'));
    expect(faultsOf(await verifyReleases(out))).to.include('2026-11-01/SHA256SUMS: cannot be read');
    for (const path of [join(out, 'parties.csv'), '/dev/zero']) {
      const { exit, stderr } = await askProgram(['evidence', 'verify', path]);
      expect([exit, stderr]).to.deep.include(12);
      expect(stderr).to.include(`${path}: it is not a regular file`);
    }
  });

  it('reads no list, description or file that is larger than any of its kind', async () => {
    truncateSync(join(out, 'parties.csv'), 2 ** 34 + 1);
    expect(faultsOf(await verifyExport(out))).to.deep.equal([
      'parties.csv: cannot be read: it is larger than 17 GB, and was not read',
    ]);
    truncateSync(sums(), 2 ** 31);
    const { exit, stderr } = await askProgram(['export', 'verify', out]);
    expect(exit).to.equal(12);
    expect(stderr).to.include('SHA256SUMS cannot be read: it is larger than 20 MB');
    const large = await askProgram(['evidence', 'verify', sums()]);
    expect([large.exit, large.stderr]).to.deep.include(12);
    expect(large.stderr).to.include('it is larger than 1.1 GB, and was not read');
  });

  it('sends nothing to the terminal that acts on it, whatever the files are called', async () => {
    writeFileSync(sums(), `${readFileSync(sums(), 'utf8')}${sumOf('')}  \u001b]0;owned\u0007.csv\n`);
    const { exit, stdout, stderr } = await askProgram(['export', 'verify', out]);
    expect(exit).to.equal(12);
    expect(stdout).to.include(']0;owned.csv: is not there');
    for (const code of ['\u0007', '\u001b']) expect(stdout + stderr).to.not.include(code);
    const { stdout: output } = await askProgram(['export', 'verify', out, '--json']);
    expect(output).to.include('\\u001b]0;owned\\u0007.csv');
  });
});
