import { column } from '../../model/columns.ts';
import { quotedName } from '../../store/schema.ts';
import { aliasColumns, commentSql, sqlType } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import type { Relation } from './catalogue.ts';
import {
  nameIn,
  ownMark,
  storageName,
  type TargetSchema,
  tableColumns,
  tableComment,
  writtenColumns,
} from './structure.ts';

/** Further columns of a table, not written by COPY, with their definitions; `of` is the column that one repeats. */
function extraColumnsOf(table: WarehouseTable) {
  const aliasDefinitions = aliasColumns(table).map(({ of, ...each }) => {
    const type = sqlType(each, 'postgres');
    const definition = `${type} GENERATED ALWAYS AS (${quotedName(of.name)}) STORED`;
    return { ...each, type, of: of.name, definition };
  });
  return table.formerKeys ? [...aliasDefinitions, formerKeysColumn] : aliasDefinitions;
}

const formerKeysColumn = {
  name: 'former_keys',
  description: 'Previous keys of a renamed record, latest first; empty if it was never renamed.',
  type: 'text[]',
  of: null,
  definition: 'text[]',
};

/** The changes that a table needs. */
export type TableShape = ReturnType<typeof tableShape>;

type FormerState = { relation: Relation | undefined; former: string[] };

/** Compares a table with the catalogue. Columns that others added stay. */
export function tableShape(
  { schema }: Pick<TargetSchema, 'schema'>,
  table: WarehouseTable,
  { relation, former }: FormerState,
) {
  const name = storageName(table);
  const qualifiedName = nameIn({ schema }, name);
  const beside = extraColumnsOf(table);
  const own = tableColumns(table).map((each) => ({ ...each, definition: each.type }));
  const existingColumns = relation?.columns ?? new Map<string, { type: string }>();
  const isPresent = (each: { name: string }) => existingColumns.has(each.name);
  const formerColumns = former.map((each) => column.text(each, ''));
  const obsoleteColumns = tableColumns({ columns: formerColumns, isHistory: false }).filter(
    (each) => isPresent(each) && !own.some((other) => other.name === each.name),
  );
  const retyped = own.filter((each) => isPresent(each) && existingColumns.get(each.name)!.type !== each.type);
  // A generated column must be dropped before its source column changes type.
  const dependentColumns = beside.filter((each) => isPresent(each) && retyped.some(({ source }) => source === each.of));
  const breaking = [...dependentColumns, ...retyped].map((each) => each.name);
  const columns = new Map<string, string>();
  for (const [each, { type }] of existingColumns) if (!breaking.includes(each)) columns.set(each, type);
  const missing = [...own, ...beside].filter((each) => !columns.has(each.name));
  for (const each of missing) columns.set(each.name, each.type);
  const definitions = missing.map((each) => `${quotedName(each.name)} ${each.definition}`);
  const actions = [
    ...breaking.map((each) => `DROP COLUMN ${quotedName(each)}`),
    ...definitions.map((each) => `ADD COLUMN ${each}`),
  ];
  const clearedNames = obsoleteColumns.map((each) => quotedName(each.name));
  const comment = table.isHistory
    ? `Validity periods of current rows, and former rows. Query the view ${table.name} for complete rows.\n${ownMark}`
    : tableComment(table);
  return {
    name,
    /** Types of its columns by name, in order, after all changes. */
    columns,
    /** Statements that create a missing table, still without its key. */
    creation: relation ? [] : [`CREATE TABLE ${qualifiedName} (${definitions.join(', ')})`],
    /** Statements that briefly lock an existing table against its readers. */
    changes: relation && actions.length > 0 ? [`ALTER TABLE ${qualifiedName} ${actions.join(', ')}`] : [],
    /** Columns that `changes` drop, also those recreated with another type: views over them break. */
    breaking,
    emptied: clearedNames.map((each) => `UPDATE ${qualifiedName} SET ${each} = NULL WHERE ${each} IS NOT NULL`),
    comments: commentSql(
      { name, columns: [...writtenColumns(table), ...beside], comment },
      { schema, present: relation },
    ),
  };
}
