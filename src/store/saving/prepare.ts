import { columnFields } from '../../model/bounds.ts';
import type { Document } from '../../model/document.ts';
import { facetsOf } from '../../model/facets.ts';
import type { Kind } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { facetValues } from '../record.ts';
import { type IndexEntry, indexEntryOf, textHash } from '../word-index/index-entry.ts';

/** A new record to insert: key, hashes, facet values (see `facetColumns`), index entry, and JSON. */
export type PreparedRecord = IndexEntry &
  Record<'key' | 'hash' | 'row', string> & { textHash: number | null; values: (string | null)[] };

/** Prepared records, the fields that any of them has, in the order of their first occurrence, and characters to write. */
export type PreparedBatch = { fields: string[]; records: PreparedRecord[]; size: number };

/** Prepares records with their JSON; pure, so that any thread can. */
export function prepareBatch(kind: Kind, batch: { document: Document; text: string }[]): PreparedBatch {
  const fields = new Set(batch.flatMap(({ document }) => columnFields(document)));
  const records = batch.map(({ document, text }) => {
    const facets = facetsOf(kind, document);
    const hashes = { hash: contentHash(kind, document), textHash: textHash(kind, document) };
    const values = facetValues(kind, document, facets);
    return { key: facets.key, ...hashes, values, row: text, ...indexEntryOf(kind, document) };
  });
  const size = records.reduce((sum, { row, columns }) => sum + row.length + columns.join('').length, 0);
  return { fields: [...fields], records, size };
}
