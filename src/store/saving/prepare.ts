import type { Kind } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { type IndexEntry, indexEntryOf } from '../word-index/index-entry.ts';

/** What saving a new record needs and takes longest to work out: its hash, its words, and its JSON as SQLite keeps it. */
export type Prepared = { hash: string; entry: IndexEntry<Uint8Array>; row: Uint8Array };

/**
 * What a batch of records needs, as a thread hands it over: their JSON and the columns of their words behind each other in
 * UTF-8, and where each ends. It is not copied on its way, and the thread that writes makes no texts of it.
 */
export type PreparedBatch = {
  hashes: string[];
  acronyms: IndexEntry['acronyms'][];
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
};

/** Its JSON, and four columns of words. */
const textsOfRecord = 5;

/** A unit of UTF-16 becomes so many bytes at most. */
const bytesOfUnit = 3;

const scratch = Buffer.allocUnsafeSlow(2 ** 22);

/** Works that out from the JSON of the records alone: pure, so that any thread can. */
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

/** What the record at that place of a batch needs. */
export function preparedAt({ hashes, acronyms, bytes, ends }: PreparedBatch, at: number): Prepared {
  const first = at * textsOfRecord;
  const part = (nth: number) => bytes.subarray(ends[first + nth - 1] ?? 0, ends[first + nth]);
  return {
    hash: hashes[at]!,
    row: part(0),
    entry: { name: part(1), title: part(2), body: part(3), about: part(4), acronyms: acronyms[at]! },
  };
}
