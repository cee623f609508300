import type { Noun } from '../words/nouns.ts';
import type { Speech } from '../words/speech.ts';
import described from './kinds.json' with { type: 'json' };

/** Type of a column in parsing, files and documentation. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'json';

type Inside = { list: 'ids' | Column[] } | { fields: Column[] };

/** One field of a kind: the service's spelling, its type, and the sentence people read about it. */
export type Column = {
  name: string;
  type: ColumnType;
  description: string;
  /** Contents of a json column; any JSON if undefined. */
  inside?: Inside;
  words?: readonly string[];
  /** True if a service may send an object with the slug instead of the slug. */
  isReference?: true;
  /** True for an undescribed field, typed by its values. */
  isGuessed?: true;
  /** True if always present, though maybe null. */
  isPresent?: true;
  /** True if always present and never null. */
  isNonNull?: true;
};

/**
 * The fields of a record that full-text search reads, each with its own analysis: `name`, what people call
 * it; `body`, its text; `title`, which many records share (a debate, a legislative file); `about`, the person
 * it concerns.
 */
export type SearchFields = { name: string[]; title: string[]; body: string[]; about: string[] };

type ListAddress = { path: `/${string}`; query?: Readonly<Record<string, string>> };

/** One kind of record; tables, views, search fields, file headers, schemas and the dictionary are derived from it. */
type KindDescription = {
  name: string;
  /** File, view, dataset and path name. */
  plural: string;
  /** Permanent number: it sets the range of record ids in the mirror (`number * 2^40 + n`). */
  number: number;
  description: string;
  /** The field that identifies a record; ballots add their chamber, records without one get a content hash. */
  keyField: 'slug' | 'id' | 'scrutin_id';
  /** True for the six datasets that the service exports under ODbL 1.0. */
  dataset: boolean;
  /** Whether records occur in the service's feed: `type` if the feed can be filtered by it, `met` if not. */
  feed?: 'type' | 'met';
  /** True for a kind that the service does not list: it comes only from files. */
  isFileOnly?: true;
  /** True for the kinds that the service's search covers. */
  searched: boolean;
  search: SearchFields;
  /** True if the title says what a record is about (a legislative file), unlike that of a debate. */
  hasDescriptiveTitle?: true;
  /** Fields that hold a set: their order carries no meaning. */
  sets: string[];
  columns: Column[];
  /** Fields that services are known to add: described where they occur, and no column otherwise. */
  added?: Column[];
  /** Extra columns of flat files for nested values; JSON never has them. */
  flat?: Column[];
  listColumns: string[];
  /** Noun for counts of its records; by default its own name. */
  noun?: Noun;
  /** What people call it in French, folded. */
  frenchWords?: string[];
  /** Position in lists of several kinds, from 1; kinds without one come last. */
  position?: number;
  /** Address of its list; `/records/KIND` by default. */
  list: ListAddress;
  /** Path of a record's page, parts of the key in braces; `/records/KIND/KEY` by default. */
  page: `/${string}`;
};

/** A row of `kinds.json`, the only place where a kind is described; a column that several kinds have is named there. */
type Row = Partial<Omit<KindDescription, 'name' | 'columns'>> &
  Pick<KindDescription, 'number' | 'description' | 'listColumns'> & { columns: (Column | string)[] };

export type KindName = keyof typeof described.kinds;

/** One kind of record. */
export type Kind = KindDescription & { name: KindName };

const shared = described.columns as Record<string, Omit<Column, 'name'>>;

/** A kind with defaults for what its row omits. */
const kindIn = ([name, { columns, ...row }]: [string, Row]): Kind => ({
  name: name as KindName,
  plural: `${name}s`,
  keyField: 'id',
  dataset: false,
  searched: false,
  search: { name: [], title: [], body: [], about: [] },
  sets: ['source_ids'],
  list: { path: `/records/${name}` },
  page: '/records/{kind}/{key}',
  columns: columns.map((each) => (typeof each === 'string' ? { name: each, ...shared[each]! } : each)),
  ...row,
});

/** Every kind of record. */
export const kinds: readonly Kind[] = Object.entries(described.kinds as Record<string, Row>).map(kindIn);

const byName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));
const byWord = new Map<string, Kind>(
  kinds.flatMap((kind) => [kind.plural, kind.name].map((word) => [word, kind] as const)),
);

/** The kind of that name; throws on a name that is not in the table. */
export function kindOf(name: KindName): Kind {
  const kind = byName.get(name);
  if (!kind) throw new TypeError(`no kind is named ${name}`);
  return kind;
}

/** The kind for a singular or plural name in any case, or undefined; an extra s at the end is accepted. */
export function findKind(word: string): Kind | undefined {
  const plain = word.trim().toLowerCase();
  return byWord.get(plain) ?? byWord.get(plain.replace(/s$/, ''));
}

const byFrenchWord = new Map(kinds.flatMap((kind) => (kind.frenchWords ?? []).map((word) => [word, kind] as const)));

/** The kind that a person means by an English or French name, singular or plural, or undefined. */
export function kindTyped(word: string): Kind | undefined {
  const plain = word.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return findKind(plain) ?? byFrenchWord.get(plain) ?? byFrenchWord.get(plain.replace(/s$/, ''));
}

/** The accepted names of kinds, singular and plural. */
export const kindWords: readonly string[] = [...byWord.keys()];

/** The six kinds that the service exports as whole datasets. */
export const datasets: readonly Kind[] = kinds.filter(({ dataset }) => dataset).reverse();

/** The kinds in display order. */
export const kindsInOrder: readonly Kind[] = kinds
  .toReversed()
  .sort((one, other) => (one.position ?? kinds.length) - (other.position ?? kinds.length));

/** True if records of a kind have that column. */
export function hasColumn({ columns }: Kind, name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** A number of records of a kind, in words. */
export function kindCount(speech: Speech, { noun, name, plural }: Kind, count: number): string {
  if (noun) return speech.count(count, noun);
  return `${speech.number(count)} ${speech.word(count === 1 ? name : plural)}`;
}

/** Schema name of a kind in API descriptions; the suffix avoids built-in names (`Promise`). */
export const schemaNameOf = (name: KindName): string => `${name[0]!.toUpperCase()}${name.slice(1)}Record`;

/** Every described field of a kind: its columns, and fields that services are known to add. */
export const describedFields = ({ columns, added = [] }: Kind): Column[] => [...columns, ...added];

/** The column of a kind's field; an undescribed field gives a text column with `isGuessed`. */
export function columnOf(kind: Kind, name: string): Column {
  return (
    [...describedFields(kind), ...(kind.flat ?? [])].find((column) => column.name === name) ?? {
      name,
      type: 'text',
      isGuessed: true,
      description: `A field that the service adds to its ${kind.plural} and does not describe.`,
    }
  );
}

/** How many record ids each kind has: rows of one kind stand together. */
export const idSpan = 2 ** 40;

/** First and last record id that a kind can have. */
export function recordRange(kind: Pick<Kind, 'number'>): { first: number; last: number } {
  return { first: kind.number * idSpan + 1, last: (kind.number + 1) * idSpan - 1 };
}
