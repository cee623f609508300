import { analyserVersion, formerStem } from '../../language/stem.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { recordRange } from '../record.ts';
import { isBetween } from './search-index.ts';
import { varints } from './varints.ts';

/** How often a word stands in a record: `count` weighs the fields that it stands in. */
export type Posting = { id: number; count: number };

/** Where a word is looked for: in what records say, or in the names that they bear. */
export type PostingField = 'text' | 'name';

/** The index read word by word, by our own code, as far as a budget of postings goes. */
export type Postings = {
  /** How many records the index holds. */
  records: number;
  /** Words of a record's text, on average. */
  averageLength: number;
  /**
   * The records that a word stands in, by number. `isCut` where it stands in more than `most`, or than the budget allows:
   * then these are the first of them.
   */
  read(token: string, most: number, field?: PostingField): { postings: Posting[]; isCut: boolean };
  /** How many records say a word, counted up to one more than `most`: a tenth of what reading them takes. */
  count(token: string, most: number): number;
  /** The newest records of a kind that a word stands in, where `read` was cut. */
  newest(token: string, kind: Kind, most: number): Posting[];
  /** The words of the index that begin so, in order, at most that many. */
  words(beginning: string, most: number): string[];
  /** Words of one record's text. */
  lengthOf(id: number): number;
  /** How many entries of the index were read so far. */
  spent(): number;
};

/** What a record shares with others says what it is about, as a legislative file does; a debate's title says it of none. */
export function sharedWeight({ name }: Pick<Kind, 'name'>): number {
  return name === 'speech' ? 0.05 : 1;
}

const span = 2 ** 40;
const titleWeights = new Map(kinds.map((kind) => [kind.number, sharedWeight(kind)]));

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
  const records = parts.reduce((sum, part) => sum + part.records, 0);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    records,
    averageLength: records === 0 ? 1 : Math.max(1, length / records),
    spent: () => account.spent,
    lengthOf(id) {
      account.spent += 1;
      return parts.map((part) => part.lengthOf(id)).find((found) => found !== null) ?? 0;
    },
    words: (beginning, most) => [
      ...new Set(parts.flatMap((part) => part.words(beginning, most, account)).slice(0, most)),
    ],
    read(token, most, field = 'text') {
      const read = parts.map((part) => part.read(as(token), { most, field, account }));
      return {
        postings: read.flatMap(({ postings }) => postings),
        isCut: read.some(({ isCut }) => isCut),
      };
    },
    count(token, most) {
      const counted = parts.reduce((sum, part) => sum + part.count(as(token), most + 1), 0);
      account.spent += Math.ceil(counted / 10);
      return counted;
    },
    newest(token, kind, most) {
      const found = parts.flatMap((part) =>
        part.newest(as(token), kind, Math.min(most, budget - account.spent)),
      );
      account.spent += found.length;
      return found;
    },
  };
}

/** Fields that a place is told of: names, titles, and texts. */
const fields = 3;

type Account = { spent: number; budget: number };
type Reading = { most: number; field: PostingField; account: Account };

/** One table of the index; `isStale` tells of a record that its entry does not hold any more. */
function openPart(mirror: Mirror, schema: 'main' | 'temp', isStale: (id: number) => boolean) {
  const table = `temp.posting_${schema}`;
  mirror.database.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5vocab('${schema}', 'search', 'instance')`,
  );
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
  const firstWord = mirror.column<string>(`SELECT term FROM ${table} WHERE term >= ? LIMIT 1`);
  const counted = mirror.column<number>(
    `SELECT count(*) FROM (SELECT 1 FROM ${schema}.search WHERE search MATCH ? LIMIT ?)`,
  );
  const newest = mirror.column<number>(
    `SELECT rowid FROM ${schema}.search WHERE search MATCH ? AND ${isBetween}
     ORDER BY rowid DESC LIMIT ?`,
  );
  const sizes = mirror.column<Buffer>(`SELECT sz FROM ${schema}.search_docsize WHERE id = ?`);
  const totals = mirror.column<Buffer>(`SELECT block FROM ${schema}.search_data WHERE id = 1`).get();
  const [records = 0, ...lengths] = varints(totals ?? Buffer.alloc(0));
  return {
    records,
    length: textLength(lengths),
    lengthOf(id: number): number | null {
      const size = isStale(id) ? undefined : sizes.get(id);
      return size === undefined ? null : textLength(varints(size));
    },
    words(beginning: string, most: number, account: Account): string[] {
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
    read(token: string, { most, field, account }: Reading): { postings: Posting[]; isCut: boolean } {
      const postings: Posting[] = [];
      // One more than may be read tells whether there are more.
      const left = account.budget - account.spent + 1;
      for (const place of placesOf(token, { most, left })) {
        if (account.spent >= account.budget) return { postings, isCut: true };
        account.spent += 1;
        const at = place % fields;
        const id = (place - at) / fields;
        if ((at === 0) !== (field === 'name') || isStale(id)) continue;
        if (postings.at(-1)?.id !== id) {
          if (postings.length === most) return { postings, isCut: true };
          postings.push({ id, count: 0 });
        }
        postings.at(-1)!.count += at === 1 ? titleWeights.get(Math.floor(id / span))! : 1;
      }
      return { postings, isCut: false };
    },
    count: (token: string, most: number): number => counted.get(said(token), most)!,
    newest(token: string, kind: Kind, most: number): Posting[] {
      const { first, last } = recordRange(kind);
      const ids = newest.all(said(token), first, last, Math.max(0, most));
      return ids.filter((id) => !isStale(id)).map((id) => ({ id, count: 1 }));
    },
  };
}

/** The expression that finds a token in what records say. */
function said(token: string): string {
  return `{title body} : "${token}"`;
}

/** Of the lengths of name, title, text and author that the index keeps, those of what a record says. */
function textLength([, title = 0, body = 0]: number[]): number {
  return title + body;
}
