import type { Mirror } from '../mirror.ts';
import { varint } from './varints.ts';

/**
 * Told of a record that a word stands in, and how often in each column; the counts are another record's at the next call. Of a
 * record in several segments the last one (`segment` is its place among all) has what it says now.
 */
export type Visit = (id: number, counts: Uint32Array, segment: number) => void;

/** How many columns the index has: counts and lengths stand in that order. */
export const columns = 4;

/** Records from a number to another. */
export type Range = { from: number; last: number };

/** A part of the index: its number there, its last page, and which of its records are others now. */
export type Segment = { id: number; lastPage: number; deleted: ReadonlySet<number> | null };
/** A page: what it holds ends where the places of its words begin, each as a step from the one before. */
type Leaf = { bytes: Buffer; end: number; firstRowid: number; firstTerm: number };
/** The pages of one segment that hold a word, and where on the first of them its records begin and end. */
export type Pages = {
  segment: number;
  first: number;
  last: number;
  begin: number;
  end: number;
  deleted: ReadonlySet<number> | null;
  leaf(page: number): Leaf;
};

/** Pages of a segment stand from its number times that on. */
export const segmentSpan = 2 ** 37;
const [headerLength, usualLength] = [4, 4040];

/** Where in a segment a word stands; null where it does not. */
export function pagesOf(
  mirror: Mirror,
  { id, lastPage, deleted }: Segment,
  token: string,
): Omit<Pages, 'segment'> | null {
  const key = Buffer.from(`0${token}`);
  const pageAt = (order: string) =>
    mirror
      .column<number>(`SELECT pgno FROM main.search_idx WHERE segid = ? AND term ${order} LIMIT 1`)
      .get(id, key);
  const found = pageAt('<= ? ORDER BY term DESC');
  if (found === undefined) return null;
  const block = mirror.column<Buffer>('SELECT block FROM main.search_data WHERE id = ?');
  const first = Math.floor(found / 2);
  const leafAt = (page: number) => leafOf(block.get(id * segmentSpan + page)!);
  const firstLeaf = leafAt(first);
  const leaf = (page: number) => (page === first ? firstLeaf : leafAt(page));
  const place = placeOnLeaf(firstLeaf, key);
  if (place === null) return null;
  const { begin, end } = place;
  if (!place.isLast) return { first, last: first, begin, end, deleted, leaf };
  // What goes on behind a page is of the last word that begins on it.
  const next = pageAt('> ? ORDER BY term');
  return { first, last: next === undefined ? lastPage : Math.floor(next / 2), begin, end, deleted, leaf };
}

/** How many bytes the records of a word take; pages between the first and the last are full, but for a few bytes. */
export function bytesOn({ first, last, begin, end, leaf }: Pages): number {
  if (first === last) return end - begin;
  const { firstTerm, end: endOfLast } = leaf(last);
  return end - begin + (last - first - 1) * usualLength + Math.min(firstTerm, endOfLast) - headerLength;
}

function leafOf(bytes: Buffer): Leaf {
  const end = bytes.readUInt16BE(2);
  const firstTerm = end < bytes.length ? varint({ bytes, at: end }) : Number.POSITIVE_INFINITY;
  return { bytes, end, firstRowid: bytes.readUInt16BE(0), firstTerm };
}

/**
 * Where on a leaf the records of a word begin and end. Every word there is told by what it shares with the one before, and
 * they are in order: how many letters of the key the last one shared tells whether the next can be it.
 */
function placeOnLeaf(
  { bytes, end }: Leaf,
  key: Buffer,
): { begin: number; end: number; isLast: boolean } | null {
  let alike = 0;
  const steps = { bytes, at: end };
  for (let term = 0, isFirst = true; steps.at < bytes.length; isFirst = false) {
    term += varint(steps);
    const reader = { bytes, at: term };
    const shared = isFirst ? 0 : varint(reader);
    const length = varint(reader);
    // It goes on as the one before, which is not the key.
    if (shared > alike) continue;
    if (shared < alike) return null;
    while (alike < key.length && alike - shared < length && bytes[reader.at + alike - shared] === key[alike])
      alike += 1;
    if (alike < key.length || shared + length > alike) continue;
    const isLast = steps.at === bytes.length;
    return { begin: reader.at + length, end: isLast ? end : term + varint(steps), isLast };
  }
  return null;
}

/** Who is told of records, and how many there were in how many bytes. */
export type Read = { visit: Visit; read: { records: number; bytes: number } };

/** Reads the records of a word between two numbers. */
export function readAll(pages: Pages, range: Range, reading: Read): void {
  for (let page = pageBefore(pages, range.from); page <= pages.last; page += 1)
    if (!walkPage({ pages, page }, range, reading)) return;
}

/** Reads so many of the last records of a word between two numbers, page by page; true where there are others before them. */
export function readLast(
  pages: Pages,
  range: Range,
  { most, visit, read }: Read & { most: number },
): boolean {
  const first = pageBefore(pages, range.from);
  let left = most;
  for (let page = pageBefore(pages, range.last); page >= first; page -= 1) {
    if (left <= 0) return true;
    const held = recordsOn(pages, page, range);
    walkPage({ pages, page }, range, { visit, read, passed: Math.max(0, held - left) });
    left -= held;
  }
  return left < 0;
}

/** Reads the records of a word that begin on its first page. */
export function readFirst(pages: Pages, reading: Read): void {
  walkPage({ pages, page: pages.first }, { from: 0, last: Number.POSITIVE_INFINITY }, reading);
}

/** How many records of a word between two numbers begin on a page. */
function recordsOn(pages: Pages, page: number, { from, last }: Range): number {
  const { bytes, begin, end } = placeOn(pages, page);
  const reader = { bytes, at: begin };
  let [id, records] = [0, 0];
  while (reader.at < end) {
    id += varint(reader);
    const length = varint(reader) >> 1;
    reader.at += length;
    if (id > last) break;
    if (id >= from) records += 1;
  }
  return records;
}

/** Where on a page the records of a word begin, the first of them as a whole number, and end. */
function placeOn(pages: Pages, page: number): { bytes: Buffer; begin: number; end: number } {
  const { bytes, firstRowid, firstTerm, end } = pages.leaf(page);
  if (page === pages.first) return { bytes, begin: pages.begin, end: pages.end };
  const endOfWord = Math.min(firstTerm, end);
  return { bytes, begin: firstRowid === 0 ? endOfWord : firstRowid, end: endOfWord };
}

/** Reads the records of a word that begin on a page, the first `passed` left out; false once it is past the last. */
function walkPage(
  { pages, page }: { pages: Pages; page: number },
  { from, last }: Range,
  { visit, read, passed = 0 }: Read & { passed?: number },
): boolean {
  const { bytes, begin, end } = placeOn(pages, page);
  const { segment, deleted } = pages;
  const reader = { bytes, at: begin };
  let id = 0;
  let left = passed;
  while (reader.at < end) {
    id += varint(reader);
    const length = varint(reader) >> 1;
    const { at } = reader;
    if (id > last) break;
    reader.at += length;
    read.records += 1;
    if (id < from) continue;
    left -= 1;
    if (left >= 0 || deleted?.has(id)) continue;
    if (reader.at <= end) count(bytes, { at, end: reader.at });
    else count(continued(pages, page, { at, length }), { at: 0, end: length });
    visit(id, counts, segment);
  }
  if (begin < end) read.bytes += Math.min(reader.at, end) - begin;
  return id <= last;
}

/** The last page that begins with a record before a number, as far as pages tell. */
function pageBefore(pages: Pages, from: number): number {
  let [low, high] = [pages.first, pages.last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { bytes, firstRowid, firstTerm } = pages.leaf(middle);
    const isOwn = firstRowid > 0 && firstRowid < firstTerm;
    if (isOwn && varint({ bytes, at: firstRowid }) <= from) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The places of a record that go on behind the end of a page. */
function continued(pages: Pages, page: number, { at, length }: { at: number; length: number }): Buffer {
  const begun = pages.leaf(page);
  let bytes = begun.bytes.subarray(at, begun.end);
  for (let next = page + 1; bytes.length < length && next <= pages.last; next += 1) {
    const leaf = pages.leaf(next);
    bytes = Buffer.concat([bytes, leaf.bytes.subarray(headerLength, leaf.end)]);
  }
  return bytes;
}

const counts = new Uint32Array(columns);

/** How often a word stands in each column: a 1 stands before the number of a column, all else is a place of some bytes. */
function count(bytes: Buffer, { at, end }: { at: number; end: number }): void {
  for (let column = 0; column < columns; column += 1) counts[column] = 0;
  for (let column = 0, next = at; next < end; ) {
    let byte = bytes[next]!;
    next += 1;
    if (byte === 1) {
      column = bytes[next]!;
      next += 1;
      continue;
    }
    counts[column]! += 1;
    while (byte >= 128) {
      byte = bytes[next]!;
      next += 1;
    }
  }
}
