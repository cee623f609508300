import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('what an export is checked for', () => {
  const demo = demoMirrorForEach();

  const run = (...argv: string[]) => askProgram(['export', ...argv], { env: demo.env });
  const exported = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await run(...argv);
    expect(exit, stderr).to.equal(0);
    return stdout;
  };

  it('is one file too, against what is said beside it', async () => {
    for (const name of ['quotes.csv', 'quotes.csv.gz', 'quotes.ndjson', 'quotes.parquet', 'quotes.xlsx']) {
      const file = join(demo.folder, name);
      await exported('quotes', '-o', file);
      expect(await exported('verify', file), name).to.match(
        /gz|xlsx/.test(name) ? /^quotes\.(csv\.gz|xlsx): ok(, 46 rows)?\n$/ : /^quotes\.\w+: ok, \d+ rows\n$/,
      );
    }
    const file = join(demo.folder, 'quotes.csv');
    appendFileSync(file, 'spoilt\n');
    const spoilt = await run('verify', file, '--json');
    expect(spoilt.exit).to.equal(12);
    expect(JSON.parse(spoilt.stdout).files[0].faults[0]).to.equal('differs from the hash in quotes.csv.meta.json');
    // Who completes names in a shell may meet the other one first.
    const metaVerification = await run('verify', `${file}.meta.json`);
    expect([metaVerification.exit, metaVerification.stdout]).to.deep.equal([12, (await run('verify', file)).stdout]);
    rmSync(`${file}.meta.json`);
    const alone = await run('verify', file);
    expect([alone.exit, alone.stderr]).to.deep.include(12);
    expect(alone.stderr).to.include('quotes.csv.meta.json, which describes it, cannot be read');
  });

  it('is a database too, which says what differs once it was written in', async () => {
    const file = join(demo.folder, 'facts.db');
    await exported('--all', '--sqlite', file);
    expect(await exported('verify', file)).to.equal('facts.db: ok\n');
    rmSync(`${file}.meta.json`);
    await exported('--all', '--sqlite', file, '--if-changed');
    expect(await exported('verify', file), 'described again').to.equal('facts.db: ok\n');
    const database = new Database(file);
    database.exec('DELETE FROM quotes');
    database.close();
    const spoilt = await run('verify', file);
    expect(spoilt.exit).to.equal(12);
    expect(spoilt.stdout).to.include('facts.db: differs from the hash in facts.db.meta.json');
  });

  it('is one file of a folder too, against what stands there of it alone', async () => {
    await exported('quotes', 'parties', '-o', `${demo.out}/`);
    appendFileSync(join(demo.out, 'parties.csv'), 'spoilt\n');
    expect(await exported('verify', join(demo.out, 'quotes.csv'))).to.match(/^quotes\.csv: ok, \d+ rows\n$/);
    const spoilt = await run('verify', join(demo.out, 'parties.csv'));
    expect(spoilt.exit).to.equal(12);
    expect(spoilt.stdout).to.match(/^parties\.csv: differs from SHA256SUMS; /);
    writeFileSync(join(demo.out, 'mine.csv'), 'id\n');
    const other = await run('verify', join(demo.out, 'mine.csv'));
    expect(other.exit).to.equal(12);
    expect(other.stderr).to.include('mine.csv.meta.json, which describes it, cannot be read');
  });

  it('names what cannot be read for that, and what is missing for that', async () => {
    await exported('quotes', 'parties', '-o', `${demo.out}/`);
    for (const name of ['quotes.csv', 'parties.csv']) rmSync(join(demo.out, name));
    mkdirSync(join(demo.out, 'quotes.csv'));
    const { stdout, exit } = await run('verify', demo.out);
    expect(exit).to.equal(12);
    expect(stdout).to.match(/^quotes\.csv: cannot be read: it is a folder$/m);
    expect(stdout).to.match(/^parties\.csv: is not there$/m);
    rmSync(join(demo.out, 'quotes.csv'), { recursive: true });
    symlinkSync('quotes.csv', join(demo.out, 'quotes.csv'));
    expect((await run('verify', demo.out)).stdout).to.match(/^quotes\.csv: cannot be read: /m);
  });

  it('is the loss of a column, in a folder, a file and a database; of columns that are chosen it is none', async () => {
    const file = join(demo.folder, 'quotes.csv');
    const db = join(demo.folder, 'quotes.db');
    const lossy = join(demo.folder, 'lossy.db');
    const records = join(demo.folder, 'quotes.ndjson');
    const whole = readFileSync('fixtures/demo/quotes.ndjson', 'utf8').trim().split('\n');
    const fewer = whole.map((line) => JSON.stringify({ ...JSON.parse(line), context: undefined }));
    writeFileSync(records, `${fewer.join('\n')}\n`);
    expect((await askProgram(['import', records, '--db', lossy], { env: demo.env })).exit).to.equal(0);
    for (const target of [
      ['-o', `${demo.out}/`],
      ['-o', file],
      ['--sqlite', db],
    ]) {
      await exported('quotes', ...target);
      const { exit, stderr } = await run('quotes', ...target, '--db', lossy);
      expect([target[1], exit]).to.deep.equal([target[1], 12]);
      expect(stderr).to.match(/quotes: the columns context of the previous export are missing\n.*--accept-shrink/);
      await exported('quotes', ...target, '--db', lossy, '--accept-shrink');
      await exported('quotes', ...target, '--columns', 'id,text');
    }
  });

  it('is a name that promises no SQLite file', async () => {
    for (const name of ['facts.csv', 'facts.parquet', 'FACTS.XLSX']) {
      const { exit, stderr } = await run('quotes', '--sqlite', join(demo.folder, name));
      expect([name, exit]).to.deep.equal([name, 2]);
      expect(stderr).to.include('would contain an SQLite file, which does not match its name');
    }
  });

  it('is a slip in the name of a dataset, also of one of its records', async () => {
    for (const [slip, suggestion] of [
      ['quotse', 'quotes'],
      ['politicien', 'politicians'],
      ['speach', 'speeches'],
      ['votes_wide', null],
    ] as const) {
      const { exit, stderr } = await run(slip, '--json');
      if (suggestion === null) expect(exit, slip).to.equal(0);
      else expect([exit, JSON.parse(stderr).error.hint], slip).to.deep.equal([2, `did you mean: ${suggestion}?`]);
    }
  });

  it('NDJSON has every column in every row, so that it is the same again by way of CSV and Parquet', async () => {
    await exported('--all', '--format', 'ndjson', '-o', `${demo.out}/`);
    const sums = (folder: string) =>
      readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('.ndjson'));
    expect(sums(demo.out).length).to.be.greaterThan(9);
    for (const format of ['csv', 'parquet']) {
      const [db, by, again] = ['db', 'by', 'again'].map((name) => join(demo.folder, `${format}-${name}`));
      await exported('--all', '--format', format, '-o', `${by!}/`);
      expect((await askProgram(['import', by!, '--db', db!], { env: demo.env })).exit).to.equal(0);
      await exported('--all', '--format', 'ndjson', '-o', `${again!}/`, '--db', db!);
      expect(sums(again!), format).to.deep.equal(sums(demo.out));
    }
  });
});
