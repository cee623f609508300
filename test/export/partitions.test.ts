import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { exportPartitions } from '../../src/export/partitions.ts';
import { allTables, exportTable, tableNamed } from '../../src/export/tables.ts';
import { holdsPartitions, verifyPartitions } from '../../src/export/verify.ts';
import { warehouseTables } from '../../src/export/warehouse.ts';
import { openPast } from '../../src/store/history/past.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { nightAt, takeNight } from '../helpers/moving-mirror.ts';
import { createRandom } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };

describe('an export in parts', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let out: string;
  const random = createRandom(7);
  beforeEach(() => {
    own = createTemporaryMirror();
    out = join(own.folder, 'parts');
    takeNight(own.mirror, { at: nightAt(0), random });
    takeNight(own.mirror, { at: nightAt(1), random });
  });
  afterEach(() => own.remove());

  const write = (mirror: Mirror, { maxShrink = 1, named = allTables } = {}) =>
    exportPartitions(warehouseTables(mirror, [...named], { citation, isFlat: false }), out, {
      maxShrink,
      created: nightAt(1),
      watch: () => undefined,
    });

  it('is read by chamber and year, with every night as it was', async () => {
    await write(own.mirror);
    const connection = await (await DuckDBInstance.create()).connect();
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    const parts = (name: string) => `read_parquet('${out}/${name}/**/*.parquet', hive_partitioning = true)`;
    const past = openPast(own.mirror.path, nightAt(0));
    const then = [...exportTable(past, tableNamed('ballots'), { citation, filter: {} }).rows()];
    past.close();
    const asOf = `valid_from <= '${nightAt(0)}' AND (valid_to IS NULL OR valid_to > '${nightAt(0)}')`;
    const held = await read(
      `SELECT chamber, year::int, scrutin_id, title FROM ${parts('ballots_history')} WHERE ${asOf} ORDER BY scrutin_id`,
    );
    expect(held).to.deep.equal(
      then.map(({ chamber, scrutin_id, title }) => [chamber, 2026, scrutin_id, title]),
    );
    const votes = [...exportTable(own.mirror, tableNamed('votes'), { citation, filter: {} }).rows()];
    expect(await read(`SELECT count(*)::int, sum(votes_for)::int FROM ${parts('votes')}`)).to.deep.equal([
      [votes.length, votes.reduce((sum, row) => sum + Number(row.votes_for), 0)],
    ]);
    expect(statSync(join(out, 'ballots/chamber=AN/year=2026/ballots.parquet')).isFile()).to.equal(true);
    expect(statSync(join(out, 'politicians/politicians.parquet')).isFile()).to.equal(true);
    expect(readFileSync(join(out, 'LICENSE.txt'), 'utf8')).to.match(/politicians\//);
  });

  it('leaves alone what says what it said, and takes away what is no more', async () => {
    await write(own.mirror);
    const file = join(out, 'parties/parties.parquet');
    const { ino } = statSync(file);
    expect((await write(own.mirror)).map(({ outcome }) => outcome)).to.not.include('written');
    expect(statSync(file).ino).to.equal(ino);
    own.mirror.sql("UPDATE record SET withdrawn = ? WHERE kind = 'ballot'").run(nightAt(2));
    await write(own.mirror);
    expect(statSync(join(out, 'ballots'), { throwIfNoEntry: false })).to.equal(undefined);
    expect(statSync(join(out, 'ballots_history/chamber=AN/year=2026')).isDirectory()).to.equal(true);
  });

  it('is checked file by file against its list: damage, what is missing, and what lies among its parts', async () => {
    await write(own.mirror);
    const faults = async () =>
      Object.fromEntries(
        (await verifyPartitions(out)).flatMap(({ path, faults }) =>
          faults.length > 0 ? [[path, faults[0]]] : [],
        ),
      );
    const checked = await verifyPartitions(out);
    expect(holdsPartitions(out)).to.equal(true);
    expect(checked.flatMap(({ faults }) => faults)).to.deep.equal([]);
    const ballots = 'ballots/chamber=AN/year=2026/ballots.parquet';
    expect(checked.find(({ path }) => path === ballots)!.rows).to.be.greaterThan(0);
    expect(checked.map(({ path }) => path)).to.include('LICENSE.txt');

    const bytes = readFileSync(join(out, ballots));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(out, ballots), bytes);
    rmSync(join(out, 'parties/parties.parquet'));
    writeFileSync(join(out, 'LICENSE.txt'), 'mine');
    cpSync(join(out, 'quotes_history'), join(out, 'quotes/copied'), { recursive: true });
    const found = await faults();
    expect(found[ballots]).to.equal('is not what the hash in partitions.json says');
    expect(found['parties/parties.parquet']).to.equal('is not there');
    expect(found['LICENSE.txt']).to.match(/^is not what/);
    expect(Object.keys(found).filter((path) => path.startsWith('quotes/copied/'))).to.have.lengthOf(1);

    // The next export puts right what it wrote, and leaves alone what it did not.
    const mended = (await write(own.mirror)).flatMap(({ name, outcome }) =>
      outcome === 'written' ? [name] : [],
    );
    expect(mended).to.have.members(['ballots', 'parties']);
    expect(Object.values(await faults())).to.deep.equal(['is not in partitions.json']);
  });

  it('is finished by the next export where one was killed between two files', async () => {
    const ballots = 'ballots/chamber=AN/year=2026/ballots.parquet';
    await write(own.mirror);
    const other = join(own.folder, 'other');
    cpSync(out, other, { recursive: true });
    // As it stands there: some files are in their places, others wait, with the list of what goes.
    const switching = join(out, '.hemicycle-switch');
    mkdirSync(join(switching, 'ballots/chamber=AN/year=2026'), { recursive: true });
    renameSync(join(out, ballots), join(switching, ballots));
    renameSync(join(out, 'partitions.json'), join(switching, 'partitions.json'));
    mkdirSync(join(out, 'quotes/year=1999'), { recursive: true });
    writeFileSync(join(out, 'quotes/year=1999/quotes.parquet'), 'of old');
    writeFileSync(
      join(switching, '.gone.json'),
      JSON.stringify({ gone: ['quotes/year=1999/quotes.parquet', '../real.db'] }),
    );
    writeFileSync(join(own.folder, 'real.db'), 'stays');
    expect((await write(own.mirror)).map(({ outcome }) => outcome)).to.not.include('written');
    expect(await verifyPartitions(out)).to.deep.equal(await verifyPartitions(other));
    expect(readdirSync(join(out, 'quotes'))).to.not.include('year=1999');
    expect(existsSync(switching)).to.equal(false);
    expect(readFileSync(join(own.folder, 'real.db'), 'utf8')).to.equal('stays');
  });

  it('refuses to lose too much, and to replace what is not ours', async () => {
    const named = [tableNamed('quotes')];
    mkdirSync(join(out, 'politicians'), { recursive: true });
    writeFileSync(join(out, 'politicians/politicians.parquet'), 'mine');
    const refused = await write(own.mirror).catch((error) => error);
    expect(refused.code).to.equal('BAD_TARGET');
    expect(refused.message).to.include('politicians/politicians.parquet');
    await write(own.mirror, { named });
    writeFileSync(join(out, 'ballots'), 'mine, and no folder');
    const blocked = await write(own.mirror, { named: [tableNamed('ballots')] }).catch((error) => error);
    expect(blocked.code).to.equal('BAD_TARGET');
    own.mirror.sql("UPDATE record SET withdrawn = ? WHERE kind = 'quote'").run(nightAt(2));
    const lost = await write(own.mirror, { named, maxShrink: 0.2 }).catch((error) => error);
    expect(lost.table).to.equal('quotes');
  });
});
