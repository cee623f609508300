import { column, nonNull, present } from '../model/columns.ts';
import { quotableKinds, searchQuotation } from '../store/records/quotation-search.ts';
import { say } from '../words/speech.ts';
import { itemLimit, requiredWords } from './parameter-kinds.ts';
import { completePage, descriptionOf, listQuestion } from './question.ts';

const { text, number, integer, date, json } = column;

const fields = [
  integer('line', 'Line number in the checked text, from 1.', nonNull),
  text('quoted', 'The quotation as given in the request.', nonNull),
  text(
    'result',
    'exact: same words. near: some words differ. not-found: no text in the mirror contains it, which does not ' +
      'prove that it was not said.',
    {
      ...nonNull,
      words: ['exact', 'near', 'not-found'],
    },
  ),
  number('agreement', "Share of the quotation's words that agree, 0 to 1.", present),
  text('type', 'Kind of the record that contains the quotation.', {
    ...present,
    words: quotableKinds.map(({ name }) => name),
  }),
  text('id', 'Id of the record.', present),
  text('politician', 'Slug of the politician whom the record quotes.', present),
  text('politician_name', 'Name of the politician.', present),
  date('date', 'Date of the record (ISO 8601).', present),
  text('title', 'Title of the record.', present),
  text('said', 'The matching passage of the record.', present),
  json('differences', 'Words that differ.', {
    ...present,
    inside: {
      list: [
        text('quoted', 'Words of the quotation; empty if only the record has words here.', nonNull),
        text('said', 'Words of the record; empty if only the quotation has words here.', nonNull),
      ],
    },
  }),
  integer('copies', 'Number of other records with the same passage, person and date.', present),
  text('url', 'URL of the record or of its source.', present),
];

const names = fields.map(({ name }) => name);

/** Whether quotations occur in the records. */
export const check = listQuestion({
  ...descriptionOf('check'),
  parameters: {
    q: requiredWords('a quotation, or several, one per line', { example: 'On greffe en mars' }),
    limit: itemLimit(100, 'maximum number of records per quotation'),
  },
  reads: () => quotableKinds.map(({ name }) => name),
  fields,
  allColumns: names,
  isFigure: true,
  notes: () => [say`a quotation that is not found may still be genuine`],
  read(mirror, { q, limit }) {
    const emptyRow = Object.fromEntries(names.map((name) => [name, null]));
    const items = q.split('\n').flatMap((text, at) => {
      const quotation = { line: at + 1, quoted: text.trim() };
      if (quotation.quoted === '') return [];
      const matches = searchQuotation(mirror, quotation.quoted).slice(0, limit);
      if (matches.length === 0) return [{ ...emptyRow, ...quotation, result: 'not-found' }];
      return matches.map((each) => ({ ...quotation, ...each }));
    });
    return completePage(items);
  },
});
