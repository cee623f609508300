import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { commitVersion, readTable } from '../../../src/export/lake/delta-log.ts';
import { deltaSchema } from '../../../src/export/lake/delta-schema.ts';
import { exportLake, type LakeOptions } from '../../../src/export/lake/lake.ts';
import { createFileReader, openFolderStorage } from '../../../src/export/lake/storage.ts';
import { allTables, exportTable, parseTableName } from '../../../src/export/tables.ts';
import { containsLake, verifyLake } from '../../../src/export/verify.ts';
import { type WarehouseTable, warehouseTables } from '../../../src/export/warehouse.ts';
import type { Document, Json } from '../../../src/model/document.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { openPast } from '../../../src/store/history/past.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { computeCohesions } from '../../../src/store/records/agreement.ts';
import { withFalseVersions } from '../../helpers/false-versions.ts';
import { nightAt, takeNight } from '../../helpers/moving-mirror.ts';
import { createRandom } from '../../helpers/random.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';
import { demoRecords, saveAll } from '../../server/demo-server.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
const dayMs = 86_400_000;

describe('a lake', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let out: string;
  let duckdb: DuckDBConnection;
  const random = createRandom(7);
  before(async () => {
    duckdb = await (await DuckDBInstance.create()).connect();
  });
  after(() => duckdb.closeSync());
  beforeEach(() => {
    own = createTemporaryMirror();
    out = join(own.folder, 'lake');
    takeNight(own.mirror, { at: nightAt(0), random });
    takeNight(own.mirror, { at: nightAt(1), random });
  });
  afterEach(() => own.remove());

  const tablesOf = (mirror: Mirror, tableSet = allTables): WarehouseTable[] =>
    warehouseTables(mirror, [...tableSet], { citation, isFlat: false });
  type Asked = Partial<LakeOptions> & {
    tableSet?: typeof allTables;
    tables?: ReturnType<typeof tablesOf>;
    mostWrites?: number;
    staging?: string;
  };
  let lists = 0;
  async function write(
    folder = out,
    night = 1,
    { tableSet, tables, mostWrites = Number.POSITIVE_INFINITY, staging, ...more }: Asked = {},
  ) {
    const { mirror } = own;
    const opened = await openFolderStorage(folder);
    lists = 0;
    const list = () => {
      lists += 1;
      return opened.list();
    };
    let writes = 0;
    const counted =
      <Asked extends unknown[], Result>(act: (...callArguments: Asked) => Promise<Result>) =>
      async (...callArguments: Asked): Promise<Result> => {
        if (writes === mostWrites) throw new Error('killed');
        writes += 1;
        return act(...callArguments);
      };
    const { create, replace, moveIn } = opened;
    const storage = {
      ...opened,
      ...(staging ? { staging } : {}),
      list,
      create: counted(create),
      replace: counted(replace),
      moveIn: counted(moveIn),
    };
    try {
      return await exportLake(tables ?? tablesOf(mirror, tableSet), storage, {
        ...{ maxShrink: 1, watch: () => undefined, countWithheld: () => 0 },
        ...{ moment: nightAt(night), keepMs: null, nowMs: Date.parse(nightAt(night)), ...more },
      });
    } finally {
      await storage.close();
    }
  }
  const written = async (...writeArguments: Parameters<typeof write>) =>
    (await write(...writeArguments)).filter(({ outcome }) => outcome === 'written').map(({ name }) => name);

  async function stateOf(table: string, folder = out, version = Number.POSITIVE_INFINITY) {
    const files = createFileReader(folder);
    const isThen = (path: string) => Number(/_delta_log\/(\d{20})\./.exec(path)?.[1] ?? 0) <= version;
    return readTable(files, table, [...(await files.list()).keys()].filter(isThen));
  }
  /** The rows of a table as DuckDB reads its files, as JSON, in an order of their own. */
  async function rowsOf(table: string, folder = out, version?: number): Promise<string[]> {
    const paths = [...(await stateOf(table, folder, version)).files.keys()];
    if (paths.length === 0) return [];
    const list = paths.map((path) => `'${join(folder, table, path)}'`).join(', ');
    const read = await duckdb.runAndReadAll(
      `SELECT to_json(t)::text FROM read_parquet([${list}], union_by_name = true) t ORDER BY 1`,
    );
    return read.getRowsJson().map(([row]) => String(row));
  }
  const faults = async () => (await verifyLake(out)).flatMap((file) => file.faults.map(String));

  it('holds every table and each night as it was, with the columns that divide the files', async () => {
    await write();
    expect(containsLake(out)).to.equal(true);
    expect(await faults()).to.deep.equal([]);
    for (const table of tablesOf(own.mirror))
      expect(await rowsOf(table.name), table.name).to.have.lengthOf([...table.rows()].length);
    const past = openPast(own.mirror.path, nightAt(0));
    const then = [...exportTable(past, parseTableName('ballots'), { citation, filter: {} }).rows()];
    past.close();
    const history = (await rowsOf('ballots_history')).map((row) => JSON.parse(row));
    // Moments are told in the time zone of this process.
    const at = (text: string) => new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString();
    const asOf = history.filter(
      ({ valid_from, valid_to }) => at(valid_from) <= nightAt(0) && (valid_to === null || at(valid_to) > nightAt(0)),
    );
    expect(asOf.map(({ scrutin_id, title }) => [scrutin_id, title]).sort()).to.deep.equal(
      then.map(({ scrutin_id, title }) => [scrutin_id, title]).sort(),
    );
    expect(new Set(history.map(({ chamber, year }) => `${chamber} ${year}`))).to.deep.equal(new Set(['AN 2026']));
    expect(readFileSync(join(out, 'LICENSE.txt'), 'utf8')).to.match(/politicians\//);
  });

  it('describes the views of questions in SQL, which another engine runs over its tables', async () => {
    const names = [
      'Non-inscrits',
      'non inscrits',
      'Non-attached members',
      'Membres d’aucun groupe',
      'Groupe des Phares',
    ];
    const groups = names.map((name, at) => ({
      party: `named-${at}`,
      party_name: name,
      for: 2,
      against: 1,
      abstention: 0,
    }));
    const ballot = { scrutin_id: '901', chamber: 'AN', date: '2026-01-05', votes_by_party: groups };
    saveAll(own.mirror, 'ballot', [...demoRecords(kindOf('ballot')), ballot], nightAt(1));
    await write();
    const sql = readFileSync(join(out, 'QUESTIONS.sql'), 'utf8');
    for (const table of ['ballots', 'votes']) {
      const paths = [...(await stateOf(table)).files.keys()].map((path) => `'${join(out, table, path)}'`);
      await duckdb.run(
        `CREATE OR REPLACE VIEW ${table} AS FROM read_parquet([${paths.join(', ')}], union_by_name = true)`,
      );
    }
    await duckdb.run(sql);
    const rowsIn = async (select: string) => (await duckdb.runAndReadAll(select)).getRowsJson().map(String).sort();
    const expectedCohesions = computeCohesions(own.mirror, { voted: [] }, { requestedGroups: [] });
    const figures = 'party, chamber, ballots, n, one_sided, n_participation, round(agreement_index, 9)';
    expect(await rowsIn(`SELECT ${figures} FROM group_cohesion`)).to.deep.equal(
      expectedCohesions
        .map(({ group, chamber, ballots, n, one_sided, n_participation, agreement_index: index }) =>
          String([
            group,
            chamber,
            ballots,
            n,
            one_sided,
            n_participation,
            index === null ? null : Number(index.toFixed(9)),
          ]),
        )
        .sort(),
    );
    expect((await rowsIn('SELECT agreement FROM group_agreement WHERE n > 0')).length).to.be.greaterThan(0);
    expect(await faults()).to.deep.equal([]);
    for (const view of ['group_agreement', 'group_cohesion', 'group_positions', 'ballots', 'votes'])
      await duckdb.run(`DROP VIEW ${view}`);
  });

  it('writes nothing where nothing changed, and after a change what a fresh one would hold', async () => {
    await write();
    expect(await written()).to.deep.equal([]);
    for (let night = 2; night < 6; night += 1) {
      takeNight(own.mirror, { at: nightAt(night), random });
      await write(out, night);
      const fresh = join(own.folder, `fresh-${night}`);
      await write(fresh, night);
      for (const { name } of tablesOf(own.mirror))
        expect(await rowsOf(name), `${name}, night ${night}`).to.deep.equal(await rowsOf(name, fresh));
    }
    expect(await faults()).to.deep.equal([]);
  });

  it('divides rows by days that are texts: a list, an object or a number is none', async () => {
    const dates: Json[] = [['2026-01-01'], { toString: null, valueOf: 1 }, {}, 20260101, true, '2026-01-01'];
    const all = dates.map((date, at) => ({ id: `odd-${at}`, politician: 'odd', text: 'Un', date }) as Document);
    // The mirror dates it by this day, its row does not.
    all.push({ id: 'odd-6', politician: 'odd', text: 'Un', date: {}, published_at: '2026-03-01' });
    saveAll(own.mirror, 'quote', all, nightAt(2));
    await write(out, 2, { tableSet: [parseTableName('quotes')] });
    for (const [edited, night] of [
      [0, 3],
      [5, 4],
    ] as const) {
      saveAll(own.mirror, 'quote', [{ ...all[edited]!, text: 'Deux' }], nightAt(night));
      await write(out, night, { tableSet: [parseTableName('quotes')] });
      const rows = (await rowsOf('quotes')).map((row) => JSON.parse(row));
      const odd = rows.filter(({ politician }) => politician === 'odd');
      expect(odd.map(({ id, year }) => `${id} ${year}`).sort()).to.deep.equal([
        ...['odd-0 null', 'odd-1 null', 'odd-2 null', 'odd-3 null', 'odd-4 null', 'odd-5 2026', 'odd-6 null'],
      ]);
      expect(odd.find(({ id }) => id === `odd-${edited}`).text).to.equal('Deux');
    }
  });

  it('keeps each row of a year that it writes again, also of a ballot with its date under another name', async () => {
    const ballot = (scrutin_id: string, date: Document) => {
      return { scrutin_id, chamber: 'AN', title: 'Loi', votes_by_party: [{ party: 'adr', for: 1 }], ...date };
    };
    const edited = [ballot('edited', { date: '2026-05-01' }), ballot('old', { date: '0026-05-01' })];
    const others = [ballot('other', { date_scrutin: '2026-05-01' }), ballot('older', { date: '0025-05-01' })];
    const tableSet = ['ballots', 'votes'].map(parseTableName);
    saveAll(own.mirror, 'ballot', [...edited, ...others], nightAt(2));
    await write(out, 2, { tableSet });
    saveAll(
      own.mirror,
      'ballot',
      edited.map((each) => ({ ...each, title: 'Loi corrigée' })),
      nightAt(3),
    );
    await write(out, 3, { tableSet });
    const fresh = join(own.folder, 'fresh');
    await write(fresh, 3, { tableSet });
    for (const { name } of tablesOf(own.mirror, tableSet))
      expect(await rowsOf(name), name).to.deep.equal(await rowsOf(name, fresh));
  });

  it('gives a column another type in one run, in all its files, if an earlier version wrote days as moments', async () => {
    const tableSet = [parseTableName('affiliations')];
    const asMoments = tablesOf(own.mirror, tableSet).map((table) => ({
      ...table,
      columns: table.columns.map((each) =>
        each.name === 'start_date' ? { ...each, type: 'datetime' as const } : each,
      ),
    }));
    await write(out, 1, { tableSet, tables: asMoments });
    const typesIn = async (version: number) => {
      const { schema, files } = await stateOf('affiliations_history', out, version);
      const stored = [...files.keys()].map((path) => `'${join(out, 'affiliations_history', path)}'`).join(', ');
      const sql = `SELECT DISTINCT type FROM parquet_schema([${stored}]) WHERE name = 'start_date'`;
      const { fields } = JSON.parse(schema!) as { fields: { name: string; type: string }[] };
      const declared = fields.find(({ name }) => name === 'start_date')!.type;
      return [declared, ...(await duckdb.runAndReadAll(sql)).getRowsJson().flat()];
    };
    expect(await written(out, 1, { tableSet })).to.have.members(['affiliations', 'affiliations_history']);
    expect(await typesIn(0)).to.deep.equal(['timestamp', 'INT64']);
    expect(await typesIn(1)).to.deep.equal(['date', 'INT32']);
    expect(await written(out, 1, { tableSet })).to.deep.equal([]);
    takeNight(own.mirror, { at: nightAt(2), random });
    await write(out, 2, { tableSet });
    expect(await typesIn(2)).to.deep.equal(['date', 'INT32']);
    expect(await faults()).to.deep.equal([]);
  });

  it('rewrites the files in whose part a record changed, and no other', async () => {
    const ballot = (scrutin_id: string, date: string, title: string) => {
      return { scrutin_id, chamber: 'AN', date, title, votes_by_party: [] };
    };
    const save = (night: number, title: string) =>
      saveAll(
        own.mirror,
        'ballot',
        [ballot('old', '2019-05-01', 'Loi ancienne'), ballot('new', '2025-05-01', title)],
        nightAt(night),
      );
    const byDecade = async (table: string) => {
      const all = [...(await stateOf(table)).files.values()];
      return Object.fromEntries(all.map(({ path, partitionValues }) => [partitionValues.decade, path]));
    };
    save(2, 'Loi');
    await write(out, 2);
    const before = [await byDecade('ballots'), await byDecade('ballots_history')];
    save(3, 'Loi corrigée');
    expect(await written(out, 3)).to.have.members(['ballots', 'ballots_history']);
    for (const [at, table] of ['ballots', 'ballots_history'].entries()) {
      const { 2020: edited, ...otherDecades } = await byDecade(table);
      const { 2020: former, ...same } = before[at]!;
      expect(edited, table).to.not.equal(former);
      expect(otherDecades, table).to.deep.equal(same);
    }
    expect(await written(out, 3)).to.deep.equal([]);
  });

  it('joins the small years of a decade in one file, and divides it once a year has become large', async () => {
    const ballot = (scrutin_id: string, date: string, title: string) => {
      return { scrutin_id, chamber: 'AN', date, title, votes_by_party: [] };
    };
    const all = ['2021-05-01', '2024-05-01', '2024-06-01'].map((date) => ballot(date, date, 'Loi'));
    const tableSet = [parseTableName('ballots')];
    saveAll(own.mirror, 'ballot', all, nightAt(2));
    await write(out, 2, { tableSet });
    const places = async () => {
      const { files, partitions } = await stateOf('ballots');
      return [partitions, ...[...files.values()].map(({ partitionValues }) => Object.values(partitionValues))];
    };
    expect(await places()).to.deep.equal([
      ['chamber', 'decade'],
      ['AN', '2020'],
    ]);
    const of = async (year: number) =>
      (await rowsOf('ballots')).filter((row) => JSON.parse(row).year === year && JSON.parse(row).chamber === 'AN');
    expect([await of(2021), await of(2024)].map((rows) => rows.length)).to.deep.equal([1, 2]);
    // Not in the title, which is searched and from which the nature of a ballot is read.
    const large = { ...ballot('2021-07-01', '2021-07-01', 'Loi'), result: 'x'.repeat(4_300_000) };
    saveAll(own.mirror, 'ballot', [large], nightAt(3));
    await write(out, 3, { tableSet });
    expect((await places())[0]).to.deep.equal(['chamber', 'year']);
    expect([await of(2021), await of(2024)].map((rows) => rows.length)).to.deep.equal([2, 2]);
    expect(await written(out, 3, { tableSet })).to.deep.equal([]);
    expect(await faults()).to.deep.equal([]);
  });

  it('leaves tables alone whose rows no changed record ever made', async () => {
    await write();
    const before = [...(await stateOf('other_record_sources')).files.keys()];
    saveAll(
      own.mirror,
      'ballot',
      [{ scrutin_id: 'x', chamber: 'AN', date: '2025-05-01', title: 'Loi', votes_by_party: [] }],
      nightAt(2),
    );
    const read: string[] = [];
    const tables = tablesOf(own.mirror).map((table) => {
      const rows = () => {
        read.push(table.name);
        return table.rows();
      };
      return { ...table, rows };
    });
    await write(out, 2, { tables });
    expect(read).to.not.include('other_record_sources');
    expect([...(await stateOf('other_record_sources')).files.keys()]).to.deep.equal(before);
  });

  it('puts right a file that is damaged or gone, and says which one it was', async () => {
    await write();
    const [first] = (await stateOf('ballots')).files.keys();
    const file = join(out, 'ballots', first!);
    truncateSync(file, 10);
    expect(await faults()).to.not.deep.equal([]);
    expect(await written()).to.deep.equal([]);
    expect(await faults()).to.deep.equal([]);
    rmSync(file);
    expect(await faults()).to.deep.equal(['is not there']);
    await write();
    expect(await faults()).to.deep.equal([]);
  });

  it('reads the same from a checkpoint as from its commits', async () => {
    for (let night = 2; night < 46; night += 1) {
      takeNight(own.mirror, { at: nightAt(night), random });
      await write(out, night, { tableSet: [parseTableName('ballots')] });
    }
    const log = join(out, 'ballots/_delta_log');
    const checkpoints = readdirSync(log).filter((name) => name.endsWith('.parquet'));
    expect(checkpoints).to.not.deep.equal([]);
    const state = await stateOf('ballots');
    const plain = join(own.folder, 'plain');
    cpSync(out, plain, { recursive: true });
    for (const name of checkpoints) rmSync(join(plain, 'ballots/_delta_log', name));
    expect(state).to.deep.equal(await stateOf('ballots', plain));
    const account = JSON.parse(readFileSync(join(out, 'versions.json'), 'utf8'));
    expect(account.versions.at(-1).tables.ballots).to.equal(state.version);
  });

  it('removes old versions with --keep, and what was withheld at once', async () => {
    for (let night = 2; night < 5; night += 1) {
      takeNight(own.mirror, { at: nightAt(night), random });
      await write(out, night);
    }
    const data = () => readdirSync(join(out, 'ballots/data'));
    const live = async () => [...(await stateOf('ballots')).files.keys()].map((path) => path.slice(5));
    const bytesBefore = data();
    await write(out, 5, { keepMs: 90 * dayMs });
    expect(data()).to.deep.equal(bytesBefore);
    await write(out, 5, { countWithheld: () => 1 });
    expect(data().sort()).to.deep.equal((await live()).sort());
    takeNight(own.mirror, { at: nightAt(6), random });
    await write(out, 6, { countWithheld: () => 1 });
    await write(out, 20, { keepMs: dayMs, countWithheld: () => 1 });
    expect(data().sort()).to.deep.equal((await live()).sort());
    expect(await faults()).to.deep.equal([]);
  });

  it('looks once at what is there, however many tables there are and whatever is removed', async () => {
    await write();
    await write(out, 2, { keepMs: dayMs, countWithheld: () => 1 });
    expect(lists).to.equal(1);
  });

  it('holds what a fresh one would, between whichever two writes a run was killed', async () => {
    const tableSet = ['ballots', 'quotes'].map(parseTableName);
    let kills = 0;
    for (let isKilled = true; isKilled; kills += 1) {
      const night = 2 + kills;
      takeNight(own.mirror, { at: nightAt(night), random });
      isKilled = await write(out, night, { tableSet, mostWrites: kills }).then(
        () => false,
        (error) => error.message === 'killed',
      );
      await write(out, night, { tableSet });
      const fresh = join(own.folder, `fresh-${night}`);
      await write(fresh, night, { tableSet });
      for (const { name } of tablesOf(own.mirror, tableSet))
        expect(await rowsOf(name), `${name}, ${kills} writes`).to.deep.equal(await rowsOf(name, fresh));
    }
    expect(kills).to.be.above(4);
    expect(await faults()).to.deep.equal([]);
  });

  it('says in each old version what --as-of says of that night', async () => {
    for (let night = 1; night < 6; night += 1) {
      takeNight(own.mirror, { at: nightAt(night), random });
      await write(out, night);
    }
    const { versions } = JSON.parse(readFileSync(join(out, 'versions.json'), 'utf8'));
    expect(versions.length).to.be.above(3);
    for (const { at, tables } of versions) {
      const past = openPast(own.mirror.path, at);
      const then = [...exportTable(past, parseTableName('ballots'), { citation, filter: {} }).rows()];
      past.close();
      const rows = (await rowsOf('ballots', out, tables.ballots)).map((row) => JSON.parse(row));
      const titles = (all: Record<string, unknown>[]) => all.map(({ scrutin_id, title }) => [scrutin_id, title]).sort();
      expect(titles(rows), at).to.deep.equal(titles(then));
    }
  });

  it('gives up once the versions that earlier rules composed, and refuses every other loss', async () => {
    const name = 'membership_days_history';
    const history = tablesOf(own.mirror).find((table) => table.name === name)!;
    const rows = [...history.rows()];
    const { derivation, ...former } = withFalseVersions(history);
    expect(derivation).to.be.greaterThan(1);
    await write(out, 1, { tables: [former], maxShrink: 0.2 });
    expect(await rowsOf(name)).to.have.length(2 * rows.length);
    await write(out, 1, { tables: [history], maxShrink: 0.2 });
    expect(await rowsOf(name)).to.have.length(rows.length);
    expect(await written(out, 1, { tables: [history], maxShrink: 0.2 })).to.deep.equal([]);

    await write(out, 1, { tables: [withFalseVersions(history)] });
    const loss = await write(out, 1, { tables: [history], maxShrink: 0.2 }).catch((thrown) => thrown);
    expect(loss.exit).to.equal(12);
    expect(loss.message).to.contain(name);
  });

  it('names the place where the system refuses to write', async () => {
    const error = await write(out, 1, { staging: join(own.folder, 'gone', 'staging') }).catch((thrown) => thrown);
    expect([error.exit, error.message]).to.deep.equal([10, `${join(own.folder, 'gone')}: the folder does not exist`]);
  });

  it('has less than 2 MB of log after a change every night of a year', async () => {
    const storedFiles = new Map<string, Uint8Array>();
    const put = async (path: string, content: string | Uint8Array) => void storedFiles.set(path, Buffer.from(content));
    const storage = {
      ...(await openFolderStorage(out)),
      create: async (...put_: Parameters<typeof put>) => !(await put(...put_)),
      replace: put,
    };
    await storage.close();
    const widest = tablesOf(own.mirror).sort((one, other) => other.columns.length - one.columns.length)[0]!;
    const file = (n: number) => {
      const path = `data/${n.toString(16).padStart(64, '0')}.parquet`;
      return { path, partitionValues: { chamber: 'AN', decade: '2020' }, size: 200_000, rows: 4000 };
    };
    const change = { partitionColumns: ['chamber', 'decade'], description: widest.description };
    let before = await readTable({ read: async (path) => storedFiles.get(path)! }, 'wide', []);
    for (let night = 0; night < 365; night += 1)
      before = (await commitVersion(
        storage,
        { name: 'wide', before },
        {
          ...change,
          added: [file(night)],
          removed: night > 0 ? [file(night - 1).path] : [],
          schema: night > 0 ? null : deltaSchema(widest.columns),
          mirrorTimeMs: Date.parse(nightAt(night)),
        },
      ))!;
    expect(before.version).to.equal(364);
    const bytes = [...storedFiles.values()].reduce((sum, { length }) => sum + length, 0);
    expect(bytes).to.be.below(2_000_000);
  });

  it('has one winner of each version where several write at once', async () => {
    const outcomes = await Promise.all([write(), write(), write(), write()]);
    expect(await faults()).to.deep.equal([]);
    for (const { name } of tablesOf(own.mirror)) {
      const log = readdirSync(join(out, name, '_delta_log'));
      expect(log, name).to.deep.equal([`${'0'.repeat(20)}.json`]);
      const winners = outcomes.map((all) => all.find((each) => each.name === name)!.outcome);
      expect(
        winners.filter((outcome) => outcome === 'written'),
        name,
      ).to.have.lengthOf(1);
    }
  });

  it('refuses a folder that holds something else, and takes up what a killed run left', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'mine.txt'), 'mine');
    const error = await write().catch((thrown) => thrown);
    expect(error.message).to.include('mine.txt');
    expect(existsSync(join(out, 'ballots'))).to.equal(false);
    rmSync(join(out, 'mine.txt'));
    await write();
    rmSync(join(out, 'versions.json'));
    expect(await written()).to.deep.equal([]);
    expect(await faults()).to.deep.equal([]);
  });

  it('declares every column of its files, those of misfits too, in the schema of their table', async () => {
    await write();
    const misfitColumns: string[] = [];
    for (const { name } of tablesOf(own.mirror)) {
      const columns = Object.keys(JSON.parse((await rowsOf(name))[0] ?? '{}'));
      const { schema } = await stateOf(name);
      const declared = JSON.parse(schema!).fields.map((field: { name: string }) => field.name);
      expect(declared, name).to.include.members(columns);
      misfitColumns.push(...columns.filter((column) => column.endsWith('_raw')));
    }
    expect(misfitColumns).to.include('affiliations_raw');
  });
});
