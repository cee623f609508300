import { column } from '../../model/columns.ts';
import { literal, quotedName } from '../../store/schema.ts';
import { aliasColumns, commentSql, sqlType } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { type Catalogue, type Relation, readDependentViews } from './catalogue.ts';
import { readGrantStatements } from './grants.ts';
import {
  asOfName,
  columnNames,
  nameIn,
  ownCommentSuffix,
  storageName,
  type TablePair,
  type TargetSchema,
  tableColumns,
  tableComment,
  validToColumn,
  writtenColumns,
} from './structure.ts';

/** Planned SQL: `statements` lock out readers of `views` and `tables`, and break `dependents`; `additions` do not. */
export type PairChanges = Awaited<ReturnType<typeof comparePair>>;

type ComparisonOptions = TargetSchema & {
  catalogue: Catalogue;
  /** Columns that the last export wrote; empty for a new table. */
  formerColumns: (table: WarehouseTable) => string[];
  /** True if an export created the view with this statement and nobody has replaced it. */
  isUnmodifiedView: (viewStatement: string) => boolean;
};

/**
 * Plans the SQL that adapts a table and its history: a table (`storageName`), and a view over both (`history.name`).
 * Execute `statements` and compare again until there are none; then execute `additions`, which repeat some of them.
 * Throws a BadTargetError if a dependent view cannot be restored.
 */
export async function comparePair(pair: TablePair, options: ComparisonOptions) {
  const { schema } = options;
  const { relations } = options.catalogue;
  const { table, history } = pair;
  const existingView = relations.get(history.name);
  const viewName = nameIn(options, history.name);
  const currentChanges = compareTable(options, table);
  const historyChanges = compareTable(options, history);
  const viewStatement = viewSql(options, pair, { currentChanges, historyChanges });
  const changes = [currentChanges, historyChanges];
  const dropsColumns = changes.some(({ droppedColumns }) => droppedColumns.length > 0);
  // CREATE OR REPLACE VIEW can only append columns.
  const mustDropView = existingView && (dropsColumns || !extendsColumns(historyChanges.columns, existingView.columns));
  const mustReplaceView = existingView && (mustDropView || !options.isUnmodifiedView(viewStatement));
  const viewDescription = { name: history.name, columns: [], comment: tableComment(history) };
  const viewColumns = [...writtenColumns(history), ...aliasColumns(history)];
  // Without its comment, the next run would treat the view as foreign.
  const createView = [viewStatement, ...commentSql(viewDescription, { schema, kind: 'VIEW' })];
  const functions = functionsSql(options, pair, { currentChanges, historyChanges });
  const creation = changes.flatMap((each) => each.creation);
  const statements = changes.flatMap(({ alterations }) => alterations);
  const dependents = [];
  if (mustDropView) {
    const except = history.name;
    dependents.push(
      ...(await readDependentViews(options, history.name, { except })),
      ...(await readDependentViews(options, table.name, { columns: currentChanges.droppedColumns, except })),
      ...(await readDependentViews(options, storageName(history), { columns: historyChanges.droppedColumns, except })),
    );
    statements.unshift(`DROP VIEW ${viewName}`);
  }
  if (mustReplaceView) {
    const grants = mustDropView ? await readGrantStatements(options, history.name) : [];
    // The view selects from both tables, so create missing ones first.
    statements.push(...creation, ...createView, ...grants);
  }
  // The functions select the table's columns, so they must change together with it.
  if (statements.length > 0 && relations.has(table.name)) statements.push(...functions);
  return {
    dependents,
    views: existingView && statements.length > 0 ? [history.name] : [],
    tables: changes.filter(({ alterations }) => alterations.length > 0).map(({ name }) => name),
    statements,
    /** Statements that block no reader: new relations, functions, comments, NULL in obsolete columns. */
    additions: [
      ...creation,
      ...changes.flatMap(({ clearings }) => clearings),
      ...(existingView ? [] : createView),
      ...functions,
      ...changes.flatMap(({ comments }) => comments),
      ...commentSql({ ...viewDescription, columns: viewColumns }, { schema, kind: 'VIEW', present: existingView }),
    ],
    /** Tables that `additions` create. */
    created: new Set([table, history].filter((each) => !relations.has(storageName(each)))),
    viewStatement,
  };
}

type BothChanges = { currentChanges: TableChanges; historyChanges: TableChanges };

/** True if the new columns begin with the former ones, as `CREATE OR REPLACE VIEW` requires. */
function extendsColumns(newTypes: ReadonlyMap<string, string>, formerColumns: Relation['columns']): boolean {
  const newColumns = [...newTypes];
  return [...formerColumns].every(([name, { type }], at) => newColumns[at]?.[0] === name && newColumns[at][1] === type);
}

/** SQL of the history view: current values come from the table, former ones from the history table. */
function viewSql(target: TargetSchema, { table, history }: TablePair, changes: BothChanges): string {
  const { currentChanges, historyChanges } = changes;
  const currentColumns = [...historyChanges.columns].map(([name, type]) =>
    currentChanges.columns.get(name) === type ? `stored.${quotedName(name)}` : `version.${quotedName(name)}`,
  );
  const keys = table.key.map((key) => [columnNames(table).get(key)!, columnNames(history).get(key)!]);
  const keysMatch = keys.map(([key, historyKey]) => `stored.${key} = version.${historyKey}`).join(' AND ');
  const historyTable = nameIn(target, storageName(history));
  return `CREATE OR REPLACE VIEW ${nameIn(target, history.name)} AS
    SELECT ${currentColumns.join(', ')} FROM ${historyTable} AS version JOIN ${nameIn(target, table.name)} AS stored ON ${keysMatch}
    WHERE version.${validToColumn(history)} IS NULL
    UNION ALL SELECT ${[...historyChanges.columns.keys()].map(quotedName).join(', ')} FROM ${historyTable}
    WHERE ${validToColumn(history)} IS NOT NULL`;
}

/** SQL that parses the text `$1` as `--as-of`: end of the day in Paris, or of the minute or second (UTC by default). */
const momentSql = [
  ['^\\d{4}-\\d\\d-\\d\\d$', '\\& 23:59:59.999 Europe/Paris'], // a day only
  ['^(.{10}[T ]\\d\\d:\\d\\d)($|[Zz+-])', '\\1:59\\2'], // no seconds
  ['^(.{10}[T ]\\d\\d:\\d\\d:\\d\\d)($|[Zz+-])', '\\1.999\\2'], // no milliseconds
  ['^.{10}[T ][\\d:.]+$', '\\&Z'], // no time zone
].reduce((sql, [from, to]) => `regexp_replace(${sql}, '${from}', '${to}')`, 'trim($1)');

/** Statements for missing or outdated functions `NAME_as_of(moment)`: rows as of a timestamp, or as of a text. */
function functionsSql(target: ComparisonOptions, { table, history }: TablePair, changes: BothChanges) {
  const { currentChanges, historyChanges } = changes;
  const [view, asOf] = [history.name, asOfName(table.name)].map((name) => nameIn(target, name));
  // The history lacks columns that other users added: they are null.
  const columns = [...currentChanges.columns].map(([name, type]) =>
    historyChanges.columns.has(name) ? quotedName(name) : `NULL::${type}`,
  );
  const sources = {
    'timestamp with time zone': `BEGIN
         IF NOT EXISTS (SELECT FROM ${view} WHERE valid_from <= $1) AND EXISTS (SELECT FROM ${view}) THEN
           RAISE 'nothing is known of ${table.name} before %', (SELECT min(valid_from) FROM ${view}) USING ERRCODE = 'data_exception';
         END IF;
         RETURN QUERY SELECT ${columns.join(', ')} FROM ${view} WHERE valid_from <= $1 AND (valid_to IS NULL OR valid_to > $1);
       END`,
    text: `SELECT * FROM ${asOf}((${momentSql})::timestamp with time zone)`,
  };
  const comment = `${table.description} As this mirror saw it at that moment. ${ownCommentSuffix}`;
  return Object.entries(sources).flatMap(([type, source]) => {
    const existingFunction = target.catalogue.functions.get(`${asOfName(table.name)}(${type})`);
    const creation = `CREATE OR REPLACE FUNCTION ${asOf}(moment ${type}) RETURNS SETOF ${nameIn(target, table.name)}
      LANGUAGE ${type === 'text' ? 'sql' : 'plpgsql'} STABLE AS ${literal(source)}`;
    return [
      ...(existingFunction?.source === source ? [] : [creation]),
      ...(existingFunction?.comment === comment ? [] : [`COMMENT ON FUNCTION ${asOf}(${type}) IS ${literal(comment)}`]),
    ];
  });
}

/** The array column that `writeFormerKeys` fills; it is not generated, so it has no source column. */
const formerKeysColumn = {
  name: 'former_keys',
  description: 'Previous keys of a renamed record, latest first; empty if it was never renamed.',
  type: 'text[]',
  source: null,
  definition: 'text[]',
};

type TableChanges = ReturnType<typeof compareTable>;

/** Compares a table with the catalogue; returns the statements that adapt it. Columns that other users added stay. */
function compareTable({ schema, catalogue, formerColumns }: ComparisonOptions, table: WarehouseTable) {
  const name = storageName(table);
  const relation = catalogue.relations.get(name);
  const qualifiedName = nameIn({ schema }, name);
  // Generated columns, which COPY omits; `aliasOf` is the source column.
  const aliasDefinitions = aliasColumns(table).map(({ aliasOf, ...each }) => {
    const type = sqlType(each, 'postgres');
    const definition = `${type} GENERATED ALWAYS AS (${quotedName(aliasOf.name)}) STORED`;
    return { ...each, type, source: aliasOf.name, definition };
  });
  const extraColumns = table.formerKeys ? [...aliasDefinitions, formerKeysColumn] : aliasDefinitions;
  const declaredColumns = tableColumns(table).map((each) => ({ ...each, definition: each.type }));
  const existingColumns = relation?.columns ?? new Map<string, { type: string }>();
  const isPresent = (each: { name: string }) => existingColumns.has(each.name);
  const exportedColumns = formerColumns(table).map((each) => column.text(each, '')); // only their names are compared
  const obsoleteColumns = tableColumns({ columns: exportedColumns, isHistory: false }).filter(
    (each) => isPresent(each) && !declaredColumns.some((other) => other.name === each.name),
  );
  // Earlier versions stored some days as timestamps. Keep them: foreign views may depend on them, and days fit.
  const isLegacyMoment = ({ name, type }: { name: string; type: string }) =>
    type === 'date' && existingColumns.get(name)?.type === 'timestamp with time zone';
  const retypedColumns = declaredColumns.filter(
    (each) => isPresent(each) && existingColumns.get(each.name)!.type !== each.type && !isLegacyMoment(each),
  );
  // A generated column must be dropped before its source column changes type.
  const dependentColumns = extraColumns.filter(
    (each) => isPresent(each) && retypedColumns.some(({ source }) => source === each.source),
  );
  const droppedColumns = [...dependentColumns, ...retypedColumns].map((each) => each.name);
  const columns = new Map<string, string>();
  for (const [each, { type }] of existingColumns) if (!droppedColumns.includes(each)) columns.set(each, type);
  const missingColumns = [...declaredColumns, ...extraColumns].filter((each) => !columns.has(each.name));
  for (const each of missingColumns) columns.set(each.name, each.type);
  const definitions = missingColumns.map((each) => `${quotedName(each.name)} ${each.definition}`);
  const drops = droppedColumns.map((each) => `DROP COLUMN ${quotedName(each)}`);
  const actions = [...drops, ...definitions.map((each) => `ADD COLUMN ${each}`)];
  const clearedNames = obsoleteColumns.map((each) => quotedName(each.name));
  const comment = table.isHistory
    ? `Validity periods of current rows, and former rows. Query the view ${table.name} for complete rows.\n${ownCommentSuffix}`
    : tableComment(table);
  const tableDescription = { name, columns: [...writtenColumns(table), ...extraColumns], comment };
  return {
    name,
    /** Types of its columns by name, in order, after all changes. */
    columns,
    /** Statements that create a missing table, still without its key. */
    creation: relation ? [] : [`CREATE TABLE ${qualifiedName} (${definitions.join(', ')})`],
    /** Statements that briefly lock an existing table against its readers. */
    alterations: relation && actions.length > 0 ? [`ALTER TABLE ${qualifiedName} ${actions.join(', ')}`] : [],
    /** Columns that `alterations` drop, also those recreated with another type: views over them break. */
    droppedColumns,
    /** Statements that set obsolete columns to NULL. */
    clearings: clearedNames.map((each) => `UPDATE ${qualifiedName} SET ${each} = NULL WHERE ${each} IS NOT NULL`),
    comments: commentSql(tableDescription, { schema, present: relation }),
  };
}
