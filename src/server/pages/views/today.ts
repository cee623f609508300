import { historyPath, listAddress } from '../../../model/addresses.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { type KindName, kindOf } from '../../../model/kinds.ts';
import { ballots } from '../../../questions/ballots.ts';
import { changes } from '../../../questions/changes.ts';
import { feed } from '../../../questions/feed.ts';
import { contents } from '../../../store/records/contents.ts';
import { indexedKinds } from '../../../store/word-index/search-index.ts';
import { type Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { day, heading, items, line, moment, personLink, section, shorten } from '../parts.ts';
import { plainView } from '../view.ts';

/** The kinds whose changes are news: those with words of their own; sources and the log of moderation follow from these. */
const newsKinds = [...indexedKinds].map(({ name }) => name);

/** The front: what changed last, the newest facts and ballots, and how old all of it is. */
export const today = plainView({
  name: 'today',
  path: '/',
  section: 'today',
  isLong: true,
  render(making) {
    const { speech, citation, filledAt, href } = making;
    const age =
      filledAt === null
        ? speech.say`This copy has never been filled.`
        : html`${speech.say`As retrieved on`} ${moment(speech, filledAt)}.`;
    const title = speech.say`Politicians, parties, promises and votes`;
    const lead = html`${speech.say`A local copy of ${citation.name}, a public information service about politicians and parties.`} ${age}`;
    const newest = making.list(feed, { limit: 10 });
    const held = making.list(ballots, { limit: 6 });
    const body = html`${heading(title, { lead })}<div class="columns">
<div>${section(speech.say`Newest facts`, items(making, newest.items) && html`${items(making, newest.items)}<p><a class="next" href="${href('/feed')}">${speech.say`All facts`}</a></p>`)}</div>
<div>${section(speech.say`Newest votes`, ballotList(making, held.items))}${section(speech.say`Changed last`, changeList(making))}</div>
</div>${section(speech.say`What this copy holds`, holdings(making))}`;
    return {
      title,
      body,
      description: speech.say`Promises, positions, speeches and votes of politicians and parties, with their sources.`,
    };
  },
});

function ballotList(making: Making, found: Document[]): Html | null {
  if (found.length === 0) return null;
  const { speech, href } = making;
  return html`<ul class="brief">${found.map((ballot) => {
    const key = `${ballot.chamber}:${ballot.scrutin_id}`;
    return html`<li><a href="${making.recordHref('ballot', key)}" lang="fr">${shorten(textOf(ballot, 'title') ?? key, 140)}</a><p class="meta">${line(day(speech, textOf(ballot, 'date')), html`<span class="result" lang="fr">${textOf(ballot, 'result')}</span>`)}</p></li>\n`;
  })}</ul><p><a class="next" href="${href('/votes')}">${speech.say`All votes`}</a></p>`;
}

/** What the last sync or import changed, in short. */
function changeList(making: Making): Html | null {
  if (making.filledAt === null) return null;
  const { speech, href } = making;
  const { items: found } = making.list(changes, { kind: newsKinds, limit: 6 });
  if (found.length === 0) return html`<p>${speech.say`The last look found nothing new.`}</p>`;
  return html`<ul class="brief">${found.map((change) => changeItem(making, change))}</ul><p><a class="next" href="${href('/changes')}">${speech.say`All changes`}</a></p>`;
}

/** One change in short: what happened to which record, and of whom it is. */
export function changeItem(making: Making, change: Document, { isOwn = false } = {}): Html {
  const { speech } = making;
  const [kind, key] = [textOf(change, 'kind') ?? '', textOf(change, 'key') ?? ''];
  const isGone = change.change === 'withdrawn';
  const address = isGone ? making.href(historyPath(kind, key)) : making.recordHref(kind, key);
  return html`<li><a href="${address}" lang="fr">${shorten(textOf(change, 'title') ?? key, 140)}</a><p class="meta">${line(html`<span class="change ${change.change as string}">${speech.word(String(change.change))}</span>`, speech.word(kind), kind === 'politician' || isOwn ? null : personLink(making, change.politician), moment(speech, String(change.seen_at)))}</p></li>
`;
}

function holdings({ once, speech, href }: Making): Html {
  const list = once('contents', contents).map(({ kind, records }) => {
    const of = kindOf(kind as KindName);
    const { path, query } = listAddress(of);
    return html`<li><span class="figure">${speech.number(records)}</span> <a href="${href(path, query)}">${speech.word(of.plural)}</a></li>`;
  });
  return html`<ul class="figures">${list}</ul>`;
}
