import type { Noun } from '../words/nouns.ts';
import { capitalise, type Speech } from '../words/speech.ts';
import kindDefinitions from './kinds.json' with { type: 'json' };

/** Types of columns in parsing, files and documentation. */
export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'datetime', 'json'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** One field of a kind; `name` is the service's spelling, `description` is shown to users. */
export type Column = {
  name: string;
  type: ColumnType;
  description: string;
  /** Contents of a json column; any JSON if undefined. */
  inside?: { list: 'ids' | Column[] } | { fields: Column[] };
  /** The only values, for an enumeration. */
  words?: readonly string[];
  /** True if a service may send an object with the slug instead of the slug. */
  isReference?: true;
  /** True for a field without a description, whose type is that of the stored values. */
  isGuessed?: true;
  /** True if always present, possibly null. */
  isPresent?: true;
  /** True if always present and never null. */
  isNonNull?: true;
};

/** One kind of record; tables, views, search fields, file headers, schemas and the dictionary are derived from it. */
type KindDescription = {
  name: string;
  /** Name in files, views, datasets and paths. */
  plural: string;
  /** Permanent number that gives the range of record ids in the mirror (`number * 2^40 + n`). */
  number: number;
  description: string;
  /** The identifying field; ballots prefix their chamber, records without a value get a content hash. */
  keyField: 'slug' | 'id' | 'scrutin_id';
  /** True for the six datasets that the service exports under ODbL 1.0. */
  dataset: boolean;
  /** `type`: in the service's feed and a filter of it; `met`: in the feed, but no filter; absent: not in the feed. */
  feed?: 'type' | 'met';
  /** True if the service does not list the kind: records come only from files. */
  isFileOnly?: true;
  /** True if the service's search covers the kind. */
  searched: boolean;
  /** Fields in each column of the full-text index: records may share a `title` (a debate); `about` is a person. */
  search: { name: string[]; title: string[]; body: string[]; about: string[] };
  /** True if the title names the subject of a record (a legislative file), unlike that of a debate. */
  hasDescriptiveTitle?: true;
  /** Fields whose order carries no meaning. */
  sets: string[];
  columns: Column[];
  /** Fields that services are known to add: described if present, otherwise no column. */
  added?: Column[];
  /** Extra columns of flat files for nested values, never in JSON. */
  flat?: Column[];
  /** Names of the columns of tables of records, in order. */
  listColumns: string[];
  /** Noun for counts of records; the kind's name by default. */
  noun?: Noun;
  /** French names, folded. */
  frenchWords?: string[];
  /** Position in lists of several kinds, from 1; kinds without one come last. */
  position?: number;
  /** Address of the list; `/records/KIND` by default. */
  list: { path: `/${string}`; query?: Readonly<Record<string, string>> };
  /** Path of a record's page, with parts of the key in braces; `/records/KIND/KEY` by default. */
  page: `/${string}`;
};

/** A row of `kinds.json`, the only description of a kind; a string is the name of a column that kinds share. */
type KindRow = Partial<Omit<KindDescription, 'name' | 'columns'>> &
  Pick<KindDescription, 'number' | 'description' | 'listColumns'> & { columns: (Column | string)[] };

export type KindName = keyof typeof kindDefinitions.kinds;

/** One kind of record, with defaults filled in. */
export type Kind = KindDescription & { name: KindName };

const sharedColumns = kindDefinitions.columns as Record<string, Omit<Column, 'name'>>;

const defaultPage = '/records/{kind}/{key}';

const createKind = ([name, { columns, ...row }]: [string, KindRow]): Kind => ({
  name: name as KindName,
  plural: `${name}s`,
  keyField: 'id',
  dataset: false,
  searched: false,
  search: { name: [], title: [], body: [], about: [] },
  sets: ['source_ids'],
  list: { path: `/records/${name}` },
  page: defaultPage,
  columns: columns.map((each) => (typeof each === 'string' ? { name: each, ...sharedColumns[each]! } : each)),
  ...row,
});

export const kinds: readonly Kind[] = Object.entries(kindDefinitions.kinds as Record<string, KindRow>).map(createKind);

const kindsByName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));
const kindsByWord = new Map(kinds.flatMap((kind) => [kind.plural, kind.name].map((word) => [word, kind] as const)));

/** The kind with that name; throws a TypeError for an unknown name. */
export function kindOf(name: KindName): Kind {
  const kind = kindsByName.get(name);
  if (!kind) throw new TypeError(`no kind is named ${name}`);
  return kind;
}

/** The kind for a singular or plural name in any case, with or without a final s; undefined if unknown. */
export function findKind(word: string): Kind | undefined {
  const plainWord = word.trim().toLowerCase();
  return kindsByWord.get(plainWord) ?? kindsByWord.get(plainWord.replace(/s$/, ''));
}

const kindsByFrenchWord = new Map(
  kinds.flatMap((kind) => (kind.frenchWords ?? []).map((word) => [word, kind] as const)),
);

/** The kind for an English or French name, singular or plural; undefined if unknown. */
export function findKindByWord(word: string): Kind | undefined {
  const plainWord = word.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return findKind(plainWord) ?? kindsByFrenchWord.get(plainWord) ?? kindsByFrenchWord.get(plainWord.replace(/s$/, ''));
}

/** All accepted names of kinds, singular and plural. */
export const kindWords: readonly string[] = [...kindsByWord.keys()];

/** The six kinds that the service exports as whole datasets, politicians and parties first. */
export const datasets: readonly Kind[] = kinds.filter(({ dataset }) => dataset).reverse();

/** The kinds in display order. */
export const kindsInOrder: readonly Kind[] = kinds
  .toReversed()
  .sort((one, other) => (one.position ?? kinds.length) - (other.position ?? kinds.length));

export const hasColumn = ({ columns }: Kind, name: string): boolean => columns.some((column) => column.name === name);

/** A number of records with its noun: `3 ballots`. */
export function kindCount(speech: Speech, kind: Kind, count: number): string {
  if (kind.noun) return speech.count(count, kind.noun);
  return `${speech.number(count)} ${kindNoun(speech, kind, count)}`;
}

/** The noun for a number of records, without the number. */
export function kindNoun(speech: Speech, { noun, name, plural }: Kind, count: number): string {
  return noun ? speech.noun(count, noun) : speech.word(count === 1 ? name : plural);
}

/** Schema name of a kind in API descriptions; the suffix avoids built-in names such as `Promise`. */
export const schemaNameOf = (name: KindName): string => `${capitalise(name)}Record`;

/** Every described field of a kind: its columns, and fields that services are known to add. */
export const describedFields = ({ columns, added = [] }: Kind): Column[] => [...columns, ...added];

/** The column of a kind's field; text with `isGuessed` for a field without a description. */
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

/** Number of record ids per kind; the rows of one kind are contiguous. */
export const idSpan = 2 ** 40;

/** First and last record id of a kind. */
export function recordRange(kind: Pick<Kind, 'number'>): { first: number; last: number } {
  return { first: kind.number * idSpan + 1, last: (kind.number + 1) * idSpan - 1 };
}

/** First and last record id of a kind, as the parameters of BETWEEN. */
export function idBounds(kind: Pick<Kind, 'number'>): [first: number, last: number] {
  const { first, last } = recordRange(kind);
  return [first, last];
}

/** Query parameters of an address; null values are omitted. */
export type AddressQuery = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** A path with its query string. */
export function addressOf(path: string, query: AddressQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value ?? []].flat()) parameters.append(name, each);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Permanent path of a record's page; `/records/KIND/KEY` for an unknown kind. */
export function recordPath(name: string, key: string): string {
  const { page = defaultPage } = kindsByName.get(name) ?? {};
  return filledPath(page, pageParameters({ name, page }, key));
}

/** The path with encoded parameters in place of their names in braces. */
export const filledPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(placeholderPattern, (_, part: string) => encodeURIComponent(parameters[part]!));

const placeholderPattern = /\{(\w+)\}/g;

/** Path parameters of a record's page: kind and key, the key alone, or the two parts of a key with a colon. */
export function pageParameters({ name, page }: { name: string; page: string }, key: string): Record<string, string> {
  const [first, second] = [...page.matchAll(placeholderPattern)].map(([, parameter]) => parameter!);
  if (first === 'kind') return { kind: name, key };
  if (second === undefined) return { [first!]: key };
  const colon = key.indexOf(':');
  return { [first!]: key.slice(0, colon), [second]: key.slice(colon + 1) };
}

/** The record whose page has these path segments; null if there is no such page. */
export function findPageRecord(parts: readonly string[]): { kind: KindName; key: string } | null {
  for (const kind of kinds) {
    const pageParts = kind.page.slice(1).split('/');
    const isMatch =
      pageParts.length === parts.length &&
      pageParts.every((part, at) => part === parts[at] || part.startsWith('{')) &&
      (pageParts[1] !== '{kind}' || parts[1] === kind.name);
    if (isMatch) return { kind: kind.name, key: parts.slice(pageParts[1] === '{kind}' ? 2 : 1).join(':') };
  }
  return null;
}

/** The decoded segment of an address; null if it is malformed. */
export function decodeSegment(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export function historyPath(kind: string, key: string): string {
  return `/history/${encodeURIComponent(kind)}/${encodeURIComponent(key)}`;
}
