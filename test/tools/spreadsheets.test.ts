import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { kindOf } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

/** What pandas makes of each sheet, as JSON: rows, types of columns, and the sum of votes. */
const asking = `
import json, sys, pandas
sheets = pandas.read_excel(sys.argv[1], sheet_name=None)
print(json.dumps({
  'rows': {name: len(sheet) for name, sheet in sheets.items()},
  'types': {name: str(kind) for name, kind in sheets['ballots'].dtypes.items()},
  'born': str(sheets['politicians'].dtypes['birth_date']),
  'ids': [str(each) for each in sheets['ballots']['scrutin_id']],
  'for': int(sheets['votes']['votes_for'].sum()),
}))`;

/** What LibreOffice made of each sheet, as JSON: rows, each with type and value of every cell. */
const reading = `
import json, sys, xml.etree.ElementTree as tree
office, table = ('{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}' % name for name in ('office', 'table'))
def cells(row):
    for cell in row:
        value = cell.get(office + 'date-value') or cell.get(office + 'value') or ''.join(cell.itertext()).strip()
        for _ in range(min(int(cell.get(table + 'number-columns-repeated', 1)), 99)):
            yield [cell.get(office + 'value-type'), value]
def rows(sheet):
    for row in sheet.iter(table + 'table-row'):
        for _ in range(min(int(row.get(table + 'number-rows-repeated', 1)), 9)):
            read = list(cells(row))
            if any(kind for kind, _ in read): yield read
sheets = {}
for path in sys.argv[1:]:
    for sheet in tree.parse(path).iter(table + 'table'):
        names, *body = rows(sheet)
        sheets[sheet.get(table + 'name')] = [{name[1]: cell for name, cell in zip(names, row)} for row in body]
print(json.dumps(sheets))`;

type Cell = [type: string | null, value: string];

describe('a workbook of everything', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let file: string;
  let lines: Record<string, string>[];
  const env = () => ({ HEMICYCLE_DB: demo.db, HOME: demo.folder });
  const exported = async (...argv: string[]) => {
    const { exit, stderr } = await runProgram(['export', ...argv], { env: env() });
    expect(exit, stderr).to.equal(0);
  };
  before(async () => {
    demo = await createDemoMirror();
    const mirror = openWritableMirror(demo.db);
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('ballot'), { at: '2026-11-22T06:00:00.000Z' });
      // What a spreadsheet would take for a month.
      saver.save({
        scrutin_id: '2006-1',
        chamber: 'Senat',
        date: '2006-01-17',
        title: '=1+1',
        votes_by_party: [{ party: 'adr', for: 12, against: 3 }],
      });
      saver.finish();
    });
    mirror.close();
    file = join(demo.folder, 'all.xlsx');
    await exported('--all', '-o', file);
    await exported('votes', 'ballots', 'politicians', 'affiliations', '-o', join(demo.folder, 'csv/'));
    lines = parse(readFileSync(join(demo.folder, 'csv/votes.csv')), { columns: true });
    expect(lines.some(({ scrutin_id }) => scrutin_id === '2006-1')).to.equal(true);
  });
  after(() => demo.remove());

  it('is read by pandas: counts, dates as dates, ids as text, sums', () => {
    const workbook = JSON.parse(execFileSync('/usr/bin/python3', ['-c', asking, file]).toString());
    expect(workbook.rows.votes).to.equal(lines.length);
    expect(Object.keys(workbook.rows).slice(-2)).to.deep.equal(['dictionary', 'terms']);
    expect(workbook.types.date).to.match(/^datetime64/);
    expect(workbook.born).to.match(/^datetime64/);
    expect(workbook.types.scrutin_id).to.equal('object');
    expect(workbook.ids.every((id: string) => !/00:00:00/.test(id))).to.equal(true);
    expect(workbook.for).to.equal(lines.reduce((sum, line) => sum + Number(line.votes_for), 0));
  });

  it('is read by Gnumeric, sheet by sheet, with the ids that it was given', () => {
    execFileSync('ssconvert', ['-S', file, join(demo.folder, 'sheet-%s.csv')], { stdio: 'pipe' });
    const read = (name: string): Record<string, string>[] =>
      parse(readFileSync(join(demo.folder, `sheet-${name}.csv`)), { columns: true });
    const key = ({ chamber, scrutin_id, n }: Record<string, string>) => [chamber, scrutin_id, n].join();
    expect(read('votes').map(key)).to.deep.equal(lines.map(key));
    expect(read('terms').map(({ key: name }) => name)).to.include.members(['attribution', 'licence']);
  });

  it('is read by LibreOffice, and so are the files of CSV: ids as text, dates as dates, sums and joins', function () {
    if (spawnSync('soffice', ['--version']).status !== 0) {
      console.log('    skipped: soffice is not installed');
      this.skip();
    }
    const names = ['votes', 'ballots', 'politicians', 'affiliations'];
    const read = (...files: string[]): Record<string, Record<string, Cell>[]> => {
      const out = join(demo.folder, `read-${files.length}`);
      const profile = `-env:UserInstallation=file://${join(demo.folder, 'profile')}`;
      const words = ['--headless', '--convert-to', 'fods', '--outdir', out, ...files];
      execFileSync('soffice', [profile, ...words], {
        stdio: 'pipe',
        env: { ...process.env, HOME: demo.folder },
      });
      const convertedFiles = files.map((path) => join(out, basename(path).replace(/\.\w+$/, '.fods')));
      const output = execFileSync('/usr/bin/python3', ['-c', reading, ...convertedFiles], {
        maxBuffer: 2 ** 26,
      });
      return JSON.parse(output.toString());
    };
    const workbook = read(file);
    expect(Object.keys(workbook).slice(-2)).to.deep.equal(['dictionary', 'terms']);
    for (const sheets of [workbook, read(...names.map((name) => join(demo.folder, `csv/${name}.csv`)))]) {
      const { votes, ballots, politicians, affiliations } = sheets as Record<string, Record<string, Cell>[]>;
      const types = (rows: Record<string, Cell>[], column: string) =>
        [...new Set(rows.map((row) => row[column]![0]))].filter(Boolean);
      expect(votes).to.have.length(lines.length);
      expect(types(votes!, 'scrutin_id')).to.deep.equal(['string']);
      expect(types(votes!, 'date')).to.deep.equal(['date']);
      expect(types(politicians!, 'birth_date')).to.deep.equal(['date']);
      expect(types(votes!, 'votes_for')).to.deep.equal(['float']);
      const key = ({ chamber, scrutin_id }: Record<string, Cell>) => `${chamber![1]}:${scrutin_id![1]}`;
      expect(votes!.map(key)).to.deep.equal(lines.map((line) => `${line.chamber}:${line.scrutin_id}`));
      expect(votes!.map(({ date }) => date![1])).to.deep.equal(lines.map(({ date }) => date));
      const sum = (all: (string | undefined)[]) => all.reduce((total, each) => total + Number(each), 0);
      expect(sum(votes!.map((row) => row.votes_for![1]))).to.equal(sum(lines.map((row) => row.votes_for)));
      const keys = new Set(ballots!.map(key));
      const slugs = new Set(politicians!.map(({ slug }) => slug![1]));
      expect(votes!.filter((row) => !keys.has(key(row)))).to.deep.equal([]);
      expect(affiliations!.filter(({ politician }) => !slugs.has(politician![1]))).to.deep.equal([]);
    }
    // In a workbook a text is a text, whatever it begins with.
    const marked = workbook.ballots!.find(({ scrutin_id }) => scrutin_id![1] === '2006-1')!;
    expect(marked.title).to.deep.equal(['string', '=1+1']);
  });
});
