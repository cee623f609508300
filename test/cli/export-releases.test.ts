import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('releases of an export', () => {
  const demo = demoMirrorForEach();

  const run = (...argv: string[]) => askProgram(['export', ...argv], { env: demo.env });
  const release = async (day: string, ...argv: string[]) => {
    demo.env.SOURCE_DATE_EPOCH = String(Date.parse(day) / 1000);
    const { exit, stderr } = await run('promises', 'parties', '--releases', '-o', demo.out, ...argv);
    expect(exit, stderr).to.equal(0);
    return stderr;
  };
  const withNewParty = async (slug: string) => {
    const file = join(demo.folder, 'parties.ndjson');
    writeFileSync(file, `${JSON.stringify({ slug, name: 'Parti neuf' })}\n`);
    expect((await askProgram(['import', file], { env: demo.env })).exit).to.equal(0);
  };
  const inode = (...parts: string[]) => statSync(join(demo.out, ...parts)).ino;
  const indexed = () => JSON.parse(readFileSync(join(demo.out, 'releases.json'), 'utf8'));

  it('stand under their days and stay, share what did not change, and the newest is `latest`', async () => {
    expect(await release('2026-11-20')).to.include(join(demo.out, '2026-11-20', 'parties.csv'));
    const first = readFileSync(join(demo.out, '2026-11-20', 'SHA256SUMS'), 'utf8');
    expect(readlinkSync(join(demo.out, 'latest'))).to.equal('2026-11-20');
    await withNewParty('parti-neuf');
    await release('2026-11-22');
    expect(readdirSync(demo.out)).to.have.members(['2026-11-20', '2026-11-22', 'latest', 'releases.json']);
    expect(readlinkSync(join(demo.out, 'latest'))).to.equal('2026-11-22');
    expect(inode('2026-11-20', 'promises.csv')).to.equal(inode('2026-11-22', 'promises.csv'));
    expect(inode('2026-11-20', 'parties.csv')).not.to.equal(inode('2026-11-22', 'parties.csv'));
    expect(readFileSync(join(demo.out, '2026-11-20', 'SHA256SUMS'), 'utf8')).to.equal(first);
    for (const name of ['parties.csv', 'promises.csv', 'SHA256SUMS'])
      expect(statSync(join(demo.out, 'latest', name)).mode & 0o222, name).to.equal(0);
    for (const folder of ['2026-11-20', 'latest'])
      expect((await run('verify', join(demo.out, folder))).exit, folder).to.equal(0);
  });

  it('come only where something changed, and the second of a day has a number', async () => {
    await release('2026-11-20');
    expect(await release('2026-11-21')).to.include('nothing changed');
    await withNewParty('parti-neuf');
    await release('2026-11-21');
    await withNewParty('parti-tout-neuf');
    await release('2026-11-21');
    expect(readdirSync(demo.out)).to.include.members(['2026-11-20', '2026-11-21', '2026-11-21.2']);
    expect(readlinkSync(join(demo.out, 'latest'))).to.equal('2026-11-21.2');
  });

  it('are listed with the hash of their sums', async () => {
    await release('2026-11-20');
    await withNewParty('parti-neuf');
    await release('2026-11-22');
    const { latest, releases } = indexed();
    expect([latest, releases.map((each: { release: string }) => each.release)]).to.deep.equal([
      '2026-11-22',
      ['2026-11-20', '2026-11-22'],
    ]);
    const sums = readFileSync(join(demo.out, 'latest', 'SHA256SUMS'));
    expect(releases[1].sha256sums).to.equal(createHash('sha256').update(sums).digest('hex'));
  });

  it('are refused where one would lose what the one before had', async () => {
    await release('2026-11-20');
    const { exit, stderr } = await run('parties', '--releases', '-o', demo.out);
    expect(exit, stderr).to.equal(12);
    expect(stderr).to.include('promises: missing from this export');
    expect(readdirSync(demo.out)).to.have.members(['2026-11-20', 'latest', 'releases.json']);
  });

  it('go into no file, no folder that is an export itself, and none where others have their names', async () => {
    for (const target of ['parties.csv', '-'])
      expect((await run('parties', '--releases', '-o', target)).exit, target).to.equal(2);
    expect((await run('parties', '-o', `${demo.out}/`)).exit).to.equal(0);
    const itself = await run('parties', '--releases', '-o', demo.out);
    expect([itself.exit, itself.stderr]).to.deep.include(10);
    expect(itself.stderr).to.include('it holds an export itself');
    const other = join(demo.folder, 'other');
    mkdirSync(join(other, 'latest'), { recursive: true });
    expect((await run('parties', '--releases', '-o', other)).exit).to.equal(10);
    expect(readdirSync(other)).to.deep.equal(['latest']);
  });

  it('are verified all at once, with their index', async () => {
    await release('2026-11-20');
    await withNewParty('parti-neuf');
    await release('2026-11-22');
    const verified = async () => {
      const { exit, stdout } = await run('verify', demo.out);
      return { exit, faulty: stdout.split('\n').filter((line) => line !== '' && !/: ok(,|$)/.test(line)) };
    };
    expect(await verified()).to.deep.equal({ exit: 0, faulty: [] });
    const { stdout } = await run('verify', demo.out, '--json');
    const { releases, files } = JSON.parse(stdout);
    expect(releases).to.equal(demo.out);
    expect(files.map(({ path }: { path: string }) => path)).to.include.members([
      ...['2026-11-20/parties.csv', '2026-11-22/parties.csv', 'releases.json'],
    ]);
    rmSync(join(demo.out, '2026-11-20', 'parties.csv'));
    expect(await verified()).to.deep.equal({ exit: 12, faulty: ['2026-11-20/parties.csv: is not there'] });
    const index = indexed();
    index.releases[1].sha256sums = index.releases[0].sha256sums;
    writeFileSync(join(demo.out, 'releases.json'), JSON.stringify(index));
    expect((await verified()).faulty).to.include('releases.json: has a different checksum for 2026-11-22/SHA256SUMS');
    rmSync(join(demo.out, '2026-11-22'), { recursive: true });
    const missingRelease = (await verified()).faulty.find((line) => line.startsWith('releases.json'));
    expect(missingRelease).to.include('lists 2026-11-22, which is not there').and.include('latest links to 2026-11-22');
  });
});
