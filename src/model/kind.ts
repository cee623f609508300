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
 * The fields of a record that full-text search reads, each analysed in its own way: `name` what people call it, `body` its
 * own words, `title` what it shares with many others (a debate, a legislative file), `about` whom it is of.
 */
export type SearchFields = { name: string[]; title: string[]; body: string[]; about: string[] };

/** Where records are listed: a path, and what of that list. */
export type ListAddress = { path: `/${string}`; query?: Readonly<Record<string, string>> };

/**
 * All that Hemicycle knows of one kind of record; tables, views, search fields, file headers, schemas and the data
 * dictionary are derived from it.
 */
export type KindDescription = {
  name: string;
  /** File, view, dataset and path name. */
  plural: string;
  /** Number that never changes: rows of one kind stand together in the mirror (`number * 2^40 + n`). */
  number: number;
  /** What one record is, for the dictionary. */
  description: string;
  /** Field that identifies a record; ballots add their chamber, records without one are known by content. */
  keyField: 'slug' | 'id' | 'scrutin_id';
  /** True for the six datasets that the service exports under ODbL 1.0. */
  dataset: boolean;
  /** How the service's feed has its records, if it has any: as a type that can be asked for, or only met. */
  feed?: 'type' | 'met';
  /** True for a kind that the service has no list of: only files bring it. */
  isFileOnly?: true;
  /** True for the kinds that the service's search covers. */
  searched: boolean;
  search: SearchFields;
  /** Fields that hold a set: their order carries no meaning. */
  sets: string[];
  columns: Column[];
  /** Fields that services are known to add: described where they occur, columns of nothing that has none. */
  added?: Column[];
  /** Columns that flat files have beside, since what they say is nested in a field: JSON never has them. */
  flat?: Column[];
  /** Columns that a list shows at a terminal. */
  listColumns: string[];
  /** What its records are counted as; its own names where nothing is said. */
  noun?: Noun;
  /** French words for it, folded, that the filter `type:` of a search understands. */
  frenchWords?: string[];
  /** Its place where several kinds are listed one behind the other, from 1; a kind without one comes last. */
  place?: number;
  /** The address of its list; `/records/KIND` where nothing is said. */
  list?: ListAddress;
  /** The address of a record's page, parts of the key in braces; `/records/KIND/KEY` where nothing is said. */
  page?: `/${string}`;
};
