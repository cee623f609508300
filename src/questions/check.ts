import { column, nonNull, present } from '../model/columns.ts';
import { kindCount } from '../model/kinds.ts';
import { quotableKinds, searchQuotation } from '../store/records/quotation-search.ts';
import { countRows } from '../store/rows.ts';
import { type Speech, say, saying } from '../words/speech.ts';
import { count, query } from './parameter-kinds.ts';
import { completePage, descriptionOf, listQuestion } from './question.ts';

const { text, number, integer, date, json } = column;

const fields = [
  integer('line', 'Line of the text that was checked, from 1.', nonNull),
  text('quoted', 'The quotation as it was asked for.', nonNull),
  text('result', 'exact for the same words, near where some differ, not-found where no text held says it.', {
    ...nonNull,
    words: ['exact', 'near', 'not-found'],
  }),
  number('agreement', "Share of the quotation's words that agree, 0 to 1.", present),
  text('type', 'Kind of the record that says it.', {
    ...present,
    words: quotableKinds.map(({ name }) => name),
  }),
  text('id', 'Id of the record.', present),
  text('politician', 'Slug of the politician who said it.', present),
  text('politician_name', 'Name of the politician.', present),
  date('date', 'Day of the record, ISO 8601.', present),
  text('title', 'Title of the record.', present),
  text('said', 'The passage as the record words it.', present),
  json('differences', 'Words that differ.', {
    ...present,
    inside: {
      list: [
        text('quoted', 'Words of the quotation; empty where the record has more.', nonNull),
        text('said', 'Words of the record; empty where the quotation has more.', nonNull),
      ],
    },
  }),
  integer('copies', 'Other records of the same person and day with the same passage.', present),
  text('url', 'Web address of the record or of its source.', present),
];

const names = fields.map(({ name }) => name);

/** Whether quotations occur in the records. */
export const check = listQuestion({
  ...descriptionOf('check'),
  parameters: {
    q: query('a quotation, or several, one a line', { example: 'On greffe en mars' }),
    limit: count(100, 'number of records for each quotation'),
  },
  reads: () => quotableKinds.map(({ name }) => name),
  fields,
  allColumns: names,
  notes(mirror) {
    const counts = (speech: Speech) =>
      speech.list(quotableKinds.map((kind) => kindCount(speech, kind, countRows(mirror, kind))));
    return [say`looked in ${saying(counts)}; what is not found may have been said all the same`];
  },
  read(mirror, { q, limit }) {
    const none = Object.fromEntries(names.map((name) => [name, null]));
    const items = q.split('\n').flatMap((text, at) => {
      const quotation = { line: at + 1, quoted: text.trim() };
      if (quotation.quoted === '') return [];
      const matches = searchQuotation(mirror, quotation.quoted).slice(0, limit);
      if (matches.length === 0) return [{ ...none, ...quotation, result: 'not-found' }];
      return matches.map((each) => ({ ...quotation, ...each }));
    });
    return completePage(items);
  },
});
