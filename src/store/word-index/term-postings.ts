import { type Kind, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { isBetween } from './search-index.ts';
import type { Range } from './segment-pages.ts';
import { varints } from './varints.ts';

/** Where a word is looked for: in what records say, or in the names that they bear and of whom they are about. */
export type PostingField = 'text' | 'name';

/** What of a word is read: among which records, and how many of these; the newest of each range where there are more. */
export type PostingReading = { ranges: readonly Range[]; most: number; field?: PostingField };

/**
 * The records that a word stands in, side by side with how often, weighed by the fields that it stands in. `isCut` where there
 * are more; `records` is how many in all of the index, about.
 */
export type Posted = { ids: Float64Array; counts: Float64Array; records: number; isCut: boolean };

/** How many entries of the index were read, and how many may be. */
export type Account = { spent: number; budget: number };

/** Tells of a record that its entry does not hold any more. */
export type IsStale = (id: number) => boolean;

/** One table of the index, read word by word. */
export type Part = {
  records: number;
  length: number;
  lengthOf(id: number): number | null;
  words(beginning: string, most: number, account: Account): string[];
  read(token: string, reading: PostingReading, account: Account): Posted;
  count(token: string, most: number, account: Account): number;
};

/** What a record shares with others says what it is about, as a legislative file does; a debate's title says it of none. */
export function sharedWeight({ name }: Pick<Kind, 'name'>): number {
  return name === 'speech' ? 0.05 : 1;
}

const span = 2 ** 40;
const titleWeights = new Map(kinds.map((kind) => [kind.number, sharedWeight(kind)]));

/** How much the places of a word in a record's title and text count. */
export function textCount(id: number, title: number, body: number): number {
  return title === 0 ? body : body + title * titleWeights.get(Math.floor(id / span))!;
}

/** Adds numbers up. */
export function totalOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** A table of the index read by SQLite. */
export function partByTerms(mirror: Mirror, schema: 'main' | 'temp', isStale: IsStale): Part {
  const table = `temp.posting_${schema}`;
  mirror.database.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5vocab('${schema}', 'search', 'instance')`,
  );
  const firstWord = mirror.column<string>(`SELECT term FROM ${table} WHERE term >= ? LIMIT 1`);
  const sizes = mirror.column<Buffer>(`SELECT sz FROM ${schema}.search_docsize WHERE id = ?`);
  const totals = mirror.column<Buffer>(`SELECT block FROM ${schema}.search_data WHERE id = 1`).get();
  const [records = 0, ...lengths] = varints(totals ?? Buffer.alloc(0));
  return {
    records,
    length: totalOf(lengths),
    lengthOf(id) {
      const size = isStale(id) ? undefined : sizes.get(id);
      return size === undefined ? null : totalOf(varints(size));
    },
    words(beginning, most, account) {
      const words: string[] = [];
      // From word to word, past all records of each.
      for (let from = beginning; words.length < most; ) {
        const word = firstWord.get(from);
        account.spent += 1;
        if (word === undefined || !word.startsWith(beginning)) break;
        words.push(word);
        from = `${word}\u0001`;
      }
      return words;
    },
    ...readingByTerms(mirror, { schema, table, isStale, records }),
  };
}

/** Fields that a place is told of: names, titles, and texts. */
const fields = 3;

type Table = { schema: 'main' | 'temp'; table: string; isStale: IsStale; records: number };

/** A row is read for each place of a word. */
function readingByTerms(
  mirror: Mirror,
  { schema, table, isStale, records }: Table,
): Pick<Part, 'read' | 'count'> {
  // A record and a field in one number, and many at once: a row for each takes twice as long.
  const instances = mirror.column<number>(
    `SELECT ${fields} * doc + CASE col WHEN 'body' THEN 2 WHEN 'title' THEN 1 ELSE 0 END
     FROM ${table} WHERE term = ? LIMIT ? OFFSET ?`,
  );
  function* placesOf(token: string, { most, left }: { most: number; left: number }): Generator<number> {
    for (let offset = 0, size = 2 * most + 100; offset < left; offset += size, size *= 2) {
      const places = instances.all(token, Math.min(size, left - offset), offset);
      yield* places;
      if (places.length < size) return;
    }
  }
  const counted = mirror.column<number>(
    `SELECT count(*) FROM (SELECT 1 FROM ${schema}.search WHERE search MATCH ? LIMIT ?)`,
  );
  const newest = mirror.column<number>(
    `SELECT rowid FROM ${schema}.search WHERE search MATCH ? AND ${isBetween}
     ORDER BY rowid DESC LIMIT ?`,
  );
  return {
    read(token, { ranges, most, field = 'text' }, account) {
      const [ids, counts]: [number[], number[]] = [[], []];
      let isCut = false;
      // One more than may be read tells whether there are more.
      const left = account.budget - account.spent + 1;
      for (const place of placesOf(token, { most, left })) {
        isCut = account.spent >= account.budget || ids.length > most;
        if (isCut) break;
        account.spent += 1;
        const at = place % fields;
        const id = (place - at) / fields;
        if ((at === 0) !== (field === 'name') || isStale(id)) continue;
        if (ids.at(-1) !== id) {
          ids.push(id);
          counts.push(0);
        }
        counts[counts.length - 1]! += at === 1 ? textCount(id, 1, 0) : 1;
      }
      if (!isCut) return { ...columnsOf(ids, counts), records: ids.length, isCut };
      const ofEach = Math.max(0, Math.min(most, account.budget - account.spent)) / ranges.length;
      const last = ranges.flatMap(({ from, last }) => newest.all(said(token), from, last, Math.ceil(ofEach)));
      account.spent += last.length;
      const valid = last.filter((id) => !isStale(id));
      const once = valid.map(() => 1);
      // How many more there are is not known; it is a common word.
      return { ...columnsOf(valid, once), records: Math.max(most, records / 10), isCut };
    },
    count(token, most, account) {
      const found = counted.get(said(token), most + 1)!;
      account.spent += Math.ceil(found / 10);
      return found;
    },
  };
}

function columnsOf(ids: readonly number[], counts: readonly number[]): Pick<Posted, 'ids' | 'counts'> {
  return { ids: Float64Array.from(ids), counts: Float64Array.from(counts) };
}

/** The expression that finds a token in what records say. */
function said(token: string): string {
  return `{title body} : "${token}"`;
}
