import { strFromU8, unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';

type Cell = string | number | boolean | null;

/** The day or moment of a serial number, as ISO 8601 text. */
const momentOf = (serial: number, isDay: boolean): string => {
  const text = new Date(Math.round((serial - 25_569) * 86_400_000)).toISOString();
  return isDay ? text.slice(0, 10) : text.replace('.000Z', 'Z');
};

const columnOf = (address: string) =>
  [...address.replace(/\d/g, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Reads a sheet as spreadsheets do: escapes of ECMA-376 in texts, days and moments by their style. */
function readSheet(xml: string): Cell[][] {
  const rows: Cell[][] = [];
  let cell = { at: 0, type: '', style: '', text: '' };
  const parser = new Parser(
    {
      onopentag(name, { r = '', t = '', s = '' }) {
        if (name === 'row') rows.push([]);
        if (name === 'c') cell = { at: columnOf(r), type: t, style: s, text: '' };
      },
      ontext(text) {
        cell.text += text;
      },
      onclosetag(name) {
        if (name !== 'c') return;
        const { at, type, style, text } = cell;
        const unescaped = () =>
          text.replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
        const number = () => (style === '2' || style === '3' ? momentOf(Number(text), style === '2') : Number(text));
        rows.at(-1)![at] = type === 'inlineStr' ? unescaped() : type === 'b' ? text === '1' : number();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return rows;
}

/** The cells of every sheet of a workbook, by name and row. */
export function readWorkbook(bytes: Uint8Array): Map<string, Cell[][]> {
  const files = unzipSync(bytes);
  const names = [...strFromU8(files['xl/workbook.xml']!).matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name!);
  return new Map(names.map((name, n) => [name, readSheet(strFromU8(files[`xl/worksheets/sheet${n + 1}.xml`]!))]));
}
