import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadInputError, type HemicycleError, ServiceAnswerError } from '../errors.ts';
import { type InputFormat, readColumns, readRecords } from '../input/read-records.ts';
import type { Kind } from '../model/kinds.ts';
import type { Download } from '../service/client.ts';
import { kindState, saveKindState } from '../store/kind-state.ts';
import { countRows } from '../store/rows.ts';
import { createSaver } from '../store/save.ts';
import { atOnce, wholeOrNothing } from '../store/transaction.ts';
import { withdrawUnseen } from '../store/withdraw.ts';
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

async function syncDataset(context: SyncContext, kind: Kind): Promise<void> {
  const file = join(context.workFolder, `${kind.plural}.part`);
  try {
    const { download, format } = await downloadDataset(context, kind, file);
    if (download.sha256 === kindState(context.mirror, kind).fileHash && !context.scope.full) {
      tallyOf(context, kind.name).same += countRows(context.mirror, kind);
      atOnce(context.mirror, () =>
        saveKindState(context.mirror, kind, { enumeratedAt: download.at, retrievedAt: download.at }),
      );
      return;
    }
    await applyDataset(context, kind, { file, format, download });
  } catch (error) {
    throw error instanceof BadInputError
      ? new ServiceAnswerError(exportAddress(context, kind), error.message)
      : error;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Parquet keeps types and costs fewer bytes; CSV is asked for where Parquet fails. */
async function downloadDataset(
  context: SyncContext,
  kind: Kind,
  file: string,
): Promise<{ download: Download; format: InputFormat }> {
  const { client } = context;
  try {
    const download = await client.download(
      '/export/dataset',
      { entity: kind.plural, format: 'parquet' },
      file,
    );
    const format = sniff(download, file);
    await readColumns(file, format);
    return { download, format };
  } catch (error) {
    const isUnreadable = error instanceof ServiceAnswerError || error instanceof BadInputError;
    if (!isUnreadable) throw error;
    context.progress.note(`${kind.plural}: no readable Parquet (${error.message}); asking for CSV`);
    const download = await client.download('/export/dataset', { entity: kind.plural, format: 'csv' }, file);
    return { download, format: sniff(download, file) };
  }
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
  { file, format, download }: { file: string; format: InputFormat; download: Download },
): Promise<void> {
  const { mirror } = context;
  const columns = (await readColumns(file, format)) ?? [];
  if (!columns.includes(kind.keyField)) {
    throw new ServiceAnswerError(
      download.url,
      `the dataset has no column "${kind.keyField}"; it has ${columns.slice(0, 8).join(', ')}`,
    );
  }
  const before = countRows(mirror, kind);
  await wholeOrNothing(mirror, async () => {
    saveKindState(mirror, kind, { columns });
    const saver = createSaver(mirror, kind, { at: download.at });
    for await (const batch of readRecords(file, format, kind)) {
      for (const { document, text } of batch) saver.save(document, text);
    }
    const rowCount = saver.seen.size;
    refuseShrunken(context, kind, { url: download.url, before, rowCount });
    tallyOf(context, kind.name).withdrawn += withdrawUnseen(mirror, kind, saver.seen, download.at);
    saver.finish();
    saveKindState(mirror, kind, {
      columns,
      origin: context.client.baseUrl,
      retrievedAt: download.at,
      enumeratedAt: download.at,
      rowCount,
      fileHash: download.sha256,
    });
    addOutcomes(context, kind.name, saver.outcomes);
  });
}

function refuseShrunken(
  context: SyncContext,
  kind: Kind,
  { url, before, rowCount }: { url: string; before: number; rowCount: number },
): void {
  if (before - rowCount <= before * context.maxShrink) return;
  const sentence = `the dataset of ${kind.plural} shrank from ${before} to ${rowCount} rows and was refused; the last good one stays`;
  throw new ServiceAnswerError(url, sentence, {
    hint: 'if the service really withdrew them, run again with --accept-shrink',
  });
}

function exportAddress({ client }: SyncContext, kind: Kind): string {
  return `${client.baseUrl}/export/dataset?entity=${kind.plural}`;
}

/** True for errors of one answer, after which the other stages can still go on. */
export function isOfOneAnswer(error: unknown): error is HemicycleError {
  return error instanceof ServiceAnswerError;
}
