import type { Chamber } from '../model/ballot.ts';
import { column, nonNull, present } from '../model/columns.ts';
import { hasColumn, type KindName, kindCount, kindNoun, kindOf, kinds } from '../model/kinds.ts';
import { clauses, type Phrase, type Speech, saying } from '../words/speech.ts';

/** What a mirror contains of one kind, of ballots by chamber; `first` and `last` are days, null if none is stated. */
export type Coverage = {
  kind: KindName;
  chamber: Chamber | null;
  first: string | null;
  last: string | null;
  records: number;
  /** How many ballots there are at least, by the highest numbers of legislatures and sessions; absent if no more. */
  numbered?: number | undefined;
  /** Ballots whose counts are not published; absent for none. */
  without_counts?: number;
  /** Source of the days: affiliations, or changes that this mirror saw; absent for dates of the records themselves. */
  days?: 'affiliation' | 'seen';
  /** Fields of the filters that no record of the kind states; absent for none. */
  unstated?: string[];
};

/** The column with what the mirror holds of the kinds that a question reads. */
export const coverageColumn = column.json(
  'coverage',
  'What the mirror holds of what was asked, a row for each kind and for each chamber of ballots; absent from answers that have items, no figures and no time bound.',
  {
    inside: {
      list: [
        column.text('kind', 'Kind of record.', { ...nonNull, words: kinds.map(({ name }) => name) }),
        column.text('chamber', 'Chamber of the ballots; null for other kinds.', { ...present, words: ['AN', 'Senat'] }),
        column.date('first', 'First day, ISO 8601; null where no record states one.', present),
        column.date('last', 'Last day, ISO 8601; null where no record states one.', present),
        column.integer('records', 'Number of records that the mirror holds, without any filter.', nonNull),
        column.integer(
          'numbered',
          'Ballots that exist at least, by the highest number of each session; absent if no more.',
        ),
        column.integer('without_counts', 'Ballots whose counts are not published; absent for none.'),
        column.text('days', 'What the days are of, if not of the records: affiliation, or seen by this mirror.', {
          words: ['affiliation', 'seen'],
        }),
        column.json('unstated', 'Fields of the filters that no record of the kind states; absent for none.', {
          inside: { list: 'ids' },
        }),
      ],
    },
  },
);

/** What a mirror covers, in one sentence without a full stop; null for an empty list. */
export function coveragePhrase(coverage: readonly Coverage[]): Phrase | null {
  if (coverage.length === 0) return null;
  return saying((speech) => {
    const changeRows = coverage.filter(({ days }) => days === 'seen');
    const unstatedRows = coverage.filter(({ unstated }) => unstated);
    const unstatedKinds = Map.groupBy(unstatedRows, ({ kind }) => kind);
    const unstatedTexts = [...unstatedKinds].flatMap(([kind, rows]) => {
      const total = rows.reduce((sum, { records }) => sum + records, 0);
      const countText = kindCount(speech, kindOf(kind), total);
      return rows[0]!.unstated!.map((field) => speech.say`none of the ${countText} states a ${speech.word(field)}`);
    });
    const datedRows = coverage.filter((row) => row.days !== 'seen' && !unstatedKinds.has(row.kind));
    const rowTexts = datedRows.map((row) => rowText(speech, row));
    const sentences = [
      ...unstatedTexts,
      ...(changeRows.length > 0 ? [changesText(speech, changeRows)] : []),
      ...(rowTexts.length > 0 ? [speech.say`in this mirror ${clauses(rowTexts)}`] : []),
    ];
    return speech.render(clauses(sentences));
  });
}

function changesText(speech: Speech, rows: readonly Coverage[]): string {
  const days = rows.flatMap(({ first, last }) => (first && last ? [first, last] : [])).sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return speech.say`this mirror has seen nothing of it yet`;
  return speech.say`this mirror has seen changes since ${speech.day(first)}, the last time on ${speech.day(last)}`;
}

function rowText(speech: Speech, row: Coverage): string {
  const { first, last, records } = row;
  const kind = kindOf(row.kind);
  const countText = ofChamber(speech, kindCount(speech, kind, records), row.chamber);
  if (first === null || last === null)
    return records > 0 && hasColumn(kind, 'date') ? speech.say`${countText} without a day` : countText;
  if (row.days === 'affiliation')
    return speech.say`affiliations of ${countText} run from ${speech.day(first)} to ${speech.day(last)}`;
  const subject = ofChamber(speech, kindNoun(speech, kind, 2), row.chamber);
  const { numbered, without_counts: withoutCounts } = row;
  const count = speech.number(records);
  const share =
    numbered === undefined ? count : speech.say`${count} of at least ${speech.number(numbered)}, by their numbers`;
  const figures =
    withoutCounts === undefined ? share : speech.say`${share}, ${speech.number(withoutCounts)} of them without counts`;
  if (first === last) return speech.say`${subject} are of ${speech.day(first)} (${figures})`;
  return speech.say`${subject} run from ${speech.day(first)} to ${speech.day(last)} (${figures})`;
}

function ofChamber(speech: Speech, text: string, chamber: Chamber | null): string {
  if (chamber === null) return text;
  return chamber === 'AN' ? speech.say`${text} of the Assemblée nationale` : speech.say`${text} of the Sénat`;
}
