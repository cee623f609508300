import { column, nonNull } from '../model/columns.ts';
import { hasColumn, kindOf, kinds } from '../model/kinds.ts';
import { readCoverage } from '../store/records/coverage.ts';
import { listTopics } from '../store/records/topics.ts';
import { completePage, listQuestion } from './question.ts';
import { kindNames } from './record.ts';
import { rowLimit } from './sql.ts';

const { text, integer, json } = column;

const kindsWithTopic = kindNames.filter((name) => hasColumn(kindOf(name), 'topic'));

/** Every topic. */
export const topics = listQuestion('topics', {
  parameters: { limit: rowLimit },
  covers: (mirror) => readCoverage(mirror, kindsWithTopic),
  fields: [
    text('topic', 'The topic, as the service spells it and every filter takes it.', nonNull),
    integer('records', 'Number of records of all kinds that are filed under it.', nonNull),
    json('kinds', 'The same for each kind of record that has any.', {
      ...nonNull,
      inside: { fields: kinds.map(({ name, plural }) => integer(name, `Number of ${plural}.`)).reverse() },
    }),
  ],
  columns: ['topic', 'records', ...kindsWithTopic],
  allColumns: ['topic', 'records', ...kindNames],
  toRow: ({ kinds, ...topic }) => ({ ...topic, ...(kinds as object) }),
  read: (mirror, { limit }) => completePage(listTopics(mirror), limit),
});
