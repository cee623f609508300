import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createWithheldCounter } from '../../src/export/tables.ts';
import { openMirror } from '../../src/store/open.ts';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('withhold', function () {
  this.timeout(120_000);
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(argv, { env: demo.env });
  const file = (name: string) => join(demo.folder, name);
  const person = 'oceane-bruyevre';
  const text = (name: string) => readFileSync(file(name), 'utf8');

  it('lists releases, evidence and backups that hold the record, and leaves them as they are', async () => {
    const promise = 'promise-bruyevre-2025-001';
    await run('export', 'promises', '--releases', '--format', 'parquet', '-o', file('kept/releases'));
    await run('evidence', `promise:${promise}`, '-o', file('kept/evidence.zip'));
    await run('evidence', 'AN:VAL1V4', '-o', file('kept/ballot.zip'));
    await run('backup', '-o', file('kept/all.tar.zst'));
    const withheld = await run('withhold', promise, '--reason', 'objection');
    expect(withheld.stderr).to.include('`hemicycle withhold --check` lists those that contain it');
    const { exit, stdout } = await run('withhold', '--check', '--json');
    expect(exit).to.equal(12);
    const copies: { copy: string; state: string; parts: string[] }[] = JSON.parse(stdout).copies;
    expect(
      copies.map(({ copy, state, parts }) => [copy.replace(/^.*kept./, ''), state, parts.length]),
    ).to.have.deep.members([
      ['releases', 'holds', 1],
      ['evidence.zip', 'holds', 1],
      ['ballot.zip', 'followed', 0],
      ['all.tar.zst', 'holds', 1],
    ]);
  });

  it('goes to exports with their next run, which say what they lack', async () => {
    await run('export', '--all', '-o', file('out'));
    expect(text('out/promises.csv')).to.include(person);
    await run('withhold', 'politicians', person, '--reason', 'objection');
    const { exit, stderr } = await run('export', '--all', '-o', file('out'));
    expect([exit, stderr]).to.deep.equal([0, stderr]);
    for (const name of [
      'politicians',
      'promises',
      'affiliations',
      'sources',
      'record_sources',
      'party_members',
      'position_ballots',
    ])
      expect(text(`out/${name}.csv`)).not.to.include(person);
    expect(text('out/datapackage.json')).to.match(/Without 1 withheld by this mirror/);
  });

  it('is said of a bare key too, with the day and the reason', async () => {
    const promise = 'promise-bruyevre-2025-001';
    await run('withhold', promise, '--reason', 'objection');
    for (const words of [
      ['show', promise],
      ['cite', promise],
      ['show', 'promise', promise],
    ]) {
      const { exit, stderr } = await run(...words);
      expect([exit, words, stderr]).to.deep.include(3);
      expect(stderr).to.match(/this promise has been withheld since \d{4}-\d\d-\d\d: objection/);
    }
  });

  it('lets no table shrink that is made of other kinds', async () => {
    await run('withhold', 'promise-bruyevre-2025-001', '--reason', 'objection');
    const mirror = openMirror(demo.db);
    const rows = ['votes', 'affiliations', 'promises', 'record_sources'].map(createWithheldCounter(mirror));
    mirror.close();
    expect(rows).to.deep.equal([0, 0, 1, Number.MAX_SAFE_INTEGER]);
  });

  it('refuses what parliament decided, and a position of nobody', async () => {
    const mirror = openMirror(demo.db);
    const position = mirror
      .column<string>("SELECT key FROM record WHERE kind = 'position' AND politician IS NULL")
      .get();
    mirror.close();
    const refused = await run('withhold', 'AN:VAL1V4', '--reason', 'x');
    expect(refused.exit).to.equal(2);
    expect(refused.stderr).to.include('this ballot cannot be withheld');
    if (position !== undefined)
      expect(await run('withhold', 'position', position, '--reason', 'x')).to.include({ exit: 2 });
  });

  it('takes a key and no name, whom it may mistake, and says which key it would be', async () => {
    const { exit, stderr } = await run('withhold', 'bruyevre', '--reason', 'objection');
    expect([exit, stderr]).to.satisfy(
      ([code, message]: [number, string]) => code === 2 && message.includes('withhold politician oceane-bruyevre'),
    );
    expect((await run('politicians', 'oceane-bruyevre', '--json')).exit).to.equal(0);
  });

  it('stays through restore, import and a merge of an archive, and ends with --undo', async () => {
    await run('backup', '-o', file('all.tar'));
    await run('withhold', 'politicians', person, '--reason', 'objection');
    expect(await run('restore', file('all.tar'), '--replace')).to.include({ exit: 0 });
    expect(readFileSync(demo.db).includes(person)).to.equal(false);
    const merged = await run('import', file('all.tar'));
    expect(merged.stderr).to.match(/^0 added with all versions/m);
    const refused = await run('politicians', person);
    expect(refused.exit).to.equal(3);
    expect(refused.stderr).to.match(/this politician has been withheld since \d{4}-\d\d-\d\d: objection/);
    await run('withhold', 'politicians', person, '--undo');
    expect((await run('import', file('all.tar'))).stderr).not.to.match(/^0 added/m);
    expect(await run('politicians', person)).to.include({ exit: 0 });
    expect(existsSync(`${demo.db}.before`)).to.equal(true);
  });
});
