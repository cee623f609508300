import { appendText } from '../../language/prose-bytes.ts';
import { columnFields } from '../../model/bounds.ts';
import type { Document } from '../../model/document.ts';
import { facetsOf } from '../../model/facets.ts';
import type { Kind } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { facetValues } from '../record.ts';
import { acronymsOf, appendEntry, type IndexEntry, textHash } from '../word-index/index-entry.ts';

/** A new record to insert: key, hashes, facet values (see `facetColumns`), index entry, and JSON in UTF-8. */
export type PreparedRecord = RecordFacts & { row: Uint8Array; columns: Uint8Array[] };

type RecordFacts = Omit<IndexEntry, 'columns'> &
  Record<'key' | 'hash', string> & { textHash: number | null; values: (string | null)[] };

/** Prepared records for transfer without copying: UTF-8 texts with end offsets, else one JSON, which clones fast. */
export type PreparedBatch = { facts: string; bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> };

/** JSON and four index columns. */
const textsPerRecord = 5;

const scratch = Buffer.allocUnsafeSlow(2 ** 22);

/** Prepares records with their JSON; pure, so that any thread can. */
export function prepareBatch(kind: Kind, records: { document: Document; text: string }[]): PreparedBatch {
  const fields = new Set<string>();
  const facts: RecordFacts[] = [];
  const ends: number[] = [];
  const buffer = { bytes: scratch, end: 0 };
  for (const { document, text } of records) {
    const facets = facetsOf(kind, document);
    const values = facetValues(kind, document, facets);
    for (const field of columnFields(document)) fields.add(field);
    const hashes = { hash: contentHash(kind, document), textHash: textHash(kind, document) };
    facts.push({ key: facets.key, ...hashes, values, acronyms: acronymsOf(kind, document) });
    appendText(buffer, text);
    ends.push(buffer.end, ...appendEntry(buffer, kind, document));
  }
  return {
    facts: JSON.stringify({ fields: [...fields], facts }),
    bytes: new Uint8Array(buffer.bytes.subarray(0, buffer.end)),
    ends: Uint32Array.from(ends),
  };
}

/** The records of a prepared batch, and the fields that any of them has, in the order of their first occurrence. */
export function readBatch({ facts: text, bytes, ends }: PreparedBatch) {
  const { fields, facts } = JSON.parse(text) as { fields: string[]; facts: RecordFacts[] };
  const records = facts.map((each, at): PreparedRecord => {
    const offset = at * textsPerRecord;
    const part = (nth: number) => bytes.subarray(ends[offset + nth - 1] ?? 0, ends[offset + nth]);
    return { ...each, row: part(0), columns: [1, 2, 3, 4].map(part) };
  });
  return { fields, records };
}
