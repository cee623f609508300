import { expect } from 'chai';
import { createTableSql, sqlNames } from '../../src/export/ddl.ts';
import { allTables, exportTable, nameOfTable } from '../../src/export/tables.ts';
import { historyTable } from '../../src/export/warehouse.ts';
import { column } from '../../src/model/columns.ts';
import type { Document } from '../../src/model/document.ts';
import { openPast } from '../../src/store/history/past.ts';
import { nightAt, takeNight } from '../helpers/moving-mirror.ts';
import { createRandom, isLong, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };

describe('the definition of a table', () => {
  it('writes no name and no text that a database would take for something else', () => {
    const names = ['a"b', 'xmin', 'Text', 'text', 'x'.repeat(70), 'x'.repeat(71), 'null\0'];
    const columns = names.map((name) => column.text(name, "it's"));
    const postgres = sqlNames(columns, 'postgres');
    expect(new Set(postgres).size).to.equal(names.length);
    for (const name of postgres) expect(Buffer.byteLength(name)).to.be.at.most(63);
    expect(postgres).to.include.members(['xmin_2', 'Text', 'text', 'null\ufffd']);
    expect(sqlNames(columns, 'sqlite')).to.include.members(['Text', 'text_2', 'xmin']);
    const table = { name: 't', description: "d'\\", columns, key: [] };
    expect(createTableSql(table)).to.include('"a""b" TEXT');
  });
});

describe('the history of a table', () => {
  const nights = isLong ? 20 : 7;

  it(`holds for each moment the rows of the table as of that moment`, () => {
    const random = createRandom(seedOf('HISTORY_SEED'));
    const own = createTemporaryMirror();
    try {
      for (let n = 0; n < nights; n += 1) takeNight(own.mirror, { at: nightAt(n), random });
      for (let n = 0; n < nights; n += 1) {
        const past = openPast(own.mirror.path, nightAt(n));
        for (const table of allTables) {
          const said = `seed ${random.seed}, ${nameOfTable(table)} of night ${n}`;
          const then = [...exportTable(past, table, { citation, filter: {} }).rows()];
          const all = [...historyTable(own.mirror, table, { citation, isFlat: true }).rows()];
          expect(heldAt(all, nightAt(n)).map(textOf).sort(), said).to.deep.equal(then.map(textOf).sort());
        }
        past.close();
      }
    } finally {
      own.remove();
    }
  });
});

const heldAt = (rows: Document[], at: string): Document[] =>
  rows
    .filter(({ valid_from, valid_to }) => valid_from! <= at && (valid_to === null || valid_to! > at))
    .map(({ valid_from: _, valid_to: __, ...row }) => row);

/** A row, for which a field without a value is one that it has not. */
const textOf = (row: Document) =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
