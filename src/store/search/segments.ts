import type { Mirror } from '../mirror.ts';
import { readOnce } from '../remembered.ts';
import { varint, varints } from './varints.ts';

/**
 * Told of a record that a word stands in, and how often in each column; the counts are another record's at the next call. Of a
 * record in several segments the last one (`segment` is its place among all) has what it says now.
 */
export type Visit = (id: number, counts: Uint32Array, segment: number) => void;

/** Where one word stands, read from the segments of the full-text index as FTS5 keeps them: no more of it than is asked for. */
export type Segments = {
  /** How many records the index holds, and their words on average. */
  records: number;
  averageLength: number;
  /** How long all that is kept of the word is, about: some six bytes for a record. */
  bytes: number;
  /** Tells the records between two numbers that hold the word, in their order, those of the newest segment last. */
  read(from: number, last: number, visit: Visit): void;
  /** In how many records the word stands, judged by how closely it stands in what was read. */
  estimate(): number;
};

/** How many columns the index has: counts and lengths stand in that order. */
export const columns = 4;

type Segment = { id: number; lastPage: number };
/** What the index says of itself, its segments the oldest first. */
type Index = { segments: Segment[]; records: number; averageLength: number };
type Leaf = { bytes: Buffer; end: number; firstRowid: number; terms: number[] };
/** The pages of one segment that hold a word, and where on the first of them its records begin and end. */
type Pages = {
  segment: number;
  first: number;
  last: number;
  begin: number;
  end: number;
  leaf(page: number): Leaf;
};

// The format: https://github.com/sqlite/sqlite/blob/master/ext/fts5/fts5_index.c
const [structureId, averagesId] = [10, 1];
const knownFormat = 4;
const markOfStructure = 0xff000001;
const numbersOfSegment = 8;
const segmentSpan = 2 ** 37;
const headerLength = 4;
const usualLength = 4040;

/** The segments of a mirror's index for one word; null where they are of another format. */
export function openSegments(mirror: Mirror, token: string): Segments | null {
  const index = readIndex(mirror);
  if (index === null) return null;
  const all = index.segments.flatMap((segment, at) => {
    const pages = pagesOf(mirror, segment, token);
    return pages === null ? [] : [{ ...pages, segment: at }];
  });
  const read = { records: 0, bytes: 0 };
  const bytes = all.reduce(
    (sum, { first, last, begin, end }) => sum + (first === last ? end - begin : (last - first) * usualLength),
    0,
  );
  return {
    records: index.records,
    averageLength: index.averageLength,
    bytes,
    read(from, last, visit) {
      for (const pages of all) walk(pages, { from, last }, { visit, read });
    },
    estimate: () => Math.max(read.records, read.bytes === 0 ? 0 : (read.records / read.bytes) * bytes),
  };
}

function readIndex(mirror: Mirror): Index | null {
  return readOnce(mirror, 'segments of the index', () => {
    const block = mirror.column<Buffer>('SELECT block FROM search_data WHERE id = ?');
    const format = mirror.column<number>("SELECT v FROM search_config WHERE k = 'version'").get();
    const [structure, averages] = [block.get(structureId), block.get(averagesId)];
    if (format !== knownFormat || structure === undefined || averages === undefined) return null;
    const segments = segmentsIn(structure);
    if (segments === null) return null;
    const [records = 0, ...lengths] = varints(averages);
    return {
      segments,
      records,
      averageLength: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, records),
    };
  });
}

/** The segments that a structure record lists, the oldest first; null where it is of another form. */
function segmentsIn(structure: Buffer): Segment[] | null {
  if (structure.readUInt32BE(headerLength) !== markOfStructure) return null;
  const [levels = 0, , , ...numbers] = varints(structure.subarray(2 * headerLength));
  const found: Segment[][] = [];
  let at = 0;
  for (let level = 0; level < levels; level += 1) {
    const count = numbers[at + 1]!;
    at += 2;
    const own: Segment[] = [];
    for (let n = 0; n < count; n += 1, at += numbersOfSegment)
      own.push({ id: numbers[at]!, lastPage: numbers[at + 2]! });
    found.push(own);
  }
  return at === numbers.length ? found.reverse().flat() : null;
}

/** Where in a segment a word stands; null where it does not. */
function pagesOf(mirror: Mirror, { id, lastPage }: Segment, token: string): Omit<Pages, 'segment'> | null {
  const key = Buffer.from(`0${token}`);
  const pageAt = (order: string) =>
    mirror
      .column<number>(`SELECT pgno FROM search_idx WHERE segid = ? AND term ${order} LIMIT 1`)
      .get(id, key);
  const found = pageAt('<= ? ORDER BY term DESC');
  if (found === undefined) return null;
  const block = mirror.column<Buffer>('SELECT block FROM search_data WHERE id = ?');
  const leaf = (page: number) => leafOf(block.get(id * segmentSpan + page)!);
  const first = Math.floor(found / 2);
  const place = placeOnLeaf(leaf(first), key);
  if (place === null) return null;
  const { begin, end } = place;
  if (!place.isLast) return { first, last: first, begin, end, leaf };
  // What goes on behind a page is of the last word that begins on it.
  const next = pageAt('> ? ORDER BY term');
  return { first, last: next === undefined ? lastPage : Math.floor(next / 2), begin, end, leaf };
}

function leafOf(bytes: Buffer): Leaf {
  const end = bytes.readUInt16BE(2);
  let at = 0;
  const terms = varints(bytes.subarray(end)).map((step) => {
    at += step;
    return at;
  });
  return { bytes, end, firstRowid: bytes.readUInt16BE(0), terms };
}

/**
 * Where on a leaf the records of a word begin and end. Every word there is told by what it shares with the one before, and
 * they are in order: how many letters of the key the last one shared tells whether the next can be it.
 */
function placeOnLeaf(
  { bytes, end, terms }: Leaf,
  key: Buffer,
): { begin: number; end: number; isLast: boolean } | null {
  let alike = 0;
  for (let n = 0; n < terms.length; n += 1) {
    const reader = { bytes, at: terms[n]! };
    const shared = n === 0 ? 0 : varint(reader);
    const length = varint(reader);
    // It goes on as the one before, which is not the key.
    if (shared > alike) continue;
    if (shared < alike) return null;
    while (alike < key.length && alike - shared < length && bytes[reader.at + alike - shared] === key[alike])
      alike += 1;
    if (alike < key.length || shared + length > alike) continue;
    return { begin: reader.at + length, end: terms[n + 1] ?? end, isLast: n + 1 === terms.length };
  }
  return null;
}

type Read = { visit: Visit; read: { records: number; bytes: number } };

/** Reads the records of a word between two numbers: every page but the first begins with a whole number. */
function walk(pages: Pages, { from, last }: { from: number; last: number }, { visit, read }: Read): void {
  const counts = new Uint32Array(columns);
  for (let page = pageBefore(pages, from); page <= pages.last; page += 1) {
    const leaf = pages.leaf(page);
    const isFirst = page === pages.first;
    const end = isFirst ? pages.end : (leaf.terms[0] ?? leaf.end);
    const begin = isFirst ? pages.begin : leaf.firstRowid;
    if (begin === 0 || begin >= end) continue;
    const reader = { bytes: leaf.bytes, at: begin };
    for (let id = 0; reader.at < end; read.records += 1) {
      id += varint(reader);
      if (id > last) return;
      const length = Math.floor(varint(reader) / 2);
      const at = reader.at;
      reader.at += length;
      if (id < from) continue;
      if (reader.at <= end) count(leaf.bytes, { at, end: reader.at }, counts);
      else count(continued(pages, page, { at, length }), { at: 0, end: length }, counts);
      visit(id, counts, pages.segment);
    }
    read.bytes += end - begin;
  }
}

/** The last page that begins with a record before a number, as far as pages tell. */
function pageBefore(pages: Pages, from: number): number {
  let [low, high] = [pages.first, pages.last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { bytes, firstRowid, terms } = pages.leaf(middle);
    const isOwn = firstRowid > 0 && firstRowid < (terms[0] ?? Number.POSITIVE_INFINITY);
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

/** How often a word stands in each column: a 1 stands before the number of a column, all else is a place. */
function count(bytes: Buffer, { at, end }: { at: number; end: number }, counts: Uint32Array): void {
  counts.fill(0);
  const reader = { bytes, at };
  for (let column = 0; reader.at < end; ) {
    if (varint(reader) === 1) column = varint(reader);
    else counts[column]! += 1;
  }
}
