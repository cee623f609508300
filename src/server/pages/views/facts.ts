import { feed } from '../../../questions/feed.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { topicText } from '../codes.ts';
import { feedForms, recordFeed } from '../feed-forms.ts';
import { choicesOf, form } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading, items, line, pager } from '../parts.ts';
import { listView } from '../view.ts';

/** Sourced facts, newest first. */
export const sourcedFacts = listView(feed, {
  name: 'feed',
  path: '/feed',
  section: 'feed',
  forms: feedForms(recordFeed(({ speech }) => speech.say`Facts, newest first`)),
  render(making, answer) {
    const { speech } = making;
    const title = speech.say`Facts, newest first`;
    const topics = making.once('topics', topicNames);
    const filters = form(making, [
      {
        name: 'types',
        label: speech.say`Kind`,
        options: () => [
          ['', speech.say`all kinds`],
          ...choicesOf(feed.parameters.types).map((each) => [each, speech.word(each)] as const),
        ],
      },
      {
        name: 'topic',
        label: speech.say`Topic`,
        options: () => [
          ['', speech.say`all topics`],
          ...topics.map((topic) => [topic, topicText(topic)] as const),
        ],
      },
      { name: 'politician', label: speech.say`Politician`, completes: '/politicians.json' },
      { name: 'party', label: speech.say`Party or group`, completes: '/parties.json' },
    ]);
    const list =
      items(making, answer.items, { level: 2 }) ??
      html`<p class="none">${speech.say`There is nothing so.`}</p>`;
    return {
      title,
      body: html`${heading(title, { lead: making.isStatic && chosen(making) })}${filters}${list}${pager(making, answer)}`,
    };
  },
});

/** By what a list is chosen that has no form to say so. */
function chosen({ given, speech, nameOf }: Making): Html {
  const of = (name: string) => given[name]?.[0];
  const named = (kind: 'politician' | 'party') => nameOf(kind, of(kind) ?? '') ?? of(kind);
  const types = given.types?.map((each) => speech.word(each)).join(', ');
  return line(named('politician'), named('party'), of('topic'), types);
}
