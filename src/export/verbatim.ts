import { NoDownloadError, UsageError } from '../errors.ts';
import type { FormatName } from '../format/formats.ts';
import { pour } from '../format/sink.ts';
import { attributionOf, type Citation, odbl } from '../model/attribution.ts';
import { columnOf, datasets, type Kind } from '../model/kinds.ts';
import { downloadedBytes, type KeptDownload, keptDownload } from '../store/download.ts';
import type { Mirror } from '../store/mirror.ts';
import { say } from '../words/speech.ts';
import type { ExportPart } from './part.ts';
import { isTidy, nameOfTable, referenceOf, type TableName } from './tables.ts';

type VerbatimRequest = {
  citation: Citation;
  /** True to leave out what the service has no dataset of, instead of refusing it. */
  isAll: boolean;
  /** The format that was asked for, or null for the one that was downloaded. */
  format: FormatName | null;
};

/**
 * The datasets as the service sent them last, ready to be written. Throws a UsageError on what the service has no
 * dataset of and on another format than that of the download, a NoDownloadError where none was kept.
 */
export function verbatimParts(
  mirror: Mirror,
  named: TableName[],
  { citation, isAll, format }: VerbatimRequest,
): ExportPart[] {
  const kinds = datasets.filter((kind) => named.includes(kind));
  const refused = named.find((table) => isTidy(table) || !table.dataset);
  if (refused && !isAll)
    throw new UsageError(
      say`${nameOfTable(refused)} cannot be exported verbatim: the service sends no such dataset`,
      say`datasets: ${datasets.map(({ plural }) => plural).join(', ')}`,
    );
  const downloads = kinds.map((kind) => ({ kind, download: keptDownload(mirror, kind) }));
  const missing = downloads.filter(({ download }) => download === null).map(({ kind }) => kind.plural);
  if (missing.length > 0) throw new NoDownloadError(missing);
  return downloads.map(({ kind, download }) => {
    refuseOtherFormat(kind, download!, format);
    return verbatimPart(mirror, kind, { download: download!, citation });
  });
}

function refuseOtherFormat({ plural }: Kind, download: KeptDownload, asked: FormatName | null): void {
  if (asked === null || asked === download.format) return;
  throw new UsageError(
    say`${plural} were downloaded as ${download.format}: verbatim, they cannot be had as ${asked}`,
    say`leave out --format, and call a file ${plural}.${download.format}; or leave out --verbatim`,
  );
}

function verbatimPart(
  mirror: Mirror,
  kind: Kind,
  { download, citation }: { download: KeptDownload; citation: Citation },
): ExportPart {
  const { retrievedAt, sha256, delimiter, format, rows } = download;
  const columns = download.columns.map((name) => columnOf(kind, name));
  return {
    ...{ name: kind.plural, description: kind.description, columns, format, freshAt: retrievedAt },
    written: () => columns,
    key: columns.some(({ name }) => name === kind.keyField) ? [kind.keyField] : [],
    references: columns.flatMap((column) => referenceOf(kind, column)),
    attribution: attributionOf(citation, { licence: odbl, retrievedAt }),
    dialect: delimiter === null ? null : { delimiter },
    verbatim: { retrievedAt, sha256 },
    async write(sink) {
      await pour(downloadedBytes(mirror, download), sink);
      return rows;
    },
  };
}
