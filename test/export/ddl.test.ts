import { expect } from 'chai';
import { createTableSql, sqlNames } from '../../src/export/ddl.ts';
import { allTables, exportTable, nameOfTable, parseTableName, type TableSource } from '../../src/export/tables.ts';
import { historyTable } from '../../src/export/warehouse.ts';
import { column } from '../../src/model/columns.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { openPast } from '../../src/store/history/past.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { beginRun, endRun } from '../../src/store/syncs/runs.ts';
import { transaction } from '../../src/store/transaction.ts';
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
        for (const table of allTables)
          tellsTheSame(own.mirror, past, table, { night: n, label: `seed ${random.seed}` });
        past.close();
      }
    } finally {
      own.remove();
    }
  });

  it('holds so the stays of more people than are composed at once, also where parties change', () => {
    const own = createTemporaryMirror();
    const save = (night: number, name: KindName, documents: Document[]) =>
      transaction(own.mirror, () => {
        const saver = createSaver(own.mirror, kindOf(name), { at: nightAt(night) });
        for (const document of documents) saver.save(document);
        saver.finish();
      });
    const party = (slug: string, kind: string) => ({ slug, kind });
    const person = (n: number, end: string | null) => {
      const affiliations = [{ party: n % 3 === 0 ? 'verger' : 'rivages', start: '2010-01-01', end }];
      return { slug: `personne-${n}`, party: 'verger', affiliations };
    };
    const people = Array.from({ length: 1201 }, (_, n) => n);
    try {
      save(0, 'party', [party('verger', 'parti'), party('rivages', 'parti')]);
      save(
        0,
        'politician',
        people.map((n) => person(n, null)),
      );
      save(1, 'party', [party('verger', 'groupe')]);
      save(
        2,
        'politician',
        people.filter((n) => n % 2 === 0).map((n) => person(n, '2020-01-01')),
      );
      for (const night of [0, 1, 2]) {
        const past = openPast(own.mirror.path, nightAt(night));
        for (const name of ['membership_days', 'party_members'])
          tellsTheSame(own.mirror, past, parseTableName(name), { night, label: 'people' });
        past.close();
      }
      const rows = historyTable(own.mirror, parseTableName('membership_days'), { citation, isFlat: true }).rows();
      // The stays of a third were of another kind first, and of a half without an end.
      expect([...rows]).to.have.length(1201 + 401 + 601);
    } finally {
      own.remove();
    }
  });

  it('has versions that a sync left, none of what stood between two of its stages', () => {
    const own = createTemporaryMirror();
    const sync = (hour: string, stages: [KindName, Document][]) => {
      const at = (second: number) => `2026-03-01T${hour}:00:0${second}.000Z`;
      const run = beginRun(own.mirror, 'https://service.example', at(0));
      for (const [n, [name, document]] of stages.entries())
        transaction(own.mirror, () => {
          const saver = createSaver(own.mirror, kindOf(name), { at: at(n + 1) });
          saver.save(document);
          saver.finish();
        });
      endRun(own.mirror, run, { at: at(9), exit: 0, report: '{}' });
    };
    const person = (party: string) => ({ slug: 'aube', affiliations: [{ party, start: '2010-01-01' }] });
    sync('06', [
      ['politician', person('mer')],
      ['party', { slug: 'mer', kind: 'parti' }],
    ]);
    sync('07', [
      ['politician', person('rive')],
      ['party', { slug: 'mer', kind: 'groupe' }],
      ['party', { slug: 'rive', kind: 'groupe' }],
    ]);
    const { rows } = historyTable(own.mirror, parseTableName('membership_days'), { citation, isFlat: true });
    const versions = [...rows()].map(({ party, kind, valid_from, valid_to }) => [party, kind, valid_from, valid_to]);
    const [first, second] = ['06', '07'].map((hour) => `2026-03-01T${hour}:00:09.000Z`);
    expect(versions).to.deep.equal([
      ['mer', 'parti', first, second],
      ['rive', 'groupe', second, null],
    ]);
    own.remove();
  });

  function tellsTheSame(
    mirror: Mirror,
    past: Mirror,
    table: TableSource,
    { night, label }: { night: number; label: string },
  ): void {
    const then = [...exportTable(past, table, { citation, filter: {} }).rows()];
    const all = [...historyTable(mirror, table, { citation, isFlat: true }).rows()];
    const textsHeld = heldAt(all, nightAt(night)).map(textOf).sort();
    expect(textsHeld, `${label}, ${nameOfTable(table)} of night ${night}`).to.deep.equal(then.map(textOf).sort());
  }
});

const heldAt = (rows: Document[], at: string): Document[] =>
  rows
    .filter(({ valid_from, valid_to }) => valid_from! <= at && (valid_to === null || valid_to! > at))
    .map(({ valid_from: _, valid_to: __, ...row }) => row);

/** A row, for which a field without a value is one that it has not. */
const textOf = (row: Document) =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
