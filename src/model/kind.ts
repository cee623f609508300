/** How a value of a column is read, typed in files and described to people. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'json';

/** What a field of JSON holds: a list of ids or of parts with fields of their own, or one such part. */
export type Inside = { list: 'ids' | Column[] } | { fields: Column[] };

/** One field of a kind: the service's spelling, its type, and the sentence people read about it. */
export type Column = {
  name: string;
  type: ColumnType;
  description: string;
  /** What is inside where the type is json; any JSON where nothing is said. */
  inside?: Inside;
  /** The only values, where it is this program that writes them. */
  words?: readonly string[];
  /** True for a slug or name in whose place a service may write an object that has it. */
  isReference?: true;
  /** True for a field that nobody described: its type is that of its values. */
  isGuessed?: true;
  /** True where no answer leaves it out, though it may be null. */
  isPresent?: true;
  /** True where no answer leaves it out, and it is never null. */
  isStated?: true;
};

/**
 * The fields of a record that full-text search reads, each analysed in its own way: `name` what people call it, `body` its
 * own words, `title` what it shares with many others (a debate, a legislative file), `about` whom it is of.
 */
export type SearchFields = { name: string[]; title: string[]; body: string[]; about: string[] };

/**
 * All that Hemicycle knows of one kind of record; tables, views, search fields, file headers, schemas and
 * the data dictionary are derived from it.
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
  /** True for the kinds that the service's feed lists. */
  feed: boolean;
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
};
