import { expect } from 'chai';
import type pg from 'pg';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { nightAt } from '../helpers/moving-mirror.ts';
import { type CopyRequest, copyToPostgres } from '../helpers/postgres-copy.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../helpers/postgres-server.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

/** The longest that an export may keep a reader waiting. */
const longestWaitMs = 200;

(hasPostgres() ? describe : describe.skip)('an export to PostgreSQL beside readers', () => {
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

  let own: ReturnType<typeof createTemporaryMirror>;
  let schema: string;
  let ended: (() => Promise<unknown>)[];
  let schemas = 0;
  beforeEach(async () => {
    own = createTemporaryMirror();
    schemas += 1;
    schema = `readers_${schemas}`;
    ended = [];
    takeRecords(0);
    await copy();
  });
  afterEach(async () => {
    for (const end of ended.splice(0).reverse()) await end();
    own.remove();
  });

  const copy = (request: CopyRequest = {}) => copyToPostgres(own.mirror, address, { schema, ...request });

  /** The tables and views of the schema, as SQL names them. */
  async function relations(): Promise<string[]> {
    const { rows } = await client.query(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'v')",
      [schema],
    );
    return rows.map(({ name }) => name);
  }

  /** A session that has read every table and view, in a transaction that it does not end. */
  async function openReader(): Promise<pg.Client> {
    const reader = await server.connect();
    ended.push(() => reader.end());
    await reader.query("SET application_name = 'dashboard'; BEGIN");
    for (const name of await relations()) await reader.query(`SELECT FROM ${name} LIMIT 1`);
    return reader;
  }

  /** A session that reads every table and view in turn until it is stopped, and lists those that kept it waiting. */
  async function pollingReader() {
    const reader = await server.connect();
    await reader.query(`SET lock_timeout = ${longestWaitMs}`);
    const names = await relations();
    const refused: string[] = [];
    let isStopped = false;
    const polled = (async () => {
      while (!isStopped)
        for (const name of names)
          await reader.query(`SELECT FROM ${name} LIMIT 1`).catch((error) => {
            if (error.code === '55P03') refused.push(name);
            else if (error.code !== '42P01') throw error;
          });
    })();
    const stop = async () => {
      isStopped = true;
      await polled;
      await reader.end();
      return refused;
    };
    ended.push(stop);
    return stop;
  }

  /** Makes every definition of data but that of temporary tables an error, until the test ends. */
  async function refuseDefinitions() {
    await client.query(`
      CREATE OR REPLACE FUNCTION refuse_definition() RETURNS event_trigger LANGUAGE plpgsql AS $$
        DECLARE each record;
        BEGIN
          FOR each IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE schema_name IS DISTINCT FROM 'pg_temp' LOOP
            RAISE 'defined: % %', each.command_tag, each.object_identity;
          END LOOP;
        END $$;
      CREATE OR REPLACE FUNCTION refuse_drop() RETURNS event_trigger LANGUAGE plpgsql AS $$
        DECLARE each record;
        BEGIN
          FOR each IN SELECT * FROM pg_event_trigger_dropped_objects() WHERE NOT is_temporary LOOP
            RAISE 'dropped: %', each.object_identity;
          END LOOP;
        END $$;
      CREATE EVENT TRIGGER definitions ON ddl_command_end EXECUTE FUNCTION refuse_definition();
      CREATE EVENT TRIGGER drops ON sql_drop EXECUTE FUNCTION refuse_drop()`);
    ended.push(() => client.query('DROP EVENT TRIGGER definitions; DROP EVENT TRIGGER drops'));
  }

  /** The rows of quotes and of their history, by relation. */
  async function contents() {
    const names = (await relations()).filter((name) => name.includes('quotes')).sort();
    const rows = [];
    for (const name of names) rows.push((await client.query(`SELECT * FROM ${name} ORDER BY id`)).rows);
    return { names, rows };
  }

  it('defines nothing while no table has another shape', async () => {
    await client.query('CREATE ROLE newsdesk');
    ended.push(() => client.query('DROP OWNED BY newsdesk; DROP ROLE newsdesk'));
    await copy({ grant: ['newsdesk'] });
    await refuseDefinitions();
    for (const night of [0, 1, 2, 3]) {
      takeRecords(night);
      const copied = await copy({ grant: ['newsdesk'] });
      expect(
        copied.some(({ written }) => written > 0),
        `night ${night}`,
      ).to.equal(night > 0);
    }
    const { rows } = await client.query(`SELECT FROM ${schema}.quotes_history`);
    expect(rows).to.have.length(4);
  });

  it('adds full-text indexes beside readers that never end, keeps nobody waiting, and defines them once', async () => {
    await openReader();
    const stop = await pollingReader();
    await copy({ hasTextIndexes: true });
    expect(await stop()).to.deep.equal([]);
    const { rows } = await client.query('SELECT FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE $2', [
      schema,
      '% USING gin (to_tsvector(%',
    ]);
    expect(rows).to.not.have.length(0);
    await refuseDefinitions();
    for (const night of [1, 2]) {
      takeRecords(night);
      await copy({ hasTextIndexes: true });
    }
  });

  it('writes changed rows beside a reader that never ends, and keeps nobody waiting', async () => {
    await openReader();
    const stop = await pollingReader();
    takeRecords(1);
    await copy();
    const { rows } = await client.query(`SELECT text FROM ${schema}.quotes`);
    expect(rows).to.deep.equal([{ text: 'Night 1' }]);
    expect(await stop()).to.deep.equal([]);
  });

  /** What an export puts right beside readers, each with a statement that takes it away. */
  const additions: [string, (schema: string) => string][] = [
    ['tables', (name) => `DROP TABLE ${name}.votes, ${name}.votes_versions CASCADE`],
    ['a view', (name) => `DROP VIEW ${name}.quotes_history`],
    ['a function', (name) => `DROP FUNCTION ${name}.quotes_as_of(text)`],
    ['an index', (name) => `DROP INDEX ${name}.quotes_date_idx`],
    ['a foreign key', (name) => `ALTER TABLE ${name}.quotes DROP CONSTRAINT quotes_politician_fkey`],
    ['a key', (name) => `ALTER TABLE ${name}.quotes DROP CONSTRAINT quotes_pkey`],
    ['comments', (name) => `COMMENT ON COLUMN ${name}.quotes.text IS 'mine'`],
  ];

  for (const [what, drop] of additions)
    it(`makes ${what} again beside a reader that never ends, and keeps nobody waiting`, async () => {
      const count = `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = '${schema}'::regnamespace)
        + (SELECT count(*) FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace)
        + (SELECT count(*) FROM pg_constraint WHERE connamespace = '${schema}'::regnamespace AND contype = 'f')
        - (SELECT count(*) FROM pg_description WHERE description = 'mine') AS all`;
      const { rows: before } = await client.query(count);
      await client.query(drop(schema));
      expect((await client.query(count)).rows).to.not.deep.equal(before);
      await openReader();
      const stop = await pollingReader();
      takeRecords(1);
      await copy({ lockWaitMs: 0 });
      expect(await stop()).to.deep.equal([]);
      expect((await client.query(count)).rows).to.deep.equal(before);
    });

  /** What gives tables another shape, and the table that the refusal names. */
  const changes: { what: string; table: string; change: () => unknown }[] = [
    {
      what: 'records have a new field',
      table: 'quotes',
      change: () => save('quote', [{ ...quote, mood: 'calm' }], 1),
    },
    {
      what: 'somebody gave a column another type',
      table: 'quotes',
      change: () =>
        client.query(`
          DROP VIEW ${schema}.quotes_history; ALTER TABLE ${schema}.quotes ALTER context TYPE varchar(99)`),
    },
    {
      what: 'somebody dropped a column with its views',
      table: 'quotes_versions',
      change: () => client.query(`ALTER TABLE ${schema}.quotes_versions DROP COLUMN text CASCADE`),
    },
    {
      what: 'somebody dropped a column that another repeats',
      table: 'politicians',
      change: () => client.query(`ALTER TABLE ${schema}.politicians DROP COLUMN "current_role" CASCADE`),
    },
    {
      what: 'somebody replaced a view',
      table: 'quotes_history',
      change: () =>
        client.query(`
          CREATE OR REPLACE VIEW ${schema}.quotes_history AS SELECT * FROM ${schema}.quotes_versions`),
    },
    {
      what: 'somebody gave a view one more column',
      table: 'quotes_history',
      change: () =>
        client.query(`
          CREATE OR REPLACE VIEW ${schema}.quotes_history AS SELECT *, 1 AS one FROM ${schema}.quotes_versions`),
    },
    {
      what: 'a record that others name is withdrawn',
      table: '(quotes|politicians)',
      change: () => save('politician', [], 1),
    },
  ];

  for (const { what, table, change } of changes)
    it(`leaves all as it is while somebody reads, and writes once nobody does: ${what}`, async () => {
      await change();
      const before = await contents();
      const shape = await definitions();
      const reader = await openReader();
      const stop = await pollingReader();
      const refused = await copy({ lockWaitMs: 500 }).catch((error) => error);
      expect([refused.code, refused.exit], String(refused)).to.deep.equal(['POSTGRES_LOCK_TIMEOUT', 9]);
      const { rows } = await reader.query('SELECT pg_backend_pid() AS pid');
      expect(refused.message).to.match(new RegExp(`\\b${table}\\b.*\\b${rows[0].pid} \\(dashboard\\)`));
      expect(refused.hint).to.include(`pg_terminate_backend(${rows[0].pid})`);
      expect(await stop(), 'kept waiting').to.deep.equal([]);
      expect(await contents()).to.deep.equal(before);
      expect(await definitions()).to.deep.equal(shape);
      await reader.end();
      const stopAgain = await pollingReader();
      await copy();
      expect(await stopAgain(), 'kept waiting').to.deep.equal([]);
      await refuseDefinitions();
      await copy();
      const columns = await client.query(
        `SELECT * FROM ${schema}.quotes_history JOIN ${schema}.hemicycle_tables ON name = 'quotes' WHERE stamp <> ''`,
      );
      expect(columns.rowCount).to.be.greaterThan(0);
    });

  /** The columns, constraints and views of the schema. */
  async function definitions() {
    const { rows } = await client.query(
      `SELECT attrelid::regclass::text AS name, attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute
         JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = $1::regnamespace AND attnum > 0
       UNION ALL SELECT conname, pg_get_constraintdef(oid), '' FROM pg_constraint WHERE connamespace = $1::regnamespace
       UNION ALL SELECT relname, pg_get_viewdef(oid), '' FROM pg_class
         WHERE relnamespace = $1::regnamespace AND relkind = 'v' ORDER BY 1, 2, 3`,
      [schema],
    );
    return rows;
  }

  it('tries again until readers have ended', async () => {
    save('quote', [{ ...quote, mood: 'calm' }], 1);
    const reader = await openReader();
    const copied = copy({ lockWaitMs: 30_000 });
    for (let isWaiting = false; !isWaiting; ) {
      const { rowCount } = await client.query('SELECT FROM pg_locks WHERE NOT granted');
      isWaiting = rowCount! > 0;
    }
    await reader.query('COMMIT');
    await copied;
    expect((await client.query(`SELECT mood FROM ${schema}.quotes`)).rows).to.deep.equal([{ mood: 'calm' }]);
  });

  it('gives up beside a writer that never ends', async () => {
    const writer = await server.connect();
    ended.push(() => writer.end());
    await writer.query(`BEGIN; UPDATE ${schema}.quotes SET text = 'mine'`);
    takeRecords(1);
    const refused = await copy({ lockWaitMs: 300 }).catch((error) => error);
    expect([refused.code, refused.exit], String(refused)).to.deep.equal(['POSTGRES_LOCK_TIMEOUT', 9]);
    expect(refused.message).to.match(/\bquotes\b/);
    await writer.query('ROLLBACK');
    await copy();
    expect((await client.query(`SELECT text FROM ${schema}.quotes`)).rows).to.deep.equal([{ text: 'Night 1' }]);
  });

  it('keeps exports into other schemas apart from one that waits', async () => {
    await openReader();
    save('quote', [{ ...quote, mood: 'calm' }], 1);
    const waits = copy({ lockWaitMs: 500 }).catch((error) => error);
    await copy({ schema: `${schema}_other`, lockWaitMs: 0 });
    expect((await waits).exit).to.equal(9);
  });

  const quote = {
    id: 'q1',
    politician: 'ada',
    text: 'Night 0',
    context: 'On the radio',
    date: '2026-01-01',
    source_ids: [],
  };

  function save(name: KindName, documents: Document[], night: number) {
    const kind = kindOf(name);
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kind, { at: nightAt(night) });
      for (const document of documents) saver.save(document);
      saver.finish();
      withdrawMissing(own.mirror, kind, {
        seenNumbers: saver.seenNumbers,
        at: nightAt(night),
      });
    });
  }

  /** Saves the fictional records of a night: some change, come and go, and none that others name. */
  function takeRecords(night: number) {
    save('party', [{ slug: 'adr', name: `Parti ${night}` }], night);
    const people = ['ada', `newcomer-${night}`];
    save(
      'politician',
      people.map((slug) => ({ slug, full_name: slug, party: 'adr', current_role: `Role ${night}` })),
      night,
    );
    save('quote', [{ ...quote, text: `Night ${night}` }], night);
    save('ballot', [{ scrutin_id: '1', chamber: 'AN', date: '2026-01-01', totals: { for: night } }], night);
  }
});
