import { column } from '../model/columns.ts';
import { hasColumn, kindOf, kinds } from '../model/kinds.ts';
import { listTopics } from '../store/records/topics.ts';
import { listQuestion } from './question.ts';
import { kindNames } from './record.ts';

const { text, integer, json } = column;

const fields = [
  text('topic', 'The topic, as the service spells it and every filter takes it.', { isStated: true }),
  integer('records', 'Number of records of all kinds that are filed under it.', { isStated: true }),
  json('kinds', 'The same for each kind of record that has any.', {
    isStated: true,
    inside: {
      fields: kinds.map(({ name, plural }) => integer(name, `Number of ${plural}.`)).reverse(),
    },
  }),
];

/** Every topic, so that nobody has to guess. */
export const topics = listQuestion({
  name: 'topics',
  operationId: 'listTopics',
  summary: 'every topic with its number of records for each kind, the most used first',
  path: '/topics',
  isInterface: false,
  examples: [
    { description: 'Every topic', command: 'topics' },
    {
      description: 'What a filter takes, one a line',
      command: 'topics --columns topic --no-header --format csv',
    },
  ],
  parameters: {},
  reads: () => [],
  schema: 'Topic',
  fields,
  columns: ['topic', 'records', ...kindNames.filter((name) => hasColumn(kindOf(name), 'topic'))],
  allColumns: ['topic', 'records', ...kindNames],
  flat: ({ kinds, ...topic }) => ({ ...topic, ...(kinds as object) }),
  read(mirror) {
    const found = listTopics(mirror);
    return { items: found.map((topic) => JSON.stringify(topic)), total: found.length, nextCursor: null };
  },
});
