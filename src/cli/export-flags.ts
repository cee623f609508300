import { exportFormats } from '../format/formats.ts';
import { subjectFilter } from '../questions/record-filters.ts';
import { asOfFlag, headerFlag } from './flag-values.ts';
import { Flags, groupFlags, type Interfaces, listFlag, switchFlag, valueFlag } from './oclif.ts';

const rowFlags = groupFlags('ROWS', {
  party: Flags.string({
    description: 'only records of this party (slug or name)',
    aliases: ['parti', 'group', 'groupe'],
  }),
  politician: Flags.string({ description: 'only records about this politician (slug or name)' }),
  since: valueFlag('only records from this date on (profiles: updated since): 2026-11-01, or 7d', 'DATE'),
  subject: listFlag(subjectFilter.description, 'NAME'),
  ballots: valueFlag('only the ballots in this file: one reference per line, or CSV', 'FILE'),
  'changed-since': valueFlag(
    'only rows changed since this date or time (or 7d), or since the last such export to the same place ' +
      '(last); the column op states the type of change',
    'last|DATE',
    { exclusive: ['party', 'politician', 'since', 'subject', 'ballots', 'as-of'] },
  ),
  'as-of': asOfFlag,
});

const shapeFlags = groupFlags('SHAPE', {
  columns: valueFlag('only these columns, in this order', 'A,B'),
  header: headerFlag,
  'excel-fr': switchFlag('CSV for a French Excel: byte order mark, ; and decimal comma; implies --spreadsheet-safe'),
  bom: switchFlag('start the CSV file with a byte order mark, so that Excel reads it as UTF-8'),
  'french-headers': switchFlag('column names in French (such files cannot be imported)'),
  'spreadsheet-safe': switchFlag('escape CSV cells that a spreadsheet would read as formulas'),
});

const scheduleFlags = groupFlags('EVERY NIGHT', {
  'max-age': valueFlag(
    'skip tables last received longer ago than this (30m, 36h, 7d), and write the others',
    'DURATION',
    { exclusive: ['as-of'] },
  ),
  'if-changed': switchFlag('leave files with unchanged data untouched'),
  releases: switchFlag('keep each changed export in a dated folder: DIR/2026-11-22/; DIR/latest links to the newest', {
    exclusive: ['as-of', 'sqlite'],
  }),
  'accept-shrink': switchFlag('export even if a table lost a column or more than a fifth of its rows'),
});

/** Flags that exclude a warehouse, which receives complete tables. */
const fileFlagNames = [...Object.keys({ ...rowFlags, ...shapeFlags }), 'format', 'json', 'sqlite'];

const warehouseFlags = groupFlags('BEYOND ONE MACHINE', {
  postgres: valueFlag(
    'update a copy of the tables and their history in this PostgreSQL database; the password comes from ' +
      'PGPASSWORD or ~/.pgpass',
    'URL',
    { exclusive: [...fileFlagNames, 'output', 'releases'] },
  ),
  lake: valueFlag(
    'update Delta Lake tables and their history in this folder or bucket, for Spark, Trino, ClickHouse, DuckDB',
    'DIR|s3://BUCKET/DIR',
    { exclusive: [...fileFlagNames, 'output', 'postgres', 'releases', 'if-changed'] },
  ),
  keep: valueFlag('remove lake versions older than this, and files used only by them', 'DURATION', {
    dependsOn: ['lake'],
  }),
  grant: valueFlag('PostgreSQL roles that may read the tables', 'ROLE,…', { dependsOn: ['postgres'] }),
  schema: valueFlag('schema of the tables (default: hemicycle)', 'NAME', { dependsOn: ['postgres'] }),
  'text-index': switchFlag('add French full-text indexes to the PostgreSQL tables', { dependsOn: ['postgres'] }),
});

export const exportFlags = {
  all: switchFlag('all datasets and all other kinds'),
  format: Flags.string({
    description: 'file format; by default taken from the file name, otherwise csv',
    options: [...exportFormats, 'xlsx'],
  }),
  output: Flags.string({
    char: 'o',
    description:
      'folder (local or in a bucket), file (.csv.gz, .zst, or .xlsx with one sheet per table), or - for stdout',
    helpValue: 'DIR/|s3://BUCKET/DIR|FILE|-',
    default: '-',
  }),
  sqlite: valueFlag('write the tables to one SQLite file, for Datasette or DB Browser', 'FILE', {
    exclusive: ['output', 'format', 'json', 'excel-fr', 'spreadsheet-safe'],
  }),
  ...rowFlags,
  ...shapeFlags,
  ...scheduleFlags,
  ...warehouseFlags,
};

/** Parsed flags of `export`, with the common flags that it uses. */
export type ExportFlags = Interfaces.InferredFlags<typeof exportFlags> & { json?: boolean; quiet?: boolean };
