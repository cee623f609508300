import { exportFormats } from '../format/formats.ts';
import { asOfFlag, headerFlag } from './flag-values.ts';
import { Flags, type Interfaces, inGroup, switchFlag, valueFlag } from './oclif.ts';

const sourceFlags = inGroup('ROWS', {
  party: Flags.string({ description: 'only records of this party (slug or name)' }),
  politician: Flags.string({ description: 'only records about this politician (slug or name)' }),
  since: valueFlag('only records dated since then (profiles: updated since): 2026-11-01, or 7d', 'DATE'),
  ballots: valueFlag('only the ballots of a list: a file with a reference a line, or CSV', 'FILE'),
  'changed-since': valueFlag(
    'only rows that are not what they were then (a date, a moment, 7d), or at the last such export into the same place; with what became of each (op)',
    'last|DATE',
    { exclusive: ['party', 'politician', 'since', 'ballots', 'as-of'] },
  ),
  'as-of': asOfFlag,
});

const shapeFlags = inGroup('SHAPE', {
  columns: valueFlag('only these columns, in this order', 'A,B'),
  header: headerFlag,
  'excel-fr': switchFlag(
    'CSV as a French Excel opens it: byte order mark, ; and decimal comma; implies --spreadsheet-safe',
  ),
  bom: switchFlag('CSV that begins with a byte order mark, by which Excel knows UTF-8'),
  'french-headers': switchFlag('column names in French, for people (an import does not know them)'),
  'spreadsheet-safe': switchFlag('CSV in which no cell can be taken for a formula'),
});

const ofRows = Object.keys({ ...sourceFlags, ...shapeFlags });

const nightFlags = inGroup('EVERY NIGHT', {
  'max-age': valueFlag('refuse each table that last came longer ago (30m, 36h, 7d), and write the others', 'DURATION', {
    exclusive: ['as-of'],
  }),
  'if-changed': switchFlag('leave files alone whose data is what it was'),
  releases: switchFlag(
    'keep each export that changed in a folder of its day: DIR/2026-11-22/, to which DIR/latest leads',
    { exclusive: ['as-of', 'sqlite'] },
  ),
  'accept-shrink': switchFlag('export even if more than a fifth of its rows, or a column, was lost'),
});

const ofFiles = [...ofRows, 'format', 'json', 'sqlite'];

const warehouseFlags = inGroup('BEYOND ONE MACHINE', {
  postgres: valueFlag(
    'bring a copy of the tables and their histories in that PostgreSQL up to date; the password from PGPASSWORD or ~/.pgpass',
    'URL',
    { exclusive: [...ofFiles, 'output', 'releases'] },
  ),
  lake: valueFlag(
    'bring tables of Delta Lake with their histories up to date in that folder or bucket, for Spark, Trino, ClickHouse, DuckDB',
    'DIR|s3://BUCKET/DIR',
    { exclusive: [...ofFiles, 'output', 'postgres', 'releases', 'if-changed'] },
  ),
  keep: valueFlag('remove versions of a lake, and files that they alone need, that are older', 'DURATION', {
    dependsOn: ['lake'],
  }),
  grant: valueFlag('roles of that PostgreSQL that may read the tables', 'ROLE,…', {
    dependsOn: ['postgres'],
  }),
  schema: valueFlag('schema of the tables; hemicycle by default', 'NAME', { dependsOn: ['postgres'] }),
});

/** The flags of `export`. */
export const exportFlags = {
  all: switchFlag('every dataset and every other kind'),
  format: Flags.string({
    description: 'file format; by default that of the file name, else csv',
    options: [...exportFormats, 'xlsx'],
  }),
  output: Flags.string({
    char: 'o',
    description:
      'folder (also in a bucket), file (also .csv.gz or .zst, or .xlsx for a sheet per table), or - for stdout',
    helpValue: 'DIR/|s3://BUCKET/DIR|FILE|-',
    default: '-',
  }),
  sqlite: valueFlag('one plain SQLite file of these tables, for Datasette or DB Browser', 'FILE', {
    exclusive: ['output', 'format', 'json', 'excel-fr', 'spreadsheet-safe'],
  }),
  ...sourceFlags,
  ...shapeFlags,
  ...nightFlags,
  ...warehouseFlags,
};

/** Parsed flags of `export`, with the common flags that it uses. */
export type ExportFlags = Interfaces.InferredFlags<typeof exportFlags> & { json?: boolean; quiet?: boolean };
