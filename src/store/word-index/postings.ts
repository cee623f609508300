import { analyserVersion, formerStem } from '../../language/stem.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import type { Range } from './segment-pages.ts';
import { type Index, openIndex, type Segments } from './segments.ts';
import { statisticsOf } from './statistics.ts';
import {
  type IsStale,
  type Part,
  type Posted,
  type PostingReading,
  partByTerms,
  textCount,
  totalOf,
} from './term-postings.ts';

/** The index read word by word, by our own code, as far as a budget of postings goes. */
export type Postings = {
  /** How many records the index holds. */
  records: number;
  /** Words of a record, on average. */
  averageLength: number;
  read(token: string, reading: PostingReading): Posted;
  /** How many records say a word, about; counted up to one more than `most` at most. */
  count(token: string, most: number): number;
  /** The words of the index that begin so, in order, at most that many. */
  words(beginning: string, most: number): string[];
  /** Words of some records. */
  lengths(ids: readonly number[]): number[];
  /** How many entries of the index were read so far. */
  spent(): number;
};

/**
 * The index of a mirror as postings. Of a past mirror, what changed since stands in an index of its own (see
 * `indexParts`), and the entries of now do not count.
 */
export function openPostings(mirror: Mirror, budget: number): Postings {
  const isPast = mirror.pastOf !== null;
  const changed = new Set(isPast ? mirror.column<number>('SELECT id FROM changed').all() : []);
  const parts = isPast
    ? [openPart(mirror, 'main', (id) => changed.has(id)), openPart(mirror, 'temp', () => false)]
    : [openPart(mirror, 'main', () => false)];
  const account = { spent: 0, budget };
  // An index that an older program built holds other tokens.
  const built = readMeta(mirror, 'analyser');
  const isOld = built !== null && built !== String(analyserVersion);
  const as = (token: string) => (isOld ? formerStem(token, built) : token);
  const records = totalOf(parts.map((part) => part.records));
  const length = totalOf(parts.map((part) => part.length));
  return {
    records,
    averageLength: records === 0 ? 1 : Math.max(1, length / records),
    spent: () => account.spent,
    lengths(ids) {
      account.spent += ids.length;
      if (!isPast) return statisticsOf(mirror).lengths(ids);
      return ids.map((id) => parts.map((part) => part.lengthOf(id)).find((found) => found !== null) ?? 0);
    },
    words: (beginning, most) => [
      ...new Set(parts.flatMap((part) => part.words(beginning, most, account)).slice(0, most)),
    ],
    read(token, reading) {
      const read = parts.map((part) => part.read(as(token), reading, account));
      if (read.length === 1) return read[0]!;
      return {
        ids: Float64Array.from(read.flatMap(({ ids }) => [...ids])),
        counts: Float64Array.from(read.flatMap(({ counts }) => [...counts])),
        records: totalOf(read.map((each) => each.records)),
        isCut: read.some(({ isCut }) => isCut),
      };
    },
    count: (token, most) => totalOf(parts.map((part) => part.count(as(token), most, account))),
  };
}

/** What waits in memory until a transaction ends stands in no segment yet. */
function openPart(mirror: Mirror, schema: 'main' | 'temp', isStale: IsStale): Part {
  const part = partByTerms(mirror, schema, isStale);
  const areWhole = schema === 'main' && (mirror.readonly || !mirror.database.inTransaction);
  const index = areWhole ? openIndex(mirror) : null;
  return index === null ? part : { ...part, ...bySegments(index, isStale) };
}

/** How words of a table are read and counted where its segments can be read: a third of the time. */
function bySegments(index: Index, isStale: IsStale): Pick<Part, 'read' | 'count'> {
  const read = createColumns();
  const opened = new Map<string, Segments>();
  // A word is counted, and then read: where it stands in each segment takes as long to find as to read few records.
  const open = (token: string): Segments => {
    const word = opened.get(token) ?? index.word(token);
    opened.set(token, word);
    return word;
  };
  return {
    read(token, { ranges, most, field = 'text' }, account) {
      const word = open(token);
      const begin = read.length();
      let seen = 0;
      const visit = (id: number, places: Uint32Array) => {
        seen += 1;
        const count = field === 'name' ? places[0]! + places[3]! : textCount(id, places[1]!, places[2]!);
        if (count > 0 && !isStale(id)) read.add(id, count);
      };
      // Few enough in any case: at once, without a look for where each kind begins.
      const parts = word.bytes < leastBytes * most ? [everything] : ranges;
      let isCut = false;
      for (const [at, range] of parts.entries()) {
        const left = Math.max(0, Math.min(most, account.budget - account.spent) - seen);
        isCut = word.readLast(range, Math.ceil(left / (parts.length - at)), visit) || isCut;
      }
      account.spent += seen;
      const { ids, counts } = read.from(begin);
      const records = seen === 0 ? word.estimate() : (word.estimate() * ids.length) / seen;
      return { ids, counts, records, isCut };
    },
    count(token, _, account) {
      const word = open(token);
      let [seen, said] = [0, 0];
      word.readFirst((_id, places) => {
        seen += 1;
        if (places[1]! + places[2]! > 0) said += 1;
      });
      account.spent += Math.ceil(seen / 10);
      return seen === 0 ? 0 : Math.round((word.estimate() * said) / seen);
    },
  };
}

/** An entry of a word takes two bytes at least. */
const leastBytes = 2;
const everything: Range = { from: 0, last: Number.POSITIVE_INFINITY };

/** Numbers of records and counts side by side, in arrays of their type that grow: no word begins with arrays of its own. */
function createColumns() {
  let [ids, counts] = [new Float64Array(2 ** 14), new Float64Array(2 ** 14)];
  let length = 0;
  return {
    length: () => length,
    add(id: number, count: number) {
      if (length === ids.length) [ids, counts] = [grown(ids), grown(counts)];
      ids[length] = id;
      counts[length] = count;
      length += 1;
    },
    from: (begin: number) => ({ ids: ids.subarray(begin, length), counts: counts.subarray(begin, length) }),
  };
}

function grown(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
