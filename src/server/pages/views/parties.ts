import { historyPath } from '../../../model/addresses.ts';
import { isNonAttached } from '../../../model/ballot.ts';
import { type Document, documentsIn, textOf } from '../../../model/document.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import { parties, party } from '../../../questions/parties.ts';
import { votesOfGroup } from '../../../store/records/group-votes.ts';
import { meaningOf } from '../codes.ts';
import { feedForms, recordFeed } from '../feed-forms.ts';
import { type Content, type Html, html } from '../html.ts';
import { linkedData } from '../linked-data.ts';
import type { Making } from '../making.ts';
import { day, facts, heading, inFrench, line, section, shorten, sources } from '../parts.ts';
import { listView, recordView } from '../view.ts';

/** All parties and groups, those of a chamber together. */
export const partiesPage = listView(parties, {
  name: 'parties',
  path: '/parties',
  section: 'parties',
  forms: feedForms(
    recordFeed(
      ({ speech }) => speech.say`Parties and groups`,
      () => 'party',
    ),
  ),
  render(making, { items }) {
    const { speech } = making;
    const title = speech.say`Parties and groups`;
    const living = items.filter((each) => textOf(each, 'end_date') === null);
    const former = items.filter((each) => textOf(each, 'end_date') !== null);
    const isGroup = (each: Document) => textOf(each, 'chamber') !== null;
    const chamber = (name: string) => living.filter((each) => textOf(each, 'chamber') === name);
    const others = living.filter(
      (each) => isGroup(each) && !['AN', 'Senat', 'PE'].includes(String(each.chamber)),
    );
    const sections: [heading: string, items: Document[]][] = [
      [speech.say`Groups of the Assemblée nationale`, chamber('AN')],
      [speech.say`Groups of the Sénat`, chamber('Senat')],
      [speech.say`Groups of the European Parliament`, chamber('PE')],
      [speech.say`Other groups`, others],
      [speech.say`Parties`, living.filter((each) => !isGroup(each))],
      [speech.say`Former parties and groups`, former],
    ];
    const body = html`${heading(title)}${sections.map(([name, found]) => section(name, table(making, name, found)))}`;
    return { title, body };
  },
});

function table(making: Making, name: string, items: readonly Document[]): Html | null {
  if (items.length === 0) return null;
  const { speech } = making;
  const rows = items.map((each) => {
    const slug = textOf(each, 'slug') ?? '';
    const years = [textOf(each, 'start_date'), textOf(each, 'end_date')].map(
      (date) => date?.slice(0, 4) ?? '',
    );
    const count = typeof each.member_count === 'number' ? speech.number(each.member_count) : null;
    return html`<tr><th scope="row"><a href="${making.recordHref('party', slug)}" lang="fr">${textOf(each, 'name') ?? slug}</a></th><td>${textOf(each, 'short_name')}</td><td>${years.some((year) => year !== '') && `${years.join('–')}`}</td><td class="number">${count}</td></tr>\n`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="list groups"><thead><tr><th scope="col">${speech.say`Name`}</th><th scope="col">${speech.say`Short name`}</th><th scope="col">${speech.say`Years`}</th><th scope="col" class="number">${speech.say`Members`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** One party or group: who is in it, how it voted, and how united. */
export const partyPage = recordView(party, {
  name: 'party',
  path: '/parties/{slug}',
  section: 'parties',
  isLong: true,
  forms: { jsonld: linkedData },
  example: { slug: 'alliance-des-rivages' },
  render(making, record) {
    const { speech, href } = making;
    const slug = textOf(record, 'slug') ?? '';
    const title = textOf(record, 'name') ?? slug;
    // Of a group of long ago all ballots are looked through.
    const votes = making.once(`votes of ${slug}`, (mirror) => votesOfGroup(mirror, slug, 10));
    const about = line(inFrench(textOf(record, 'short_name')), ...whatItIs(making, record));
    const text = textOf(record, 'description');
    const body = html`${heading(title, { kicker: speech.say`Party or group`, lead: about })}<div class="columns profile">
<div>${text && html`<p class="bio" lang="fr">${text}</p>`}${section(speech.say`Its newest votes`, voteTable(making, votes, slug), { id: 'votes' })}${section(
      speech.say`Facts`,
      html`<p><a class="next" href="${href('/feed', { party: slug })}">${speech.say`Everything sourced about it, newest first`}</a></p>`,
    )}</div>
<aside>${section(
      speech.say`At a glance`,
      facts([
        [speech.say`From`, day(speech, textOf(record, 'start_date'))],
        [speech.say`Until`, day(speech, textOf(record, 'end_date'))],
        [
          speech.say`Members counted by the service`,
          typeof record.member_count === 'number' ? speech.number(record.member_count) : null,
        ],
      ]),
    )}${votes.length > 0 && section(speech.say`Cohesion`, united(making, slug), { id: 'cohesion' })}${section(speech.say`Members`, members(making, documentsIn(record.members)), { id: 'members' })}${section(
      speech.say`History`,
      html`<p><a class="next" href="${href('/affiliations', { party: slug })}">${speech.say`Who joined or left it`}</a></p><p><a class="next" href="${href('/changes', { party: slug, since: '3650d' })}">${speech.say`All changes`}</a></p><p><a class="next" href="${href(historyPath('party', slug))}">${speech.say`Every version of this record`}</a></p>`,
    )}${section(speech.say`Sources`, sources(making, documentsIn(record.sources), record.source_ids), { id: 'sources' })}</aside>
</div>`;
    return { title, body, ...(text ? { description: shorten(text, 200) } : {}) };
  },
});

/** Party or group, and of which chamber where its kind does not say so. */
function whatItIs({ speech }: Making, record: Document): Content[] {
  const [kind, chamber] = [textOf(record, 'kind'), textOf(record, 'chamber')];
  const meaning = kind === null ? null : meaningOf(speech, 'kind', kind);
  if (meaning !== null && kind?.startsWith('groupe-')) return [meaning];
  return [meaning ?? inFrench(kind), chamber && (meaningOf(speech, 'chamber', chamber) ?? chamber)];
}

function voteTable(making: Making, votes: ReturnType<typeof votesOfGroup>, slug: string): Html | null {
  if (votes.length === 0) return null;
  const { speech, href } = making;
  const number = (value: number | null) =>
    html`<td class="number">${value === null ? null : speech.number(value)}</td>`;
  const rows = votes.map(
    ({ key, title, date, result, votes: of }) =>
      html`<tr><th scope="row"><a href="${making.recordHref('ballot', key)}" lang="fr">${shorten(title, 140)}</a><span class="meta">${line(day(speech, date), html`<span lang="fr">${result}</span>`)}</span></th><td lang="fr">${of.position}</td>${number(of.for)}${number(of.against)}${number(of.abstention)}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${speech.say`Its newest votes`}"><table class="list"><thead><tr><th scope="col">${speech.say`Vote`}</th><th scope="col">${speech.say`Position`}</th><th scope="col" class="number">${speech.say`For`}</th><th scope="col" class="number">${speech.say`Against`}</th><th scope="col" class="number">${speech.say`Abstention`}</th></tr></thead><tbody>${rows}</tbody></table></div><p><a class="next" href="${href('/votes', { voted: `${slug}:for` })}">${speech.say`Votes in which it was for`}</a> <a class="next" href="${href('/votes', { voted: `${slug}:against` })}">${speech.say`against`}</a></p>`;
}

/** How united a group voted, with the number of ballots that the figure rests on. */
function united(making: Making, slug: string): Html | null {
  const { speech, href } = making;
  // Those who sit in no group are none: how often they agree says nothing of any.
  if (isNonAttached({ party: slug, party_name: making.nameOf('party', slug) })) return null;
  const [found] = making.once(`cohesion of ${slug}`, () => making.list(cohesion, { group: [slug] }).items);
  const [index, n] = [found?.agreement_index_over_3, found?.n_over_3];
  if (typeof index !== 'number' || typeof n !== 'number') return null;
  return html`<p class="figure">${speech.number(index, 3)}</p><p class="meta">${speech.say`Mean Agreement Index (0 to 1) over ${speech.count(n, 'ballot')} in which more than three of it voted.`}</p><p><a class="next" href="${href('/compare', { group: [slug, 'majority'] })}">${speech.say`Compare it with the majority or another group`}</a></p>`;
}

function members(making: Making, found: readonly Document[]): Html | null {
  if (found.length === 0) return null;
  const list = found.map((each) => {
    const slug = textOf(each, 'slug', 'politician');
    const name = textOf(each, 'full_name', 'name') ?? slug ?? '';
    return html`<li>${slug === null ? name : html`<a href="${making.recordHref('politician', slug)}">${name}</a>`}</li>`;
  });
  const { speech } = making;
  return html`<p class="meta">${speech.count(found.length, 'member')}</p>${
    found.length > 24
      ? html`<ul class="names">${list.slice(0, 12)}</ul><details><summary>${speech.say`${speech.number(found.length - 12)} more`}</summary><ul class="names">${list.slice(12)}</ul></details>`
      : html`<ul class="names">${list}</ul>`
  }`;
}
