import { chamberOf } from '../model/ballot.ts';
import { column } from '../model/columns.ts';
import { coverageColumn } from '../parliament/coverage.ts';
import { readCoverage } from '../store/records/coverage.ts';
import { runStatement } from '../store/statements/statement.ts';
import { textIn } from '../words/speech.ts';
import { assignments, pathParameter } from './parameter-kinds.ts';
import { completePage, listQuestion } from './question.ts';
import { createStatement, findFault, findSavedQuestion, readSavedQuestions, withLocation } from './saved-questions.ts';
import { maxRows, rowColumns, rowLimit, rowsPage } from './sql.ts';

const { text, json } = column;

/** The saved questions, by name. */
export const savedList = listQuestion('asks', {
  parameters: {},
  fields: [
    text('name', 'What it is asked by.'),
    text('title', 'Title of the question, in English.'),
    text('title_fr', 'The same statement in French.'),
    json('parameters', 'Parameters of the question: name, type, default and meaning.', {
      inside: {
        list: [
          text('name', 'What it is called.'),
          text('type', 'Type of its value.'),
          text('default', 'Value used if none is given.'),
        ],
      },
    }),
    text('fault', 'Error in the question’s file; null if none.'),
  ],
  toRow: ({ parameters, ...item }) => ({
    ...item,
    parameters: (parameters as { name: string; default: string }[]).map((each) => `${each.name}=${each.default}`),
  }),
  read(mirror, _values, { questions: folder = null }) {
    const { questions, faults } = readSavedQuestions(folder);
    const rows = [...questions.values()].map((savedQuestion) => ({
      name: savedQuestion.name,
      title: textIn(savedQuestion.title, 'en'),
      title_fr: textIn(savedQuestion.title, 'fr'),
      parameters: savedQuestion.parameters.map(({ fallback, ...each }) => ({ ...each, default: fallback })),
      fault: findFault(mirror, savedQuestion),
    }));
    const emptyFields = { title: null, title_fr: null, parameters: [] };
    const faultyRows = [...faults].map(([name, fault]) => ({ name, ...emptyFields, fault: `${fault}` }));
    return completePage([...rows, ...faultyRows]);
  },
});

/** The answer to a saved question. */
export const savedAnswer = listQuestion('ask', {
  parameters: {
    name: pathParameter('name of a saved question', { example: 'members-by-group' }),
    with: assignments('a parameter of the question and its value, such as year=2025', {
      flag: { helpValue: 'NAME=VALUE' },
      takesRemaining: true,
    }),
    limit: rowLimit,
  },
  fields: [],
  answerFields: [text('title', 'Title of the question.'), ...rowColumns, coverageColumn],
  read(mirror, { name, with: parameterValues, limit = maxRows }, { questions: folder = null }) {
    const savedQuestion = findSavedQuestion(readSavedQuestions(folder), name);
    const statement = createStatement(savedQuestion, parameterValues);
    const page = withLocation(savedQuestion, () => rowsPage(runStatement(mirror, statement, limit)));
    const { covers } = savedQuestion;
    const chamber = chamberOf(statement.values.chamber) ?? undefined;
    return {
      ...page,
      ...(covers !== null && { coverage: readCoverage(mirror, [covers], chamber) }),
      extra: { title: textIn(savedQuestion.title, 'en'), ...page.extra },
    };
  },
});
