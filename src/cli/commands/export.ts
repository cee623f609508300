import { fstatSync } from 'node:fs';
import type { StaleError } from '../../errors.ts';
import { writeRecentTables } from '../../export/age-check.ts';
import { isBucketAddress } from '../../export/bucket.ts';
import { exportFile, exportFolder } from '../../export/folder.ts';
import { parseFormerTables } from '../../export/former-export.ts';
import { changedTables, readWatermarks, refuseIncrementalTarget } from '../../export/increment.ts';
import { createPart, type ExportPart, interruptibleWatch, misfitWarnings } from '../../export/part.ts';
import { hidePassword } from '../../export/postgres/address.ts';
import { exportSqlite } from '../../export/sqlite.ts';
import { type ExportTable, selectColumns } from '../../export/table.ts';
import { createWithheldCounter, kindOfTable, selectTables, tableNames } from '../../export/tables.ts';
import { warehouseTables } from '../../export/warehouse.ts';
import { exportWorkbook } from '../../export/workbook.ts';
import { readJsonFile } from '../../format/package-description.ts';
import { shellLine } from '../../format/sanitise.ts';
import { type Citation, unlinkedText } from '../../model/attribution.ts';
import { resolveBallots } from '../../questions/ballot-selection.ts';
import { openPast } from '../../store/history/past.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf } from '../../store/records/contents.ts';
import { subjectSql } from '../../store/records/subject-records.ts';
import { openSnapshot } from '../../store/transaction.ts';
import { attributionLine } from '../../terminal/list.ts';
import { exportProgress } from '../../terminal/progress.ts';
import { amount, dataSize, figure, type Phrase, type ShownText, say, saying } from '../../words/speech.ts';
import { readBallotList } from '../ballot-list.ts';
import { HemicycleCommand } from '../base-command.ts';
import { withTargetFolder } from '../bucket-target.ts';
import { type CopyTarget, cleanCopy, registerCopy } from '../copy-list.ts';
import { exportFlags } from '../export-flags.ts';
import {
  createdAt,
  type ExportRun,
  readExportRequest,
  refuseBinaryToTerminal,
  refuseSeveralTables,
  refuseUnusedFlags,
  sanityChecks,
} from '../export-request.ts';
import { pagerFlag, refuseMirrorAsTarget } from '../flag-values.ts';
import { optionalArgument } from '../oclif.ts';
import { limitHeapGrowth, stopSignal } from '../process.ts';
import { copyToLake, copyToPostgres } from '../warehouse-export.ts';

export default class Export extends HemicycleCommand {
  static override description =
    `Datasets: ${tableNames.join(', ')}. Files and folders are never left incomplete, and the same data gives ` +
    'the same bytes. SOURCE_DATE_EPOCH sets the date written into a package.';
  static override strict = false;
  static override args = { dataset: optionalArgument('one or more datasets') };
  static override flags = { ...exportFlags, pager: pagerFlag };

  protected override readonly jsonFormat = 'ndjson';

  async run(): Promise<void> {
    const { argv, flags, metadata } = await this.parse(Export);
    const request = readExportRequest(argv as string[], flags);
    const isTyped = (flag: string) => !metadata.flags[flag]?.setFromDefault;
    refuseUnusedFlags(request, flags, isTyped);
    limitHeapGrowth({ nurseryMb: 4, growthPercent: 40 });
    const staleError = await this.exportAndRegisterCopy({
      request,
      flags,
      createProgressWatch: () => {
        const isShown = this.terminal('stderr').isTTY && !this.common.quiet;
        return isShown ? exportProgress(this.progress(), Date.now) : undefined;
      },
      createStopSignal: () => {
        const rerunCommand = shellLine(['hemicycle', 'export', ...this.argv.map(hidePassword)]);
        return stopSignal(say`interrupted; nothing was written`, say`to run it again: ${rerunCommand}`);
      },
      network: this.network,
      note: (line) => this.note(line),
      warn: (line) => this.sinks().stderr(line),
    });
    if (staleError) throw staleError;
  }

  /** Removes withheld records from the former copy (`run.removedParts` counts), exports, and registers the new copy. */
  private async exportAndRegisterCopy(run: ExportRun): Promise<StaleError | null> {
    const { target } = run.request;
    const { schema = 'hemicycle', postgres } = run.flags;
    const { db } = this.settingsWith();
    if (target.to === 'stdout') return this.exportTables(run);
    const copy: CopyTarget =
      target.to === 'postgres'
        ? { kind: 'postgres', location: postgres!, schema }
        : { kind: target.to === 'lake' ? 'lake' : 'export', location: target.path };
    run.removedParts = await cleanCopy(this, db, copy);
    const staleError = await this.exportViaBucket(run);
    await registerCopy(this, db, copy);
    return staleError;
  }

  /** Exports to the target; for a bucket, to a temporary folder that is then uploaded. */
  private async exportViaBucket(run: ExportRun): Promise<StaleError | null> {
    const { target } = run.request;
    if (target.to !== 'folder' || !isBucketAddress(target.path)) return this.exportTables(run);
    const bucketLocation = target.path.replace(/\/+$/, '');
    const { result, uploadCounts } = await withTargetFolder(bucketLocation, run.network, (path) => {
      const note = (line: Phrase) => run.note(saying((speech) => speech.render(line).replaceAll(path, bucketLocation)));
      return this.exportTables({ ...run, request: { ...run.request, target: { ...target, path } }, note });
    });
    const { written, removed } = uploadCounts!;
    run.note(say`${bucketLocation}: ${figure(written)} files sent, ${figure(removed)} removed`);
    return result;
  }

  /** Writes the requested tables except stale ones, about which it returns an error. Sets `run.withheld`. */
  private async exportTables(run: ExportRun): Promise<StaleError | null> {
    const { request, flags } = run;
    const { asOf, requestedTables, target } = request;
    const settings = this.settingsWith();
    if (['file', 'sqlite', 'workbook'].includes(target.to)) refuseMirrorAsTarget(target.path, settings.db);
    const mirror = this.closeAtEnd(
      asOf === null ? openSnapshot(settings.db) : openPast(settings.db, asOf, requestedTables.map(kindOfTable)),
    );
    run.withheld = createWithheldCounter(mirror);
    const citation = citationOf(settings, mirror);
    if (target.to === 'postgres' || target.to === 'lake') {
      const isFlat = target.to === 'postgres';
      const tables = warehouseTables(mirror, requestedTables, { citation, isFlat });
      return writeRecentTables(tables, { ...request, nowMs: Date.now() }, async (freshTables) => {
        await (isFlat ? copyToPostgres(freshTables, run) : copyToLake(freshTables, mirror, run));
        this.printAttributions(freshTables, run.note);
      });
    }
    if (request.changedSince !== null) return this.exportChanges(mirror, citation, run);
    refuseIncrementalTarget(target);
    const [subjectCondition] = subjectSql(mirror, flags.subject);
    const subject = subjectCondition && { subject: { names: flags.subject!, condition: subjectCondition } };
    const { ballots: references, author = null } =
      flags.ballots === undefined ? {} : await readBallotList(flags.ballots);
    const ballots = references && { ballots: { keys: [...resolveBallots(mirror, references)!.keys()], author } };
    const filter = { ...request.filter, ...ballots, ...subject };
    return this.writeTables(selectTables(mirror, requestedTables, { ...request, filter, citation }), run);
  }

  /** Writes the rows changed since the watermark, then saves the watermark of this export. */
  private async exportChanges(mirror: Mirror, citation: Citation, run: ExportRun): Promise<StaleError | null> {
    const { requestedTables, target, changedSince } = run.request;
    const watermark = await readWatermarks(target, mirror, changedSince!);
    if (watermark.isFirst && changedSince === 'last')
      run.note(say`${target.path}: the first export of changes there: all rows, as added`);
    const changes = this.closeAtEnd(changedTables(mirror, requestedTables, { since: watermark.since, citation }));
    return this.writeTables(changes.tables, run, watermark.save);
  }

  /** Writes the tables that are not stale, then (except to stdout) calls `saveWatermark` with their names. */
  private async writeTables(tables: ExportTable[], run: ExportRun, saveWatermark?: (names: string[]) => Promise<void>) {
    const { target, columns, format } = run.request;
    const selectedTables = columns ? tables.map((table) => selectColumns(table, columns)) : tables;
    const isOneFile = target.to === 'sqlite' || target.to === 'workbook';
    if (!isOneFile) refuseSeveralTables(target, selectedTables.length);
    return writeRecentTables(selectedTables, { ...run.request, nowMs: Date.now() }, async (freshTables, staleNames) => {
      if (isOneFile) {
        if (!(await this.writeOneFile(freshTables, staleNames, run))) return false; // nothing was written
      } else {
        const partOptions = { ...format, ...this.progressOptions(run) };
        const parts = freshTables.map((table) => createPart(table, partOptions));
        if (target.to === 'stdout') return this.writeStdout(parts[0]!);
        // Keep the former files of stale tables; an export of changes (with `saveWatermark`) keeps none.
        const retainedTables = saveWatermark ? [] : staleNames;
        await this.writeParts(parts, run, { retainedTables, order: selectedTables.map(({ name }) => name) });
      }
      await saveWatermark?.(freshTables.map(({ name }) => name));
    });
  }

  private progressOptions({ request, createProgressWatch, createStopSignal }: ExportRun) {
    if (request.target.to !== 'stdout') return { watch: interruptibleWatch(createProgressWatch(), createStopSignal()) };
    // The reader of a pipe may draw on the same terminal, so show no progress line.
    if (!fstatSync(process.stdout.fd).isFile()) return { terminal: this.terminal() };
    const watch = createProgressWatch();
    return watch ? { watch } : {};
  }

  /** Writes one file; returns false, without writing, if the former file has a stale table: no file mixes dates. */
  private async writeOneFile(tables: ExportTable[], staleNames: string[], run: ExportRun): Promise<boolean> {
    const { request, note } = run;
    const { path, to } = request.target;
    const previousTables = parseFormerTables(await readJsonFile(`${path}.meta.json`));
    if (staleNames.some((name) => previousTables.has(name))) return false;
    const options = {
      ...sanityChecks(run),
      created: createdAt(tables),
      watch: run.createProgressWatch(),
      signal: run.createStopSignal(),
      warn: run.warn,
    };
    const { headerOf = (name: string) => name } = request.format.style ?? {};
    const { outcome, tables: exportedTables } =
      to === 'sqlite'
        ? await exportSqlite(tables, path, options)
        : await exportWorkbook(tables, path, { ...options, headerOf, onRemark: note });
    if (outcome === 'unchanged') note(say`${path}: nothing changed`);
    for (const { name, rows } of outcome === 'unchanged' ? [] : exportedTables)
      note(say`${path}: ${name}, ${amount(rows, 'row')}`);
    this.printAttributions(tables, note);
    return true;
  }

  /** Prints each distinct attribution of the tables, with a warning if one has no link. */
  private printAttributions(tables: Pick<ExportPart, 'attribution'>[], note: (line: ShownText) => void): void {
    const lines = tables.map(({ attribution }) => attributionLine(attribution, this.speech));
    for (const line of new Set(lines)) note(line);
    if (tables.some(({ attribution }) => attribution.url === null)) this.sinks().stderr(say`warning: ${unlinkedText}`);
  }

  private async writeParts(parts: ExportPart[], run: ExportRun, layout: { retainedTables: string[]; order: string[] }) {
    const { target } = run.request;
    const options = { created: createdAt(parts), ...sanityChecks(run), ...layout, isRelease: run.flags.releases };
    const { outcome, tables } =
      target.to === 'folder'
        ? await exportFolder(parts, target.path, options)
        : await exportFile(parts[0]!, target.path, options);
    const writtenNames = new Set(tables.flatMap((each) => (each.outcome === 'written' ? [each.name] : [])));
    const changedParts = target.to === 'folder' ? parts.filter(({ name }) => writtenNames.has(name)) : parts;
    const reportedParts = outcome === 'unchanged' ? [] : changedParts;
    if (outcome === 'unchanged') run.note(say`${target.path}: nothing changed`);
    else if (reportedParts.length === 0)
      run.note(say`${target.path}: no table changed; only their description was updated`);
    for (const part of reportedParts) {
      const { path, rows, bytes } = tables.find(({ name }) => name === part.name)!;
      run.note(say`${path}: ${amount(rows, 'row')}, ${dataSize(bytes!)}`);
    }
    this.printAttributions(parts, run.note);
    for (const part of reportedParts) for (const line of misfitWarnings(part)) run.warn(line);
  }

  private async writeStdout(part: ExportPart): Promise<void> {
    const { stdout, stderr } = this.sinks();
    refuseBinaryToTerminal(part, this.terminal());
    await part.write(stdout);
    if (stdout.closed) return;
    // No file next to stdout can contain the attribution, so print it even with --quiet.
    this.printAttributions([part], stderr);
  }
}
