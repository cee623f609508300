import { column } from '../model/columns.ts';
import { contradictionRules, countContradictions, findContradictions } from '../store/records/contradictions.ts';
import { textIn } from '../words/speech.ts';
import { choice } from './parameter-kinds.ts';
import { completePage, descriptionOf, listQuestion } from './question.ts';
import { maxRows, rowLimit } from './sql.ts';

const { text, integer } = column;

/** Figures of the data that contradict each other. */
export const contradictions = listQuestion({
  ...descriptionOf('contradictions'),
  parameters: {
    rule: choice(
      contradictionRules.map(({ name }) => name),
      'only what breaks this rule, record by record',
      { fallback: undefined },
    ),
    limit: rowLimit,
  },
  reads: () => [],
  fields: [
    text('rule', 'Name of the rule.', { isNonNull: true }),
    text('sentence', 'What holds where nothing contradicts.'),
    text('sentence_fr', 'The same in French.'),
    integer('records', 'Number of contradictions.'),
    text('cause', 'Likelier cause: service for its data, either where reading or joining may have erred.'),
    text('command', 'What lists them.'),
    text('kind', 'Kind of the record.'),
    text('key', 'Key of the record.'),
    text('about', 'The field that is said twice.'),
    text('one', 'What is said of it.'),
    text('one_of', 'Who says so.'),
    text('other', 'What is said of it elsewhere.'),
    text('other_of', 'Who says that.'),
  ],
  columnsFor: ({ rule }) =>
    rule
      ? ['kind', 'key', 'about', 'one', 'one_of', 'other', 'other_of']
      : ['rule', 'records', 'cause', 'sentence', 'command'],
  read(mirror, { rule, limit = maxRows }) {
    if (rule !== undefined) return completePage([...findContradictions(mirror, rule)], limit);
    const counts = countContradictions(mirror);
    return completePage(
      contradictionRules.map(({ name, sentence, cause }) => ({
        rule: name,
        sentence: textIn(sentence, 'en'),
        sentence_fr: textIn(sentence, 'fr'),
        records: counts.get(name),
        cause,
        command: `hemicycle contradictions --rule ${name}`,
      })),
    );
  },
});
