import { ServiceAnswerError } from '../errors.ts';
import { readBytes } from '../format/foreign-file.ts';
import { readColumns } from '../format/formats.ts';
import { datasets, type Kind } from '../model/kinds.ts';
import type { Download } from '../service/client.ts';
import { kindState } from '../store/kind-state.ts';
import type { Mirror } from '../store/mirror.ts';
import { needsAnotherList } from '../store/saving/missing-records.ts';
import { transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { findValidator, markUnchanged, reportIfStale, type SyncContext } from './context.ts';

type DatasetFormat = 'csv' | 'parquet';

/** A downloaded dataset, its actual format and its columns. */
export type DatasetFile = { download: Download; format: DatasetFormat; columns: string[] };

/** Returns the URL that names a dataset in messages and saved failures, whatever its format. */
export function datasetUrl({ client }: SyncContext, kind: Kind): string {
  return `${client.baseUrl}/export/dataset?entity=${kind.plural}`;
}

/** Downloads a dataset; null if unchanged, 'stale' if older than the last. Throws ServiceAnswerError for other data. */
export async function downloadDataset(
  context: SyncContext,
  kind: Kind,
  { format, file }: { format: string; file: string },
): Promise<DatasetFile | 'stale' | null> {
  const query = { entity: kind.plural, format };
  // Evidence about missing records needs the full list again, even unchanged, so no validator is sent.
  const validator = needsAnotherList(context.mirror, kind) ? null : findValidator(context, '/export/dataset', query);
  const download = await context.client.download('/export/dataset', query, { file, validator });
  if (!download) {
    transaction(context.mirror, () => markUnchanged(context, '/export/dataset', query));
    return null;
  }
  if (reportIfStale(context, download)) return 'stale';
  const actualFormat = detectFormat(download, file);
  return { download, format: actualFormat, columns: (await readColumns({ path: file, format: actualFormat })) ?? [] };
}

/** Detects the format by the first bytes: services do not always send the requested one. */
function detectFormat({ url }: Download, file: string): DatasetFormat {
  const head = readBytes(file, 64);
  // PAR1 starts a Parquet file, PARE an encrypted one.
  if (['PAR1', 'PARE'].includes(head.toString('latin1', 0, 4))) return 'parquet';
  // A byte order mark counts as white space.
  const start = head.toString('utf8').trimStart();
  if (start.startsWith('<')) throw new ServiceAnswerError(url, say`the answer is a web page (HTML), not a dataset`);
  if (/^[{[]/.test(start)) throw new ServiceAnswerError(url, say`the answer is JSON, not a dataset`);
  return 'csv';
}

/** Counts those of `columns` that a kind documents and another kind, if given, does not. */
export function countOwnColumns(columns: string[], { columns: kindColumns }: Kind, another: Kind | null): number {
  const otherColumns = new Set(another?.columns.map(({ name }) => name));
  return kindColumns.filter(({ name }) => columns.includes(name) && !otherColumns.has(name)).length;
}

/** Finds another kind whose dataset this is, by file name, equal bytes, or columns that only that kind documents. */
export function findActualKind(
  mirror: Mirror,
  kind: Kind,
  { download, columns }: Pick<DatasetFile, 'download' | 'columns'>,
): Kind | undefined {
  const isInFileName = (each: Kind) => download.fileName?.toLowerCase().includes(each.plural) ?? false;
  const countOwn = (each: Kind, another: Kind | null) => countOwnColumns(columns, each, another);
  return datasets.find((other) => {
    if (other === kind) return false;
    if (isInFileName(other) && !isInFileName(kind)) return true;
    if (download.sha256 === kindState(mirror, other).fileHash) return true;
    const hasItsColumns = countOwn(other, null) >= other.columns.length - 1; // at most one is missing
    return hasItsColumns && countOwn(other, kind) > 0 && countOwn(kind, other) === 0;
  });
}
