import { formerStem } from '../../language/stem.ts';
import { type Kind, kinds, type recordRange } from '../../model/kinds.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { indexedRecords, isBetween, vocabularyOf } from './search-index.ts';

/** A range of record ids, both ends included. */
export type RecordRange = ReturnType<typeof recordRange>;

/** Where a word is searched: in titles and texts, or in names of records and of the people they are about. */
type PostingField = 'text' | 'name';

/** Bounds of a reading: if more than `most` records have a word, the newest of each range are read. */
type PostingReading = { ranges: readonly RecordRange[]; most: number; field?: PostingField };

/**
 * A posting list: ids of records with a word, and its weighted count in each. `isCut` if there are more; `records`
 * estimates their number in the whole index.
 */
export type PostingList = { ids: number[]; counts: number[]; records: number; isCut: boolean };

/** Posting lists of the full-text index, read within a budget of entries. */
export type Postings = {
  /** Approximate number of indexed records. */
  records: number;
  read(token: string, reading: PostingReading): PostingList;
  /** The number of words of each record. */
  lengths(ids: readonly number[]): number[];
  /** Index entries read so far. */
  spent(): number;
};

/** Weight of a word in a title beside one in the text. */
export function titleWeight({ hasTellingTitle }: Kind): number {
  return hasTellingTitle ? 1 : 0.05;
}

/** One index table: the current one, or that of past versions of records. */
type PostingTable = Omit<Postings, 'records' | 'spent' | 'lengths'> & { lengthOf(id: number): number | null };

/** Entries read, and entries that may be read. */
type ReadBudget = { spent: number; budget: number; records: number };

/** Opens the posting lists of a mirror. When the past is read, records that changed since come from a second table. */
export function openPostings(mirror: Mirror, budget: number): Postings {
  const isPast = mirror.pastOf !== null;
  const changed = new Set(isPast ? mirror.column<number>('SELECT id FROM changed').all() : []);
  const account = { spent: 0, budget, records: indexedRecords(mirror) };
  const parts = [openPart(mirror, 'main', { account, isStale: (id) => changed.has(id) })];
  if (isPast) parts.push(openPart(mirror, 'temp', { account, isStale: () => false }));
  // An index that program 0.1 built has other stems.
  const isOld = readMeta(mirror, 'analyser') === '1';
  const as = (token: string) => (isOld ? formerStem(token) : token);
  return {
    records: account.records,
    spent: () => account.spent,
    lengths(ids) {
      account.spent += ids.length;
      return ids.map((id) => parts.map((part) => part.lengthOf(id)).find((found) => found !== null) ?? 0);
    },
    read(token, reading) {
      const lists = parts.map((part) => part.read(as(token), reading));
      return {
        ids: lists.flatMap(({ ids }) => ids),
        counts: lists.flatMap(({ counts }) => counts),
        records: sum(lists.map(({ records }) => records)),
        isCut: lists.some(({ isCut }) => isCut),
      };
    },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const titleWeights = new Map(kinds.map((kind) => [kind.number, titleWeight(kind)]));

/** The columns of the index that hold each field. */
const columnsOf = { text: 'title body', name: 'name about' } as const;

type PartOptions = { account: ReadBudget; isStale: (id: number) => boolean };

function openPart(mirror: Mirror, schema: 'main' | 'temp', { account, isStale }: PartOptions): PostingTable {
  const vocabulary = vocabularyOf(mirror, { schema });
  const instances = mirror.column<string>(
    `SELECT json_group_array(4 * doc + CASE col WHEN 'name' THEN 0 WHEN 'title' THEN 1 WHEN 'body' THEN 2 ELSE 3 END)
     FROM ${vocabulary} WHERE term = ?`,
  );
  const counted = mirror.column<number>(
    `SELECT count(*) FROM (SELECT 1 FROM ${schema}.search WHERE search MATCH ? LIMIT ?)`,
  );
  const newest = mirror.column<number>(
    `SELECT rowid FROM ${schema}.search WHERE search MATCH ? AND ${isBetween} ORDER BY rowid DESC LIMIT ?`,
  );
  const sizes = mirror.column<Buffer>(`SELECT sz FROM ${schema}.search_docsize WHERE id = ?`);
  const expression = (token: string, field: PostingField) => `{${columnsOf[field]}} : "${token}"`;

  /** The whole posting list of a word in a field, in id order. */
  function readAll(token: string, field: PostingField): PostingList {
    const [ids, counts]: [number[], number[]] = [[], []];
    const places: number[] = JSON.parse(instances.get(token)!);
    account.spent += places.length;
    for (const place of places) {
      const column = place % 4;
      const id = (place - column) / 4;
      if ((column === 1 || column === 2) !== (field === 'text') || isStale(id)) continue;
      if (ids.at(-1) !== id) {
        ids.push(id);
        counts.push(0);
      }
      counts[counts.length - 1]! += column === 1 ? titleWeights.get(kindOfRecord(id).number)! : 1;
    }
    return { ids, counts, records: ids.length, isCut: false };
  }

  /** The newest records with a word in each range; the total is estimated from their density. */
  function readNewest(token: string, { ranges, most, field = 'text' }: PostingReading): PostingList {
    const ofEach = Math.ceil(most / ranges.length);
    let covered = 0;
    const ids = ranges.flatMap(({ first, last }) => {
      const found = newest.all(expression(token, field), first, last, ofEach);
      covered += last - (found.length < ofEach ? first : (found.at(-1) ?? first)) + 1;
      return found;
    });
    account.spent += ids.length;
    const held = ids.filter((id) => !isStale(id));
    // Without budget, a word is assumed to be common.
    const share = ids.length === 0 ? 0.1 : ids.length / covered;
    const isCut = !token.includes(' ') || ids.length >= ofEach;
    const records = isCut ? Math.max(most, Math.round(account.records * share)) : ids.length;
    return { ids: held, counts: held.map(() => 1), records, isCut };
  }

  const countIn = (token: string, field: PostingField, most: number) => {
    const found = counted.get(expression(token, field), most + 1)!;
    account.spent += Math.ceil(found / 10);
    return found;
  };
  return {
    lengthOf(id) {
      const size = isStale(id) ? undefined : sizes.get(id);
      return size === undefined ? null : sum(varints(size));
    },
    read(token, reading) {
      const most = Math.max(0, Math.min(reading.most, account.budget - account.spent));
      const field = reading.field ?? 'text';
      // The vocabulary knows no phrases.
      if (!token.includes(' ') && countIn(token, field, most) <= most) return readAll(token, field);
      return readNewest(token, { ...reading, most });
    },
  };
}

/** The numbers of an FTS5 size record, seven bits a byte. https://www.sqlite.org/fts5.html#the_docsize_table */
function varints(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}
