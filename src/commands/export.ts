import { existsSync, statSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { citationOf, HemicycleCommand } from '../command.ts';
import { ConfigurationError, UsageError } from '../errors.ts';
import {
  allTables,
  canFilter,
  exportTable,
  kindOfTable,
  nameOfTable,
  type TableName,
  tableNamed,
} from '../mirror/export-tables.ts';
import { momentOf } from '../model/moment.ts';
import { attributionLine } from '../output/answer.ts';
import { makeAtomically } from '../output/atomic-file.ts';
import type { Compression } from '../output/compressed.ts';
import { exportFile } from '../output/export-files.ts';
import { aboutTables, exportFolder } from '../output/export-folder.ts';
import {
  type ExportFormat,
  type ExportTable,
  exportFormats,
  type TableFormat,
  withAttribution,
  withColumns,
  writeTable,
} from '../output/export-table.ts';
import { keepHeapSmall } from '../output/small-heap.ts';
import { asOfMoment } from '../reading-command.ts';
import { lastFilled } from '../store/contents.ts';
import { findFilterSlug } from '../store/name-lookup.ts';
import type { Mirror } from '../store/open.ts';
import { openPast } from '../store/past.ts';
import { makePlainFile } from '../store/plain-file.ts';
import type { RowFilter } from '../store/rows.ts';
import { openSnapshot } from '../store/snapshot.ts';

const sourceFlags = {
  party: Flags.string({ description: 'only records of this party (slug or name)', helpGroup: 'ROWS' }),
  politician: Flags.string({
    description: 'only records about this politician (slug or name)',
    helpGroup: 'ROWS',
  }),
  since: Flags.string({
    description: 'only records dated since then (profiles: updated since): 2026-11-01, or 7d',
    helpValue: 'DATE',
    helpGroup: 'ROWS',
  }),
  'as-of': Flags.string({
    description: 'as this mirror had seen it by then: 2026-11-01 (its end, UTC), a moment, or 7d ago',
    helpValue: 'DATE',
    helpGroup: 'ROWS',
  }),
};

const shapeFlags = {
  columns: Flags.string({
    description: 'only these columns, in this order',
    helpValue: 'A,B',
    helpGroup: 'SHAPE',
  }),
  header: Flags.boolean({
    description: 'a line of column names first; --no-header leaves it out',
    allowNo: true,
    default: true,
    helpGroup: 'SHAPE',
  }),
  'attribution-column': Flags.boolean({
    description: 'a last column that cites the source in every row',
    helpGroup: 'SHAPE',
  }),
  'excel-fr': Flags.boolean({
    description:
      'CSV as a French Excel opens it: byte order mark, ; and decimal comma; implies --spreadsheet-safe',
    helpGroup: 'SHAPE',
  }),
  'spreadsheet-safe': Flags.boolean({
    description: 'CSV in which no cell can be taken for a formula',
    helpGroup: 'SHAPE',
  }),
};

const nightFlags = {
  'if-changed': Flags.boolean({
    description: 'leave files alone whose data is what it was',
    helpGroup: 'EVERY NIGHT',
  }),
  'max-shrink': Flags.integer({
    description: 'refuse an export that lost more than that share of its rows, in per cent',
    min: 0,
    max: 100,
    default: 20,
    helpGroup: 'EVERY NIGHT',
  }),
  'accept-shrink': Flags.boolean({ description: 'export whatever rows were lost', helpGroup: 'EVERY NIGHT' }),
};

export default class Export extends HemicycleCommand {
  static override summary = 'write whole datasets as CSV, Parquet or NDJSON';
  static override description = `Datasets: ${allTables
    .map((table) => (table === 'votes' ? 'votes (one line for each ballot and party)' : table.plural))
    .join(
      ', ',
    )}. A file or folder appears whole or not at all; same data, same bytes. SOURCE_DATE_EPOCH sets the date that a package states.`;
  static override examples = [
    {
      description: 'One dataset into the next program',
      command: '<%= config.bin %> export politicians | head',
    },
    {
      description: 'Everything as a data package, with licence and checksums',
      command: '<%= config.bin %> export --all -o out/',
    },
    {
      description: 'Every night: nothing is touched where nothing changed',
      command: '<%= config.bin %> export --all -o out/ --if-changed --quiet',
    },
    {
      description: 'The votes of the parties, for a spreadsheet in French',
      command: '<%= config.bin %> export votes --since 2026-01-01 --excel-fr -o votes.csv',
    },
  ];
  static override strict = false;
  static override args = {
    dataset: Args.string({ ignoreStdin: true, description: 'one dataset or more', required: false }),
  };
  static override flags = {
    all: Flags.boolean({ description: 'every dataset and every other kind' }),
    format: Flags.string({
      description: 'file format; by default that of the file name, else csv',
      options: [...exportFormats],
    }),
    output: Flags.string({
      char: 'o',
      description: 'folder, file (also .csv.gz or .zst), or - for stdout',
      helpValue: 'DIR/|FILE|-',
      default: '-',
    }),
    sqlite: Flags.string({
      description: 'one plain SQLite file of these tables, for Datasette or DB Browser',
      helpValue: 'FILE',
      exclusive: ['output', 'format', 'json'],
    }),
    ...sourceFlags,
    ...shapeFlags,
    ...nightFlags,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Export);
    const named = flags.all ? [...allTables] : [...new Set((argv as string[]).map(tableNamed))];
    if (named.length === 0)
      throw new UsageError(
        'no dataset is named',
        `name one of ${allTables.map(nameOfTable).join(', ')}, or --all`,
      );
    keepHeapSmall(4, { growthPercent: 100 });
    const settings = this.settingsWith(flags);
    const asOf = flags['as-of'];
    const mirror = this.closing(
      asOf === undefined
        ? openSnapshot(settings.db)
        : openPast(settings.db, asOfMoment(asOf), named.map(kindOfTable)),
    );
    const filter = filterOf(mirror, flags);
    const tables = chosenTables(named, filter, flags.all).map((table) =>
      shaped(exportTable(mirror, table, { citation: citationOf(settings, mirror), filter }), flags),
    );
    const { stdout, stderr } = this.sinks();
    const format = formatOf(flags);
    const attribution = attributionLine(tables[0]!.attribution);
    const target = flags.sqlite;
    if (target !== undefined) {
      const about = aboutTables(tables);
      const made = await makeAtomically(target, (path) => makePlainFile(path, { tables, about, target }));
      if (!flags.quiet) for (const { name, rows } of made) stderr(`${target}: ${name}, ${rows} rows`);
      stderr(attribution);
      return;
    }
    if (flags.output === '-') {
      if (tables.length > 1)
        throw new UsageError('stdout takes one dataset', 'write several into a folder with -o DIR/');
      await writeTable(tables[0]!, format, stdout);
      if (!stdout.closed) stderr(attribution);
      return;
    }
    const say = (line: string) => {
      if (!flags.quiet) stderr(line);
    };
    const options = {
      ...format,
      created: createdAt(mirror),
      ifChanged: flags['if-changed'],
      maxShrink: flags['accept-shrink'] ? 1 : flags['max-shrink'] / 100,
      done: ({ path, rows, bytes }: { path: string; rows: number; bytes: number }) =>
        say(`${path}: ${rows} rows, ${bytes} bytes`),
    };
    if (!isFolder(flags.output) && tables.length > 1)
      throw new UsageError(`${flags.output} is one file`, 'several datasets go into a folder: -o DIR/');
    const outcome = isFolder(flags.output)
      ? await exportFolder(tables, flags.output, { ...options, told: say })
      : await exportFile(tables[0]!, flags.output, options);
    if (outcome === 'unchanged') say(`${flags.output}: nothing changed`);
    stderr(attribution);
  }
}

type FormatFlags = {
  format?: string | undefined;
  json?: boolean | undefined;
  output: string;
  header: boolean;
  'excel-fr': boolean;
  'spreadsheet-safe': boolean;
};

/** How tables are written: what the flags say, else what the name of the file says. */
function formatOf(flags: FormatFlags): TableFormat {
  const [, ending, compression = null] = /\.(csv|parquet|ndjson)(?:\.(gz|zst))?$/.exec(flags.output) ?? [];
  const format = (flags.json ? 'ndjson' : (flags.format ?? ending ?? 'csv')) as ExportFormat;
  const isFrench = flags['excel-fr'];
  const isSafe = isFrench || flags['spreadsheet-safe'];
  if (isSafe && format !== 'csv')
    throw new UsageError('--excel-fr and --spreadsheet-safe are for CSV', 'leave out --format');
  if (ending !== undefined && ending !== format)
    throw new UsageError(`${flags.output} would hold ${format}`, `call it .${format}, or leave out --format`);
  if (compression !== null && format === 'parquet')
    throw new UsageError('Parquet is compressed within', 'call the file .parquet');
  return {
    format,
    header: flags.header,
    style: { isFrench, isSafe },
    compression: compression as Compression | null,
    isThreaded: true,
  };
}

type FilterFlags = {
  party?: string | undefined;
  politician?: string | undefined;
  since?: string | undefined;
};

function filterOf(mirror: Mirror, { party, politician, since }: FilterFlags): RowFilter {
  const day = since === undefined ? undefined : momentOf(since, Date.now(), 'start');
  if (day === null) throw new UsageError(`--since "${since}" is not a date`, 'write 2026-11-01, or 7d');
  return {
    ...(politician === undefined ? {} : { politician: findFilterSlug(mirror, 'politician', politician) }),
    ...(party === undefined ? {} : { party: findFilterSlug(mirror, 'party', party) }),
    // Records are dated by days: one of that very day is of it.
    ...(day === undefined ? {} : { since: day.slice(0, 10) }),
  };
}

/** With --all, tables that the filter means nothing for are left out; one that was named is a mistake. */
function chosenTables(named: TableName[], filter: RowFilter, isAll: boolean): TableName[] {
  const chosen = named.filter((table) => canFilter(table, filter));
  const refused = named.find((table) => !chosen.includes(table));
  if (refused && !isAll)
    throw new UsageError(
      `${nameOfTable(refused)} cannot be chosen by ${Object.keys(filter)
        .map((part) => `--${part}`)
        .join(' and ')}`,
    );
  return chosen;
}

type ShapeFlags = { columns?: string | undefined; 'attribution-column': boolean };

function shaped(table: ExportTable, flags: ShapeFlags): ExportTable {
  const picked = flags.columns === undefined ? table : withColumns(table, flags.columns.split(','));
  return flags['attribution-column'] ? withAttribution(picked) : picked;
}

/** The moment that an export states, ISO 8601: when the mirror was filled, or what reproducible builds set. */
function createdAt(mirror: Mirror): string {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (!epoch) return lastFilled(mirror) ?? new Date(0).toISOString();
  if (!/^\d{1,11}$/.test(epoch))
    throw new ConfigurationError(`SOURCE_DATE_EPOCH "${epoch}" is not a number of seconds since 1970`);
  return new Date(Number(epoch) * 1000).toISOString();
}

function isFolder(target: string): boolean {
  return target.endsWith('/') || target === '.' || (existsSync(target) && statSync(target).isDirectory());
}
