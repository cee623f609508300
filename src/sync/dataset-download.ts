import { closeSync, openSync, readSync } from 'node:fs';
import { ServiceAnswerError } from '../errors.ts';
import { readColumns } from '../format/formats.ts';
import type { Kind } from '../model/kinds.ts';
import type { Download } from '../service/client.ts';
import { type DatasetFormat, keptDownload } from '../store/download.ts';
import { atOnce } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { markUnchanged, type SyncContext, validatorFor } from './context.ts';

/** A downloaded dataset. */
export type DatasetFile = { download: Download; format: DatasetFormat; columns: string[] };

/** Downloads a dataset; null if it has not changed. Throws a ServiceAnswerError if the response is not one. */
export async function downloadDataset(
  context: SyncContext,
  kind: Kind,
  { format, file }: { format: string; file: string },
): Promise<DatasetFile | null> {
  const query = { entity: kind.plural, format };
  // An unconditional request if the mirror does not keep the bytes yet.
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

/** Detects the format by the first bytes: services do not always send the requested one. */
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
