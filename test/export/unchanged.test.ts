import { hash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportFile, exportFolder } from '../../src/export/folder.ts';
import { createPart } from '../../src/export/part.ts';
import { exportSqlite } from '../../src/export/sqlite.ts';
import { type ExportTable, tableMark } from '../../src/export/table.ts';
import { allTables, exportTable, nameOfTable } from '../../src/export/tables.ts';
import { verifyExport } from '../../src/export/verify.ts';
import { exportWorkbook } from '../../src/export/workbook.ts';
import type { FormatName } from '../../src/format/formats.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { nightAt, takeNight } from '../helpers/moving-mirror.ts';
import { createRandom } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
const gates = { created: '2026-03-01T06:00:00Z', ifChanged: true, maxShrink: 1 };
const outlets = { watch: undefined, signal: new AbortController().signal };

type Asked = { format?: FormatName; isRelease?: boolean; created?: string };

describe('an export of what did not change', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let out: string;
  let read: string[];
  const random = createRandom(11);
  beforeEach(() => {
    own = createTemporaryMirror();
    out = join(own.folder, 'out');
    takeNight(own.mirror, { at: nightAt(0), random });
  });
  afterEach(() => own.remove());

  /** All tables; `read` names those whose rows somebody asks for. */
  const tables = (names = allTables.map(nameOfTable)) => {
    read = [];
    return allTables
      .filter((table) => names.includes(nameOfTable(table)))
      .map((table): ExportTable => {
        const exported = exportTable(own.mirror, table, { citation, filter: {} });
        const rows = () => {
          if (!read.includes(exported.name)) read.push(exported.name);
          return exported.rows();
        };
        return { ...exported, rows };
      });
  };
  const write = (folder = out, { format = 'csv', ...more }: Asked = {}) =>
    exportFolder(
      tables().map((table) => createPart(table, { format, header: true })),
      folder,
      { ...gates, ...more },
    );
  const bytesIn = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => !name.startsWith('.') && name !== 'latest')
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
  it('marks files by the names of options that earlier versions stored', () => {
    const [table] = tables(['quotes']);
    const style = { isFrench: false, isSafe: false, hasByteOrderMark: true, headerOf: (name: string) => name };
    const options =
      '{"format":"csv","header":true,"compression":null,"isFrench":false,"isSafe":false,"isMarked":true,"headerOf":true}';
    const expected = hash('sha256', `${tableMark(table!, table!.state())} ${options} ${table!.picksColumns}`);
    const { mark } = createPart(table!, { format: 'csv', header: true, compression: null, style });
    expect(mark).to.equal(expected);
  });

  it('reads no row of a folder, a file, a database or a workbook', async () => {
    const [file, plain, book] = ['votes.csv', 'plain.db', 'all.xlsx'].map((name) => join(own.folder, name));
    const workbookOptions = { headerOf: (name: string) => name, onRemark: () => {} };
    const all = [
      () => write(),
      () => exportFile(createPart(tables(['quotes'])[0]!, { format: 'csv', header: true }), file!, gates),
      () => exportSqlite(tables(), plain!, { ...gates, ...outlets }),
      () => exportWorkbook(tables(), book!, { ...gates, ...outlets, ...workbookOptions }),
    ];
    for (const each of all) {
      const first = await each();
      expect(first.outcome).to.equal('written');
      const again = await each();
      expect(again.outcome).to.equal('unchanged');
      expect(again.tables.map(({ name, rows }) => [name, rows])).to.deep.equal(
        first.tables.map(({ name, rows }) => [name, rows]),
      );
      expect(read).to.deep.equal([]);
    }
  });

  it('writes whole tables again after an export of some of their rows', async () => {
    await write();
    const whole = bytesIn(out);
    const someRows = tables().map((table) => ({ ...table, rows: () => [], state: () => null }));
    await exportFolder(
      someRows.map((table) => createPart(table, { format: 'csv', header: true })),
      out,
      gates,
    );
    await write();
    expect(bytesIn(out)).to.deep.equal(whole);
  });

  const sayAnother = () =>
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('quote'), { at: nightAt(1) });
      saver.save({ id: 'q9', text: 'Autrement dit.' });
      saver.finish();
    });

  /** What differs from the export before, and the outcome of the whole and of the table, with and without `ifChanged`. */
  const exports: [what: string, outcomes: [ifChanged: string, always: string]][] = [
    ['nothing', ['unchanged unchanged', 'written unchanged']],
    ['a mark that is not known', ['unchanged unchanged', 'written unchanged']],
    ['the terms', ['written unchanged', 'written unchanged']],
    ['a row', ['written written', 'written written']],
    ['the format', ['written written', 'written written']],
    ['a description that is not there', ['written written', 'written written']],
  ];
  for (const [what, outcomes] of exports)
    for (const [at, ifChanged] of [true, false].entries())
      it(`says of ${what} in a file ${ifChanged ? 'written only if it changed' : 'written anyway'}: ${outcomes[at]}`, async () => {
        const path = join(own.folder, 'quotes.csv');
        const part = (format: FormatName = 'csv') => createPart(tables(['quotes'])[0]!, { format, header: true });
        const first = await exportFile(part(), path, { ...gates, ifChanged });
        expect([first.outcome, first.tables[0]!.outcome]).to.deep.equal(['written', 'written']);
        if (what === 'a row') sayAnother();
        if (what === 'a description that is not there') rmSync(`${path}.meta.json`);
        const next = part(what === 'the format' ? 'ndjson' : 'csv');
        const attribution = { ...next.attribution, name: 'Autre vitrine' };
        const changed = {
          ...{ 'a mark that is not known': { mark: null }, 'the terms': { mark: 'other', attribution } }[what],
        };
        const { outcome, tables: written } = await exportFile({ ...next, ...changed }, path, {
          ...gates,
          ifChanged,
        });
        expect(`${outcome} ${written[0]!.outcome}`).to.equal(outcomes[at]);
      });

  it('says of each table of a folder whether its bytes are those of the export before', async () => {
    const outcomes = ({ tables: all }: Awaited<ReturnType<typeof write>>) =>
      new Set(all.map(({ name, outcome }) => (name === 'quotes' ? `quotes ${outcome}` : outcome)));
    expect(outcomes(await write())).to.deep.equal(new Set(['quotes written', 'written']));
    expect(outcomes(await write())).to.deep.equal(new Set(['quotes unchanged', 'unchanged']));
    sayAnother();
    const again = await write();
    expect(again.outcome).to.equal('written');
    expect(outcomes(again)).to.deep.equal(new Set(['quotes written', 'unchanged']));
  });

  it('reads only the tables of kinds that changed, and gives the bytes of a fresh one', async () => {
    await write();
    const inode = () => statSync(join(out, 'parties.csv')).ino;
    const before = inode();
    takeNight(own.mirror, { at: nightAt(1), random, only: 'quote' });
    expect((await write()).outcome).to.equal('written');
    expect(read).to.include('quotes').and.not.include.members(['parties', 'votes']);
    expect(inode()).to.equal(before);
    const fresh = join(own.folder, 'fresh');
    await write(fresh);
    expect(bytesIn(out)).to.deep.equal(bytesIn(fresh));
    expect((await verifyExport(out)).flatMap(({ faults }) => faults)).to.deep.equal([]);
  });

  it('writes again what somebody else cut short, replaced or took away', async () => {
    await write();
    const fresh = bytesIn(out);
    truncateSync(join(out, 'parties.csv'), 7);
    writeFileSync(join(out, 'quotes.csv'), fresh['quotes.csv']!.toUpperCase());
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(out, 'quotes.csv'), later, later);
    expect((await write()).outcome).to.equal('written');
    expect(read).to.have.members(['parties', 'quotes']);
    expect(bytesIn(out)).to.deep.equal(fresh);
  });

  it('writes all in another format, and keeps what it gives as a release', async () => {
    await write();
    await write(out, { format: 'ndjson' });
    expect(readdirSync(out)).to.include('parties.ndjson').and.not.include('parties.csv');
    const releases = join(own.folder, 'releases');
    mkdirSync(releases);
    const release = (day: number) => write(releases, { isRelease: true, created: nightAt(day) });
    expect((await release(1)).outcome).to.equal('written');
    expect((await release(2)).outcome).to.equal('unchanged');
    takeNight(own.mirror, { at: nightAt(3), random, only: 'quote' });
    await release(3);
    const fresh = join(own.folder, 'fresh');
    await write(fresh, { created: nightAt(3) });
    expect(bytesIn(join(releases, 'latest'))).to.deep.equal(bytesIn(fresh));
  });
});
