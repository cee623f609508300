import { outcomeSentence } from '../../../model/ballot-sentence.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { type KindName, kindOf } from '../../../model/kinds.ts';
import { ballots } from '../../../questions/ballots.ts';
import { changes } from '../../../questions/changes.ts';
import { feed } from '../../../questions/feed.ts';
import { contents } from '../../../store/records/contents.ts';
import { indexedKinds } from '../../../store/word-index/search-index.ts';
import { say } from '../../../words/speech.ts';
import { type Html, html } from '../html.ts';
import type { Rendering } from '../page-context.ts';
import { day, items, line, moment, onward, section, shorten } from '../parts.ts';
import { plainView } from '../view.ts';
import { changeItem } from './history.ts';

/** Kinds whose changes are news: indexed ones, so neither sources nor the moderation log. */
const newsKinds = [...indexedKinds].map(({ name }) => name);

/** Home page: newest facts, votes and changes, and the age of the data. */
export const today = plainView({
  name: 'today',
  path: '/',
  title: say`Politicians, parties, promises and votes`,
  section: 'today',
  inSite: [],
  isLong: true,
  values: (page) => ({
    facts: page.list(feed, { limit: 10 }).items,
    held: page.list(ballots, { limit: 6 }).items,
    changed: page.filledAt === null ? null : page.list(changes, { kind: newsKinds, limit: 6 }).items,
    counts: page.once('contents', contents),
  }),
  template(page, { facts, held, changed, counts }) {
    const { speech, citation, filledAt, href } = page;
    const age =
      filledAt === null
        ? speech.say`This copy has never been filled.`
        : html`${speech.say`As retrieved on`} ${moment(speech, filledAt)}.`;
    const lead = html`${speech.say`A local copy of ${citation.name}, a public information service about politicians and parties.`} ${age}`;
    const newest = items(page, facts);
    const figures = counts.map(({ kind, records }) => {
      const { plural } = kindOf(kind as KindName);
      const { path, query } = kindOf(kind as KindName).list;
      return html`<li><span class="figure">${speech.number(records)}</span> <a href="${href(path, query)}">${speech.word(plural)}</a></li>`;
    });
    const body = html`<div class="columns">
<div>${section(speech.say`Newest facts`, newest && html`${newest}${onward(href('/feed'), speech.say`All facts`)}`)}</div>
<div>${section(speech.say`Newest votes`, ballotList(page, held))}${section(speech.say`Changed last`, changeList(page, changed))}</div>
</div>${section(speech.say`What this copy holds`, html`<ul class="figures">${figures}</ul>`)}`;
    const description = speech.say`Promises, positions, speeches and votes of politicians and parties, with their sources.`;
    return { lead, body, description };
  },
});

function ballotList({ speech, href, recordHref }: Rendering, found: readonly Document[]): Html | null {
  if (found.length === 0) return null;
  const list = found.map((ballot) => {
    const key = `${ballot.chamber}:${ballot.scrutin_id}`;
    return html`<li><a href="${recordHref('ballot', key)}" lang="fr">${shorten(textOf(ballot, 'title') ?? key, 140)}</a><p class="meta">${line(day(speech, textOf(ballot, 'date')), html`<span class="result">${speech.tell(outcomeSentence(ballot))}</span>`)}</p></li>\n`;
  });
  return html`<ul class="brief">${list}</ul>${onward(href('/votes'), speech.say`All votes`)}`;
}

/** Changes of the last sync or import. */
function changeList(page: Rendering, found: readonly Document[] | null): Html | null {
  if (found === null) return null;
  const { speech, href } = page;
  if (found.length === 0) return html`<p>${speech.say`The last look found nothing new.`}</p>`;
  return html`<ul class="brief">${found.map((change) => changeItem(page, change, { isBrief: true }))}</ul>${onward(href('/changes'), speech.say`All changes`)}`;
}
