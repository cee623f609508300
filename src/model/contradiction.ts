import { type Phrase, say, saying, wordPhrase } from '../words/speech.ts';
import { type Ballot, countFields, countFieldsOf, stanceOf, stances } from './ballot.ts';
import type { Document, Json } from './document.ts';
import { groupSize } from './seats.ts';

/** Two figures that contradict each other, each with its origin; neither is assumed correct. */
export type Contradiction = ReturnType<typeof createContradiction>;

/** Counts whose sum over the groups differs from the ballot's total; none unless all of them are published. */
export function differingCounts({ totals, votes_by_party: groups }: Ballot) {
  return countFields.flatMap((name) => {
    const total = totals?.[name] ?? null;
    const votes = groups.map((group) => group[name]).filter((count) => count !== null);
    if (total === null || votes.length === 0 || votes.length < groups.length) return [];
    const sum = votes.reduce((one, other) => one + other);
    return sum === total ? [] : [{ name, sum, total }];
  });
}

/** Yields the contradictions within one ballot; a missing count contradicts nothing. */
export function* ballotContradictions(ballot: Ballot): Generator<Contradiction> {
  for (const { name, total, sum } of differingCounts(ballot))
    yield createContradiction('totals', name, [total, 'ballot'], [sum, 'sum of its groups']);
  const fields = countFieldsOf(ballot);
  for (const group of ballot.votes_by_party) {
    const name = group.party ?? group.party_name ?? '';
    const members = groupSize(group);
    const voteCount = fields.reduce((sum, field) => sum + (group[field] ?? 0), 0);
    if (members !== null && voteCount > members)
      yield createContradiction('group-size', 'members', [members, name], [voteCount, `votes of ${name}`]);
    const stance = stanceOf(group.position);
    const largestCount = Math.max(...stances.map((field) => group[field] ?? 0));
    if (stance !== null && group[stance] !== null && group[stance] < largestCount)
      yield createContradiction('position', 'position', [group.position, name], [countText(group), `votes of ${name}`]);
  }
}

/** Creates a contradiction of a rule about a field: two figures, each with its origin. */
export const createContradiction = (
  rule: string,
  about: string,
  [one, oneOrigin]: [Json, string],
  [other, otherOrigin]: [Json, string],
) => ({ rule, about, one: String(one), one_of: oneOrigin, other: String(other), other_of: otherOrigin });

const countText = (group: Document) => stances.map((field) => `${field} ${group[field] ?? '?'}`).join(', ');

/** A line per contradiction within a ballot, except differing totals, which `ballotSentence` states. */
export function contradictionLines(ballot: Ballot): Phrase[] {
  return [...ballotContradictions(ballot)].filter(({ rule }) => rule !== 'totals').map(contradictionPhrase);
}

export function contradictionPhrase({ about, one, one_of, other, other_of }: Contradiction): Phrase {
  return say`contradiction: ${saying((speech) => speech.field(about))} is ${one} (${wordPhrase(one_of)}), and ${other} (${wordPhrase(other_of)}); both are shown as published`;
}
