import { UsageError } from '../errors.ts';
import { column } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import { parametersIn, runOnFile, runStatement, type StatementRows } from '../store/statements/statement.ts';
import { say } from '../words/speech.ts';
import { assignments, itemLimit, pathParameter, requiredWords } from './parameter-kinds.ts';
import { completePage, listQuestion, type Page } from './question.ts';

/** Default and maximum number of rows of a statement. */
export const maxRows = 100_000;

/** The limit parameter of a statement, only on the command line; HTTP responses have up to `maxRows` rows. */
export const rowLimit = itemLimit(maxRows, 'maximum number of rows', { surface: 'cli', defaultLimit: maxRows });

/** Fields of an answer that describe the rows of a statement. */
export const rowColumns = [
  column.text('columns', 'Column names in order, comma-separated.'),
  column.integer('cut_after', 'Number of rows after which the result was truncated; null if it is complete.'),
];

/** Returns the page of a statement's rows, with their column names and where they were truncated. */
export function rowsPage({ columns, rows, isCut }: StatementRows): Page {
  const extra = { columns: columns.join(','), cut_after: isCut ? rows.length : null };
  return { ...completePage(rows), total: isCut ? null : rows.length, extra };
}

/** Splits the `columns` of an answer; its first row tells which commas belong to a name, as in `max(a, b)`. */
export function splitColumns(columns: string, row: Document | undefined): string[] {
  const positionOf = (name: string) => `,${columns},`.indexOf(`,${name},`);
  return row ? Object.keys(row).sort((one, other) => positionOf(one) - positionOf(other)) : columns.split(',');
}

/** Parses a number of at most 15 digits, which is exact; returns other text, such as a code with a leading zero. */
const parseValue = (text: string) => (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text);

/** One statement over the documented views; only available on the command line. */
export const sql = listQuestion('sql', {
  parameters: {
    statement: pathParameter('the statement'),
    param: assignments('a parameter of the statement and its value, such as party=rn (same as --party rn)', {
      flag: { helpValue: 'NAME=VALUE' },
    }),
    limit: rowLimit,
  },
  fields: [],
  answerFields: rowColumns,
  read(mirror, { statement, param, limit }) {
    const values = Object.fromEntries(Object.entries(param).map(([name, text]) => [name, parseValue(text)]));
    return rowsPage(runStatement(mirror, { sql: statement, values }, limit));
  },
});

/** One statement over the exported file that `serve --sql` names; only its page runs it. */
export const sqlOfFile = listQuestion('sql', {
  name: 'sql-of-file',
  parameters: {
    sql: { ...requiredWords('one SELECT on the tables of the file'), isRequired: false },
    with: assignments('a parameter of the statement and its value', { takesRemaining: true }),
  },
  fields: [],
  answerFields: [...rowColumns, column.json('source', 'Source to cite, and its licence.')],
  read(_mirror, { sql, with: parameterValues }, { sqlFile, asOf }) {
    if (asOf !== null)
      throw new UsageError(say`the exported file is for a single date`).withFault('as_of', say`is not accepted here`);
    const parameterEntries = parametersIn(sql).flatMap((name) => {
      // Query parameters of the page's own URL have the prefix `?`.
      const text = parameterValues[name] ?? parameterValues[`?${name}`];
      return text === undefined ? [] : [[name, parseValue(text)]];
    });
    const result = runOnFile(sqlFile!, { sql, values: Object.fromEntries(parameterEntries) }, maxRows);
    const page = rowsPage(result);
    return { ...page, extra: { ...page.extra, source: result.about } };
  },
});
