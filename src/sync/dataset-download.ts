import { closeSync, openSync, readSync } from 'node:fs';
import { ServiceAnswerError } from '../errors.ts';
import { readColumns } from '../format/formats.ts';
import type { Kind } from '../model/kinds.ts';
import type { Download } from '../service/client.ts';
import { type DatasetFormat, keptDownload } from '../store/download.ts';
import { atOnce } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { markUnchanged, type SyncContext, validatorFor } from './context.ts';

/** What came of a dataset: a file of a format, or null where the service has nothing new. */
export type DatasetFile = { download: Download; format: DatasetFormat; columns: string[] } | null;

/** Downloads a dataset into a file, if it changed; throws a ServiceAnswerError where it is none. */
export async function downloadDataset(
  context: SyncContext,
  kind: Kind,
  { format, file }: { format: string; file: string },
): Promise<DatasetFile> {
  const query = { entity: kind.plural, format };
  // A mirror that never kept the bytes gets them now, changed or not.
  const isHeld = keptDownload(context.mirror, kind) !== null;
  const known = isHeld ? validatorFor(context, '/export/dataset', query) : null;
  const download = await context.client.download('/export/dataset', query, { file, known });
  if (!download) {
    atOnce(context.mirror, () => markUnchanged(context, '/export/dataset', query));
    return null;
  }
  const sniffed = sniff(download, file);
  return { download, format: sniffed, columns: (await readColumns({ path: file, format: sniffed })) ?? [] };
}

/**
 * True if the dataset cannot have been cut unnoticed, so that what it does not list may be withdrawn at once: Parquet
 * ends with its own table of contents; text ends where the transport says so by a mark of its own. A Content-Length may
 * be wrong, and a connection may end for any reason: then the next download has to lack the same (store/saving/unseen.ts).
 */
export function tellsItsEnd({
  download,
  format,
}: Pick<NonNullable<DatasetFile>, 'download' | 'format'>): boolean {
  return format === 'parquet' || download.end === 'told';
}

/** The format by the first bytes: what a service answers is not always what it was asked for. */
function sniff({ url }: Download, file: string): DatasetFormat {
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
    throw new ServiceAnswerError(url, say`the answer is a web page (HTML), not a dataset`);
  if (start.startsWith('{') || start.startsWith('['))
    throw new ServiceAnswerError(url, say`the answer is JSON, not a dataset`);
  return 'csv';
}
