/** How a value of a column is read, typed in files and described to people. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'date' | 'datetime' | 'json';

/** One field of a kind: the service's spelling, its type, and the sentence people read about it. */
export type Column = { name: string; type: ColumnType; description: string };

/** The fields of a record that full-text search reads, each analysed in its own way. */
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
  /** Columns that a list shows at a terminal. */
  listColumns: string[];
};
