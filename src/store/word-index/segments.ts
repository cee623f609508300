import type { Mirror } from '../mirror.ts';
import {
  bytesOn,
  pagesOf,
  type Range,
  readAll,
  readFirst,
  readLast,
  type Segment,
  segmentSpan,
  type Visit,
} from './segment-pages.ts';
import { varints } from './varints.ts';

/** Where one word stands, read from the segments of the full-text index as FTS5 keeps them: no more of it than is asked for. */
export type Segments = {
  /** How many records the index holds, and their words on average. */
  records: number;
  averageLength: number;
  /** How long all that is kept of the word is, about: some six bytes for a record. */
  bytes: number;
  /** Tells the records between two numbers that hold the word, in their order, those of the newest segment last. */
  read(from: number, last: number, visit: Visit): void;
  /** Tells so many of the last records between two numbers of each segment; true where there are others before them. */
  readLast(range: Range, most: number, visit: Visit): boolean;
  /** Tells the first of its records, those on one page of each segment. */
  readFirst(visit: Visit): void;
  /** In how many records the word stands, judged by how closely it stands in what was read. */
  estimate(): number;
};

// The format: https://github.com/sqlite/sqlite/blob/master/ext/fts5/fts5_index.c
const [structureId, averagesId] = [10, 1];
const knownFormat = 4;
const markOfStructure = 0xff000001;
const [headerLength, numbersOfSegment] = [8, 8];
const firstOfDeleted = 2 ** 16;

/** The segments of a mirror's index for one word; null where they are of another format. */
export function openSegments(mirror: Mirror, token: string): Segments | null {
  return openIndex(mirror)?.word(token) ?? null;
}

/** The full-text index as it is kept: how much it holds, and where each word stands. */
export type Index = Pick<Segments, 'records' | 'averageLength'> & { word(token: string): Segments };

/** The index of a mirror, to be read for many words; null where it is of another format. */
export function openIndex(mirror: Mirror): Index | null {
  const kept = mirror.readOnce('segments of the index', () => readKept(mirror));
  if (kept === null) return null;
  const { segments, ...totals } = kept;
  return { ...totals, word: (token) => wordIn(mirror, segments, { token, ...totals }) };
}

/** What the index says of itself, its segments the oldest first. */
type Kept = { segments: Segment[]; records: number; averageLength: number };

function readKept(mirror: Mirror): Kept | null {
  const block = mirror.column<Buffer>('SELECT block FROM main.search_data WHERE id = ?');
  const format = mirror.column<number>("SELECT v FROM main.search_config WHERE k = 'version'").get();
  const [structure, averages] = [block.get(structureId), block.get(averagesId)];
  if (format !== knownFormat || structure === undefined || averages === undefined) return null;
  const segments = segmentsIn(mirror, structure);
  if (segments === null) return null;
  const [records = 0, ...lengths] = varints(averages);
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, records);
  return { segments, records, averageLength };
}

type Sought = { token: string; records: number; averageLength: number };

function wordIn(mirror: Mirror, segments: Segment[], { token, ...totals }: Sought): Segments {
  const all = segments.flatMap((segment, at) => {
    const pages = pagesOf(mirror, segment, token);
    return pages === null ? [] : [{ ...pages, segment: at }];
  });
  const read = { records: 0, bytes: 0 };
  const bytes = all.reduce((sum, pages) => sum + bytesOn(pages), 0);
  return {
    ...totals,
    bytes,
    read(from, last, visit) {
      for (const pages of all) readAll(pages, { from, last }, { visit, read });
    },
    readLast(range, most, visit) {
      const areCut = all.map((pages) => readLast(pages, range, { most, visit, read }));
      return areCut.includes(true);
    },
    readFirst(visit) {
      for (const pages of all) readFirst(pages, { visit, read });
    },
    estimate: () => (read.bytes === 0 ? 0 : (read.records / read.bytes) * bytes),
  };
}

/** The segments that a structure record lists, the oldest first; null where it is of another form. */
function segmentsIn(mirror: Mirror, structure: Buffer): Segment[] | null {
  if (structure.readUInt32BE(4) !== markOfStructure) return null;
  const [levels = 0, , , ...numbers] = varints(structure.subarray(headerLength));
  const found: Segment[][] = [];
  let at = 0;
  for (let level = 0; level < levels; level += 1) {
    const count = numbers[at + 1]!;
    at += 2;
    const own: Segment[] = [];
    for (let n = 0; n < count; n += 1, at += numbersOfSegment) {
      const [id, lastPage, pagesOfDeleted] = [numbers[at]!, numbers[at + 2]!, numbers[at + 5]!];
      own.push({ id, lastPage, deleted: deletedFrom(mirror, id, pagesOfDeleted) });
    }
    found.push(own);
  }
  return at === numbers.length ? found.reverse().flat() : null;
}

/** The records of a segment that were deleted, or saved anew, since it was written; null where there are none. */
function deletedFrom(mirror: Mirror, segment: number, pages: number): ReadonlySet<number> | null {
  if (pages === 0) return null;
  const block = mirror.column<Buffer>('SELECT block FROM main.search_data WHERE id = ?');
  const deleted = new Set<number>();
  for (let page = 0; page < pages; page += 1) {
    // Beyond what numbers of JavaScript tell apart.
    const bytes = block.get(BigInt(segment + firstOfDeleted) * BigInt(segmentSpan) + BigInt(page))!;
    const size = bytes[0] === 4 ? 4 : 8;
    for (let at = headerLength; at + size <= bytes.length; at += size)
      deleted.add(size === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at)));
  }
  return deleted;
}
