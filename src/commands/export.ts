import { existsSync, statSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { citationOf, HemicycleCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { kindNamed } from '../mirror/import.ts';
import { attributionOf, type Citation, odbl } from '../model/attribution.ts';
import { columnOf, datasets, type Kind, kinds } from '../model/kinds.ts';
import { attributionLine } from '../output/answer.ts';
import { exportFile, exportFolder } from '../output/export-files.ts';
import { type ExportFormat, type ExportTable, exportFormats, writeTable } from '../output/export-table.ts';
import { asOfMoment } from '../reading-command.ts';
import { lastFilled } from '../store/contents.ts';
import type { Mirror } from '../store/open.ts';
import { openPast } from '../store/past.ts';
import { exportColumns, rows } from '../store/rows.ts';
import { openSnapshot } from '../store/snapshot.ts';

export default class Export extends HemicycleCommand {
  static override summary = 'write whole datasets as CSV, Parquet or NDJSON';
  static override description = `Datasets: ${kinds
    .map(({ plural }) => plural)
    .reverse()
    .join(', ')}. A file appears whole or not at all; same data, same bytes.`;
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
      description: 'One Parquet file',
      command: '<%= config.bin %> export promises --format parquet -o promises.parquet',
    },
  ];
  static override strict = false;
  static override args = {
    dataset: Args.string({ ignoreStdin: true, description: 'one dataset or more', required: false }),
  };
  static override flags = {
    all: Flags.boolean({ description: 'every dataset and every other kind' }),
    format: Flags.string({ description: 'file format', options: [...exportFormats], default: 'csv' }),
    output: Flags.string({
      char: 'o',
      description: 'folder, file, or - for stdout',
      helpValue: 'DIR/|FILE|-',
      default: '-',
    }),
    header: Flags.boolean({
      description: 'a line of column names first; --no-header leaves it out',
      allowNo: true,
      default: true,
    }),
    'as-of': Flags.string({
      description: 'as this mirror had seen it by then: 2026-11-01 (its end, UTC), a moment, or 7d ago',
      helpValue: 'DATE',
    }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Export);
    const chosen = flags.all ? [...kinds].reverse() : [...new Set((argv as string[]).map(kindNamed))];
    if (chosen.length === 0)
      throw new UsageError(
        'no dataset is named',
        `name one of ${datasets.map(({ plural }) => plural).join(', ')}, or --all`,
      );
    const format = (flags.json ? 'ndjson' : flags.format) as ExportFormat;
    const settings = this.settingsWith(flags);
    const asOf = flags['as-of'];
    const mirror = this.closing(
      asOf === undefined ? openSnapshot(settings.db) : openPast(settings.db, asOfMoment(asOf), chosen),
    );
    const tables = chosen.map((kind) => tableOf(mirror, kind, citationOf(settings, mirror)));
    const { stdout, stderr } = this.sinks();
    if (flags.output === '-') {
      if (tables.length > 1)
        throw new UsageError('stdout takes one dataset', 'write several into a folder with -o DIR/');
      await writeTable(tables[0]!, { format, header: flags.header }, stdout);
      if (!stdout.closed) stderr(attributionLine(tables[0]!.attribution));
      return;
    }
    const done = ({ path, rows, bytes }: { path: string; rows: number; bytes: number }) => {
      if (!flags.quiet) stderr(`${path}: ${rows} rows, ${bytes} bytes`);
    };
    const options = {
      format,
      header: flags.header,
      created: lastFilled(mirror) ?? new Date(0).toISOString(),
      done,
    };
    if (isFolder(flags.output)) await exportFolder(tables, flags.output, options);
    else if (tables.length > 1)
      throw new UsageError(`${flags.output} is one file`, 'several datasets go into a folder: -o DIR/');
    else await exportFile(tables[0]!, flags.output, options);
    stderr(attributionLine(tables[0]!.attribution));
  }
}

function tableOf(mirror: Mirror, kind: Kind, citation: Citation): ExportTable {
  const licence = kind.dataset ? odbl : null;
  return {
    name: kind.plural,
    columns: exportColumns(mirror, kind).map((name) => columnOf(kind, name)),
    rows: () => rows(mirror, kind),
    attribution: attributionOf(citation, { licence, retrievedAt: lastFilled(mirror) }),
  };
}

function isFolder(target: string): boolean {
  return target.endsWith('/') || target === '.' || (existsSync(target) && statSync(target).isDirectory());
}
