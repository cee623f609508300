import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadInputError, type HemicycleError, RefusedDatasetError, ServiceAnswerError } from '../errors.ts';
import { endsWithNewline } from '../input/read-csv.ts';
import { type InputFormat, readColumns, readRecords } from '../input/read-records.ts';
import type { Kind } from '../model/kinds.ts';
import type { Download } from '../service/client.ts';
import { forgetValidator, keepAnswer, knownAnswer } from '../store/answer.ts';
import { kindState, saveKindState } from '../store/kind-state.ts';
import { markRelatedStale } from '../store/related.ts';
import { countRows } from '../store/rows.ts';
import { createSaver } from '../store/save.ts';
import { atOnce, wholeOrNothing } from '../store/transaction.ts';
import { withdrawUnseen } from '../store/withdraw.ts';
import { markUnchanged, validatorFor } from './ask.ts';
import { datasetsIn } from './plan.ts';
import { addOutcomes, type SyncContext, tallyOf } from './sync-context.ts';

/** Brings the exported datasets up to date, each whole or not at all; one that fails leaves the others standing. */
export async function syncDatasets(context: SyncContext): Promise<void> {
  const kinds = datasetsIn(context.scope);
  context.progress.stage('datasets', kinds.length);
  for (const [index, kind] of kinds.entries()) {
    try {
      await syncDataset(context, kind);
    } catch (error) {
      if (!(error instanceof ServiceAnswerError)) throw error;
      context.tally.errors.push({ stage: `datasets: ${kind.plural}`, error });
      context.progress.note(error.message);
    }
    context.progress.advance(index + 1, kind.plural);
  }
}

const formats = ['parquet', 'csv'];

/** What came of a dataset: a file of a format, or null where the service has nothing new. */
type Arrived = { download: Download; format: InputFormat; columns: string[] } | null;

/**
 * Parquet keeps types and costs fewer bytes; CSV is asked for where Parquet cannot be read or taken, and first where
 * it was so before.
 */
async function syncDataset(context: SyncContext, kind: Kind): Promise<void> {
  const [first, second] = lastFormat(context, kind) === 'csv' ? [...formats].reverse() : formats;
  try {
    await syncAs(context, kind, first!);
  } catch (error) {
    // What was refused for what it says would say the same in the other format.
    if (!(error instanceof ServiceAnswerError) || error instanceof RefusedDatasetError) throw error;
    context.progress.note(
      `${kind.plural}: ${first} cannot be taken (${error.message}); asking for ${second}`,
    );
    try {
      await syncAs(context, kind, second!);
    } catch (another) {
      if (!isOfOneAnswer(another) || another instanceof RefusedDatasetError) throw another;
      context.progress.note(`${kind.plural}: nor can ${second} (${another.message})`);
      throw error;
    }
  }
}

async function syncAs(context: SyncContext, kind: Kind, asked: string): Promise<void> {
  const { mirror, now } = context;
  const file = join(context.workFolder, `${kind.plural}.part`);
  try {
    const arrived = await downloadAs(context, kind, { format: asked, file });
    const isSame = arrived && arrived.download.sha256 === kindState(mirror, kind).fileHash;
    if (arrived && (!isSame || context.scope.full))
      return await applyDataset(context, kind, { file, ...arrived });
    const at = arrived?.download.at ?? new Date(now()).toISOString();
    tallyOf(context, kind.name).same += countRows(mirror, kind);
    atOnce(mirror, () => {
      if (arrived) keepAnswer(mirror, arrived.download);
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

function lastFormat({ mirror, client }: SyncContext, kind: Kind): 'csv' | null {
  const known = (format: string) =>
    knownAnswer(mirror, client.address('/export/dataset', { entity: kind.plural, format }));
  return known('parquet') === null && known('csv') !== null ? 'csv' : null;
}

async function downloadAs(
  context: SyncContext,
  kind: Kind,
  { format, file }: { format: string; file: string },
): Promise<Arrived> {
  const query = { entity: kind.plural, format };
  const known = validatorFor(context, '/export/dataset', query);
  const download = await context.client.download('/export/dataset', query, { file, known });
  if (!download) {
    atOnce(context.mirror, () => markUnchanged(context, '/export/dataset', query));
    return null;
  }
  const sniffed = sniff(download, file);
  return { download, format: sniffed, columns: (await readColumns(file, sniffed)) ?? [] };
}

/** The format by the first bytes: what a service answers is not always what it was asked for. */
function sniff({ url }: Download, file: string): InputFormat {
  const head = Buffer.alloc(64);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  if (head.toString('latin1', 0, 4) === 'PAR1') return 'parquet';
  const start = head
    .toString('utf8', 0, length)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start.startsWith('<'))
    throw new ServiceAnswerError(url, 'the answer is a web page (HTML), not a dataset');
  if (start.startsWith('{') || start.startsWith('['))
    throw new ServiceAnswerError(url, 'the answer is JSON, not a dataset');
  return 'csv';
}

async function applyDataset(
  context: SyncContext,
  kind: Kind,
  { file, format, download, columns }: { file: string } & NonNullable<Arrived>,
): Promise<void> {
  const { mirror } = context;
  if (!columns.includes(kind.keyField)) {
    throw new ServiceAnswerError(
      download.url,
      `the dataset has no column "${kind.keyField}"; it has ${columns.slice(0, 8).join(', ')}`,
    );
  }
  const before = countRows(mirror, kind);
  refuseLostColumns(context, kind, { url: download.url, columns });
  await wholeOrNothing(mirror, async () => {
    saveKindState(mirror, kind, { columns });
    const saver = createSaver(mirror, kind, {
      at: download.at,
      once: true,
      untyped: format === 'csv',
    });
    for await (const batch of readRecords(file, format, kind)) {
      for (const { document, text } of batch) saver.save(document, text);
    }
    const rowCount = saver.seen.size;
    // Rows that are new do not make up for those that are gone.
    const gone = before - (rowCount - saver.outcomes.added - saver.outcomes.returned);
    const isWhole = format === 'csv' ? endsWithNewline(file) : null;
    refuseShrunken(context, kind, { url: download.url, before, gone, isWhole });
    if (saver.doubled() > 0)
      context.progress.note(`${kind.plural}: ${saver.doubled()} rows repeat a key; the first of each counts`);
    const withdrawn = withdrawUnseen(mirror, kind, saver.seen, download.at);
    saver.finish();
    markRelatedStale(mirror, kind, download.at);
    saveKindState(mirror, kind, {
      columns,
      origin: context.client.baseUrl,
      retrievedAt: download.at,
      enumeratedAt: download.at,
      rowCount,
      fileHash: download.sha256,
      fileColumns: columns,
      fileEndsLine: isWhole,
    });
    keepAnswer(mirror, download);
    // The other format's last answer says no more what is held.
    for (const format of formats) {
      const address = context.client.address('/export/dataset', { entity: kind.plural, format });
      if (address !== download.address) forgetValidator(mirror, address);
    }
    tallyOf(context, kind.name).withdrawn += withdrawn;
    addOutcomes(context, kind.name, saver.outcomes);
  });
}

/** A column that went says that something broke, more often than that nobody needs it any more. */
function refuseLostColumns(
  context: SyncContext,
  kind: Kind,
  { url, columns }: { url: string; columns: string[] },
): void {
  const held = kindState(context.mirror, kind).fileColumns ?? [];
  const lost = held.filter((column) => !columns.includes(column));
  if (lost.length === 0 || context.maxShrink >= 1) return;
  const sentence = `the dataset of ${kind.plural} lost the column ${lost.map((each) => `"${each}"`).join(', ')}`;
  // The other format may still have it.
  throw new ServiceAnswerError(url, `${sentence} ${refusedSentence}`, { hint: refusedHint });
}

/** `isWhole` tells whether the last line of a CSV file ends; null for a file that tells its end itself. */
function refuseShrunken(
  context: SyncContext,
  kind: Kind,
  { url, before, gone, isWhole }: { url: string; before: number; gone: number; isWhole: boolean | null },
): void {
  if (context.maxShrink >= 1) return;
  if (gone > before * context.maxShrink)
    refuse(url, `the dataset of ${kind.plural} lost ${gone} of ${before} rows`);
  const endedBefore = kindState(context.mirror, kind).fileEndsLine;
  // Where the last one ended its line, or rows are gone and nobody knows, a line without end was cut off.
  const isCut = isWhole === false && (endedBefore ?? gone > 0);
  if (isCut) refuse(url, `the dataset of ${kind.plural} ends within a line`);
}

const refusedSentence = 'and was refused; the last good one stays';
const refusedHint = 'if the service means it, run again with --accept-shrink';

function refuse(url: string, sentence: string): never {
  throw new RefusedDatasetError(url, `${sentence} ${refusedSentence}`, { hint: refusedHint });
}

function exportAddress({ client }: SyncContext, kind: Kind): string {
  return `${client.baseUrl}/export/dataset?entity=${kind.plural}`;
}

/** True for errors of one answer, after which the other stages can still go on. */
export function isOfOneAnswer(error: unknown): error is HemicycleError {
  return error instanceof ServiceAnswerError;
}
