import { fstatSync } from 'node:fs';
import { Args } from '@oclif/core';
import { citationOf, HemicycleCommand } from '../command.ts';
import { InterruptedError } from '../errors.ts';
import { type ExportFlags, exportFlags } from '../export-flags.ts';
import {
  type ExportTarget,
  readExportRequest,
  refuseMirror,
  refuseSeveral,
  refuseTerminal,
  statedMoment,
} from '../export-request.ts';
import { allTables, chosenTables, kindOfTable } from '../mirror/export-tables.ts';
import { verbatimParts } from '../mirror/verbatim-parts.ts';
import { attributionLine } from '../output/answer.ts';
import { makeAtomically } from '../output/atomic-file.ts';
import { exportFile, type WrittenFile } from '../output/export-files.ts';
import { aboutTables, exportFolder } from '../output/export-folder.ts';
import { downloadText, type ExportPart, partOf, retrievedAt } from '../output/export-part.ts';
import { type ExportWatch, exportProgress } from '../output/export-progress.ts';
import { type ExportTable, shapedTable } from '../output/export-table.ts';
import { hashOfFile, refuseShrunken, refuseVanished } from '../output/former-export.ts';
import {
  type Interruption,
  interruptiblePart,
  interruptibleWatch,
  refuseInterrupted,
} from '../output/interruptible.ts';
import { shellLine } from '../output/shell-line.ts';
import { keepHeapSmall } from '../output/small-heap.ts';
import type { Terminal } from '../output/terminal.ts';
import { onEndSignal } from '../signals.ts';
import { openPast } from '../store/past.ts';
import { makePlainFile, plainFileRows } from '../store/plain-file.ts';
import { openSnapshot } from '../store/snapshot.ts';

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
    const isShown = this.terminal(flags, 'stderr').isTTY && !flags.quiet;
    return isShown ? { watch: exportProgress(this.progress(flags), Date.now) } : {};
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

  private async writeSqlite(tables: ExportTable[], target: ExportTarget, flags: ExportFlags): Promise<void> {
    const { path } = target;
    const { stderr } = this.sinks();
    const interruption = this.interruption();
    const watch = interruptibleWatch(this.onScreen(target, flags).watch, interruption, Date.now);
    const content = { tables, about: aboutTables(tables), target: path, watch };
    const former = plainFileRows(path);
    const maxShrink = maxShrinkOf(flags);
    const names = tables.map(({ name }) => name);
    const made = await makeAtomically(path, async (file) => {
      refuseVanished(former, names, maxShrink);
      const written = await makePlainFile(file, content);
      for (const table of written) refuseShrunken(table, former.get(table.name), maxShrink);
      const isSame = flags['if-changed'] && (await hashOfFile(file)) === (await hashOfFile(path));
      await refuseInterrupted(interruption);
      return isSame ? null : written;
    });
    if (flags.quiet) return;
    if (made === null) stderr(`${path}: nothing changed`);
    for (const { name, rows } of made ?? []) stderr(`${path}: ${name}, ${rows} rows`);
    for (const line of attributionLines(tables)) stderr(line);
  }

  private async writeParts(parts: ExportPart[], target: ExportTarget, flags: ExportFlags): Promise<void> {
    refuseSeveral(target, parts.length);
    const { stdout, stderr } = this.sinks();
    const say = (line: string) => {
      if (!flags.quiet) stderr(line);
    };
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
        ifChanged: flags['if-changed'],
        maxShrink: maxShrinkOf(flags),
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

/** The share of its rows, 0 to 1, that a table may lose. */
const maxShrinkOf = (flags: ExportFlags) => (flags['accept-shrink'] ? 1 : flags['max-shrink'] / 100);

/** What has to be cited for several tables: a line for each of their terms. */
function attributionLines(tables: Pick<ExportPart, 'attribution'>[]): string[] {
  return [...new Set(tables.map(({ attribution }) => attributionLine(attribution)))];
}
