import { expect } from 'chai';
import { addCells, type CsvLine, readCsvLines } from '../../src/format/csv-lines.ts';
import { createRandom } from '../helpers/random.ts';

async function* inParts(bytes: Buffer, most = bytes.length > 1000 ? 65_536 : 7): AsyncGenerator<Buffer> {
  const random = createRandom(bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const to = at + 1 + random.integer(most);
    yield bytes.subarray(at, to);
    at = to;
  }
}

async function read(text: string | Buffer) {
  const bytes = Buffer.from(text);
  const { records, ...opened } = await readCsvLines(inParts(bytes), 'list.csv');
  const lines: CsvLine[] = [];
  for await (const line of records) lines.push(line);
  return { ...opened, lines };
}

const whole = ({ preamble, header, lines }: Awaited<ReturnType<typeof read>>) =>
  preamble + [header, ...lines].map(({ text, end }) => text + end).join('');

async function refusal(text: string | Buffer): Promise<string> {
  try {
    await read(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the lines of a CSV file', () => {
  it('are the file again, byte for byte, in whatever parts it came', async () => {
    const random = createRandom(11);
    for (let round = 0; round < 150; round++) {
      const delimiter = random.pick([',', ';', '\t']);
      const end = random.pick(['\n', '\r\n', '\r']);
      const cells = ['é', 'x y', `"q ""z"" ${delimiter}${end} w"`, '', '=1+1', 'nul\0', '"œuvre"', "l'île"];
      const row = () => Array.from({ length: random.integer(4) }, () => random.pick(cells)).join(delimiter);
      const lines = [`a${delimiter}b${delimiter}c`, ...Array.from({ length: random.integer(8) }, row)];
      const text = `${random.pick(['', '\ufeff'])}${lines.join(end)}${random.pick(['', end])}`;
      const parsed = await read(text);
      expect(whole(parsed)).to.equal(text);
      expect(parsed.delimiter).to.equal(delimiter);
    }
  });

  it('keep line ends of both sorts in one file, and lines with nothing on them', async () => {
    const parsed = await read('a;b\r\n1;2\n\n3;4\r\n"5\n6";7');
    expect(parsed.lines.map(({ cells }) => cells)).to.deep.equal([['1', '2'], [], ['3', '4'], ['5\n6', '7']]);
    expect(parsed.lines.map(({ line }) => line)).to.deep.equal([2, 3, 4, 5]);
  });

  it('get cells behind their own, under those of the header', () => {
    const at = { delimiter: ';', width: 3 };
    const line = (text: string, cells: string[]) => ({ text, cells, end: '\r\n', line: 2 });
    expect(addCells(line('1;2;3', ['1', '2', '3']), ['x', ''], at)).to.equal('1;2;3;x;\r\n');
    expect(addCells(line('1', ['1']), ['a;b', 'c"d'], at)).to.equal('1;;;"a;b";"c""d"\r\n');
  });

  it('never get a cell that a spreadsheet takes for a formula', () => {
    const line = { text: '1', cells: ['1'], end: '\n', line: 2 };
    for (const hostile of ['=1+1', '+1', '-1', '@x', '\t=1', '＝1'])
      expect(addCells(line, [hostile], { delimiter: ',', width: 1 })).to.equal(`1,'${hostile}\n`);
  });

  it('are refused, with the number of the line, where they are no CSV', async () => {
    expect(await refusal(`a,b\n1,2\n3,"${'x'.repeat(17 * 2 ** 20)}`)).to.match(
      /^list\.csv:3: the record is longer than 16 MB/,
    );
    expect(await refusal('a,b\n1,2\n3,"x\n4,5\n')).to.equal('list.csv:3: a quote that opens there is never closed');
    expect(await refusal('a,b\n1,x"y"\n')).to.match(/^list\.csv:2: not CSV/);
    expect(await refusal(Buffer.from('a,b\n1,\xe9\n', 'latin1'))).to.equal(
      'list.csv:2: is not UTF-8 text: byte 3 of that row is 0xE9',
    );
    expect(await refusal(Buffer.from('a,b\n1,2\n', 'utf16le'))).to.match(/^list\.csv:1: not CSV in UTF-8/);
    for (const empty of ['', '\ufeff', '\n']) expect(await refusal(empty)).to.equal('list.csv:1: holds no header line');
  });
});
