import { agreementText } from '../../../format/pair-card.ts';
import { type Document, documentsIn } from '../../../model/document.ts';
import { ballots, resolveGroups } from '../../../questions/ballots.ts';
import type { GroupTerm } from '../../../questions/individual-votes.ts';
import { readGroupFigures } from '../../../store/records/agreement.ts';
import { listRecentGroups } from '../../../store/records/ballots.ts';
import { type Phrase, say } from '../../../words/speech.ts';
import { onward, section, table } from '../elements.ts';
import { filterForm, hiddenInputs } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, ViewPage } from '../page-context.ts';
import { recordLink } from '../parts.ts';
import { ballotList } from './ballots.ts';
import { chamberColumn } from './group-agreement.ts';

const maxListed = 5;
const maxReadPerTerm = 40; // Ballots read per term: those without votes of the group are dropped.

/** Reads how the groups of these terms voted on whole texts during them, newest first; null if none voted. */
export function readVotesInTerms(page: PageContext, terms: GroupTerm[]) {
  const votesIn = ({ party, first, last }: GroupTerm) => {
    const period = { since: first ?? undefined, until: last ?? undefined };
    const { items } = page.list(ballots, { ...period, nature: 'whole', group: [party], limit: maxReadPerTerm });
    return items.filter(({ voted }) => documentsIn(voted).length > 0);
  };
  const votes = terms.flatMap(votesIn).sort((a, b) => `${b.date}`.localeCompare(`${a.date}`));
  return votes.length === 0 ? null : { terms, latest: votes.slice(0, maxListed) };
}

/** Returns a sentence on how votes of a group concern a member; it warns if a term has no dates. */
export const groupVotesNote = (terms: readonly GroupTerm[]): Phrase =>
  terms.some(({ first }) => first === null)
    ? say`The service publishes votes by group, not by person. The days in the group are not stated: the person may have been no member on the day of a vote.`
    : say`The service publishes votes by group, not by person. Each vote is that of the group that the affiliations state for that day.`;

/** Returns the section of a politician's page on the votes of the groups; null without any. */
export function groupVotesSection(page: ViewPage, votes: ReturnType<typeof readVotesInTerms>): Html | null {
  if (votes === null) return null;
  const { speech, href, isStatic, nameOf } = page;
  const links = votes.terms.map(({ party, first, last }) => {
    const query = { group: party, nature: 'whole', since: first ?? undefined, until: last ?? undefined };
    return onward(href('/votes', query), speech.say`All votes on a whole text: ${nameOf('party', party) ?? party}`);
  });
  const body = html`<p class="meta">${speech.render(groupVotesNote(votes.terms))}</p>${ballotList(page, votes.latest)}${isStatic ? null : links}`;
  return section(speech.say`How the group voted`, body, { id: 'group-votes' });
}

const dividedShare = 0.2;
const maxDivided = 5;

/** Reads a group's agreement with others (closest first), cohesion and divided votes; null if it has not voted. */
export function readGroupRecord(page: PageContext, slug: string) {
  const groups = page.once('voting groups', listRecentGroups);
  const chambers = groups.find((each) => each.slug === slug)?.chambers;
  if (chambers === undefined) return null;
  // Read once for the pages of all groups of these chambers.
  const figures = page.once(`figures of groups in ${chambers}`, (mirror) => {
    const groupsOfChambers = groups.filter((each) => each.chambers.some((chamber) => chambers.includes(chamber)));
    const slugs = groupsOfChambers.map((each) => each.slug);
    return readGroupFigures(mirror, resolveGroups(mirror, slugs));
  });
  const pairs = figures.pairs
    .filter(({ group, other }) => group === slug || other === slug)
    // Name the other group in `other`.
    .map((pair) => (pair.group === slug ? pair : { ...pair, other: pair.group, other_name: pair.group_name }))
    .sort((one, other) => Number(other.agreement) - Number(one.agreement));
  const dissent = { requestedName: slug, share: dividedShare };
  const cohesion = figures.cohesions.find(({ group }) => group === slug);
  return { pairs, cohesion, divided: page.list(ballots, { dissent, limit: maxDivided }).items };
}

/** Returns a form that searches the votes of a group on whole texts; null on static pages. */
export function wholeVotesForm(page: ViewPage, slug: string): Html | null {
  const hiddenFields = html`${hiddenInputs('group', [slug])}${hiddenInputs('nature', ['whole'])}`;
  const fields = [{ name: 'q', label: say`Words`, type: 'search' as const }];
  return filterForm({ ...page, path: '/votes', queryParameters: {} }, fields, { before: hiddenFields });
}

/** Returns sections on the agreement of a group with others, and on votes in which it was divided; or null. */
export function groupRecordSections(page: ViewPage, slug: string, record: ReturnType<typeof readGroupRecord>) {
  if (record === null) return null;
  const { speech, href } = page;
  const { pairs, divided } = record;
  const title = speech.say`Agreement with other groups`;
  const groupLink = ({ other, other_name: name }: Document) => recordLink(page, 'party', String(other), String(name));
  const agreementLink = (pair: Document) =>
    html`<a href="${href('/compare', { group: [slug, String(pair.other)] })}">${agreementText(speech, pair)}</a>`;
  const list = table(page, title, pairs, [
    [speech.say`Group`, groupLink, 'name'],
    ...(new Set(pairs.map(({ chamber }) => chamber)).size > 1 ? [chamberColumn(page)] : []),
    [speech.say`Agreement`, agreementLink, 'number'],
    [speech.say`Votes counted`, ({ n }) => n as number, 'number'],
  ]);
  const note = speech.say`At least ${speech.share(dividedShare)} of the votes of the group differ from its most frequent choice.`;
  const all = href('/votes', { dissent: `${slug}:${dividedShare}` });
  const dividedList =
    divided.length > 0 &&
    html`<p class="meta">${note}</p>${ballotList(page, divided)}${onward(all, speech.say`All votes in which it was divided`)}`;
  return html`${section(title, list)}${section(speech.say`Last votes in which it was divided`, dividedList)}`;
}
