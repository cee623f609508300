import { historyPath } from '../../../model/addresses.ts';
import { webAddress } from '../../../model/attribution.ts';
import { type Document, documentsIn, slugOf, textOf } from '../../../model/document.ts';
import type { KindName } from '../../../model/kinds.ts';
import { politician } from '../../../questions/politicians.ts';
import { pageOfChanges } from '../../../store/history/changes.ts';
import { newestAbout } from '../../../store/records/profile.ts';
import { changeFeedOf, feedForms } from '../feed-forms.ts';
import { type Html, html } from '../html.ts';
import { linkedData } from '../linked-data.ts';
import type { Making } from '../making.ts';
import {
  day,
  facts,
  heading,
  inFrench,
  items,
  line,
  partyLink,
  section,
  shorten,
  sources,
} from '../parts.ts';
import { isDated, timeline, timelinePicture } from '../timeline.ts';
import { recordView } from '../view.ts';
import { changeItem } from './today.ts';

/** So many of each kind stand on the page; the rest is behind a link. */
const most = 5;

/** One politician: who they are, what they promised, said and wrote, where they belonged, and what changed of it. */
export const politicianPage = recordView(politician, {
  name: 'politician',
  path: '/politicians/{slug}',
  section: 'politicians',
  example: { slug: 'oceane-bruyevre' },
  forms: { ...feedForms(changeFeedOf), svg: timelinePicture, jsonld: linkedData },
  render(making, record) {
    const { speech, href } = making;
    const slug = textOf(record, 'slug') ?? '';
    const title = textOf(record, 'full_name') ?? slug;
    const without = ['politician'];
    const newest = (kind: KindName) => newestAbout(making.mirror, { kind, politician: slug, limit: most });
    const contents = newest('content');
    const all = (types: string) => href('/feed', { politician: slug, types });
    const body = html`${heading(title, { kicker: speech.say`Politician`, lead: html`<span lang="fr">${textOf(record, 'current_role')}</span>` })}${bio(record)}${facts(glance(making, record), { isWide: true })}<div class="columns profile">
<div>${section(speech.say`Promises`, some(making, documentsIn(record.promises), { kind: 'promise', all: all('promise') }), { id: 'promises' })}${section(
      speech.say`Positions`,
      some(making, documentsIn(record.positions), { kind: 'position', all: all('position') }),
      { id: 'positions' },
    )}${section(speech.say`Quotes`, some(making, documentsIn(record.quotes), { kind: 'quote', all: null }), { id: 'quotes' })}${section(
      speech.say`Texts`,
      contents.total > 0 &&
        html`${items(making, contents.items, { kind: 'content', without })}${more(making, contents.total, contents.items.length, all('content'))}`,
      { id: 'texts' },
    )}${section(speech.say`Speeches`, items(making, newest('speech').items, { kind: 'speech', without }), { id: 'speeches' })}${section(speech.say`Affiliations`, timeline(making, documentsIn(record.affiliations)), { id: 'affiliations' })}</div>
<aside>${section(speech.say`Changes`, changed(making, slug), {
      id: 'changes',
    })}${section(speech.say`Sources`, sources(making, documentsIn(record.sources), record.source_ids), { id: 'sources' })}</aside>
</div>`;
    const said = textOf(record, 'bio');
    // Without a day there is nothing to draw.
    const missing = documentsIn(record.affiliations).some(isDated) ? [] : ['svg'];
    return { title, body, without: missing, ...(said ? { description: shorten(said, 200) } : {}) };
  },
});

function bio(record: Document): Html | null {
  const text = textOf(record, 'bio');
  return text === null ? null : html`<p class="bio" lang="fr">${text}</p>\n`;
}

/** The first of what is all there, the rest behind a fold or a link. */
function some(
  making: Making,
  documents: Document[],
  { kind, all }: { kind: 'promise' | 'position' | 'quote'; all: string | null },
): Html | null {
  if (documents.length === 0) return null;
  const without = ['politician'];
  const [first, rest] = [documents.slice(0, most), documents.slice(most, 40)];
  const { speech } = making;
  const folded =
    rest.length > 0 &&
    html`<details><summary>${speech.say`${speech.number(rest.length)} more`}</summary>${items(making, rest, { kind, without })}</details>`;
  return html`${items(making, first, { kind, without })}${folded}${all !== null && documents.length > most + rest.length && more(making, documents.length, most + rest.length, all)}`;
}

function more({ speech }: Making, total: number | null, shown: number, address: string): Html | null {
  if (total !== null && total <= shown) return null;
  return html`<p><a class="next" href="${address}">${total === null ? speech.say`All of them` : speech.say`All ${speech.number(total)}`}</a></p>`;
}

/** What changed of this politician and of records about them, the newest first. */
function changed(making: Making, politician: string): Html | null {
  const { speech, mirror, reading, href } = making;
  const page = pageOfChanges(mirror, { since: '', until: reading.asOf, politician, limit: most });
  const found = [...page.items].map((each): Document => JSON.parse(each));
  const history = html`<p><a class="next" href="${href(historyPath('politician', politician))}">${speech.say`Every version of this record`}</a></p>`;
  if (found.length === 0) return history;
  return html`<ul class="brief">${found.map((change) => changeItem(making, change, { isOwn: true }))}</ul><p><a class="next" href="${href('/changes', { politician, since: '3650d' })}">${speech.say`All changes`}</a></p>${history}`;
}

function glance(making: Making, record: Document): [string, Html | string | null][] {
  const { speech } = making;
  const born = [textOf(record, 'birth_date'), textOf(record, 'birth_place')] as const;
  const site = webAddress(textOf(record, 'website') ?? '');
  const [party, group] = [slugOf(record.party ?? null), slugOf(record.group ?? null)];
  return [
    [speech.say`Parliamentary group`, partyLink(making, group)],
    [speech.say`Party`, party === group ? null : partyLink(making, party)],
    [speech.say`Born`, born[0] === null && born[1] === null ? null : line(day(speech, born[0]), born[1])],
    [speech.say`Died`, day(speech, textOf(record, 'death_date'))],
    [speech.say`Profession`, inFrench(textOf(record, 'profession'))],
    [speech.say`Department`, inFrench(textOf(record, 'department'))],
    [
      speech.say`Website`,
      site === null ? null : html`<a href="${site}" rel="external noopener">${new URL(site).host}</a>`,
    ],
    [speech.say`Updated`, day(speech, textOf(record, 'updated_at'))],
  ];
}
