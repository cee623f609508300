import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { openWorkbook } from '../../src/format/xlsx.ts';
import type { Document } from '../../src/model/document.ts';
import { memorySink } from '../helpers/memory-sink.ts';

const columns = [
  { name: 'id', type: 'text' as const },
  { name: 'n', type: 'integer' as const },
  { name: 'date', type: 'date' as const },
  { name: 'at', type: 'datetime' as const },
  { name: 'list', type: 'json' as const },
];

async function workbookOf(rows: Document[]) {
  const chunks: Uint8Array[] = [];
  const sink = {
    ...memorySink(),
    write: async (chunk: string | Uint8Array) => void chunks.push(chunk as Uint8Array),
  };
  const workbook = openWorkbook(sink);
  const written = await workbook.sheet('ballots', columns, rows);
  await workbook.end();
  const bytes = Buffer.concat(chunks);
  const files = unzipSync(bytes);
  return { written, bytes, files, sheet: strFromU8(files['xl/worksheets/sheet1.xml']!) };
}

const cell = (sheet: string, address: string) => new RegExp(`<c r="${address}"(.*?)</c>`, 's').exec(sheet)?.[1];
const textOf = (sheet: string, address: string) => /preserve">(.*?)<\/t>/s.exec(cell(sheet, address) ?? '')?.[1];

describe('a workbook', () => {
  it('has ids as text, whole numbers as numbers, days and moments as such, and no cell for what is not stated', async () => {
    const row = { id: '2006-1', n: 12, date: '2026-11-22', at: '2026-11-22T06:00:00Z', list: ['a', 'b'] };
    const { sheet, written } = await workbookOf([row, { id: '=1+1', n: null, date: 'vers 2026', n2: 1 }]);
    expect(cell(sheet, 'A2')).to.equal(' t="inlineStr"><is><t xml:space="preserve">2006-1</t></is>');
    expect([cell(sheet, 'B2'), cell(sheet, 'C2')]).to.deep.equal(['><v>12</v>', ' s="2"><v>46348</v>']);
    expect(cell(sheet, 'D2')).to.equal(' s="3"><v>46348.25</v>');
    expect(textOf(sheet, 'E2')).to.equal('[&quot;a&quot;,&quot;b&quot;]');
    expect([cell(sheet, 'B3'), textOf(sheet, 'A3'), textOf(sheet, 'C3')]).to.deep.equal([
      undefined,
      '=1+1',
      'vers 2026',
    ]);
    expect(written).to.deep.equal({ rows: 2, cut: 0 });
  });

  it('leaves days to text that a spreadsheet counts otherwise', async () => {
    const { sheet } = await workbookOf([{ date: '1899-12-31' }, { date: '1900-03-01' }, { date: '2026-02-30' }]);
    expect([textOf(sheet, 'C2'), cell(sheet, 'C3'), textOf(sheet, 'C4')]).to.deep.equal([
      '1899-12-31',
      ' s="2"><v>61</v>',
      '2026-02-30',
    ]);
  });

  it('cuts a text that no cell holds, says so in it and counts it', async () => {
    const long = '🎉'.repeat(20_000);
    const { sheet, written } = await workbookOf([{ id: long }, { id: 'x'.repeat(32_767) }]);
    const text = textOf(sheet, 'A2')!;
    expect(text).to.match(/🎉 \[…\] \(cut here: 40000 characters in all\)$/);
    expect(text.length).to.be.at.most(32_767);
    expect(text.isWellFormed()).to.equal(true);
    expect(textOf(sheet, 'A3')).to.have.length(32_767);
    expect(written).to.deep.equal({ rows: 2, cut: 1 });
  });

  it('escapes characters that XML lacks as spreadsheets read them, and takes no text for an escape', async () => {
    const { sheet } = await workbookOf([{ id: 'a\0\u0001<&>\ud800\r\n\t_x0041_' }]);
    expect(textOf(sheet, 'A2')).to.equal('a_x0000__x0001_&lt;&amp;&gt;\ufffd&#13;\n\t_x005F_x0041_');
  });

  it('is the same bytes for the same rows, in every time zone', async () => {
    const { TZ } = process.env;
    const all: Buffer[] = [];
    for (const zone of ['UTC', 'Pacific/Auckland', 'America/Lima']) {
      process.env.TZ = zone;
      all.push((await workbookOf([{ id: 'a', date: '2026-11-22' }])).bytes);
    }
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
    expect(all.every((bytes) => bytes.equals(all[0]!))).to.equal(true);
  });
});
