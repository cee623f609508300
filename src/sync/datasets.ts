import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadInputError, RefusedDatasetError, ServiceAnswerError } from '../errors.ts';
import { delimiterOf, endsWithNewline } from '../format/csv.ts';
import { readRecords } from '../format/formats.ts';
import { datasets, type Kind } from '../model/kinds.ts';
import { isNamed } from '../names/name-index.ts';
import type { Download } from '../service/client.ts';
import { keepDownload, keptDownload, noteDownloadedAgain, partBytes } from '../store/download.ts';
import { kindState, saveKindState } from '../store/kind-state.ts';
import type { Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { markRelatedStale } from '../store/saving/detail.ts';
import { eraseMisfiled, misfiledAs } from '../store/saving/misfiled.ts';
import { createSaver, type Saver } from '../store/saving/save.ts';
import { hasUnseen, withdrawUnseen } from '../store/saving/unseen.ts';
import { forgetValidator, saveAnswer } from '../store/syncs/validators.ts';
import { atOnce, wholeOrNothing } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { addMissed, addOutcomes, isoTime, type Stage, type SyncContext, tallyOf } from './context.ts';
import { type DatasetFile, describedIn, downloadDataset, strangerIn } from './dataset-download.ts';
import { isOfOneAddress, noteAnswered, noteKept, noteOrThrow, rateLimitedLast } from './failures.ts';
import { canFollow } from './follow.ts';
import { createFormatChoice, datasetFormats, type FormatChoice } from './format-choice.ts';
import { datasetsIn } from './scope.ts';
import { recordRefusedShape, recordRowShapes } from './shape-log.ts';

/** The whole datasets. */
export const datasetStage: Stage = {
  name: 'datasets',
  kinds: datasets.map(({ name }) => name),
  plan({ scope }) {
    const kinds = datasetsIn(scope);
    return { requests: kinds.length, atLeast: false, what: kinds.map(({ plural }) => plural).join(', ') };
  },
  run: syncDatasets,
};

/** Updates the datasets, each in one transaction; a failed one does not affect the others. */
async function syncDatasets(context: SyncContext): Promise<void> {
  const kinds = datasetsIn(context.scope);
  context.progress.stage('datasets', kinds.length);
  const choice = createFormatChoice(context);
  const inTurn = rateLimitedLast(
    context.mirror,
    kinds,
    (kind, { url }) => url === exportAddress(context, kind),
  );
  for (const [index, kind] of inTurn.entries()) {
    const asked = { stage: `datasets: ${kind.plural}`, url: exportAddress(context, kind) };
    try {
      await syncDataset(context, kind, choice);
      noteAnswered(context, asked.url);
      if (context.tally.isFollowable) return;
    } catch (error) {
      noteOrThrow(context, asked, error);
      if (context.tally.health.ending) return;
    }
    context.progress.advance(index + 1, kind.plural);
  }
}

/** Tries Parquet first, which is typed and smaller, then CSV; CSV first if Parquet failed before. */
async function syncDataset(context: SyncContext, kind: Kind, choice: FormatChoice): Promise<void> {
  const [first, second] = choice.order(kind);
  try {
    await syncAs({ ...context, client: choice.client(kind, first) }, kind, first);
    choice.taken(kind, first);
  } catch (error) {
    // A refused dataset has the same content in the other format.
    if (!isOfOneAddress(error) || error instanceof RefusedDatasetError) throw error;
    context.progress.note(say`${kind.plural}: ${first} failed (${error.phrase}); trying ${second}`);
    try {
      await syncAs({ ...context, client: choice.client(kind, second) }, kind, second);
      choice.taken(kind, second);
      choice.failed(kind, first, error);
    } catch (another) {
      if (!isOfOneAddress(another) || another instanceof RefusedDatasetError) throw another;
      context.progress.note(say`${kind.plural}: ${second} failed too (${another.phrase})`);
      throw error;
    }
  }
}

async function syncAs(context: SyncContext, kind: Kind, asked: string): Promise<void> {
  const { mirror, now } = context;
  const file = join(context.workFolder, `${kind.plural}.part`);
  try {
    const arrived = await downloadDataset(context, kind, { format: asked, file });
    if (arrived?.download.isOfHemicycle && context.mayFollow !== false && canFollow(context)) {
      context.tally.isFollowable = true;
      return;
    }
    const isSame = arrived && arrived.download.sha256 === kindState(mirror, kind).fileHash;
    // If rows were missing, the same bytes again confirm it.
    const isSettled = isSame && !hasUnseen(mirror, kind);
    if (arrived && (!isSettled || context.scope.full || !keptDownload(mirror, kind)))
      return await applyDataset(context, kind, { file, ...arrived });
    const at = arrived?.download.at ?? isoTime(now());
    tallyOf(context, kind.name).same += countRows(mirror, kind);
    atOnce(mirror, () => {
      if (arrived) {
        saveAnswer(mirror, arrived.download);
        noteDownloadedAgain(mirror, kind, at);
      }
      saveKindState(mirror, kind, { enumeratedAt: at, retrievedAt: at });
    });
  } catch (error) {
    throw error instanceof BadInputError
      ? new ServiceAnswerError(exportAddress(context, kind), error.message)
      : error;
  } finally {
    rmSync(file, { force: true });
  }
}

async function applyDataset(
  context: SyncContext,
  kind: Kind,
  { file, format, download, columns }: { file: string } & DatasetFile,
): Promise<void> {
  const { mirror, watch } = context;
  // An earlier answer was of another dataset: its rows are no measure of this one.
  const misfiled = lostColumns(mirror, kind, columns).length > 0 ? misfiledAs(mirror, kind) : null;
  try {
    if (!columns.includes(kind.keyField))
      throw new ServiceAnswerError(
        download.url,
        say`the dataset has no column "${kind.keyField}"; it has ${columns.slice(0, 8).join(', ')}`,
      );
    const stranger = strangerIn(mirror, kind, { download, columns });
    if (stranger)
      throw new ServiceAnswerError(
        download.url,
        say`the answer holds ${stranger.plural}, not ${kind.plural}`,
      );
    if (!misfiled) refuseLostColumns(context, kind, { url: download.url, columns });
  } catch (error) {
    await recordRefusedShape(watch, { path: file, kind, format });
    throw error;
  }
  await wholeOrNothing(mirror, async () => {
    if (misfiled) eraseMisfiled(mirror, kind, misfiled);
    const before = countRows(mirror, kind);
    saveKindState(mirror, kind, { columns });
    const saver = createSaver(mirror, kind, {
      at: download.at,
      once: true,
      untyped: format === 'csv',
    });
    const records = readRecords({ path: file, format }, kind, context.tally.excess);
    let rows = 0;
    for await (const batch of recordRowShapes(watch, records, { kind, format })) {
      for (const { document, text } of batch) saver.save(document, text);
      rows += batch.length;
    }
    const rowCount = saver.seen.size;
    const double = saver.outcomes.added > rowCount / 2 ? misfiledAs(mirror, kind) : null;
    if (double && describedIn(columns, kind, double) === 0)
      refuse(download.url, `the dataset of ${kind.plural} has the keys of ${double.plural}`);
    // New rows do not offset lost ones.
    const gone = before - (rowCount - saver.outcomes.added - saver.outcomes.returned);
    const isWhole = format === 'csv' ? endsWithNewline(file) : null;
    refuseShrunkenDataset(context, kind, { url: download.url, before, gone, isWhole });
    if (saver.doubled() > 0)
      context.progress.note(
        say`${kind.plural}: ${saver.doubled()} rows repeat a key; the first of each counts`,
      );
    const isDoubted = settleMissed(context, kind, { saver, arrived: { download } });
    saver.finish();
    markRelatedStale(mirror, kind, download.at);
    saveKindState(mirror, kind, {
      columns,
      origin: context.client.baseUrl,
      retrievedAt: download.at,
      ...(isDoubted ? {} : { enumeratedAt: download.at }),
      rowCount,
      fileHash: download.sha256,
      fileColumns: columns,
      fileEndsLine: isWhole,
    });
    keepBytes(mirror, kind, { file, format, download, columns, rows });
    // Without a validator, the next request is unconditional.
    const isAllThere = !isDoubted && download.end !== 'close';
    saveAnswer(mirror, isAllThere ? download : { ...download, validator: null });
    forgetOtherFormat(context, kind, download);
    addOutcomes(context, kind.name, saver.outcomes);
  });
}

/** Marks missing rows as unseen, and withdraws those proven to be gone; true if the next list has to be read in full. */
function settleMissed(
  context: SyncContext,
  kind: Kind,
  { saver, arrived }: { saver: Saver; arrived: Pick<DatasetFile, 'download'> },
): boolean {
  const { mirror, maxShrink } = context;
  const missed = withdrawUnseen(mirror, kind, {
    seen: saver.seen,
    at: arrived.download.at,
    isProof: maxShrink >= 1,
    maxShrink,
  });
  addMissed(context, kind.name, missed);
  if (missed.kept > 0) noteKept(context, kind, { url: arrived.download.url, kept: missed.kept });
  if (missed.unseen > 0)
    context.progress.note(
      say`${kind.plural}: ${missed.unseen} records are not in this answer; they are withdrawn only once it is proven that they are gone`,
    );
  // Addresses prove politicians and parties to be gone, lists only the others.
  return missed.unseen > 0 || (!isNamed(kind) && hasUnseen(mirror, kind));
}

function exportAddress({ client }: SyncContext, kind: Kind): string {
  return `${client.baseUrl}/export/dataset?entity=${kind.plural}`;
}

/** Saves the bytes of the file as the service sent them. */
function keepBytes(
  mirror: Mirror,
  kind: Kind,
  { file, format, download, columns, rows }: { file: string; rows: number } & DatasetFile,
): void {
  const { bytes, sha256, at } = download;
  const delimiter = format === 'csv' ? delimiterOf(file) : null;
  const kept = { kind: kind.name, format, delimiter, columns, rows, bytes, sha256, retrievedAt: at };
  keepDownload(mirror, kept, readPieces(file, partBytes));
}

/** Forgets the validator of the other format: it no longer describes the mirror. */
function forgetOtherFormat({ mirror, client }: SyncContext, kind: Kind, { address }: Download): void {
  for (const format of datasetFormats) {
    const other = client.address('/export/dataset', { entity: kind.plural, format });
    if (other !== address) forgetValidator(mirror, other);
  }
}

const refusedSentence = 'and was refused; the last good one stays';
const refusedHint = 'if the service intends this, run again with --accept-shrink';

function lostColumns(mirror: Mirror, kind: Kind, columns: string[]): string[] {
  return (kindState(mirror, kind).fileColumns ?? []).filter((column) => !columns.includes(column));
}

/** Throws if a column is gone, which is more often a fault than intended. */
function refuseLostColumns(
  { mirror, maxShrink }: SyncContext,
  kind: Kind,
  { url, columns }: { url: string; columns: string[] },
): void {
  const lost = lostColumns(mirror, kind, columns);
  if (lost.length === 0 || maxShrink >= 1) return;
  const sentence = `the dataset of ${kind.plural} lost the column ${lost.map((each) => `"${each}"`).join(', ')}`;
  // Not a RefusedDatasetError: the other format may still have the column.
  throw new ServiceAnswerError(url, say`${sentence} ${refusedSentence}`, { hint: refusedHint });
}

/** Throws if too many rows are gone or the file was truncated; `isWhole`: a CSV file ends with a newline, else null. */
function refuseShrunkenDataset(
  { mirror, maxShrink }: SyncContext,
  kind: Kind,
  { url, before, gone, isWhole }: { url: string; before: number; gone: number; isWhole: boolean | null },
): void {
  if (maxShrink >= 1) return;
  if (gone > before * maxShrink) refuse(url, `the dataset of ${kind.plural} lost ${gone} of ${before} rows`);
  const endedBefore = kindState(mirror, kind).fileEndsLine;
  // Some services never end the last line: truncated if it was ended before, or unknown and rows are gone.
  const isCut = isWhole === false && (endedBefore ?? gone > 0);
  if (isCut) refuse(url, `the dataset of ${kind.plural} ends within a line`);
}

function refuse(url: string, sentence: string): never {
  throw new RefusedDatasetError(url, say`${sentence} ${refusedSentence}`, { hint: refusedHint });
}

/** Reads a file in pieces; each is valid until the next one is read. */
function* readPieces(path: string, size: number): Generator<Uint8Array> {
  // One buffer for all: many large buffers would wait for garbage collection.
  const buffer = Buffer.allocUnsafe(size);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, size, null);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}
