import { expect } from 'chai';
import { type ExportTable, writeTable } from '../../src/export/table.ts';
import { exportProgress, type Progress } from '../../src/terminal/progress.ts';
import { attribution, memorySink } from '../helpers/memory-sink.ts';

describe('the progress of an export', () => {
  const watching = () => {
    const clock = { ms: 0 };
    const drawn: string[] = [];
    let line = '';
    const nothing = () => {};
    const progress: Progress = {
      stage: nothing,
      done: nothing,
      note: nothing,
      stop: nothing,
      update: (text) => {
        line = `${text}`;
      },
      whenDrawn: async () => void drawn.push(line),
    };
    return { clock, drawn, watch: exportProgress(progress, () => clock.ms) };
  };

  it('is the name of the table and the rows written of all, once it takes half a second', async () => {
    const { clock, drawn, watch } = watching();
    let counted = 0;
    const count = () => {
      counted += 1;
      return 900;
    };
    const quotes = { name: 'quotes', count };
    for (const [ms, rows] of [
      [499, 10],
      [500, 20],
      [599, 30],
      [600, 40],
      [900, 900],
    ] as const) {
      clock.ms = ms;
      await watch(quotes, rows);
    }
    await watch({ name: 'votes', count: () => null }, 5);
    clock.ms = 1000;
    await watch({ name: 'votes', count: () => null }, 7);
    expect(drawn).to.deep.equal([
      'quotes: 20 of 900 rows',
      'quotes: 40 of 900 rows',
      'quotes: 900 of 900 rows',
      'votes: 7 rows',
    ]);
    expect(counted).to.equal(1);
  });

  for (const format of ['csv', 'ndjson', 'parquet'] as const) {
    it(`is told between the chunks of ${format}, whose bytes stay what they are`, async () => {
      const table: ExportTable = {
        name: 'quotes',
        description: 'Quotes.',
        columns: [{ name: 'id', type: 'integer', description: 'Number.' }],
        key: ['id'],
        freshAt: null,
        state: () => null,
        references: [],
        attribution,
        *rows() {
          for (let id = 0; id < 25_000; id += 1) yield { id };
        },
        count: () => 25_000,
      };
      const rowCounts: number[] = [];
      const watch = async (_table: unknown, rows: number) => void rowCounts.push(rows);
      const plain = memorySink();
      const watched = memorySink();
      await writeTable(table, { format, header: true }, plain);
      expect(await writeTable(table, { format, header: true, watch }, watched)).to.equal(25_000);
      expect(watched.text).to.equal(plain.text);
      expect(rowCounts[0]).to.equal(0);
      expect(rowCounts.at(-1)).to.equal(25_000);
      expect(rowCounts.length).to.be.greaterThan(2);
      expect(rowCounts).to.deep.equal([...rowCounts].sort((a, b) => a - b));
    });
  }
});
