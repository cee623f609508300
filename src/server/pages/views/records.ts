import { type KindName, kindOf } from '../../../model/kinds.ts';
import { records } from '../../../questions/record.ts';
import { feedForms, recordFeed } from '../feed-forms.ts';
import { html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading, items, pager } from '../parts.ts';
import { listView } from '../view.ts';

const kindShown = ({ values }: Making) => kindOf(values.kind as KindName);

function titleOf(making: Making): string {
  const plural = making.speech.word(kindShown(making).plural);
  return `${plural[0]!.toUpperCase()}${plural.slice(1)}`;
}

/** The records of one kind, newest first: the list of every kind that has none of its own. */
export const recordsPage = listView(records, {
  name: 'records',
  path: '/records/{kind}',
  example: { kind: 'speech' },
  forms: feedForms(recordFeed(titleOf, (making) => kindShown(making).name)),
  render(making, answer) {
    const title = titleOf(making);
    const list = items(making, answer.items, { kind: kindShown(making).name, level: 2 });
    const none = html`<p class="none">${making.speech.say`There is nothing so.`}</p>`;
    return { title, body: html`${heading(title)}${list ?? none}${pager(making, answer)}` };
  },
});
