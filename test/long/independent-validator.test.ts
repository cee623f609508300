import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

type TabularResource = {
  name: string;
  read(options: { relations: boolean }): Promise<unknown[]>;
  checkRelations(): Promise<boolean>;
};
type Validated = { valid: boolean; resources: TabularResource[] };

/** Of the Frictionless project; it knows version 1 of the standard, which version 2 extends. */
const { Package } = createRequire(import.meta.url)('datapackage') as {
  Package: {
    load(descriptor: object, options: { basePath: string; strict: boolean }): Promise<Validated>;
  };
};

/** Reads every file of a package as its description says, types and references included; the rows of each. */
async function readAsDescribed(folder: string): Promise<Record<string, number>> {
  const described = JSON.parse(readFileSync(join(folder, 'datapackage.json'), 'utf8'));
  for (const resource of described.resources) resource.profile = 'tabular-data-resource';
  const validated = await Package.load(described, { basePath: folder, strict: true });
  expect(validated.valid).to.equal(true);
  const rows: Record<string, number> = {};
  for (const resource of validated.resources) {
    rows[resource.name] = (await resource.read({ relations: false })).length;
    await resource.checkRelations();
  }
  return rows;
}

/** This reader takes a byte order mark for a part of the first column's name; spreadsheets need it. */
function withoutMark(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
}

describe('an independent reader of data packages', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let folder: string;
  beforeEach(async () => {
    demo = await createDemoMirror();
    folder = join(mkdtempSync(join(tmpdir(), 'hemicycle-package-')), 'out');
  });
  afterEach(() => {
    demo.remove();
    rmSync(join(folder, '..'), { recursive: true });
  });
  const exportAll = async (...argv: string[]) => {
    const { exit, stderr } = await runProgram(['export', '--all', '-o', `${folder}/`, ...argv], {
      env: { HEMICYCLE_DB: demo.db },
    });
    expect(exit, stderr).to.equal(0);
  };
  const described = () =>
    JSON.parse(readFileSync(join(folder, 'datapackage.json'), 'utf8')) as {
      resources: { name: string; path: string; rows: number }[];
    };

  for (const [name, flags] of [
    ['an export of everything', []],
    ['one for French spreadsheets', ['--excel-fr']],
  ] as const) {
    it(`reads ${name}: every row as its columns are described, every reference to a record that is there`, async () => {
      await exportAll(...flags);
      for (const { path } of described().resources) withoutMark(join(folder, path));
      const rowCounts = described().resources.map(({ name, rows }) => [name, rows]);
      expect(await readAsDescribed(folder)).to.deep.equal(Object.fromEntries(rowCounts));
    });
  }

  it('refuses a cell that is not what its column says, and a reference to nothing', async () => {
    await exportAll();
    const path = join(folder, 'votes.csv');
    const [head, first, ...otherLines] = readFileSync(path, 'utf8').split('\n') as [string, string];
    const cells = first.split(',');
    const integer = head.split(',').indexOf('votes_for');
    writeFileSync(path, [head, cells.with(integer, 'many').join(','), ...otherLines].join('\n'));
    const wrong = await readAsDescribed(folder).catch((error: Error) => error);
    expect(wrong).to.be.instanceOf(Error);
    const key = head.split(',').indexOf('party');
    writeFileSync(path, [head, cells.with(key, 'nowhere').join(','), ...otherLines].join('\n'));
    expect(await readAsDescribed(folder).catch((error: Error) => error)).to.be.instanceOf(Error);
  });
});
