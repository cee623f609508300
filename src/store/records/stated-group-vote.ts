import { fold } from '../../language/fold.ts';
import { type Ballot, type Counts, type PartyVotes, stanceOf, stances } from '../../model/ballot.ts';
import { textOf } from '../../model/document.ts';
import { findGroups, ifResolved, resolveParty } from '../../names/lookup.ts';
import { namesAmong, typedWords } from '../../names/names-in-text.ts';
import { nameSource } from '../../names/source.ts';
import { groupPosition, isOneSided } from '../../parliament/group-position.ts';
import type { StatedVote } from '../../parliament/stated-votes.ts';
import { dayText } from '../../words/figures.ts';
import type { Mirror } from '../mirror.ts';

/** Facts that a clause may state of a ballot, each with the function that writes it in French, as in records. */
export const factWriters: Record<string, (value: string | number) => string> = {
  number: (value) => `n° ${value}`,
  amendment: (value) => `amendement n° ${value}`,
  day: (value) => dayText(String(value), 'fr'),
  result: String,
  for: (value) => `${value} pour`,
  against: (value) => `${value} contre`,
  abstention: (value) => `${value} abstention${Number(value) < 2 ? '' : 's'}`,
  position: String,
  votes: String,
};

/** Facts by name; null or undefined if they are not stated. */
export type Facts = Record<string, string | number | null | undefined>;

/** A stated vote whose chamber is decided. */
export type ClauseVote = Omit<StatedVote, 'paragraphChamber'>;

/** A clause that states a vote, the groups that it names, and the only one of them (null if none or several). */
export type GroupVote = ClauseVote & { groups: readonly string[]; group: string | null; statesGroupCounts: boolean };

/** Matches a verb of voting in a folded clause; captures its stance, undefined for an abstention. */
const stancePattern = /\bvot(?:e|ent|aient|ait|ant|ed|ing) (pour|contre|for|against)\b|(?:s'est|se sont) absten/g;
/** Matches words that restrict or deny what a folded clause states of the group, written §. */
const qualifierPattern =
  /n'|\b(?:ne|pas|sauf|hormis|excep|unanim|majorit|presque|autres|sans|quelqu|certain|plusieurs|partie|moitie|rejet|refus|oppos|soutenu|prononce|\bles (?!§)[a-z]+s (?:ont|se sont)|suppression|aussi|egalement|idem|comme|abstena|abstain|not|but|most|some)|(?<!vot(?:e|ent|aient|ait|ant|ed|ing) )\b(?:pour|contre|for|against)(?=\W*(?:$|[,;)]|et\b|and\b))|\d (?:depute|senat|membre|elu|voix|pour|contre|§)/;

/** Matches how many of a group (§) voted: capture 1 in "61 députés § ont voté", 2 in "§ a voté pour, 6 voix". */
const votersPattern =
  /(?:^\W*|[,:;(] ?|\b(?:et|and|seuls|only) )(\d+) (?:(?:(?:deputee?|senat(?:eur|rice)|elue?|membre)s?|voix) )?(?:(?:du|de|de la|des|la|le|les) )?(?:(?:groupe|parti) (?:(?:du|de la|des) )?)?§ (?:\([^()]*\) )?(?=(?:a|ont) vote |(?:s'est|se sont) abst|voted )|(?<=§ (?:\([^()]*\) )?(?:(?:a|ont) vote|voted) (?:pour|contre|for|against)),? \(?(?:(?:avec|par|with|by) )?(\d+) (?:voix|votes)\b(?! *(?:pour|contre|for|to|against|sur|of|d'))/;
/** Matches a group, written §, before its counts: "§ : 61 pour". */
const countedGroupPattern = /§(?: \([^()]*\))? ?[:(] ?\d+ (?:voix |votes )?(?:pour|contre|for|against|absten)/;

/** Matches the counts of a vote in a folded clause, and the chamber's result before them. */
const tallyPattern =
  /(?<!§ )\b(?:a|ont|est|sont|fut|was|were) (?:ete |been )?(?:rejet|repouss|adopt|approuv|passed|defeated)[a-z]*|[:(,]? ?(?:(?:par|avec|by|with|et|and) )?\b\d+ (?:(?:voix|votes|suffrages) )?(?:pour|contre|for|against|to|abstentions?)\b(?: \d+\b(?! (?:voix|votes|pour|contre|for|against|abst)))?\)?/g;
const subjectText = String.raw`(?:^\W*|[,:;] |\b(?:le|la|les|the) |\bl')(?:(?:deputes|senateurs|elus) (?:(?:du|de la|des) )?)?(?:(?:groupe|parti) (?:(?:du|de la|des) )?)?§ (?:\([^()]*\) )?`;
/** Matches a group, written §, that voted with counts of its own: "§ s'est divise : 27 pour". */
const ownCountsPattern = new RegExp(
  `${subjectText}(?:(?:a|ont) (?:vote|rejet|refus|approuv|soutenu)|(?:s'est|se sont) (?:divis|partag|scind|repart|prononc|oppos|absten)|voted|(?:was|were)? ?(?:split|divided))(?:(?!adopt|rejet|repouss|approuv|recueill|obten|passed|reject|;).)*?\\b\\d+ (?:pour|contre|for|against|to|abst|voix|votes)`,
  'u',
);
/** Matches bodies whose votes are no public ballots. */
const otherBodyPattern = /\b(?:commissions?|comites?|bureau|congres|conseil|adherents|militants|european|committee)\b/;
/** Matches the number of votes of a group, written §, among those of a chamber: "dont 61 du groupe §". */
const partPattern =
  /\bdont (\d+) (?:(?:voix|votes|elus|deputee?s|senateurs) )?(?:(?:du|de la|des|de) |d')?(?:(?:groupe|parti) (?:(?:du|de la|des) )?)?§(?! (?:a|ont|qui|s'est|se sont) )/;
/** Matches each group, written §, with its stance, whose verb may stand before another group only. */
const eachStancePattern =
  /§ (?:\([^()]*\) )?(?:(?:(?:a|ont) )?vot(?:e|ent|aient|ait|ant|ed|ing) )?(pour|contre|for|against)\b/g;

/** Matches a group by any name behind "groupe", or by one word as its members: "les socialistes ont voté". */
const votingGroupPattern =
  /(?<!\p{L})(?:groupe (?:d[eu]s? (?:la )?)?((?:[\p{L}'’-]+ ){1,5}?)|(?:les|députés|sénateurs|élus) (?!(?:député|sénat|parlementaire|élu|membre)\p{L}* )([\p{L}-]+ ))(?:a|ont|s['’]est|se sont) (?:voté|abst|divis|partag|scind|répart|opposé|prononc|rejet|approuv)/iu;

/** Matches members (the group) with their stance beside a known group: "et les socialistes contre". */
const membersPattern = /(?<!\p{L})les (?!autres)([\p{Ll}-]+s) (?:votant )?(?:pour|contre)(?=\W*(?:$|[,;)]|et\s))/giu;

/** Known names of parties and groups in a clause, else the name of an unknown group that voted; or empty. */
export function groupNamesIn(mirror: Mirror, text: string): string[] {
  const words = text.split(/[,:;()]/).flatMap(typedWords);
  const { matches } = namesAmong(words, [{ kind: 'party', source: nameSource(mirror, 'party', text) }]);
  const nameOf = ({ matchedWords }: (typeof matches)[number]) => matchedWords.join(' ').replace(/[.!?…»”"]+$/u, '');
  const otherMembers = Array.from(text.matchAll(membersPattern), ([, members]) => members!);
  if (matches.length > 0) return [...new Set([...matches.map(nameOf), ...otherMembers])];
  const [, group, name = group] = votingGroupPattern.exec(text) ?? [];
  return name === undefined ? [] : [name.trim()];
}

/** Minimum share of a party in a group whose vote counts as the party's. */
const minPartyShare = 0.8;

/** True if a name is that of a party with less than `minPartyShare` of the members of the group that voted. */
function isMixedGroup(mirror: Mirror, { name, slug }: { name: string; slug: string }): boolean {
  const party = ifResolved(() => resolveParty(mirror, name))?.party?.slug;
  if (party === undefined || party === slug) return false;
  const sql =
    "SELECT avg(party IN (?, ?)) FROM record WHERE kind = 'politician' AND withdrawn IS NULL AND group_slug = ?";
  return (mirror.column<number | null>(sql).get(party, slug, slug) ?? 0) < minPartyShare;
}

/** The votes of a group in a ballot; undefined if its name is not certain. */
function votesOfGroup(mirror: Mirror, group: string, ballot: Ballot) {
  const slugs = new Set(ballot.votes_by_party.flatMap(({ party }) => party ?? []));
  const [slug, ...otherSlugs] = ifResolved(() => findGroups(mirror, group, slugs)) ?? [];
  if (slug === undefined || otherSlugs.length > 0 || isMixedGroup(mirror, { name: group, slug })) return undefined;
  return ballot.votes_by_party.find(({ party }) => party === slug);
}

/** The only stance that a clause states of a group, written §, and how many took it; null if qualified or not one. */
function stanceIn(sentence: string) {
  const [written = '', members, voters] = votersPattern.exec(sentence) ?? [];
  const statement = sentence.replace(written, written && ' § ');
  const [match, ...otherMatches] = statement.replace(/\([^()]*\)/g, '').matchAll(stancePattern);
  if (match === undefined || otherMatches.length > 0 || qualifierPattern.test(statement)) return null;
  const stance = stanceOf(match[1] ?? 'abstention')!;
  return { stance, counts: written ? { [stance]: Number(members ?? voters) } : {}, isOfWhole: members === undefined };
}

/** The folded text with § in place of the group where its name first is a whole word: not in "gouvernement". */
function withGroupSign({ text, group }: Pick<GroupVote, 'text' | 'group'>): string {
  const name = fold(group ?? '§').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return fold(text).replace(new RegExp(`(?<![\\p{L}\\d])${name}(?![\\p{L}\\d])`, 'u'), '§');
}

/** True if the counts of a clause are of the first group that it names: "le groupe Aube s'est divisé : 3 pour". */
export const hasCountsOfGroup = ({ text, groups, counts }: Pick<GroupVote, 'text' | 'groups' | 'counts'>): boolean =>
  groups.length > 0 &&
  Object.keys(counts).length > 0 &&
  ownCountsPattern.test(withGroupSign({ text, group: groups[0]! }));

/** True if the verb of a clause states what its first group decided, not the chamber: "le groupe Aube a rejeté". */
export const hasResultOfGroup = ({ text, groups }: Pick<GroupVote, 'text' | 'groups'>): boolean =>
  / § (?:\([^()]*\) )?(?:a|ont) (?:rejet|approuv|repouss|adopt)/.test(
    ` ${withGroupSign({ text, group: groups[0] ?? null })}`,
  );

/** True if a clause is about another body than a chamber, as a committee. */
export const isOfOtherBody = ({ text }: Pick<GroupVote, 'text'>): boolean => otherBodyPattern.test(fold(text));

/** What a clause states of its groups (`claims`), and the record (`recorded`); null if a group is uncertain. */
export function groupFactsIn(mirror: Mirror, { group, ...vote }: GroupVote, ballot: Ballot) {
  const sentence = withGroupSign({ ...vote, group });
  const statement = stanceIn(sentence.replace(tallyPattern, ''));
  const equalsTotals = stances.some((name) => vote.counts[name] && vote.counts[name] === ballot.totals?.[name]);
  const namesThisBallot = vote.number === (textOf(ballot, 'number') ?? ballot.scrutin_id) && !vote.mayConcernOtherVote;
  const listsCounts = namesThisBallot && vote.otherVoters === group && countedGroupPattern.test(sentence);
  // The counts of the clause are the group's, not the ballot's: "Groupe : 61 pour, 3 contre".
  const hasGroupCounts = !equalsTotals && (vote.statesGroupCounts || listsCounts);
  const part = partPattern.exec(sentence)?.[1];
  // Names are looked up last, as a day may have a hundred ballots.
  const isOfGroup = statement !== null || hasGroupCounts || part !== undefined;
  const votes = group !== null && isOfGroup ? votesOfGroup(mirror, group, ballot) : undefined;
  if (votes === undefined) return hasGroupCounts ? uncomparedCounts(vote) : positionsIn(mirror, vote, ballot);
  const position = statement?.isOfWhole ? groupPosition(votes, isOneSided(ballot)) : null;
  const partCounts = part === undefined ? (statement?.counts ?? {}) : countsOfPart(vote, votes, Number(part));
  const counts = hasGroupCounts ? inRecordedOrder(vote, votes, statement?.stance) : partCounts;
  const stanceNames = stances.filter((name) => counts[name] !== undefined);
  const hasCounts = stanceNames.length > 0 && stanceNames.every((name) => votes[name] !== null);
  const factsFrom = (stance: string | undefined, source: Partial<Counts>): Facts => ({
    position: position && `${group} : ${stanceWords[stance!]}`,
    votes: hasCounts ? votesText(group!, stanceNames, source) : null,
  });
  const claims = factsFrom(statement?.stance, counts);
  // Nothing but counts is stated: "3 députés LFI ont voté pour" is no position of the group.
  const namesGroupOnly = fold(vote.otherVoters ?? '').includes(fold(group!));
  const hasOtherVoters = !namesGroupOnly && statement === null && part === undefined;
  const hasCountsOnly = hasCounts && (hasGroupCounts || part !== undefined || statement?.isOfWhole === false);
  const recorded = factsFrom(position ?? undefined, votes);
  return { hasGroupCounts, hasCountsOnly: hasCountsOnly && !hasOtherVoters, claims, recorded };
}

const votesText = (group: string, names: readonly (keyof Counts)[], counts: Partial<Counts>) =>
  `${group} : ${names.map((name) => factWriters[name]!(counts[name]!)).join(', ')}`;

/** The counts of a clause as those of a group of which the record has no counts. */
function uncomparedCounts({ groups, counts }: Omit<GroupVote, 'group'>) {
  const names = stances.filter((name) => counts[name] !== undefined);
  const claims: Facts = { votes: votesText(groups[0]!, names, counts) };
  return { hasGroupCounts: true, hasCountsOnly: true, claims, recorded: {} as Facts };
}

/** The counts of a group in the order that agrees with the record: the first of "66 voix contre 0" may be against. */
function inRecordedOrder(vote: Omit<GroupVote, 'group'>, votes: PartyVotes, stance: string | undefined) {
  const { for: first, against: second } = vote.counts;
  const isInOrder = votes.for === first && votes.against === second;
  const isReversed = votes.for === second && votes.against === first;
  if (!vote.mayReverseCounts || stance === 'for' || isInOrder) return vote.counts;
  return isReversed || stance === 'against' ? { ...vote.counts, for: second, against: first } : vote.counts;
}

/** A part of the votes of a chamber, with the stance of the group that agrees, else that of the result. */
function countsOfPart({ counts, result }: Omit<GroupVote, 'group'>, votes: PartyVotes, count: number): Partial<Counts> {
  const names = stances.filter((name) => counts[name] !== undefined);
  const usual = names.find((name) => name === (result === 'rejeté' ? 'against' : 'for'));
  const name = names.find((each) => votes[each] === count) ?? usual ?? names[0];
  return name === undefined ? {} : { [name]: count };
}

/** The positions of several groups that a clause states; null if not of each one, or if a group is uncertain. */
function positionsIn(mirror: Mirror, { text, groups }: Omit<GroupVote, 'group'>, ballot: Ballot) {
  if (groups.length < 2) return null;
  const sentence = groups.reduce((signed, group) => withGroupSign({ text: signed, group }), fold(text));
  const statement = sentence.replace(tallyPattern, '');
  const matches = [...statement.matchAll(eachStancePattern)];
  const otherText = statement.replace(eachStancePattern, '');
  const isRestricted = qualifierPattern.test(otherText) || otherText.search(stancePattern) >= 0;
  if (matches.length !== groups.length || otherText.includes('§') || isRestricted) return null;
  const inOrder = groups.toSorted((one, other) => fold(text).indexOf(fold(one)) - fold(text).indexOf(fold(other)));
  const votes = inOrder.map((group) => votesOfGroup(mirror, group, ballot));
  const positions = votes.map((each) => each && groupPosition(each, isOneSided(ballot)));
  const textOfAll = (all: readonly (string | null | undefined)[]) =>
    inOrder.map((group, at) => `${group} : ${stanceWords[all[at]!]}`).join(', ');
  if (positions.some((position) => !position)) return null;
  const claims: Facts = { position: textOfAll(matches.map((match) => stanceOf(match[1]!))) };
  return { hasGroupCounts: false, hasCountsOnly: false, claims, recorded: { position: textOfAll(positions) } as Facts };
}

/** Matches a group, written §, as the subject of a vote: neither a member of it, nor an amendment's author. */
const subjectPattern = new RegExp(`${subjectText}(?:a|ont|s'est|se sont|voted) `, 'u');

export const hasGroupAsSubject = (vote: GroupVote): boolean => subjectPattern.test(withGroupSign(vote));

const stanceWords: Record<string, string> = { for: 'pour', against: 'contre', abstention: 'abstention' };
