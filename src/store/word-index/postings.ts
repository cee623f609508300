import { formerStem } from '../../language/stem.ts';
import { type Kind, kinds, type recordRange } from '../../model/kinds.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { countIndexedRecords, openVocabulary, rowidRangeSql } from './search-index.ts';

/** Bounds of a reading: if more than `most` records have a word, the newest of each range are read. */
type PostingBounds = { ranges: readonly ReturnType<typeof recordRange>[]; most: number };

/** Posting list: ids of records with a token, and its weighted counts; `records` estimates the total if `isCut`. */
export type PostingList = { ids: number[]; counts: number[]; records: number; isCut: boolean };

/** Posting lists of the full-text index, read within a budget of entries. */
export type Postings = ReturnType<typeof openPostings>;

/** Weight of a word in a title beside one in the text. */
export const titleWeight = ({ hasDescriptiveTitle }: Kind): number => (hasDescriptiveTitle ? 1 : 0.05);

/** Opens the posting lists of a mirror; for the past, records changed since come from a second table. */
export function openPostings(mirror: Mirror, budget: number) {
  const isPast = mirror.asOf !== null;
  const changedIds = new Set(isPast ? mirror.column<number>('SELECT id FROM changed').all() : []);
  const account = { spent: 0, budget, records: countIndexedRecords(mirror) };
  const parts = [openPart(mirror, 'main', { account, isStale: (id) => changedIds.has(id) })];
  if (isPast) parts.push(openPart(mirror, 'temp', { account, isStale: () => false }));
  // An index that program 0.1 built has other stems.
  const isOld = readMeta(mirror, 'analyser') === '1';
  const toIndexToken = (token: string) => (isOld ? formerStem(token) : token);
  return {
    records: account.records,
    spent: () => account.spent,
    lengths(ids: readonly number[]): number[] {
      account.spent += ids.length;
      const lengthsByPart = parts.map((part) => part.lengths(ids));
      return ids.map((id) => lengthsByPart.map((each) => each.get(id)).find((length) => length !== undefined) ?? 0);
    },
    read(token: string, bounds: PostingBounds): PostingList {
      const lists = parts.map((part) => part.read(toIndexToken(token), bounds));
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

/** `account` counts the entries read against the budget. */
type PartOptions = {
  account: { spent: number; budget: number; records: number };
  isStale: (id: number) => boolean;
};

/** One index table: the current one, or that of past versions of records. */
function openPart(mirror: Mirror, schema: 'main' | 'temp', { account, isStale }: PartOptions) {
  const vocabulary = openVocabulary(mirror, { schema });
  const instanceStatement = mirror.column<string>(
    `SELECT json_group_array(2 * doc + (col = 'title')) FROM ${vocabulary} WHERE term = ? AND col IN ('title', 'body')`,
  );
  const countStatement = mirror.column<number>(
    `SELECT count(*) FROM (SELECT 1 FROM ${schema}.search WHERE search MATCH ? LIMIT ?)`,
  );
  const newestStatement = mirror.column<number>(
    `SELECT rowid FROM ${schema}.search WHERE search MATCH ? AND ${rowidRangeSql} ORDER BY rowid DESC LIMIT ?`,
  );
  const sizeStatement = mirror.sql<{ id: number; sz: Buffer }>(
    `SELECT id, sz FROM ${schema}.search_docsize WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const expression = (token: string) => `{title body} : "${token}"`;

  function readAll(token: string): PostingList {
    const [ids, counts]: [number[], number[]] = [[], []];
    const encodedPositions: number[] = JSON.parse(instanceStatement.get(token)!);
    account.spent += encodedPositions.length;
    for (const encoded of encodedPositions) {
      const isTitle = encoded % 2 === 1;
      const id = Math.floor(encoded / 2);
      if (isStale(id)) continue;
      if (ids.at(-1) !== id) {
        ids.push(id);
        counts.push(0);
      }
      counts[counts.length - 1]! += isTitle ? titleWeights.get(kindOfRecord(id).number)! : 1;
    }
    return { ids, counts, records: ids.length, isCut: false };
  }

  /** The newest records with a word in each range; the total is estimated from their density. */
  function readNewest(token: string, { ranges, most }: PostingBounds): PostingList {
    const limitPerRange = Math.ceil(most / ranges.length);
    let coveredIds = 0;
    const ids = ranges.flatMap(({ first, last }) => {
      const newestIds = newestStatement.all(expression(token), first, last, limitPerRange);
      coveredIds += last - (newestIds.length < limitPerRange ? first : (newestIds.at(-1) ?? first)) + 1;
      return newestIds;
    });
    account.spent += ids.length;
    const currentIds = ids.filter((id) => !isStale(id));
    // Without budget, a word is assumed to be common.
    const density = ids.length === 0 ? 0.1 : ids.length / coveredIds;
    const isCut = !token.includes(' ') || ids.length >= limitPerRange;
    const records = isCut ? Math.max(most, Math.round(account.records * density)) : ids.length;
    return { ids: currentIds, counts: currentIds.map(() => 1), records, isCut };
  }

  const countRecords = (token: string, most: number) => {
    const count = countStatement.get(expression(token), most + 1)!;
    account.spent += Math.ceil(count / 10);
    return count;
  };
  return {
    lengths(ids: readonly number[]) {
      const current = sizeStatement.all(JSON.stringify(ids)).filter(({ id }) => !isStale(id));
      return new Map(current.map(({ id, sz }) => [id, sum(varints(sz))]));
    },
    read(token: string, bounds: PostingBounds): PostingList {
      const most = Math.max(0, Math.min(bounds.most, account.budget - account.spent));
      // The vocabulary knows no phrases.
      if (!token.includes(' ') && countRecords(token, most) <= most) return readAll(token);
      return readNewest(token, { ...bounds, most });
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
