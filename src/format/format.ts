import { orNull } from '../errors.ts';
import type { Document } from '../model/document.ts';
import type { Column, Kind } from '../model/kinds.ts';
import { type Speech, say } from '../words/speech.ts';
import type { Article } from './article.ts';
import type { RowFormat } from './rows.ts';
import type { Compression, Sink } from './sink.ts';
import type { ColumnFacts } from './tally.ts';

/** A record of a file, its JSON text, its position (`line 12`, `row 3`) and the fields omitted as too long. */
export type InputRecord = { document: Document; text: string; location: string; omittedFields?: string[] };

/** JSON text of a record; empty if its nesting is too deep, in which case readers omit the deep fields. */
export const jsonOrEmpty = (document: Document): string => orNull(() => JSON.stringify(document), RangeError) ?? '';

/** Records of one file in batches: one await per batch, not per record. */
export type InputBatches = AsyncGenerator<InputRecord[]>;

/** Most records of a batch. */
export const maxBatchSize = 1000;

/** Longest record read from a text file, in characters: parsing holds several copies in memory. */
export const maxRowChars = 2 ** 24;

/** Reason for the refusal of a record over `maxRowChars`. */
export const sizeReason = say`the record is longer than 16 MB, the most that is read; nothing of the file was taken in`;

/** Characters of JSON after which a batch ends early. */
export const maxBatchChars = 2 ** 22;

/** Columns and delimiter of a CSV file without header, from the description of its package. */
export type DeclaredHeader = { columns: string[]; delimiter: string };

/** Options for CSV. */
export type TextStyle = {
  /** True for French spreadsheets: byte order mark, `;` between cells, decimal comma. */
  isFrench?: boolean;
  /** True to prefix texts that a spreadsheet would read as formulas with an apostrophe. */
  isSafe?: boolean;
  /** Whether a byte order mark precedes the header; by default only with `isFrench`. */
  hasByteOrderMark?: boolean;
  /** Returns the header of a column; its name by default. */
  headerOf?: (name: string) => string;
};

/** Rows of a table, from the first on at each call. */
export type RowSource = { rows: () => Iterable<Document> };

/** Options for a table file. */
export type TableOptions = {
  columns: Column[];
  metadata: Record<string, string>;
  /** Receives the columns of the file and their statistics after the last write. */
  report?: (columns: WrittenColumn[]) => void;
  /** True for a data file of Delta Lake: moments in microseconds, and a `field_id` for each schema element. */
  isForLake?: boolean;
};

/** A written column with statistics; a raw-value column names in `rawOf` the column whose misfits it contains. */
export type WrittenColumn = Column & { rawOf?: string; facts?: ColumnFacts };

/** A file format: its name, which is its file extension, and what it can write and read. */
export type Format = {
  name: string;
  mediaType: string;
  /** True if rows keep fields that are not columns. */
  keepsAllFields?: true;
  /** True for a text format, which is worth compressing. */
  isText?: true;
  /** True if `hemicycle export` can write it. */
  isExported?: true;
  /** True for a format that the API's dataset export offers. */
  isApiExport?: true;
  /** Writes rows one by one; `picksColumns` is true if the user selected the columns. */
  rowFormat?: (columns: string[], options: { picksColumns: boolean; style?: TextStyle; speech?: Speech }) => RowFormat;
  /** Header and footer text around the rows of a human-readable format; `close` writes remarks on the rows. */
  document?: {
    /** True for a page with title and notes; lists have the columns of the terminal's table, labelled in words. */
    isPage?: true;
    open(article: Article, speech: Speech): string;
    close(remarks: readonly string[]): string;
  };
  /** Writes a whole table at once; returns the number of rows. */
  writeTable?: (source: RowSource, options: TableOptions, sink: Sink) => Promise<number>;
  reading?: {
    /** File extensions of supported whole-file compressions. */
    compressions: Compression[];
    /** An import reads the file with the lowest rank if several files of a folder contain the same kind. */
    rank: number;
    records(path: string, kind: Kind, header: DeclaredHeader | null): InputBatches;
    /** The columns that a file declares, in order; null where the format declares none. */
    columns(path: string): Promise<string[] | null>;
  };
};
