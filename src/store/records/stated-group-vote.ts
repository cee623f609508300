import { fold } from '../../language/fold.ts';
import { type Ballot, type Counts, stanceOf, stances } from '../../model/ballot.ts';
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
export type GroupVote = ClauseVote & { groups: readonly string[]; group: string | null };

/** Matches a verb of voting in a folded clause; captures its stance, undefined for an abstention. */
const stancePattern = /\bvot(?:e|ent|aient|ait|ed) (pour|contre|for|against)\b|(?:s'est|se sont) absten/g;
/** Matches words that restrict or deny what a folded clause states of the group, written §. */
const qualifierPattern =
  /n'|\b(?:ne|pas|sauf|hormis|excep|unanim|majorit|presque|autres|sans|quelqu|certain|plusieurs|partie|moitie|rejet|refus|oppos|soutenu|prononce|\bles (?!§)[a-z]+s (?:ont|se sont)|suppression|not|but|most|some)|\d (?:depute|senat|membre|elu|voix|pour|contre|§)/;

/** Matches how many of a group (§) voted: capture 1 in "61 députés § ont voté", 2 in "§ a voté pour, 6 voix". */
const votersPattern =
  /(?:^\W*|[,:;(] ?|\b(?:et|and|seuls|only) )(\d+) (?:(?:(?:deputee?|senat(?:eur|rice)|elue?|membre)s?|voix) )?(?:(?:du|de|de la|des|la|le|les) )?(?:(?:groupe|parti) (?:(?:du|de la|des) )?)?§ (?:\([^()]*\) )?(?=(?:a|ont) vote |(?:s'est|se sont) abst|voted )|(?<=§ (?:\([^()]*\) )?(?:(?:a|ont) vote|voted) (?:pour|contre|for|against)),? \(?(?:(?:avec|par|with|by) )?(\d+) (?:voix|votes)\b(?! *(?:pour|contre|for|to|against|sur|of|d'))/;
/** Matches a group, written §, before its counts: "§ : 61 pour". */
const countedGroupPattern = /§(?: \([^()]*\))? ?[:(] ?\d+ (?:voix |votes )?(?:pour|contre|for|against|absten)/;

/** Matches a group by any name behind "groupe", or by one word as its members: "les socialistes ont voté". */
const votingGroupPattern =
  /(?<!\p{L})(?:groupe (?:d[eu]s? (?:la )?)?((?:[\p{L}'’-]+ ){1,5})|(?:les|députés|sénateurs|élus) (?!(?:député|sénat|parlementaire|élu|membre)\p{L}* )([\p{L}-]+ ))(?:a|ont|s['’]est|se sont) (?:voté|abst)/iu;

/** Known names of parties and groups in a clause, else the name of an unknown group that voted; or empty. */
export function groupNamesIn(mirror: Mirror, text: string): string[] {
  const words = text.split(/[,:;()]/).flatMap(typedWords);
  const { matches } = namesAmong(words, [{ kind: 'party', source: nameSource(mirror, 'party', text) }]);
  if (matches.length > 0) return [...new Set(matches.map(({ matchedWords }) => matchedWords.join(' ')))];
  const [, group, members] = votingGroupPattern.exec(text) ?? [];
  const name = group ?? members;
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

/** What a clause states of its only group (`claims`), and the record (`recorded`); null if the group is uncertain. */
export function groupFactsIn(mirror: Mirror, { group, ...vote }: GroupVote, ballot: Ballot) {
  const sentence = withGroupSign({ ...vote, group });
  const statement = stanceIn(sentence);
  const equalsTotals = stances.some((name) => vote.counts[name] && vote.counts[name] === ballot.totals?.[name]);
  const namesThisBallot = vote.number === (textOf(ballot, 'number') ?? ballot.scrutin_id) && !vote.mayConcernOtherVote;
  // The counts of the clause are the group's, not the ballot's: "Groupe : 61 pour, 3 contre".
  const hasGroupCounts =
    namesThisBallot && vote.otherVoters === group && !equalsTotals && countedGroupPattern.test(sentence);
  // Names are looked up last, as a day may have a hundred ballots.
  const votes = group !== null && (statement || hasGroupCounts) ? votesOfGroup(mirror, group, ballot) : undefined;
  if (votes === undefined) return null;
  const position = statement?.isOfWhole ? groupPosition(votes, isOneSided(ballot)) : null;
  const counts: Partial<Counts> = hasGroupCounts ? vote.counts : (statement?.counts ?? {});
  const stanceNames = stances.filter((name) => counts[name] !== undefined);
  const hasCounts = stanceNames.length > 0 && stanceNames.every((name) => votes[name] !== null);
  const factsFrom = (stance: string | undefined, source: Partial<Counts>): Facts => ({
    position: position && `${group} : ${stanceWords[stance!]}`,
    votes: hasCounts ? `${group} : ${stanceNames.map((name) => factWriters[name]!(source[name]!)).join(', ')}` : null,
  });
  const claims = factsFrom(statement?.stance, counts);
  // Nothing but counts is stated: "3 députés LFI ont voté pour" is no position of the group.
  const hasCountsOnly = hasCounts && (hasGroupCounts || statement?.isOfWhole === false);
  return { hasGroupCounts, hasCountsOnly, claims, recorded: factsFrom(position ?? undefined, votes) };
}

/** Matches a group, written §, as the subject of a vote: neither a member of it, nor an amendment's author. */
const subjectPattern =
  /(?:^\W*|[,:;] |\b(?:le|la|les|the) |\bl['’])(?:(?:groupe|parti|deputes|senateurs|elus) (?:(?:du|de la|des) )?)?§ (?:\([^()]*\) )?(?:a|ont|s['’]est|se sont|voted) /u;

export const hasGroupAsSubject = (vote: GroupVote): boolean => subjectPattern.test(withGroupSign(vote));

const stanceWords: Record<string, string> = { for: 'pour', against: 'contre', abstention: 'abstention' };
