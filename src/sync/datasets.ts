import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadInputError, QuarantineError, ServiceAnswerError } from '../errors.ts';
import { endsWithNewline } from '../format/csv.ts';
import { readRecords } from '../format/formats.ts';
import { datasets, type Kind } from '../model/kinds.ts';
import { kindState, saveKindState } from '../store/kind-state.ts';
import { saveMeta } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { markRelatedStale } from '../store/saving/detail.ts';
import { needsAnotherList, saveUnlisted, unlistedIds } from '../store/saving/missing-records.ts';
import { createSaver, type Saver } from '../store/saving/save.ts';
import { countAcceptedMissing } from '../store/saving/withdrawals.ts';
import { eraseMisfiled, findMisfiledKind } from '../store/saving/withhold.ts';
import { deleteValidator, saveResponse } from '../store/syncs/validators.ts';
import { asyncTransaction, transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { addMissing, addOutcomes, datasetKindsIn, isoTime, type Stage, type SyncContext, tallyOf } from './context.ts';
import { countOwnColumns, type DatasetFile, datasetUrl, downloadDataset, findActualKind } from './dataset-download.ts';
import { isAddressFailure, limitAttempts, moveRateLimitedLast, recordAnswer, recordOrThrow } from './failures.ts';
import { canFollow } from './follow.ts';
import { changesToConfirm, maxShrinkOf, quarantineError, refuseBulkEdits, refuseDrift } from './quarantine.ts';
import { datasetSubject, recordRowShapes, recordUnchanged } from './shape-log.ts';

/** The stage that downloads datasets (complete files of a kind) and applies those that changed. */
export const datasetStage: Stage = {
  name: 'datasets',
  kinds: datasets.map(({ name }) => name),
  plan({ scope }) {
    const kinds = datasetKindsIn(scope);
    return { requests: kinds.length, atLeast: false, what: kinds.map(({ plural }) => plural).join(', ') };
  },
  run: syncDatasets,
};

/** Formats of datasets, the typed one first. */
const datasetFormats = ['parquet', 'csv'] as const;

/** Updates the datasets, each in one transaction; a failed one does not affect the others. */
async function syncDatasets(context: SyncContext): Promise<void> {
  const { mirror, scope } = context;
  const kinds = datasetKindsIn(scope);
  context.progress.stage('datasets', kinds.length);
  // `fileEndsLine` is null for Parquet files.
  const csvKinds = new Set(kinds.filter((kind) => !scope.full && kindState(mirror, kind).fileEndsLine !== null));
  const isFailureOf = (kind: Kind, { url }: { url: string }) => url === datasetUrl(context, kind);
  for (const [index, kind] of moveRateLimitedLast(mirror, kinds, isFailureOf).entries()) {
    const request = { stage: `datasets: ${kind.plural}`, url: datasetUrl(context, kind) };
    try {
      await syncDataset(context, kind, csvKinds);
      recordAnswer(context, request.url);
      if (context.tally.isFollowable) return;
    } catch (error) {
      recordOrThrow(context, request, error);
      if (context.tally.health.fatalError) return;
    }
    context.progress.advance(index + 1, kind.plural);
  }
}

/** Tries Parquet, which is typed and smaller, then CSV; CSV first if this dataset, or two others, last came as CSV. */
async function syncDataset(context: SyncContext, kind: Kind, csvKinds: Set<Kind>): Promise<void> {
  const isCsvFirst = csvKinds.has(kind) || csvKinds.size >= 2;
  const [firstFormat, secondFormat] = isCsvFirst ? (['csv', 'parquet'] as const) : datasetFormats;
  const isUnreliable = firstFormat === 'parquet' && csvKinds.size > 0;
  try {
    await syncInFormat({ ...context, client: limitAttempts(context, isUnreliable) }, kind, firstFormat);
  } catch (error) {
    if (!isAddressFailure(error) || isContentFault(error)) throw error;
    context.progress.note(say`${kind.plural}: ${firstFormat} failed (${error.phrase}); trying ${secondFormat}`);
    try {
      await syncInFormat({ ...context, client: limitAttempts(context) }, kind, secondFormat);
      if (secondFormat === 'csv') csvKinds.add(kind);
    } catch (secondError) {
      if (!isAddressFailure(secondError) || isContentFault(secondError)) throw secondError;
      context.progress.note(say`${kind.plural}: ${secondFormat} failed too (${secondError.phrase})`);
      throw error;
    }
  }
}

/** True if the content was refused, which is the same in both formats. */
const isContentFault = (error: unknown) => error instanceof QuarantineError && error.isOfContent;

/** Downloads a dataset and applies it if it changed; sets `isFollowable` instead if a Hemicycle sent it. */
async function syncInFormat(context: SyncContext, kind: Kind, requestedFormat: string): Promise<void> {
  const { mirror, now } = context;
  const file = join(context.workFolder, `${kind.plural}.part`);
  using _ = { [Symbol.dispose]: () => rmSync(file, { force: true }) };
  try {
    const dataset = await downloadDataset(context, kind, { format: requestedFormat, file });
    if (dataset === 'stale') return;
    if (dataset?.download.isOfHemicycle && context.mayFollow !== false && canFollow(context)) {
      context.tally.isFollowable = true;
      return;
    }
    const isSameFile = dataset?.download.sha256 === kindState(mirror, kind).fileHash;
    const mustApply = !isSameFile || needsAnotherList(mirror, kind) || context.scope.full;
    if (dataset && mustApply) return await applyDataset(context, kind, { file, ...dataset });
    recordUnchanged(context.shapeLog, kind, dataset?.format ?? requestedFormat);
    const at = dataset?.download.at ?? isoTime(now());
    tallyOf(context, kind.name).same += countRows(mirror, kind);
    transaction(mirror, () => {
      if (dataset) saveResponse(mirror, dataset.download);
      saveKindState(mirror, kind, { enumeratedAt: at, retrievedAt: at });
    });
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    throw new ServiceAnswerError(datasetUrl(context, kind), error.phrase);
  }
}

/** Saves the rows of a dataset in one transaction; throws if it is the dataset of another kind or implausible. */
async function applyDataset(
  context: SyncContext,
  kind: Kind,
  { file, format, download, columns }: { file: string } & DatasetFile,
): Promise<void> {
  const { mirror, shapeLog } = context;
  const { url } = download;
  const lostColumns = (kindState(mirror, kind).fileColumns ?? []).filter((column) => !columns.includes(column));
  // The other kind whose dataset an earlier sync saved as this kind, or null: such stored rows are no baseline.
  const misfiledKind = lostColumns.length > 0 ? findMisfiledKind(mirror, kind) : null;
  const actualKind = findActualKind(mirror, kind, { download, columns });
  if (actualKind) throw new ServiceAnswerError(url, say`the answer holds ${actualKind.plural}, not ${kind.plural}`);
  // The service's API documents a key for politicians and parties only; others need two columns of the kind.
  if (!columns.includes(kind.keyField) && (kind.keyField === 'slug' || countOwnColumns(columns, kind, null) < 2))
    throw new ServiceAnswerError(
      url,
      say`the dataset has no column "${kind.keyField}"; it has ${columns.slice(0, 8).join(', ')}`,
    );
  await asyncTransaction(mirror, async () => {
    if (misfiledKind) eraseMisfiled(mirror, kind, misfiledKind);
    const storedBefore = countRows(mirror, kind) - countAcceptedMissing(mirror, kind);
    saveKindState(mirror, kind, { columns });
    const options = { at: download.at, once: true, untyped: format === 'csv' };
    const saver = createSaver(mirror, kind, { ...options, changesToConfirm: changesToConfirm(context, kind) });
    const records = readRecords({ path: file, format }, kind, context.tally.excess);
    for await (const batch of recordRowShapes(shapeLog, records, { path: file, kind, format }))
      for (const { document, text } of batch) saver.save(document, text);
    // Checked after the rows, so that the shape log, from which drift is reported, contains this dataset.
    if (!misfiledKind) refuseLostColumns(context, kind, { url, lostColumns });
    saver.settle();
    const rowCount = saver.seenNumbers.size;
    const hasFinalNewline = format === 'csv' ? endsWithNewline(file) : null;
    if (!misfiledKind) refuseDrift(context, kind, { subject: datasetSubject(kind, format), url });
    refuseImplausible(context, kind, { saver, before: storedBefore, columns, hasFinalNewline, url });
    const editCheck = { edits: saver.editedFields, recordCount: storedBefore, share: maxEditedShare, url };
    if (!misfiledKind) refuseBulkEdits(context, kind, editCheck);
    // `status` shows the count; it is not worth a note in every sync.
    saveMeta(mirror, `repeated_${kind.name}`, String(saver.repeats().count));
    const missing = saveUnlisted(mirror, kind, { listedNumbers: saver.seenNumbers, at: download.sentAt });
    addMissing(context, kind.name, missing);
    saver.finish();
    markRelatedStale(mirror, kind, download.at);
    saveKindState(mirror, kind, {
      columns,
      origin: context.client.baseUrl,
      retrievedAt: download.at,
      ...(needsAnotherList(mirror, kind) ? {} : { enumeratedAt: download.at }),
      rowCount,
      fileHash: download.sha256,
      fileColumns: columns,
      fileEndsLine: hasFinalNewline,
    });
    // The list may be truncated although its validator is that of the whole: the next request is unconditional.
    saveResponse(mirror, missing.marked > 0 ? { ...download, validator: null } : download);
    for (const format of datasetFormats) {
      const otherAddress = context.client.address('/export/dataset', { entity: kind.plural, format });
      // The validator of the other format no longer describes the mirror.
      if (otherAddress !== download.address) deleteValidator(mirror, otherAddress);
    }
    addOutcomes(context, kind.name, saver.outcomes);
  });
}

/** Share of a dataset in which one run may edit the same field; a larger one is implausible. */
const maxEditedShare = 0.3;

/** Throws a QuarantineError if a column is missing, unless the user accepts any loss. */
function refuseLostColumns(
  context: SyncContext,
  kind: Kind,
  { url, lostColumns }: { url: string; lostColumns: string[] },
): void {
  if (lostColumns.length === 0 || maxShrinkOf(context, kind) >= 1) return;
  const lostNames = lostColumns.map((each) => `"${each}"`);
  throw quarantineError(kind, url, say`the dataset of ${kind.plural} lost the column ${lostNames.join(', ')}`, false);
}

type JudgedDataset = {
  saver: Saver;
  before: number; // stored rows before this dataset
  columns: string[];
  /** True if a CSV file ends with a newline; null for Parquet. */
  hasFinalNewline: boolean | null;
  url: string;
};

/** Throws a QuarantineError if a dataset lost too many rows, is truncated, or is that of another kind. */
function refuseImplausible(
  context: SyncContext,
  kind: Kind,
  { saver, before, columns, hasFinalNewline, url }: JudgedDataset,
): void {
  const { mirror } = context;
  const maxShrink = maxShrinkOf(context, kind);
  // This transaction saved the rows already: if most are new, they may be those of another kind.
  const mayBeMisfiled = maxShrink < 1 && saver.outcomes.added > saver.seenNumbers.size / 2;
  const duplicatedKind = mayBeMisfiled ? findMisfiledKind(mirror, kind) : null;
  if (duplicatedKind && countOwnColumns(columns, kind, duplicatedKind) === 0)
    throw quarantineError(kind, url, say`the dataset of ${kind.plural} has the records of ${duplicatedKind.plural}`);
  // Lost rows count in full: new or returned rows do not offset them.
  const lostCount = unlistedIds(mirror, kind, saver.seenNumbers).length - countAcceptedMissing(mirror, kind);
  if (maxShrink < 1 && lostCount > before * maxShrink)
    throw quarantineError(kind, url, say`the dataset of ${kind.plural} lost ${lostCount} of ${before} rows`);
  // Without a final newline, a file is truncated if the previous one had it; if that is unknown, if rows are missing.
  const isCut = hasFinalNewline === false && (kindState(mirror, kind).fileEndsLine ?? lostCount > 0);
  if (maxShrink < 1 && isCut) throw quarantineError(kind, url, say`the dataset of ${kind.plural} ends within a line`);
}
