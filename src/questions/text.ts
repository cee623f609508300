import { subjectOf } from '../model/ballot-text.ts';
import { column, present } from '../model/columns.ts';
import type { Mirror } from '../store/mirror.ts';
import { listBallots } from '../store/records/ballots.ts';
import { groupingOf, groupingPhrases, textMeant } from './ballot-selection.ts';
import { ballots } from './ballots.ts';
import { naming } from './names.ts';
import { count, cursor, place } from './parameter-kinds.ts';
import { listQuestion, toldOf } from './question.ts';

const columns = ['date', 'ballot', 'result', 'votes_for', 'votes_against', 'votes_abstention', 'subject'];

/** The ballots on one text. */
export const text = listQuestion({
  ...toldOf('text'),
  parameters: {
    text: place('the name of the text, or words of it', { example: 'retraites des gardiens' }),
    limit: count(100, 'number of ballots'),
    cursor,
  },
  reads: () => ['ballot'],
  fields: [
    ...ballots.fields!.filter(({ name }) => !['voted', 'dissenting', 'direction', 'reason'].includes(name)),
    column.text(
      'subject',
      'What of the text was voted on, as the title says it before and behind the name of the text.',
      present,
    ),
  ],
  beside: [
    column.text('text', 'The name of the text, as most of the ballots spell it.', present),
    column.text('grouped_by', 'Fields of the ballots that name it: `dossier`, `title`, or both.', present),
    column.text(
      'also_spelt',
      'Other spellings of its name in these ballots, with semicolons between.',
      present,
    ),
  ],
  columns,
  flat: ballots.flat!,
  notes: (mirror, { text: name }) => groupingPhrases(groupingOf(found(mirror, name))),
  read(mirror, { text: name, limit, cursor }) {
    const meant = found(mirror, name);
    const page = listBallots(mirror, { text: meant.key, voted: [], sort: 'oldest', limit, cursor });
    const items = page.items.map((json) => {
      const ballot = JSON.parse(json);
      return JSON.stringify({ ...ballot, subject: ballot.title && subjectOf(ballot.title) });
    });
    return { ...page, items, extra: groupingOf(meant) };
  },
});

const found = (mirror: Mirror, name: string) => naming('text', () => textMeant(mirror, name));
