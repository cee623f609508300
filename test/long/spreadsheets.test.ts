import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

const isLong = process.env.TEST_LONG === '1';

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

(isLong ? describe : describe.skip)('a workbook of everything', () => {
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
    file = join(demo.folder, 'all.xlsx');
    await exported('--all', '-o', file);
    await exported('votes', '-o', join(demo.folder, 'votes.csv'));
    lines = parse(readFileSync(join(demo.folder, 'votes.csv')), { columns: true });
  });
  after(() => demo.remove());

  it('is read by pandas: counts, dates as dates, ids as text, sums', () => {
    const said = JSON.parse(execFileSync('/usr/bin/python3', ['-c', asking, file]).toString());
    expect(said.rows.votes).to.equal(lines.length);
    expect(Object.keys(said.rows).slice(-2)).to.deep.equal(['dictionary', 'terms']);
    expect(said.types.date).to.match(/^datetime64/);
    expect(said.born).to.match(/^datetime64/);
    expect(said.types.scrutin_id).to.equal('object');
    expect(said.ids.every((id: string) => !/00:00:00/.test(id))).to.equal(true);
    expect(said.for).to.equal(lines.reduce((sum, line) => sum + Number(line.votes_for), 0));
  });

  it('is read by Gnumeric, sheet by sheet, with the ids that it was given', () => {
    execFileSync('ssconvert', ['-S', file, join(demo.folder, 'sheet-%s.csv')], { stdio: 'pipe' });
    const read = (name: string): Record<string, string>[] =>
      parse(readFileSync(join(demo.folder, `sheet-${name}.csv`)), { columns: true });
    const key = ({ chamber, scrutin_id, n }: Record<string, string>) => [chamber, scrutin_id, n].join();
    expect(read('votes').map(key)).to.deep.equal(lines.map(key));
    expect(read('terms').map(({ key: name }) => name)).to.include.members(['attribution', 'licence']);
  });
});
