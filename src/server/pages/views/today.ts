import { slugOf, textOf } from '../../../model/document.ts';
import { type KindName, kindNoun, kindOf } from '../../../model/kinds.ts';
import { ballots } from '../../../questions/ballots.ts';
import { feed } from '../../../questions/feed.ts';
import { changeCounts } from '../../../store/history/change-counts.ts';
import { readContents } from '../../../store/records/contents.ts';
import { say } from '../../../words/speech.ts';
import { ageText, onward, section } from '../elements.ts';
import { html } from '../html.ts';
import { items } from '../parts.ts';
import { createPageView } from '../view.ts';
import { ballotList } from './ballots.ts';
import { changeFigures } from './history.ts';

const weekMs = 7 * 86_400_000;

/** Page `/`: last decisions, close votes, divided groups, changes, newest facts, and the age of the data. */
export const todayPage = createPageView(null, {
  path: '/',
  title: say`Politicians, parties, promises and votes`,
  isLong: true,
  hasPreview: true,
  values(page) {
    const ballotItems = (values: Record<string, unknown>) => page.list(ballots, values).items;
    const newest = textOf(ballotItems({ limit: 1 })[0] ?? {}, 'date');
    const since = newest === null ? undefined : `${Number(newest.slice(0, 4)) - 1}${newest.slice(4)}`; // a year before
    const until = page.reading.asOf ?? page.filledAt;
    const newestFacts = page.list(feed, { limit: 100 }).items;
    const byPerson = Map.groupBy(newestFacts, ({ politician }) => slugOf(politician ?? null));
    // At most two facts of one person.
    const facts = newestFacts.filter((each) => byPerson.get(slugOf(each.politician ?? null))!.indexOf(each) < 2);
    return {
      since,
      facts: facts.slice(0, maxListed),
      decisions: ballotItems({ nature: 'whole', limit: maxListed }),
      closestBallots: ballotItems({ since, margin: 10, sort: 'margin', limit: maxListed }),
      splitBallots: ballotItems({ since, dissent: { requestedName: null, share: 0.3 }, limit: 3 }),
      changes: until && changeCounts(page.mirror, { since: new Date(Date.parse(until) - weekMs).toISOString(), until }),
      contents: readContents(page.mirror),
    };
  },
  template(page, { since, facts, decisions, closestBallots, splitBallots, changes, contents }) {
    const { speech, citation, href } = page;
    const age = ageText(page, speech.say`As retrieved on`);
    const description = speech.say`Promises, positions, speeches and votes of politicians and parties, with their sources.`;
    const lead = html`${description} <span class="meta">${speech.say`A local copy of ${citation.name}, a public information service about politicians and parties.`} ${age}</span>`;
    const factItems = items(page, facts);
    const figures = contents.map(({ kind, records }) => {
      const { list } = kindOf(kind as KindName);
      return html`<li><span class="figure">${speech.number(records)}</span> <a href="${href(list.path, list.query)}">${kindNoun(speech, kindOf(kind as KindName), records)}</a></li>`;
    });
    const changesHtml =
      changes &&
      html`${changeFigures(page, changes) ?? html`<p>${speech.say`Nothing changed.`}</p>`}${onward(href('/changes', { since: '7d' }), speech.say`All changes`)}`;
    const decisionList =
      decisions.length > 0 &&
      html`${ballotList(page, decisions)}<p class="meta">${speech.say`The vote on the whole of a text at one reading, as the title or type says; the text may go on to the other chamber.`}</p>${onward(href('/votes', { nature: 'whole' }), speech.say`All votes on a whole text`)}`;
    const listLinks = html`${onward(href('/votes'), speech.say`All votes`)}${onward(href('/subjects'), speech.say`Subjects, with their votes and texts`)}${onward(href('/departments'), speech.say`Who was elected where`)}`;
    const closestTitle = since && speech.say`Closest votes since ${speech.day(since)}`;
    const body = html`<div class="columns">
<div>${section(speech.say`Last votes on a whole text`, decisionList)}${section(speech.say`Divided groups`, ballotList(page, splitBallots))}</div>
<div>${section(closestTitle, ballotList(page, closestBallots))}${listLinks}${section(speech.say`Changes this week`, changesHtml)}${section(speech.say`Newest facts`, factItems && html`${factItems}${onward(href('/feed'), speech.say`All facts`)}`)}</div>
</div>${section(speech.say`Contents of this copy`, html`<ul class="figures">${figures}</ul>`)}`;
    return { lead, body, description };
  },
});

const maxListed = 5;
