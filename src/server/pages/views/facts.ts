import { topicText } from '../../../language/topic-text.ts';
import { isDocument, textOf } from '../../../model/document.ts';
import { type KindName, kindCount, kindOf } from '../../../model/kinds.ts';
import { ballots } from '../../../questions/ballots.ts';
import { feed } from '../../../questions/feed.ts';
import { topics } from '../../../questions/topics.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { say } from '../../../words/speech.ts';
import { recordFeed } from '../alternate-forms.ts';
import { capitalise, inFrench, line, none, onward, section } from '../elements.ts';
import { choicesOf, filterForm, kindField, partyField, politicianField, topicField } from '../filter-form.ts';
import { html } from '../html.ts';
import { coverageNote, items, listContent, topicHref } from '../parts.ts';
import { listView } from '../view.ts';
import { ballotList } from './ballots.ts';

/** Sourced facts, newest first. */
export const feedPage = listView(feed, {
  name: 'feed',
  path: '/feed',
  title: say`Facts, newest first`,
  section: 'feed',
  feed: recordFeed(),
  siteEndings: ['atom'],
  values: ({ once }, answer) => ({ answer, topics: once('topics', topicNames) }),
  template(page, { answer, topics }) {
    const { speech, queryParameters } = page;
    const [filterValue] = queryParameters.topic ?? queryParameters.types ?? [];
    return listContent(page, answer, {
      // A static list shows its filter as text, since it has no form.
      lead: page.isStatic && filterValue !== undefined && speech.word(filterValue),
      filters: filterForm(page, [
        kindField('types', choicesOf(feed.parameters.types)),
        topicField(topics),
        politicianField,
        partyField,
      ]),
      list: items(page, answer.items, { level: 2 }),
      empty: speech.say`No results.`,
    });
  },
});

/** Topics with their number of records. */
export const topicsPage = listView(topics, {
  name: 'topics',
  path: '/topics',
  title: say`Topics`,
  section: 'topics',
  siteEndings: ['json', 'csv'],
  template(page, answer) {
    const { speech } = page;
    const { items } = answer;
    const most = Math.max(1, ...items.map(({ records }) => Number(records)));
    const list = items.map((each) => {
      const topic = textOf(each, 'topic') ?? '';
      const kinds = Object.entries(isDocument(each.kinds) ? each.kinds : {});
      const of = kinds.map(([kind, count]) => kindCount(speech, kindOf(kind as KindName), Number(count)));
      const share = Math.max(1, Math.round((Number(each.records) / most) * 100));
      return html`<li><a href="${topicHref(page, topic)}" lang="fr">${topicText(topic)}</a><svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar" width="${share}" height="4"/></svg><span class="meta">${line(...of)}</span></li>\n`;
    });
    const shown = list.length > 0 ? html`<ul class="topics">${list}</ul>` : none(speech.say`No record has a topic.`);
    const lead = html`${speech.say`Topics as the service states them.`} <a class="next" href="${page.href('/subjects')}">${speech.say`Subjects, with their votes and texts`}</a>`;
    return { lead, body: html`${shown}${coverageNote(page, answer)}` };
  },
});

/** One topic: its records, newest first, and its ballots. */
export const topicPage = listView(feed, {
  name: 'topic',
  path: '/topics/{topic}',
  section: 'topics',
  parameters: {
    ...feed.parameters,
    topic: { ...feed.parameters.topic, isPlace: true, isRequired: true },
  },
  example: { topic: 'retraites' },
  feed: {
    ...recordFeed(),
    title: ({ speech, values }) => speech.say`Facts: ${topicText(String(values.topic))}`,
  },
  values: (page, answer) => ({
    answer,
    topicBallots: page.queryParameters.cursor ? [] : page.list(ballots, { topic: page.values.topic, limit: 5 }).items,
  }),
  template(page, { answer, topicBallots: voted }) {
    const { speech, values, href } = page;
    const topic = String(values.topic);
    const name = capitalise(topicText(topic));
    const votes = section(
      speech.say`Votes`,
      voted.length > 0 && html`${ballotList(page, voted)}${onward(href('/votes', { topic }), speech.say`All votes`)}`,
    );
    return listContent(page, answer, {
      ...{ title: name, heading: inFrench(name) },
      kicker: html`<a href="${href('/topics')}">${speech.say`Topics`}</a>`,
      filters: html`${filterForm(page, [kindField('types', choicesOf(feed.parameters.types)), politicianField, partyField])}${votes}`,
      list: items(page, answer.items, { level: 2 }),
      empty: speech.say`No results.`,
    });
  },
});
