import { fstatSync } from 'node:fs';
import { Args } from '@oclif/core';
import { InterruptedError } from '../../errors.ts';
import { exportFile, type WrittenFile } from '../../export/files.ts';
import { exportFolder } from '../../export/folder.ts';
import {
  downloadText,
  type ExportPart,
  type Interruption,
  interruptiblePart,
  partOf,
  retrievedAt,
} from '../../export/part.ts';
import { exportSqlite } from '../../export/sqlite.ts';
import { type ExportTable, type ExportWatch, shapedTable } from '../../export/table.ts';
import { allTables, chosenTables, kindOfTable } from '../../export/tables.ts';
import { verbatimParts } from '../../export/verbatim.ts';
import { citationOf } from '../../store/contents.ts';
import { openPast } from '../../store/past.ts';
import { openSnapshot } from '../../store/transaction.ts';
import { attributionLine } from '../../terminal/list.ts';
import { exportProgress } from '../../terminal/progress.ts';
import { shellLine } from '../../terminal/schedule-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { HemicycleCommand } from '../base-command.ts';
import { type ExportFlags, exportFlags } from '../export-flags.ts';
import {
  type ExportTarget,
  readExportRequest,
  refuseMirror,
  refuseSeveral,
  refuseTerminal,
  statedMoment,
} from '../export-request.ts';
import { keepHeapSmall, onEndSignal } from '../process.ts';

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
    {
      description: 'What the service itself sent last, byte for byte',
      command: '<%= config.bin %> export --all --verbatim -o sent/',
    },
  ];
  static override strict = false;
  static override args = {
    dataset: Args.string({ ignoreStdin: true, description: 'one dataset or more', required: false }),
  };
  static override flags = exportFlags;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Export);
    const request = readExportRequest(argv as string[], flags);
    keepHeapSmall(4, { growthPercent: 100 });
    const settings = this.settingsWith(flags);
    const { asOf, named, target } = request;
    refuseMirror(target, settings.db);
    const mirror = this.closing(
      asOf === null ? openSnapshot(settings.db) : openPast(settings.db, asOf, named.map(kindOfTable)),
    );
    const citation = citationOf(settings, mirror);
    if (flags.verbatim) {
      const parts = verbatimParts(mirror, named, { ...request, citation, format: request.askedFormat });
      return this.writeParts(parts, target, flags);
    }
    const tables = chosenTables(mirror, named, { ...request, citation }).map((table) =>
      shapedTable(table, request.shape),
    );
    if (target.to === 'sqlite') return this.writeSqlite(tables, target, flags);
    const format = { ...request.format, ...this.onScreen(target, flags) };
    const parts = tables.map((table) => partOf(table, format));
    return this.writeParts(parts, target, flags);
  }

  /** What a terminal asks for: text that it can take, and a line that tells how far a long export is. */
  private onScreen(target: ExportTarget, flags: ExportFlags): { terminal?: Terminal; watch?: ExportWatch } {
    const terminal = this.terminal(flags);
    // Who reads stdout may draw on the same terminal.
    if (target.to === 'stdout' && !fstatSync(process.stdout.fd).isFile()) return { terminal };
    const watch = this.watch(flags);
    return watch ? { watch } : {};
  }

  private watch(flags: ExportFlags): ExportWatch | undefined {
    const isShown = this.terminal(flags, 'stderr').isTTY && !flags.quiet;
    return isShown ? exportProgress(this.progress(flags), Date.now) : undefined;
  }

  /** What to throw once a signal has asked for the end. */
  private interruption(): Interruption {
    let error: Error | null = null;
    const again = shellLine(['hemicycle', 'export', ...this.argv]);
    onEndSignal((exit) => {
      error = new InterruptedError(exit, 'interrupted; nothing was written', `to do it again: ${again}`);
    });
    return () => error;
  }

  private async writeSqlite(tables: ExportTable[], { path }: ExportTarget, flags: ExportFlags) {
    const say = this.saying(flags);
    const outcome = await exportSqlite(tables, path, {
      ...gatesOf(flags),
      watch: this.watch(flags),
      interruption: this.interruption(),
      done: ({ name, rows }) => say(`${path}: ${name}, ${rows} rows`),
    });
    if (outcome === 'unchanged') say(`${path}: nothing changed`);
    for (const line of attributionLines(tables)) say(line);
  }

  private saying(flags: ExportFlags): (line: string) => void {
    return flags.quiet ? () => {} : this.sinks().stderr;
  }

  private async writeParts(parts: ExportPart[], target: ExportTarget, flags: ExportFlags): Promise<void> {
    refuseSeveral(target, parts.length);
    const { stdout, stderr } = this.sinks();
    const say = this.saying(flags);
    const [first] = parts as [ExportPart];
    if (target.to === 'stdout') {
      refuseTerminal(first, this.terminal(flags));
      await first.write(stdout);
      if (stdout.closed) return;
      if (first.verbatim) say(`${first.name}: ${downloadText(first)}`);
      // Nothing stands beside what goes to stdout: the line is said whoever is quiet.
      stderr(attributionLine(first.attribution));
    } else {
      const options = {
        created: statedMoment(process.env.SOURCE_DATE_EPOCH) ?? retrievedAt(parts),
        ...gatesOf(flags),
        done: ({ part, path, rows, bytes }: WrittenFile) =>
          say([`${path}: ${rows} rows, ${bytes} bytes`, downloadText(part)].filter(Boolean).join(', ')),
        told: say,
      };
      const interruption = this.interruption();
      const ended = parts.map((part) => interruptiblePart(part, interruption, Date.now));
      const outcome =
        target.to === 'folder'
          ? await exportFolder(ended, target.path, options)
          : await exportFile(ended[0]!, target.path, options);
      if (outcome === 'unchanged') say(`${target.path}: nothing changed`);
      for (const line of attributionLines(parts)) say(line);
    }
  }
}

/** When the former export stays: where nothing changed, and where a table lost more than this share of its rows. */
const gatesOf = (flags: ExportFlags) => ({
  ifChanged: flags['if-changed'],
  maxShrink: flags['accept-shrink'] ? 1 : flags['max-shrink'] / 100,
});

/** What has to be cited for several tables: a line for each of their terms. */
function attributionLines(tables: Pick<ExportPart, 'attribution'>[]): string[] {
  return [...new Set(tables.map(({ attribution }) => attributionLine(attribution)))];
}
