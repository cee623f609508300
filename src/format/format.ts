import { orNull } from '../errors.ts';
import type { Document } from '../model/document.ts';
import type { Column, Kind } from '../model/kinds.ts';
import { type Speech, say } from '../words/speech.ts';
import type { Article } from './article.ts';
import type { RowFormat } from './rows.ts';
import type { Sink } from './sink.ts';
import type { ColumnFacts } from './tally.ts';

/** A record of a file, its JSON text, its position (`line 12`, `row 3`) and `omittedFields`, which were too long. */
export type InputRecord = { document: Document; text: string; location: string; tooLong?: string[] };

/** The JSON text of a record; empty for a document nested too deep, whose field is omitted later. */
export const jsonOrEmpty = (document: Document): string => orNull(() => JSON.stringify(document), RangeError) ?? '';

/** Records of one file in batches: one await per batch, not per record. */
export type InputBatches = AsyncGenerator<InputRecord[]>;

export const batchSize = 1000;

/** Longest record read from a text file, in characters: parsing holds several copies in memory. */
export const longestRecord = 2 ** 24;

/** The error text for a record longer than `maxRecordLength`. */
export const tooLong = say`the record is longer than 16 MB, the most that is read; nothing of the file was taken in`;

/** Characters after which a batch of long records ends. */
export const maxBatchChars = 2 ** 22;

/** The header of a headless file, from its description. */
export type DeclaredHeader = { columns: string[]; delimiter: string };

/** Options for CSV cells. */
export type TextStyle = {
  /** True for French spreadsheets: byte order mark, `;` between cells, decimal comma. */
  isFrench?: boolean;
  /** True to prefix texts that a spreadsheet would read as formulas with an apostrophe. */
  isSafe?: boolean;
  isMarked?: boolean;
  headerOf?: (name: string) => string;
};

/** Rows that can be read repeatedly, each time with the same values. */
export type RowSource = { rows: () => Iterable<Document> };

/** Columns in order, the names of those with misfits (if absent, a first pass finds them), and metadata of the file. */
export type TableOptions = {
  columns: Column[];
  misfits?: ReadonlySet<string>;
  metadata: Record<string, string>;
  /** Receives the columns of the file and their statistics after the last write. */
  report?: (columns: WrittenColumn[]) => void;
  /** True for a table format such as Delta Lake: moments in microseconds, and a field number for each column. */
  isOfLake?: boolean;
};

/** A written column with statistics; `rawOf` names the column whose misfits it contains. */
export type WrittenColumn = Column & { rawOf?: string; facts?: ColumnFacts };

/** A file format: its name, its writer and its reader. */
export type Format = {
  name: string;
  mediaType: string;
  /** True if rows keep all fields; otherwise they are cut to the columns. */
  isWhole?: true;
  /** True for a text format, which is worth compressing. */
  isText?: true;
  isExported?: true;
  /** True for a format that the API's dataset export offers. */
  isOfInterface?: true;
  rowFormat?: (columns: string[], options: { isPicked: boolean; style?: TextStyle; speech?: Speech }) => RowFormat;
  /** The text around the rows, of a format that people read. */
  document?: {
    /** True for a page: it needs a title, has notes, and lists have the columns of the table, labelled for readers. */
    isPage?: true;
    open(article: Article, speech: Speech): string;
    close(remarks: readonly string[]): string;
  };
  writeTable?: (source: RowSource, options: TableOptions, sink: Sink) => Promise<number>;
  reading?: {
    /** File extensions of supported whole-file compressions. */
    compressions: string[];
    /** The reader picks the file with the lowest rank if several files contain one kind. */
    rank: number;
    records(path: string, kind: Kind, beside: DeclaredHeader | null): InputBatches;
    /** The columns that a file declares, in order; null where the format declares none. */
    columns(path: string): Promise<string[] | null>;
  };
};
