import { type Document, documentsIn } from '../../../model/document.ts';
import { ballots } from '../../../questions/ballots.ts';
import type { GroupTerm } from '../../../questions/individual-votes.ts';
import { type Phrase, say } from '../../../words/speech.ts';
import { onward, section } from '../elements.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, Rendering } from '../page-context.ts';
import { ballotList } from './ballots.ts';

/** The latest votes on whole texts during a politician's terms in groups, with the votes of these groups. */
export type GroupVotes = { terms: GroupTerm[]; latest: Document[] };

const maxListed = 5;

/** Ballots read per term: some are of the other chamber, or without votes of the group. */
const maxRead = 40;

/** Reads how groups voted on whole texts in their terms, newest first; null if none of them voted. */
export function readVotesInTerms(page: PageContext, terms: GroupTerm[]): GroupVotes | null {
  const votesIn = ({ party, first, last }: GroupTerm) => {
    const period = { since: first ?? undefined, until: last ?? undefined };
    const { items } = page.list(ballots, { ...period, nature: 'whole', group: [party], limit: maxRead });
    return items.filter(({ voted }) => documentsIn(voted).length > 0);
  };
  const latest = terms
    .flatMap(votesIn)
    .sort((one, other) => `${other.date}`.localeCompare(`${one.date}`))
    .slice(0, maxListed);
  return latest.length === 0 ? null : { terms, latest };
}

/** What connects a politician with votes of groups: days that the affiliations state, or a group without days. */
export const groupVotesBasis = (terms: readonly GroupTerm[]): Phrase =>
  terms.some(({ first }) => first === null)
    ? say`The service publishes votes by group, not by person. The days in the group are not stated: the person may have been no member on the day of a vote.`
    : say`The service publishes votes by group, not by person. Each vote is that of the group that the affiliations state for that day.`;

/** Returns the section of a politician's page on the votes of the group. */
export function groupVotesSection(page: Rendering, votes: GroupVotes | null): Html | null {
  if (votes === null) return null;
  const { speech, href, isStatic } = page;
  const links = votes.terms.map(({ party, first, last }) => {
    const query = { group: party, nature: 'whole', since: first ?? undefined, until: last ?? undefined };
    return onward(
      href('/votes', query),
      speech.say`All votes on a whole text: ${page.nameOf('party', party) ?? party}`,
    );
  });
  const body = html`<p class="meta">${speech.render(groupVotesBasis(votes.terms))}</p>${ballotList(page, votes.latest)}${isStatic ? null : links}`;
  return section(speech.say`How the group voted`, body, { id: 'group-votes' });
}
