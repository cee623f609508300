import type { Noun } from '../words/nouns.ts';

/** Type of a column in parsing, files and documentation. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'json';

/** Contents of a JSON field: a list of ids, a list of objects, or one object. */
export type Inside = { list: 'ids' | Column[] } | { fields: Column[] };

/** One field of a kind: the service's spelling, its type, and the sentence people read about it. */
export type Column = {
  name: string;
  type: ColumnType;
  description: string;
  /** Contents of a json column; any JSON if undefined. */
  inside?: Inside;
  /** Allowed values, if this program writes them. */
  words?: readonly string[];
  /** True if a service may send an object with the slug instead of the slug. */
  isReference?: true;
  /** True for an undescribed field, typed by its values. */
  isGuessed?: true;
  /** True if always present, though maybe null. */
  isPresent?: true;
  /** True if always present and never null. */
  isStated?: true;
};

/**
 * The fields of a record that full-text search reads, each with its own analysis: `name`, what people call
 * it; `body`, its text; `title`, which many records share (a debate, a legislative file); `about`, the person
 * it concerns.
 */
export type SearchFields = { name: string[]; title: string[]; body: string[]; about: string[] };

/** Where records are listed: path and query. */
export type ListAddress = { path: `/${string}`; query?: Readonly<Record<string, string>> };

/**
 * The description of one kind of record; tables, views, search fields, file headers, schemas and the data
 * dictionary are derived from it.
 */
export type KindDescription = {
  name: string;
  /** File, view, dataset and path name. */
  plural: string;
  /** Permanent number: it sets the range of record ids in the mirror (`number * 2^40 + n`). */
  number: number;
  /** What one record is, for the dictionary. */
  description: string;
  /**
   * The field that identifies a record; ballots add their chamber, and records without one get a content
   * hash.
   */
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
  hasTellingTitle?: true;
  /** Fields that hold a set: their order carries no meaning. */
  sets: string[];
  columns: Column[];
  /** Fields that services are known to add: described where they occur, and no column otherwise. */
  added?: Column[];
  /** Extra columns of flat files for nested values; JSON never has them. */
  flat?: Column[];
  /** Columns that a list shows at a terminal. */
  listColumns: string[];
  /** Noun for counts of its records; by default its own name. */
  noun?: Noun;
  /** French words, folded, that the search filter `type:` accepts. */
  frenchWords?: string[];
  /** Position in lists of several kinds, from 1; kinds without one come last. */
  place?: number;
  /** Address of its list; `/records/KIND` by default. */
  list: ListAddress;
  /** Path of a record's page, parts of the key in braces; `/records/KIND/KEY` by default. */
  page: `/${string}`;
};
