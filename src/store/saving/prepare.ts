import type { Kind } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { type IndexEntry, indexEntryOf } from '../word-index/index-entry.ts';

/** Precomputed values of a new record: hash, index entry, and JSON in UTF-8. */
export type Prepared = { hash: string; entry: IndexEntry<Uint8Array>; row: Uint8Array };

/** Prepared records as transferred from a thread without copying: texts in UTF-8, concatenated, with their end offsets. */
export type PreparedBatch = {
  hashes: string[];
  acronyms: IndexEntry['acronyms'][];
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
};

/** JSON and four index columns. */
const textsOfRecord = 5;

/** Maximum UTF-8 bytes per UTF-16 unit. */
const bytesOfUnit = 3;

const scratch = Buffer.allocUnsafeSlow(2 ** 22);

/** Prepares a batch from JSON; pure, so that any thread can. */
export function prepareBatch(kind: Kind, texts: string[]): PreparedBatch {
  const hashes: string[] = [];
  const acronyms: IndexEntry['acronyms'][] = [];
  const parts: string[] = [];
  let units = 0;
  for (const text of texts) {
    const document = JSON.parse(text);
    const { name, title, body, about, acronyms: explained } = indexEntryOf(kind, document);
    hashes.push(contentHash(kind, document));
    acronyms.push(explained);
    parts.push(text, name, title, body, about);
    units += text.length + name.length + title.length + body.length + about.length;
  }
  const most = units * bytesOfUnit;
  const written = most > scratch.length ? Buffer.allocUnsafeSlow(most) : scratch;
  const ends = new Uint32Array(parts.length);
  let end = 0;
  for (const [at, part] of parts.entries()) {
    end += written.write(part, end);
    ends[at] = end;
  }
  return { hashes, acronyms, bytes: new Uint8Array(written.subarray(0, end)), ends };
}

/** The prepared record at an index of a batch. */
export function preparedAt({ hashes, acronyms, bytes, ends }: PreparedBatch, at: number): Prepared {
  const first = at * textsOfRecord;
  const part = (nth: number) => bytes.subarray(ends[first + nth - 1] ?? 0, ends[first + nth]);
  return {
    hash: hashes[at]!,
    row: part(0),
    entry: { name: part(1), title: part(2), body: part(3), about: part(4), acronyms: acronyms[at]! },
  };
}
