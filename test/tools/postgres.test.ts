import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import type pg from 'pg';
import { addMissingKey } from '../../src/export/postgres/row-text.ts';
import type { ExportWatch } from '../../src/export/table.ts';
import { allTables, exportTable, isTidyTable, nameOfTable, parseTableName } from '../../src/export/tables.ts';
import { type WarehouseTable, warehouseTables } from '../../src/export/warehouse.ts';
import { isNonAttached } from '../../src/model/ballot.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { momentOf } from '../../src/model/moment.ts';
import { supportOfPosition } from '../../src/parliament/group-position.ts';
import { openPast } from '../../src/store/history/past.ts';
import { bumpVersion, type Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { comparePairs, computeCohesions } from '../../src/store/records/agreement.ts';
import { readBallots } from '../../src/store/records/ballots.ts';
import { dropShadowTables } from '../../src/store/saving/ballot-tables.ts';
import { refreshIndexes } from '../../src/store/saving/indexes.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { withFalseVersions } from '../helpers/false-versions.ts';
import { killsOf, printKills } from '../helpers/kills.ts';
import { nightAt, takeNight } from '../helpers/moving-mirror.ts';
import { type CopyRequest, citation, copyToPostgres } from '../helpers/postgres-copy.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../helpers/postgres-server.ts';
import { program, runProgram } from '../helpers/program.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

const nights = 4;

/** Runs that are killed; as many at a time lie between two looks at what the others left. */
const kills = killsOf('PostgreSQL');
const killsBetweenLooks = 10;

(hasPostgres() ? describe : describe.skip)('a copy in PostgreSQL', () => {
  let server: RunningPostgres;
  let client: pg.Client;
  let address: string;
  before(async () => {
    server = await startPostgres();
    client = await server.connect();
    address = server.url.replace('@', `:${server.password}@`);
  });
  after(async () => {
    await client.end();
    await server.stop();
  });

  const copy = (mirror: Mirror, request: CopyRequest = {}) => copyToPostgres(mirror, address, request);

  type Keyed = Pick<WarehouseTable, 'columns' | 'key'>;

  /** Rows of a table, of those versions of its history that hold, as the mirror has them. */
  async function rowsFrom({ columns, key }: Keyed, from: string, versions: string): Promise<string[]> {
    const selected = columns.map(({ name, type }) =>
      type === 'date' ? `said."${name}"::text AS "${name}"` : `said."${name}"`,
    );
    const same = key.map((name) => `said."${name}" = version."${name}"`).join(' AND ');
    const { rows } = await client.query(
      `SELECT ${[...selected, 'version.raw_values'].join(', ')} FROM ${from} AS said LEFT JOIN ${versions} AS version ON ${same}`,
    );
    return rows
      .map(({ raw_values, ...row }) => sameText({ columns }, { ...row, ...JSON.parse(raw_values ?? '{}') }))
      .sort();
  }

  async function expectSame(mirror: Mirror, { schema = 'hemicycle' }: CopyRequest = {}) {
    for (const table of warehouseTables(mirror, [...allTables], { citation, isFlat: true })) {
      const here = [...table.rows()].map((row) => sameText(table, addMissingKey(row, table.key))).sort();
      const tableName = `${schema}."${table.name}"`;
      const versions = table.isHistory
        ? tableName
        : `(SELECT * FROM ${schema}."${table.name}_history" WHERE valid_to IS NULL)`;
      expect(await rowsFrom(table, tableName, versions), table.name).to.deep.equal(here);
    }
  }

  it('says what its tables are, and joins them', async () => {
    const demo = await createDemoMirror();
    const { openMirror } = await import('../../src/store/open.ts');
    const mirror = openMirror(demo.db);
    await copy(mirror, { schema: 'demo' });
    await expectSame(mirror, { schema: 'demo' });
    const joined = await client.query(
      'SELECT count(*) FROM demo.quotes q JOIN demo.politicians p ON p.slug = q.politician',
    );
    expect(Number(joined.rows[0].count)).to.be.greaterThan(0);
    const comment = await client.query(`SELECT obj_description('demo.quotes'::regclass) AS said`);
    expect(comment.rows[0].said).to.match(/ODbL/);
    const offices = await client.query('SELECT count(*) FROM demo.politicians WHERE office = "current_role"');
    expect(Number(offices.rows[0].count)).to.be.greaterThan(0);
    const { rows: bare } = await client.query(
      `SELECT attrelid::regclass, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
       WHERE relnamespace = 'demo'::regnamespace AND relkind IN ('r', 'v') AND attnum > 0 AND col_description(attrelid, attnum) IS NULL`,
    );
    expect(bare).to.deep.equal([]);
    const { rows: slow } = await client.query(
      `SELECT conname FROM pg_constraint k WHERE contype = 'f' AND connamespace = 'demo'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = k.conrelid AND i.indkey[0] = k.conkey[1])`,
    );
    expect(slow, 'foreign keys without an index').to.deep.equal([]);
    const early = await client.query(`SELECT * FROM demo.quotes_as_of('2001-01-01')`).catch(String);
    expect(early).to.match(/nothing is known of quotes before 20/);
    mirror.close();
    demo.remove();
  });

  it('has a view of each question on groups, with the figures that the program answers', async () => {
    const demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    await client.query('CREATE ROLE reader');
    await copy(mirror, { schema: 'asked', grant: ['reader'] });
    const rowsIn = async (sql: string) => (await client.query(sql)).rows;
    const ours = computeCohesions(mirror, { voted: [] }, { requestedGroups: [] }).map((row) => [
      ...[row.group, row.chamber, String(row.ballots), String(row.n), String(row.one_sided)],
      ...[row.agreement_index?.toFixed(9), row.participation?.toFixed(9)],
    ]);
    const cohesion =
      await rowsIn(`SELECT party, chamber, ballots, n, one_sided, agreement_index::numeric(10, 9) AS index,
      participation::numeric(10, 9) AS participation FROM asked.group_cohesion`);
    expect(ours.some(([, , , n]) => Number(n) > 0)).to.equal(true);
    expect(cohesion.map((row) => Object.values(row).map((cell) => cell ?? undefined)).sort()).to.deep.equal(
      ours.sort(),
    );
    const slugs = [...new Set(ours.map(([group]) => String(group)))];
    const sides = slugs.map((slug) => ({ requestedName: slug, groups: [slug] }));
    const pairs = sides.flatMap((one) => sides.flatMap((other) => (one === other ? [] : { one, other })));
    const compared = comparePairs(mirror, { voted: [] }, { pairs })
      .filter(({ n, no_position, one_sided }) => n + no_position + one_sided > 0)
      .map(({ group, other, chamber, n, same, no_position, one_sided, agreement }) => [
        ...[group, other, chamber, ...[n, same, no_position, one_sided].map(String), agreement?.toFixed(9)],
      ]);
    const agreement = await rowsIn(`SELECT party, other, chamber, n, same, no_position, one_sided,
      agreement::numeric(10, 9) FROM asked.group_agreement`);
    expect(agreement.map((row) => Object.values(row).map((cell) => cell ?? undefined)).sort()).to.deep.equal(
      compared.sort(),
    );
    const supports = [...readBallots(mirror, { voted: [] })].flatMap((ballot) =>
      ballot.votes_by_party
        .filter((votes) => !isNonAttached(votes))
        .map((votes) => supportOfPosition(votes)?.votes ?? null),
    );
    const support = (await rowsIn('SELECT support FROM asked.group_positions')).map(({ support }) => support);
    expect(support.map((each) => (each === null ? null : Number(each))).sort()).to.deep.equal(supports.sort());
    await client.query('SET ROLE reader');
    expect(await rowsIn('SELECT nature FROM asked.group_positions WHERE one_sided LIMIT 1')).to.have.length(1);
    await client.query('RESET ROLE');
    const { rows: bare } = await client.query(
      `SELECT attrelid::regclass, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
       WHERE relname LIKE 'group_%' AND relkind = 'v' AND attnum > 0 AND col_description(attrelid, attnum) IS NULL`,
    );
    expect(bare).to.deep.equal([]);
    const again = await copy(mirror, { schema: 'asked' });
    expect(again.reduce((sum, { written, removed }) => sum + written + removed, 0)).to.equal(0);
    mirror.close();
    demo.remove();
  });

  it('keeps relations of others that have the name of a view', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(2) });
    await client.query('CREATE SCHEMA kept; CREATE TABLE kept.group_cohesion (note text)');
    await copy(own.mirror, { schema: 'kept' });
    expect((await client.query('SELECT * FROM kept.group_cohesion')).fields.map(({ name }) => name)).to.deep.equal([
      'note',
    ]);
    const { rows } = await client.query("SELECT to_regclass('kept.group_positions') AS view");
    expect(rows).to.deep.equal([{ view: null }]);
    own.remove();
  });

  it('follows the mirror night by night, writes only what differs, and tells every night as it was', async () => {
    const random = createRandom(seedOf('POSTGRES_SEED'));
    const own = createTemporaryMirror();
    for (let n = 0; n < nights; n += 1) {
      takeNight(own.mirror, { at: nightAt(n), random });
      const changed = await copy(own.mirror);
      await expectSame(own.mirror);
      const { rows: stood } = await client.query(`SELECT xmin::text FROM hemicycle.affiliations_versions`);
      const again = await copy(own.mirror);
      for (const { name, written, removed } of again) expect([name, written + removed]).to.deep.equal([name, 0]);
      expect((await client.query(`SELECT xmin::text FROM hemicycle.affiliations_versions`)).rows).to.deep.equal(stood);
      if (n > 0) {
        const parties = changed.find(({ name }) => name === 'parties_history')!;
        expect(parties.removed, `seed ${random.seed}`).to.equal(0);
      }
    }
    const between = (n: number) => new Date(Date.parse(nightAt(n)) + random.integer(86_400_000)).toISOString();
    const moments = Array.from({ length: nights }, (_, n) => [nightAt(n), between(n)]).flat();
    for (const moment of moments) {
      const past = openPast(own.mirror.path, moment);
      for (const tableId of allTables) {
        const table = exportTable(past, tableId, { citation, filter: {} });
        const label = `seed ${random.seed}, ${table.name} as of ${moment}`;
        const then = [...table.rows()].map((row) => sameText(table, row)).sort();
        const from = `hemicycle."${table.name}_as_of"('${moment}')`;
        const versions = `(SELECT * FROM hemicycle."${table.name}_history"
          WHERE valid_from <= '${moment}' AND (valid_to IS NULL OR valid_to > '${moment}'))`;
        // A table without a row has the columns that are documented, which nobody may have filled since.
        const columns = then.length > 0 ? table.columns : [];
        expect(await rowsFrom({ ...table, columns }, from, versions), label).to.deep.equal(then);
      }
      past.close();
    }
    const now = Date.parse(nightAt(nights));
    for (const text of ['2026-03-02', '2026-03-02T06:00', ' 2026-03-02 05:59:59 ', '2026-03-02T08:00+02:00']) {
      const past = openPast(own.mirror.path, momentOf(text, now, 'end')!);
      const then = past.column<number>('SELECT count(*) FROM record').get();
      past.close();
      const counted = allTables
        .filter((table) => !isTidyTable(table))
        .map((table) => `(SELECT count(*) FROM hemicycle."${nameOfTable(table)}_as_of"('${text}'))`);
      const { rows } = await client
        .query(`SET timezone = 'Asia/Tokyo'; SELECT ${counted.join(' + ')} AS count`)
        .then((all) => (all as unknown as pg.QueryResult[]).at(-1)!);
      expect(Number(rows[0].count), text).to.equal(then);
    }
    await client.query('RESET timezone');
    own.remove();
  });

  it('sends the rows of what changed alone, and all where that cannot be told', async () => {
    const own = createTemporaryMirror();
    const save = (slugs: string[], n: number, mirror = own.mirror) =>
      transaction(mirror, () => {
        const saver = createSaver(mirror, kindOf('politician'), { at: nightAt(n) });
        for (const slug of slugs) saver.save({ slug, full_name: `${slug} ${n}`, affiliations: [{ party: `p${n}` }] });
        saver.finish();
      });
    const change = (sql: string) => {
      own.mirror.database.exec(sql);
      bumpVersion(own.mirror);
    };
    const sent = async (mirror = own.mirror) => {
      const most = new Map<string, number>();
      const watch: ExportWatch = ({ name }, rows) => void most.set(name, rows);
      await copy(mirror, { schema: 'sent', watch });
      await expectSame(mirror, { schema: 'sent' });
      return [most.get('politicians_history'), most.get('affiliations_history'), most.get('quotes_history')];
    };
    const all = Array.from({ length: 50 }, (_, n) => `person-${n}`);
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('audit'), { at: nightAt(0) });
      for (const id of ['known-otherwise', 'not-touched']) saver.save({ id, role: 'editor' });
      saver.finish();
    });
    save(all, 0);
    expect(await sent()).to.deep.equal([50, 50, 0]);
    const older = `${own.mirror.path}.older`;
    dropShadowTables(own.mirror);
    own.mirror.database.exec(`VACUUM INTO '${older}'`);
    save(['person-7'], 1);
    expect(await sent(), 'one that changed').to.deep.equal([2, 2, undefined]);
    save(['new-1', 'new-2'], 2);
    expect(await sent(), 'two that came').to.deep.equal([2, 2, undefined]);
    change(`UPDATE record SET withdrawn = '${nightAt(3)}' WHERE key = 'person-9'`);
    expect(await sent(), 'one that went').to.deep.equal([1, 1, undefined]);
    change("UPDATE record SET key = 'x', row = json_set(row, '$.id', 'x') WHERE key = 'known-otherwise'");
    await sent();
    const putBack = openWritableMirror(older);
    save(['other-1', 'other-2'], 4, putBack);
    expect(await sent(putBack), 'an older state that went another way').to.deep.equal([52, 52, undefined]);
    putBack.close();
    own.remove();
  });

  it('lets the roles read that are named, also tables of later, and refuses one that is not there', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(3) });
    await client.query('CREATE ROLE desk');
    const grant = (roles: string[]) => copy(own.mirror, { schema: 'granted', grant: roles });
    await grant(['desk']);
    await client.query('SET ROLE desk');
    const read = 'SELECT count(*) FROM granted.politicians_history';
    expect((await client.query(read)).rowCount).to.equal(1);
    await client.query('RESET ROLE; DROP TABLE granted.politicians_versions CASCADE');
    await grant(['desk']);
    await client.query('SET ROLE desk');
    expect((await client.query(read)).rowCount).to.equal(1);
    await client.query('RESET ROLE');
    expect(String(await grant(['nobody_here']).catch(String))).to.include('role "nobody_here" does not exist');
    await client.query('DROP OWNED BY desk; DROP ROLE desk');
    own.remove();
  });

  it('keeps what the database cannot hold beside it, and counts it', async () => {
    const own = createTemporaryMirror();
    const hostile: Document[] = [
      {
        id: 'a\0b',
        politician: 'p\ud800',
        text: 'one\0two \ud83d',
        date: '0000-01-01',
        source_ids: ['s\0', null],
      },
      { id: 'a\ufffdb', politician: 'x'.repeat(5000), text: 'tab\tline\nback\\slash \\N', date: 'infinity' },
      { id: 7, politician: { slug: 'ada', name: 'Ada' }, text: ['not', 'text'], date: '2026-02-30' },
      { text: 'it has no id', date: '9999-12-31', xmin: { a: [1, '\0'] }, 'odd "name"': 1e308 },
      { id: 8, 'nul\0name': 'n', 'half\ud800': 's' },
    ] as Document[];
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('quote'), { at: nightAt(0) });
      for (const record of hostile) saver.save(record);
      saver.finish();
    });
    const copied = await copy(own.mirror, { schema: 'hostile' });
    const quotes = copied.find(({ name }) => name === 'quotes')!;
    expect(quotes.rows).to.equal(5);
    expect(Object.fromEntries(quotes.misfits)).to.deep.include({ id: 1, date: 3, source_ids: 1, text: 2 });
    const { rows: quoteRows } = await client.query(
      'SELECT "nul\ufffdname" AS nul, "half\ufffd" AS half FROM hostile.quotes WHERE id = \'8\'',
    );
    expect(quoteRows, 'names that it cannot hold').to.deep.equal([{ nul: 'n', half: 's' }]);
    const { rows } = await client.query('SELECT id, date::text, raw_values FROM hostile.quotes_history');
    expect(rows.map(({ raw_values }) => JSON.parse(raw_values ?? '{}').id).filter(Boolean)).to.deep.equal(['a\0b']);
    expect(rows.map(({ id }) => id)).to.include.members(['a\ufffdb', '7']);
    expect(rows.map(({ date }) => date).filter(Boolean)).to.deep.equal(['9999-12-31']);
    const raw = rows.map(({ raw_values }) => JSON.parse(raw_values ?? '{}'));
    expect(raw.map(({ date }) => date).filter(Boolean)).to.have.members(['0000-01-01', 'infinity', '2026-02-30']);
    expect(raw.map(({ text }) => text).filter(Boolean)).to.deep.include.members(['one\0two \ud83d']);
    own.remove();
  });

  it('refuses to touch what is not ours, and to lose too much', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(1) });
    await client.query(
      `CREATE SCHEMA newsroom; CREATE TABLE newsroom.quotes (mine int); INSERT INTO newsroom.quotes VALUES (1)`,
    );
    const refused = await copy(own.mirror, { schema: 'newsroom' }).catch((error) => error);
    expect([refused.code, refused.exit]).to.deep.equal(['BAD_TARGET', 10]);
    expect(refused.message).to.match(/newsroom .*: quotes$/);
    expect((await client.query('SELECT * FROM newsroom.quotes')).rows).to.deep.equal([{ mine: 1 }]);
    const schemaRows = await client.query(
      "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'newsroom'",
    );
    expect(schemaRows.rows[0].count).to.equal('1');

    await copy(own.mirror, { schema: 'kept' });
    const { rows: before } = await client.query('SELECT row_hash FROM kept.politicians_history ORDER BY 1');
    own.mirror.sql("UPDATE record SET withdrawn = ? WHERE kind = 'politician' AND key <> 'ada'").run(nightAt(1));
    const lost = await copy(own.mirror, { schema: 'kept', maxShrink: 0.2 }).catch((error) => error);
    expect([lost.exit, /\bpoliticians\b/.test(lost.message)], lost.message).to.deep.equal([12, true]);
    expect((await client.query('SELECT row_hash FROM kept.politicians_history ORDER BY 1')).rows).to.deep.equal(before);
    await copy(own.mirror, { schema: 'kept' });
    await expectSame(own.mirror, { schema: 'kept' });
    own.remove();
  });

  it('gives up once the versions that earlier rules composed, and refuses every other loss', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(1) });
    const named = [parseTableName('membership_days')];
    const tables = warehouseTables(own.mirror, named, { citation, isFlat: true });
    const [current, history] = tables as [WarehouseTable, WarehouseTable];
    const { derivation: _derivation, ...former } = withFalseVersions(history);
    const rowsIn = async () => (await client.query('SELECT * FROM ruled.membership_days_history')).rows.length;
    const request = { schema: 'ruled', maxShrink: 0.2, named };
    const rows = [...history.rows()].length;
    await copy(own.mirror, { ...request, tables: [current, former] });
    expect(await rowsIn()).to.equal(2 * rows);
    await copy(own.mirror, request);
    expect(await rowsIn()).to.equal(rows);

    await copy(own.mirror, { ...request, tables: [current, withFalseVersions(history)] });
    const loss = await copy(own.mirror, request).catch((error) => error);
    expect([loss.exit, loss.message.includes(history.name)], loss.message).to.deep.equal([12, true]);
    own.remove();
  });

  it('leaves alone what others built on its tables', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(2) });
    await copy(own.mirror, { schema: 'shared' });
    await client.query(`
      CREATE TABLE shared.notes (slug text REFERENCES shared.politicians ON DELETE CASCADE, note text);
      INSERT INTO shared.notes SELECT slug, 'seen' FROM shared.politicians;
      ALTER TABLE shared.politicians ADD COLUMN our_remark text DEFAULT 'ours';
      CREATE VIEW shared.names AS SELECT full_name, our_remark FROM shared.politicians`);
    takeNight(own.mirror, { at: nightAt(1), random: createRandom(3) });
    await copy(own.mirror, { schema: 'shared' });
    await expectSame(own.mirror, { schema: 'shared' });
    const { rows } = await client.query(
      "SELECT count(*) FILTER (WHERE our_remark = 'ours') AS ours, count(*) FROM shared.names",
    );
    expect(rows[0].ours).to.equal(rows[0].count);
    expect((await client.query('SELECT count(*) FROM shared.notes')).rows[0].count).to.not.equal('0');
    await client.query(`SELECT * FROM shared.politicians_as_of('${nightAt(0)}')`);
    own.remove();
  });

  it('keeps a column of moments that has days now, and the views of others over it', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(2) });
    const named = [parseTableName('affiliations')];
    const asMoments = warehouseTables(own.mirror, named, { citation, isFlat: true }).map((table) => ({
      ...table,
      columns: table.columns.map((each) =>
        each.name === 'start_date' ? { ...each, type: 'datetime' as const } : each,
      ),
    }));
    await copy(own.mirror, { schema: 'days', tables: asMoments });
    await client.query(`ALTER ROLE vitrine SET timezone = 'Europe/Paris';
      CREATE VIEW days.starts AS SELECT politician, n, start_date FROM days.affiliations_history`);
    const started = async () => {
      const sql = "SELECT politician, n, (start_date AT TIME ZONE 'UTC')::text AS start FROM days.starts ORDER BY 1, 2";
      return (await client.query(sql)).rows;
    };
    const before = await started();
    await copy(own.mirror, { schema: 'days', named });
    expect(await started()).to.deep.equal(before);
    expect(before.filter(({ start }) => start?.endsWith(' 00:00:00'))).to.not.deep.equal([]);
    const again = await copy(own.mirror, { schema: 'days', named });
    expect(again.map(({ written, removed }) => written + removed)).to.deep.equal([0, 0]);
    takeNight(own.mirror, { at: nightAt(1), random: createRandom(3) });
    await copy(own.mirror, { schema: 'days', named });
    const days = (await started()).flatMap(({ start }) => start ?? []);
    expect(days.filter((start) => !start.endsWith(' 00:00:00'))).to.deep.equal([]);
    await client.query('ALTER ROLE vitrine RESET timezone');
    own.remove();
  });

  it('makes a retyped column what it was, below the views, grants and indexes of others', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(2) });
    takeNight(own.mirror, { at: nightAt(1), random: createRandom(3) });
    await copy(own.mirror, { schema: 'retyped' });
    const counted = 'SELECT count(*)::int AS rows FROM';
    const { rows: before } = await client.query(`${counted} retyped.politicians_history`);
    const { rows: views } = await client.query(
      "SELECT pg_get_viewdef(oid) AS sql, obj_description(oid) AS comment FROM pg_class WHERE oid = 'retyped.politicians_history'::regclass",
    );
    await client.query(`
      DROP VIEW retyped.politicians_history;
      ALTER TABLE retyped.politicians ALTER full_name TYPE bytea USING convert_to(full_name, 'UTF8');
      ALTER TABLE retyped.politicians_versions ALTER full_name TYPE bytea USING convert_to(full_name, 'UTF8');
      CREATE VIEW retyped.politicians_history AS ${views[0].sql};
      COMMENT ON VIEW retyped.politicians_history IS '${views[0].comment.replaceAll("'", "''")}'`);
    await client.query(`
      CREATE ROLE archive; CREATE ROLE stranger; GRANT USAGE ON SCHEMA retyped TO archive, stranger;
      GRANT SELECT (slug) ON retyped.politicians_history TO archive;
      GRANT SELECT ON retyped.politicians, retyped.politicians_history TO stranger;
      CREATE INDEX of_others ON retyped.politicians_versions (slug, valid_to);
      CREATE VIEW retyped.names AS SELECT slug, length(full_name) AS length FROM retyped.politicians_history;
      CREATE VIEW retyped.lengths AS SELECT length + 1 AS longer FROM retyped.names; GRANT SELECT ON retyped.names TO archive;
      CREATE SCHEMA strange AUTHORIZATION stranger; SET ROLE stranger;
      CREATE VIEW strange.bytes AS SELECT get_byte(full_name, 0) AS byte FROM retyped.politicians;
      CREATE MATERIALIZED VIEW strange.slugs AS SELECT slug FROM retyped.politicians; RESET ROLE`);
    const refused = await copy(own.mirror, { schema: 'retyped' }).catch((error) => error);
    expect(String(refused.message)).to.match(
      /politicians must change, but views that are not ours depend on it: strange.bytes$/,
    );
    expect(String(refused.hint)).to.include('DROP VIEW strange.bytes; then run this again');
    await client.query('DROP VIEW strange.bytes');
    await copy(own.mirror, { schema: 'retyped' });
    await expectSame(own.mirror, { schema: 'retyped' });
    const again = await copy(own.mirror, { schema: 'retyped' });
    expect(again.reduce((sum, { written, removed }) => sum + written + removed, 0)).to.equal(0);
    const { rows: types } = await client.query(
      "SELECT data_type FROM information_schema.columns WHERE table_schema = 'retyped' AND column_name = 'full_name'",
    );
    expect(new Set(types.map(({ data_type: type }) => type))).to.deep.equal(new Set(['text']));
    await client.query('SET ROLE archive');
    expect((await client.query(`${counted} retyped.names`)).rows).to.deep.equal(before);
    await client.query('SELECT slug FROM retyped.politicians_history; RESET ROLE');
    expect((await client.query(`${counted} retyped.lengths`)).rows).to.deep.equal(before);
    const { rows: indexes } = await client.query("SELECT FROM pg_indexes WHERE indexname = 'of_others'");
    expect(indexes).to.have.length(1);
    await client.query('DROP OWNED BY archive, stranger; DROP ROLE archive, stranger');
    own.remove();
  });

  it('tells under which keys a record stood before it was renamed, and no longer where it never was', async () => {
    const own = createTemporaryMirror();
    const list = (slugs: string[], n: number) =>
      transaction(own.mirror, () => {
        const kind = kindOf('politician');
        const saver = createSaver(own.mirror, kind, { at: nightAt(n) });
        for (const slug of slugs)
          saver.save({
            slug,
            full_name: slug === 'bert' ? 'Bert Fictif' : 'Ada Fictive',
            birth_date: '1970-01-01',
          });
        saver.finish();
        withdrawMissing(own.mirror, kind, {
          seenNumbers: saver.seenNumbers,
          at: nightAt(n),
        });
        refreshIndexes(own.mirror);
      });
    const copiedRows = async () => {
      await copy(own.mirror, { schema: 'renamed' });
      await expectSame(own.mirror, { schema: 'renamed' });
      return (await client.query('SELECT slug, former_keys FROM renamed.politicians ORDER BY slug')).rows;
    };
    list(['ada', 'bert'], 0);
    const bert = { slug: 'bert', former_keys: null };
    expect(await copiedRows()).to.deep.equal([{ slug: 'ada', former_keys: null }, bert]);
    list(['ada-fictive', 'bert'], 1);
    expect(await copiedRows()).to.deep.equal([{ slug: 'ada-fictive', former_keys: ['ada'] }, bert]);
    list(['bert', 'fictive-ada'], 2);
    expect(await copiedRows()).to.deep.equal([bert, { slug: 'fictive-ada', former_keys: ['ada-fictive', 'ada'] }]);
    await client.query("UPDATE renamed.politicians SET former_keys = '{me}'");
    expect((await copiedRows())[0]).to.deep.equal(bert);
    list(['ada', 'bert'], 3);
    expect((await copiedRows())[1]).to.deep.equal(bert);
    own.remove();
  });

  it('has every value again where somebody changed or removed columns, and none of columns that are gone', async () => {
    const own = createTemporaryMirror();
    const save = (role: string, n: number) =>
      transaction(own.mirror, () => {
        const saver = createSaver(own.mirror, kindOf('politician'), { at: nightAt(n) });
        for (const slug of ['ada', 'bert'])
          saver.save({ slug, full_name: slug, current_role: slug === 'ada' ? role : 'Sénatrice' });
        saver.finish();
      });
    save('Députée', 0);
    await copy(own.mirror, { schema: 'altered' });
    for (const name of ['politicians', 'politicians_versions'])
      await client.query(`
        ALTER TABLE altered.${name} DROP COLUMN "current_role" CASCADE;
        ALTER TABLE altered.${name} ALTER COLUMN full_name TYPE varchar(99)`);
    save('Ministre', 1);
    await copy(own.mirror, { schema: 'altered' });
    await expectSame(own.mirror, { schema: 'altered' });

    for (const name of ['politicians', 'politicians_versions'])
      await client.query(`
        ALTER TABLE altered.${name} ADD COLUMN of_old text DEFAULT 'old', ADD COLUMN of_others text DEFAULT 'theirs'`);
    await client.query(
      `UPDATE altered.hemicycle_tables SET columns = columns || '["of_old"]' WHERE name LIKE 'politicians%'`,
    );
    save('Maire', 2);
    await copy(own.mirror, { schema: 'altered' });
    await expectSame(own.mirror, { schema: 'altered' });
    const { rows } = await client.query('SELECT slug, of_old, of_others FROM altered.politicians ORDER BY slug');
    expect(rows).to.deep.equal([
      { slug: 'ada', of_old: null, of_others: 'theirs' },
      { slug: 'bert', of_old: null, of_others: 'theirs' },
    ]);
    own.remove();
  });

  it('finds what others added, changed, removed or emptied in its tables, though nothing changed in the mirror', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(4) });
    const moved = async () => {
      const copied = await copy(own.mirror, { schema: 'meddled' });
      await expectSame(own.mirror, { schema: 'meddled' });
      return copied.flatMap(({ name, written, removed }) => (written + removed > 0 ? [name] : []));
    };
    await moved();
    for (const [done, names] of [
      ["UPDATE meddled.ballots SET title = 'Une autre loi'", ['ballots']],
      ["UPDATE meddled.ballots_versions SET title = 'Une autre loi'", ['ballots_history']],
      ['DELETE FROM meddled.votes_versions', ['votes_history']],
      ['DROP VIEW meddled.votes_history', []],
      ['CREATE OR REPLACE VIEW meddled.quotes_history AS SELECT * FROM meddled.quotes_versions', []],
      ['TRUNCATE meddled.record_sources', ['record_sources']],
      ["INSERT INTO meddled.politicians (slug, full_name) VALUES ('ghost', 'Ghost')", ['politicians']],
      ['ALTER TABLE meddled.quotes DROP COLUMN text CASCADE', ['quotes']],
      ["UPDATE meddled.hemicycle_tables SET mark = '', stamp = NULL", []],
      ['ALTER TABLE meddled.parties ADD COLUMN remark text', []],
      ["UPDATE meddled.parties SET remark = 'ours'", []],
    ] as [string, string[]][]) {
      await client.query(done);
      expect(await moved(), done).to.deep.equal(names);
      expect(await moved(), `after ${done}`).to.deep.equal([]);
    }
    const { rows } = await client.query('SELECT DISTINCT remark FROM meddled.parties');
    expect(rows).to.deep.equal([{ remark: 'ours' }]);
    own.remove();
  });

  it('is the mirror again after runs that were killed at any point, and lets only one run write', async function () {
    this.timeout(900_000 + 10_000 * kills);
    const random = createRandom(seedOf('POSTGRES_SEED'));
    const own = createTemporaryMirror();
    const env = { PGPASSWORD: server.password };
    const argv = [
      'export',
      '--all',
      '--postgres',
      server.url,
      '--schema',
      'killed',
      '--db',
      own.mirror.path,
      '--accept-shrink',
    ];
    takeNight(own.mirror, { at: nightAt(0), random });
    let looks = await killedAfter(client, { argv, env, looks: Infinity });
    for (let n = 1; n <= kills; n += 1) {
      // Every other one finds no table yet.
      if (n % 2 === 0) await client.query('DROP SCHEMA IF EXISTS killed CASCADE');
      takeNight(own.mirror, { at: nightAt(n), random });
      looks = Math.max(looks, await killedAfter(client, { argv, env, looks: random.integer(looks) }));
      if (n % killsBetweenLooks > 0) continue;
      await copy(own.mirror, { schema: 'killed' });
      await expectSame(own.mirror, { schema: 'killed' });
    }
    printKills('PostgreSQL', kills);
    const whole = await runProgram(argv, { env });
    expect(whole.exit, whole.stderr).to.equal(0);
    await expectSame(own.mirror, { schema: 'killed' });
    expect((await runProgram(argv, { env })).stderr).to.match(/nothing changed/);

    await client.query('BEGIN');
    await client.query("SELECT pg_advisory_xact_lock(hashtext('hemicycle'), hashtext('killed'))");
    const locked = await runProgram(argv, { env });
    await client.query('ROLLBACK');
    expect(locked.exit, locked.stderr).to.equal(9);
    own.remove();
  });

  it('never shows a password', async () => {
    const own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(1) });
    for (const url of [
      server.url.replace('@', ':wrong-secret@'),
      server.url.replace('@', ':wrong-secret@').replace(/:\d+\//, ':1/'),
      'postgres://vitrine:wrong-secret@[/oops',
    ]) {
      const { exit, stderr } = await runProgram([
        'export',
        'quotes',
        '--postgres',
        url,
        '--db',
        own.mirror.path,
        '--json',
      ]);
      expect(exit, stderr).to.be.oneOf([2, 6, 10]);
      expect(stderr).to.not.include('secret');
    }
    own.remove();
  });
});

/** A row as a text that is the same for the same row, wherever it comes from. */
function sameText({ columns }: Pick<WarehouseTable, 'columns'>, row: Document): string {
  return JSON.stringify(
    columns.map(({ name, type, isGuessed }) => {
      const value = (row[name] ?? null) as unknown;
      if (value === null) return null;
      if (type === 'integer' || type === 'number') return Number(value);
      if (type === 'datetime') return new Date(value as string).toISOString();
      // A column that nobody described is text: what nests in it is JSON.
      return isGuessed && typeof value === 'object' ? JSON.stringify(value) : sorted(value);
    }),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Runs the program and kills it after so many looks at its connection, if it lives that long; how often it was seen. */
async function killedAfter(
  client: pg.Client,
  { argv, env, looks }: { argv: string[]; env: Record<string, string>; looks: number },
): Promise<number> {
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  let isOver = false;
  const exited = once(child, 'exit').then(() => {
    isOver = true;
  });
  let timesSeen = 0;
  while (!isOver && timesSeen <= looks) {
    const { rowCount } = await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'hemicycle'");
    timesSeen += rowCount ? 1 : 0;
  }
  child.kill('SIGKILL');
  await exited;
  // What it was at goes on in the server until that is told.
  for (let isThere = true; isThere; ) {
    const { rowCount } = await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'hemicycle'");
    isThere = (rowCount ?? 0) > 0;
  }
  return timesSeen;
}
