import { column } from '../model/columns.ts';
import type { Mirror } from '../store/mirror.ts';
import { runStatement, type Statement } from '../store/statements/statement.ts';
import { assignments, count, place } from './parameter-kinds.ts';
import { listQuestion, type Page, toldOf } from './question.ts';

/** Most rows of a statement, unless more are asked for. */
export const maxRows = 100_000;

/** The parameter for the most rows of a statement; over HTTP an answer is whole. */
export const rowLimit = {
  ...count(maxRows, 'number of rows at most', { surface: 'cli' }),
  schema: { type: 'integer', minimum: 1, maximum: maxRows, default: maxRows },
  fallback: maxRows,
};

/** What is told beside the rows of a statement. */
export const besideRows = [
  column.text('columns', 'Names of the columns, in their order, with commas between.'),
  column.integer('cut_after', 'Number of rows after which the answer was cut; null if it is whole.'),
];

/** The answer to a statement: its rows, in its own order. */
export function statementPage(mirror: Mirror, statement: Statement, limit: number): Page {
  const { columns, rows, isCut } = runStatement(mirror, statement, limit);
  return {
    items: rows.map((row) => JSON.stringify(row)),
    total: isCut ? null : rows.length,
    nextCursor: null,
    extra: { columns: columns.join(','), cut_after: isCut ? limit : null },
  };
}

/** A number where the text is one, else the text. */
const typed = (text: string) => (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text);

/** One statement over the documented views; it is asked on the command line alone. */
export const sql = listQuestion({
  ...toldOf('sql'),
  parameters: {
    statement: place('the statement'),
    param: assignments('a parameter of the statement and its value: party=rn; --party rn says the same', {
      flag: { helpValue: 'NAME=VALUE' },
    }),
    limit: rowLimit,
  },
  reads: () => [],
  fields: [],
  beside: besideRows,
  read(mirror, { statement, param, limit }) {
    const values = Object.fromEntries(Object.entries(param).map(([name, text]) => [name, typed(text)]));
    return statementPage(mirror, { sql: statement, values }, limit);
  },
});
