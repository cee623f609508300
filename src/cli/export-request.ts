import { existsSync, statSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { isBucketAddress } from '../export/bucket.ts';
import type { ExportTarget } from '../export/increment.ts';
import { type ExportPart, retrievedAt } from '../export/part.ts';
import { displayAddress } from '../export/postgres/address.ts';
import type { ExportWatch, TableFormat } from '../export/table.ts';
import { allTables, nameOfTable, parseTableName, type TableSource } from '../export/tables.ts';
import { exportFormatOf, exportFormats, type FormatName, formatByName } from '../format/formats.ts';
import { compressions } from '../format/sink.ts';
import { parseDay } from '../model/moment.ts';
import type { BucketOptions } from '../service/bucket.ts';
import { frenchHeader } from '../words/french.ts';
import { type Phrase, type ShownText, say } from '../words/speech.ts';
import type { ExportFlags } from './export-flags.ts';
import { parseDurationFlag, parseMomentFlag, parsePastFlag, parseSourceDate } from './flag-values.ts';

/** The parsed command line of `export`; parsing needs no mirror. */
export type ExportRequest = ReturnType<typeof readExportRequest>;

/** Parses the command line of `export`; throws a UsageError for contradictory or invalid input. */
export function readExportRequest(words: string[], flags: ExportFlags) {
  const format = parseFormat(flags);
  const namedTables = words.map(parseTableName);
  if (flags.all && namedTables.length > 0)
    throw new UsageError(say`--all cannot be combined with dataset names`, say`remove one of them`);
  const requestedTables = flags.all ? [...allTables] : [...new Set(namedTables)];
  if (requestedTables.length === 0)
    throw new UsageError(
      say`no dataset was given`,
      say`name one of ${allTables.map(nameOfTable).join(', ')}, or --all`,
    );
  const target = parseTarget(flags, requestedTables);
  const { 'as-of': asOf, 'max-age': maxAge, party, politician, since } = flags;
  const sinceDay = since === undefined ? undefined : parseMomentFlag('--since', since, 'start', parseDay);
  return {
    requestedTables,
    isAll: flags.all, // if true, tables to which the filter cannot apply are omitted
    /** Without subjects and ballots, which need the mirror. */
    filter: {
      ...(politician === undefined ? {} : { politician }),
      ...(party === undefined ? {} : { party }),
      // A day, not a moment: records are dated by day, and those of this day are included.
      ...(sinceDay === undefined ? {} : { since: sinceDay }),
    },
    /** Export only changes since this ISO 8601 moment or the `last` export; null for whole tables. */
    changedSince: parseChangedSince(flags),
    asOf: asOf === undefined ? null : parsePastFlag('--as-of', asOf, 'end'), // ISO 8601; null for the current state
    maxAge: maxAge === undefined ? null : { text: maxAge, ms: parseDurationFlag('--max-age', maxAge) },
    target,
    format,
    columns: flags.columns?.split(',') ?? null, // in the order of the export; null for all
  };
}

const writesCsv = ({ target, format }: ExportRequest): boolean =>
  format.format === 'csv' && ['stdout', 'file', 'folder'].includes(target.to);

/** Flags that only some exports use: flag, whether an export uses it, and its purpose for the error. */
const conditionalFlags: [
  flag: keyof ExportFlags,
  isUsed: (request: ExportRequest, flags: ExportFlags) => boolean,
  use: Phrase,
][] = [
  ['header', (request, { header }) => header || writesCsv(request), say`for CSV`],
  ['bom', writesCsv, say`for CSV`],
  ['french-headers', (request) => writesCsv(request) || request.target.to === 'workbook', say`for CSV and workbooks`],
  ['excel-fr', writesCsv, say`for CSV`],
  ['spreadsheet-safe', writesCsv, say`for CSV`],
  ['json', ({ target }) => target.to !== 'workbook', say`for NDJSON`],
  ['releases', ({ target }) => target.to === 'folder', say`for a folder: -o releases/`],
  ['if-changed', ({ target }) => target.to !== 'stdout', say`for a location with a previous export: -o DIR/`],
];

/** Throws a UsageError for a typed flag (`isTyped`) that this export would ignore. */
export function refuseUnusedFlags(request: ExportRequest, flags: ExportFlags, isTyped: (key: string) => boolean): void {
  for (const [flag, isUsed, use] of conditionalFlags)
    if (flags[flag] !== undefined && isTyped(flag) && !isUsed(request, flags))
      throw new UsageError(say`--${flag === 'header' ? 'no-header' : flag} is ${use}`, say`remove it`);
}

const writesWorkbook = ({ format, output }: ExportFlags) =>
  format === 'xlsx' || (format === undefined && output.toLowerCase().endsWith('.xlsx'));

/** Throws a UsageError if several tables would go to stdout or into one file. */
export function refuseSeveralTables({ to, path }: ExportTarget, count: number): void {
  if (count < 2 || to === 'folder') return;
  throw to === 'stdout'
    ? new UsageError(say`stdout accepts one dataset`, say`write several to a folder with -o DIR/`)
    : new UsageError(say`${path} is a single file`, say`for several datasets use a folder: -o DIR/`);
}

/** Throws a UsageError if binary output would go to a terminal. */
export function refuseBinaryToTerminal({ name, format }: ExportPart, { isTTY }: { isTTY: boolean }): void {
  if (isTTY && !formatByName(format).isText)
    throw new UsageError(
      say`${format} is binary and cannot be written to a terminal`,
      say`write to a file with -o ${name}.${format}, or redirect the output`,
    );
}

/** Creation moment of an export, ISO 8601: SOURCE_DATE_EPOCH, else when its data was retrieved. */
export const createdAt = (tables: Pick<ExportPart, 'attribution'>[]): string =>
  parseSourceDate(process.env.SOURCE_DATE_EPOCH) ?? retrievedAt(tables);

function parseTarget(flags: ExportFlags, requestedTables: TableSource[]): ExportTarget {
  const { postgres, sqlite, output, releases, lake } = flags;
  if (postgres !== undefined) return { to: 'postgres', path: displayAddress(postgres) };
  if ([sqlite, output, lake].includes(''))
    throw new UsageError(say`no output location was given`, say`give a file, or a folder that ends with /`);
  if (lake !== undefined) {
    if (!isBucketAddress(lake) && (lake === '-' || /^\w+:\/\//.test(lake) || hasFileExtension(lake)))
      throw new UsageError(
        say`--lake requires a folder or a bucket`,
        say`use --lake lake/ or --lake s3://BUCKET/FOLDER`,
      );
    return { to: 'lake', path: lake };
  }
  if (sqlite !== undefined) {
    if (sqlite === '-' || exportFormatOf(sqlite) || /\.(tsv|jsonl?|xlsx?|ods|gz|zst|zip)$/i.test(sqlite))
      throw new UsageError(
        say`${sqlite} would contain an SQLite file, which does not match its name`,
        say`use the extension .db or .sqlite, or -o for another format`,
      );
    return { to: 'sqlite', path: sqlite };
  }
  if (writesWorkbook(flags)) {
    if (!output.toLowerCase().endsWith('.xlsx') || isFolder(output))
      throw new UsageError(say`a workbook is a single file, with one sheet per table`, say`name it: -o data.xlsx`);
    return { to: 'workbook', path: output };
  }
  if (output === '-') return { to: 'stdout', path: output };
  if (isBucketAddress(output)) {
    if (!hasFileExtension(output)) return { to: 'folder', path: output };
    throw new UsageError(
      say`a bucket needs a folder, but ${output} is a file name`,
      say`give a folder: -o s3://BUCKET/FOLDER/`,
    );
  }
  if (releases && (existsSync(output) ? !statSync(output).isDirectory() : hasFileExtension(output)))
    throw new UsageError(say`--releases requires a folder, but ${output} is a file`, say`name a folder: -o releases/`);
  const isNewFolder = releases || (requestedTables.length > 1 && !existsSync(output) && !hasFileExtension(output));
  return { to: isNewFolder || isFolder(output) ? 'folder' : 'file', path: output };
}

/** True if a path has the extension of a format or a compression: if it does not exist yet, it means a file. */
export const hasFileExtension = (output: string): boolean =>
  exportFormatOf(output) !== null || foreignPattern.test(output.toLowerCase());

const isFolder = (target: string): boolean =>
  target.endsWith('/') || target === '.' || (existsSync(target) && statSync(target).isDirectory());

/** The format by `--json`, `--format`, else the extension of the output, else CSV; throws if the extension differs. */
function parseFormatName({ json, output, ...flags }: ExportFlags, extensionFormat?: FormatName): FormatName {
  const requestedFormat = (json ? 'ndjson' : (flags.format ?? extensionFormat ?? null)) as FormatName | null;
  const format = requestedFormat ?? 'csv';
  if (extensionFormat === undefined) refuseForeignExtension(output, requestedFormat);
  else if (extensionFormat !== format)
    throw new UsageError(say`${output} would contain ${format}`, say`use the extension .${format}, or remove --format`);
  return format;
}

/** The format with header, style and compression; for a workbook, `format` is a placeholder. */
function parseFormat(flags: ExportFlags): TableFormat {
  const { format: extensionFormat, compression = null } = exportFormatOf(flags.output) ?? {};
  const format = writesWorkbook(flags) ? 'csv' : parseFormatName(flags, extensionFormat);
  if (compression !== null && !formatByName(format).isText)
    throw new UsageError(say`${format} is already compressed`, say`use the extension .${format}`);
  return {
    format,
    header: flags.header,
    style: {
      isFrench: flags['excel-fr'],
      isSafe: flags['excel-fr'] || flags['spreadsheet-safe'],
      ...(flags.bom ? { hasByteOrderMark: true } : {}),
      ...(flags['french-headers'] ? { headerOf: frenchHeader } : {}),
    },
    compression,
  };
}

/** Extensions that name another format or a compression, for paths of which `exportFormatOf` returns null. */
const foreignFormats = 'xls|ods|txt|tsv|tab|json|jsonl|html?|md|arrow|feather|avro|orc|db|sqlite3?|duckdb';
const foreignCompressions = 'gz|zst|bz2|xz|zip|7z|br|lz4|tar|tgz';
const foreignPattern = new RegExp(`\\.(${foreignFormats}|${foreignCompressions})$`);
const compressionPattern = new RegExp(`\\.(${foreignCompressions})$`);

const exportExtensions = exportFormats.flatMap((name) => {
  const compressed = formatByName(name).isText ? Object.keys(compressions) : [];
  return [`.${name}`, ...compressed.map((each) => `.${name}.${each}`)];
});

/** Throws a UsageError for the extension of a compression or, unless a format is requested, of another format. */
function refuseForeignExtension(output: string, requestedFormat: FormatName | null): void {
  const isForeign = (requestedFormat === null ? foreignPattern : compressionPattern).test(output.toLowerCase());
  if (!isForeign || isFolder(output)) return;
  throw new UsageError(
    say`${output} would contain ${requestedFormat ?? 'csv'}, which does not match its name`,
    say`name it ${exportExtensions.join(', ')} or .xlsx; for an SQLite file: --sqlite FILE`,
  );
}

function parseChangedSince({ 'changed-since': changedSince, output, sqlite }: ExportFlags): string | null {
  if (changedSince === undefined) return null;
  if (changedSince === 'last' && output === '-' && sqlite === undefined)
    throw new UsageError(
      say`an export to stdout has no starting point`,
      say`give a time, such as --changed-since 7d, or a location with -o`,
    );
  return changedSince === 'last' ? changedSince : parseMomentFlag('--changed-since', changedSince, 'start');
}

/** Options to compare an export with the previous one: skip unchanged files, refuse lost columns or rows. */
export const sanityChecks = ({ flags, withheld }: ExportRun) => ({
  withheld,
  ifChanged: flags['if-changed'],
  picksColumns: flags.columns !== undefined, // then fewer columns are no loss
  maxShrink: flags['accept-shrink'] || flags['changed-since'] ? 1 : 0.2, // share of rows; 1 allows any loss
});

/** One export: its request, flags and output channels. */
export type ExportRun = {
  request: ExportRequest;
  flags: ExportFlags;
  /** Maximum number of rows missing from a table as withheld; unlimited for a tidy table if any record is withheld. */
  withheld?: (table: string) => number;
  removedParts?: number; // number of parts removed from the target because they contained withheld records
  createProgressWatch(): ExportWatch | undefined;
  createStopSignal(): AbortSignal; // handles SIGINT and SIGTERM from now on: they abort the returned signal
  network: BucketOptions;
  note(line: ShownText): void;
  warn(line: Phrase): void; // also with --quiet
};
