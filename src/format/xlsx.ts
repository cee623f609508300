import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Document, Json } from '../model/document.ts';
import { dayMs } from '../model/moment.ts';
import { createConverter, type DescribedColumn, daysSince1970 } from './fit.ts';
import { escapeHtml } from './html.ts';
import { cellReader } from './rows.ts';
import type { Sink } from './sink.ts';

const maxCellChars = 32_767; // Limits of Excel.
const maxSheetRows = 1_048_576;

type SheetColumn = DescribedColumn & { header?: string };

/** Streams a workbook (Office Open XML) into a sink, sheet by sheet; the same sheets give the same bytes. */
export function openWorkbook(sink: Sink) {
  const names: string[] = [];
  let pendingChunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    pendingChunks.push(chunk);
  });
  const flush = async () => {
    const chunks = pendingChunks;
    pendingChunks = [];
    for (const chunk of chunks) if (chunk.length > 0) await sink.write(chunk);
  };
  const addFile = (path: string, isUncompressed = false) => {
    const file = isUncompressed ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 });
    // Fixed for reproducible bytes: the earliest local time that ZIP supports.
    file.mtime = new Date(1980, 0, 1);
    zip.add(file);
    return file;
  };
  return {
    /** Writes a sheet; returns its number of rows and of shortened cells. Throws a RangeError above `maxSheetRows`. */
    async sheet(name: string, columns: SheetColumn[], rows: Iterable<Document>) {
      names.push(name);
      const file = addFile(`xl/worksheets/sheet${names.length}.xml`);
      const cellWriters = columns.map(createCellWriter);
      const readCell = cellReader(columns.map((column) => column.name));
      const letters = columns.map((_, at) => columnLetters(at));
      let text = sheetHead(columns);
      let count = 0;
      let cutCells = 0;
      for (const row of rows) {
        count += 1;
        if (count >= maxSheetRows) throw new RangeError(`${name} has more rows than a sheet of a workbook holds`);
        text += `<row r="${count + 1}">`;
        for (let at = 0; at < columns.length; at += 1) {
          const value = readCell(row, columns[at]!.name);
          if (value === null || value === undefined) continue;
          const cell = cellWriters[at]!(value);
          if (cell.isCut) cutCells += 1;
          text += `<c r="${letters[at]}${count + 1}"${cell.xml}</c>`;
        }
        text += '</row>';
        if (text.length < 65_536) continue;
        file.push(strToU8(text));
        text = '';
        await flush();
      }
      file.push(strToU8(`${text}</sheetData></worksheet>`), true);
      await flush();
      return { rows: count, cut: cutCells };
    },
    /** Writes the list of sheets and ends the archive; the sink stays open. */
    async end() {
      for (const [path, text] of Object.entries(workbookFiles(names))) addFile(path, true).push(strToU8(text), true);
      zip.end();
      await flush();
    },
  };
}

/** A cell; `xml` is its `c` element without `<c r="A1"` at the start and `</c>` at the end. */
type Cell = { xml: string; isCut: boolean };

const styles = { plain: 0, bold: 1, day: 2, moment: 3 }; // Indexes into `cellXfs` of `styles.xml`.

const numberCell = (value: number, style = styles.plain): Cell => ({
  xml: `${style === styles.plain ? '' : ` s="${style}"`}><v>${value}</v>`,
  isCut: false,
});

const firstDay = daysSince1970('1900-03-01')!; // Excel has a 29 February 1900: earlier numbers are ambiguous.
const epochDay = daysSince1970('1899-12-30')!; // Day 0 of Excel from March 1900 on.

function createCellWriter(column: DescribedColumn): (value: Json) => Cell {
  const { type = 'text' } = column;
  const converter = createConverter(column);
  const isNumeric = type === 'integer' || type === 'number';
  return (value) => {
    if (typeof value === 'boolean') return { xml: ` t="b"><v>${value ? 1 : 0}</v>`, isCut: false };
    if (typeof value === 'number' && type !== 'text' && Number.isFinite(value)) return numberCell(value);
    if (typeof value === 'string' && type !== 'text' && type !== 'json') {
      // A text in a column of another type is a number, day or moment if Excel can represent it; else it stays text.
      const fittedValue = converter.convert(value) as number | bigint | null;
      if (isNumeric && fittedValue !== null) return numberCell(Number(fittedValue));
      const day = type === 'boolean' ? null : daysSince1970(value);
      if (day !== null && day >= firstDay) return numberCell(day - epochDay, styles.day);
      const days = Number(fittedValue) / dayMs;
      const isMoment = type === 'datetime' && converter.wasLossless() && days >= firstDay;
      if (isMoment) return numberCell(days - epochDay, styles.moment);
    }
    return textCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
}

function textCell(text: string): Cell {
  const isCut = text.length > maxCellChars;
  const shownText = escapeText(isCut ? cutText(text) : text);
  return { xml: ` t="inlineStr"><is><t xml:space="preserve">${shownText}</t></is>`, isCut };
}

/** Shortens a text to the size of a cell, with a remark, without splitting a surrogate pair. */
function cutText(text: string): string {
  const remark = ` […] (cut here: ${text.length} characters in all)`;
  const prefix = text.slice(0, maxCellChars - remark.length);
  return `${/[\ud800-\udbff]$/.test(prefix) ? prefix.slice(0, -1) : prefix}${remark}`;
}

/** Characters that XML cannot contain, and texts that look like the escape of one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const forbiddenPattern = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;

/** Escapes as ECMA-376 does (ST_Xstring): spreadsheets read `_x0001_` as U+0001. */
function escapeText(text: string): string {
  const escapeSign = (sign: string) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return escapeHtml(text.toWellFormed().replace(forbiddenPattern, escapeSign)).replaceAll('\r', '&#13;');
}

function columnLetters(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${columnLetters(Math.floor(at / 26) - 1)}${letter}`;
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';

function sheetHead(columns: SheetColumn[]): string {
  const width = ({ type }: DescribedColumn) => (type === 'date' || type === 'integer' ? 12 : 24);
  const widths = columns.map(
    (column, at) => `<col min="${at + 1}" max="${at + 1}" width="${width(column)}" customWidth="1"/>`,
  );
  const cells = columns.map(({ name, header = name }, at) => {
    const { xml: cell } = textCell(header);
    return `<c r="${columnLetters(at)}1" s="${styles.bold}"${cell}</c>`;
  });
  return `${xmlDeclaration}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${cells.join('')}</row>`;
}

function workbookFiles(names: string[]): Record<string, string> {
  const sheets = names.map((name, at) => `<sheet name="${escapeText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const relations = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${relationsNamespace}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = names.map(
    (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  );
  const format = (id: number) =>
    `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
  return {
    'xl/styles.xml': `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${format(164)}${format(165)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    'xl/workbook.xml': `${xmlDeclaration}<workbook xmlns="${mainNamespace}" xmlns:r="${relationsNamespace}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships">${relations.join('')}<Relationship Id="rId${names.length + 1}" Type="${relationsNamespace}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels': `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relationsNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `${xmlDeclaration}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${parts.join('')}</Types>`,
  };
}
