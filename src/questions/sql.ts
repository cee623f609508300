import { column } from '../model/columns.ts';
import type { Mirror } from '../store/mirror.ts';
import { runStatement, type Statement } from '../store/statements/statement.ts';
import { assignments, count, place } from './parameter-kinds.ts';
import { listQuestion, type Page } from './question.ts';

/** Most rows of a statement, unless more are asked for. */
const mostRows = 100_000;

/** The parameter for the most rows of a statement. */
export const rowLimit = {
  ...count(mostRows, 'most rows of the answer'),
  schema: { type: 'integer', minimum: 1, maximum: mostRows, default: mostRows },
  fallback: mostRows,
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
  name: 'sql',
  operationId: 'runSql',
  summary: 'one SELECT over the documented views of the mirror, read only',
  description:
    'Views hold what this mirror holds now, or did at --as-of; nothing else can be read, and nothing written. A statement is ended after 5 seconds, 100,000 rows or 256 MB. A parameter such as :party takes its value from --party or --param; digits alone are a number.',
  path: '/sql',
  isInterface: false,
  isLong: true,
  runsStatement: true,
  examples: [
    { description: 'The views and what their columns mean', command: 'sql --schema' },
    {
      description: 'Members by group',
      command: 'sql "SELECT \\"group\\", count(*) AS members FROM politicians GROUP BY 1 ORDER BY 2 DESC"',
    },
    {
      description: 'With a parameter, as CSV',
      command:
        'sql "SELECT title, date FROM promises WHERE politician = :who" --who oceane-bruyevre --format csv',
    },
  ],
  parameters: {
    statement: place('the statement'),
    param: assignments('a parameter of the statement and its value: party=rn; --party rn says the same', {
      flag: { helpValue: 'NAME=VALUE' },
    }),
    limit: rowLimit,
  },
  reads: () => [],
  schema: 'StatementRow',
  fields: [],
  beside: besideRows,
  columns: [],
  read(mirror, { statement, param, limit }) {
    const values = Object.fromEntries(Object.entries(param).map(([name, text]) => [name, typed(text)]));
    return statementPage(mirror, { sql: statement, values }, limit);
  },
});
