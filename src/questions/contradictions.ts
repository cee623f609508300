import { shellLine } from '../format/sanitise.ts';
import { column } from '../model/columns.ts';
import { contradictionRules, findContradictions } from '../store/records/contradictions.ts';
import { readCoverage } from '../store/records/coverage.ts';
import { createRuleLookup } from '../store/records/subject-records.ts';
import { textIn } from '../words/speech.ts';
import { singleChoice } from './parameter-kinds.ts';
import { completePage, listQuestion } from './question.ts';
import { kindNames } from './record.ts';
import { subjectFilter } from './record-filters.ts';
import { maxRows, rowLimit } from './sql.ts';

const { text, integer } = column;
const ruleNames = contradictionRules.map(({ name }) => name);

/** Contradictions in the data: their number per rule, or with `rule` each one. */
export const contradictions = listQuestion('contradictions', {
  parameters: {
    rule: singleChoice(ruleNames, 'only records that break this rule'),
    subject: subjectFilter,
    limit: rowLimit,
  },
  covers: (mirror) => readCoverage(mirror, kindNames),
  fields: [
    text('rule', 'Name of the rule.', { isNonNull: true }),
    text('sentence', 'Statement that is true if there is no contradiction.'),
    text('sentence_fr', 'The same statement in French.'),
    integer('records', 'Number of contradictions.'),
    text('cause', 'Likely cause: service (its data), or either (its data, or how this program reads or joins them).'),
    text('command', 'Command that lists the records.'),
    text('kind', 'Kind of record.'),
    text('key', 'Key of the record.'),
    text('about', 'Field with two contradictory values.'),
    text('one', 'First value.'),
    text('one_of', 'Origin of the first value.'),
    text('other', 'Second value.'),
    text('other_of', 'Origin of the second value.'),
  ],
  columnsFor: ({ rule }) =>
    rule
      ? ['kind', 'key', 'about', 'one', 'one_of', 'other', 'other_of']
      : ['rule', 'records', 'cause', 'sentence', 'command'],
  read(mirror, { rule, subject, limit = maxRows }) {
    const subjectRuleOf = createRuleLookup(mirror, subject); // undefined for a record outside the subjects
    const allRows = findContradictions(mirror, rule).filter(({ kind, key }) => subjectRuleOf(kind, key) !== undefined);
    if (rule !== undefined) return completePage([...allRows], limit);
    const counts = Map.groupBy(allRows, (each) => each.rule);
    const subjectFlags = subject.flatMap((name) => ['--subject', name]);
    return completePage(
      contradictionRules.map(({ name, sentence, cause }) => ({
        rule: name,
        sentence: textIn(sentence, 'en'),
        sentence_fr: textIn(sentence, 'fr'),
        records: counts.get(name)?.length ?? 0,
        cause,
        command: shellLine(['hemicycle', 'contradictions', '--rule', name, ...subjectFlags]),
      })),
    );
  },
});
