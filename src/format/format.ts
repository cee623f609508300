import type { Document } from '../model/document.ts';
import type { Column, Kind } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { RowFormat } from './rows.ts';
import type { Sink } from './sink.ts';
import type { ColumnFacts } from './tally.ts';

/** A record of a file, its JSON text and place (`line 12`, `row 3`); `tooLong` are fields that were left out unread. */
export type InputRecord = { document: Document; text: string; location: string; tooLong?: string[] };

/** The JSON text of a record, or an empty one for a document nested too deep, whose field is left out later. */
export function textOrNone(document: Document): string {
  try {
    return JSON.stringify(document);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Records of one file in batches, so that a million of them do not cost a million awaits. */
export type InputBatches = AsyncGenerator<InputRecord[]>;

export const batchSize = 1000;

/** Longest record read from a text file, in characters: parsing holds several copies in memory. */
export const longestRecord = 2 ** 24;

/** The error text for a longer record. */
export const tooLong = say`the record is longer than 16 MB, the most that is read; nothing of the file was taken in`;

/** Records that are long come in smaller batches, of about so many characters. */
export const batchCharacters = 2 ** 22;

/** The header of a headless file, from its description. */
export type HeaderBeside = { columns: string[]; delimiter: string };

/** How text is written where it is not plain. */
export type TextStyle = {
  /** As a French spreadsheet takes it: a byte order mark, `;` between cells, a comma in fractions. */
  isFrench?: boolean;
  /** No cell that a spreadsheet would take for a formula: a text that begins like one gets an apostrophe. */
  isSafe?: boolean;
  isMarked?: boolean;
  headerOf?: (name: string) => string;
};

/** Rows that can be read more than once and are the same each time. */
export type RowSource = { rows: () => Iterable<Document> };

/** Columns in order, and metadata of the file. */
export type TableOptions = {
  columns: (Pick<Column, 'name'> & Partial<Column>)[];
  metadata: Record<string, string>;
  /** Told, once all is written, which columns the file has, and what each of them holds. */
  noted?: (columns: WrittenColumn[]) => void;
  /** True for a file of a table format such as Delta Lake: microseconds, and a number for each column. */
  isOfLake?: boolean;
};

/** A written column with statistics; `rawOf` names the column whose misfits it holds. */
export type WrittenColumn = Pick<Column, 'name'> & Partial<Column> & { rawOf?: string; facts: ColumnFacts };

/** All that Hemicycle knows of a format: how it is called, written and read. */
export type Format = {
  name: string;
  mediaType: string;
  /** True if rows keep all their fields; else they are cut to the columns. */
  isWhole?: true;
  /** True for text, which is readable and worth compressing. */
  isText?: true;
  /** True for a format that `export` writes. */
  isExported?: true;
  /** True for a format that the API's dataset export offers. */
  isOfInterface?: true;
  rowFormat?: (columns: string[], options: { isPicked: boolean; style?: TextStyle }) => RowFormat;
  writeTable?: (source: RowSource, options: TableOptions, sink: Sink) => Promise<number>;
  reading?: {
    /** File endings of supported whole-file compressions. */
    compressions: string[];
    /** Of several files of one kind the one with the lowest rank is read. */
    rank: number;
    records(path: string, kind: Kind, beside: HeaderBeside | null): InputBatches;
    /** The columns that a file declares, in order; null where the format declares none. */
    columns(path: string): Promise<string[] | null>;
  };
};
