import { fold } from '../../language/fold.ts';
import { contentWords } from '../../language/passages.ts';
import {
  type Ballot,
  ballotKey,
  type Counts,
  countFieldsOf,
  readBallot,
  stanceOf,
  stances,
} from '../../model/ballot.ts';
import { webPageOf } from '../../model/cited-work.ts';
import { textOf } from '../../model/document.ts';
import { findGroups, ifResolved, resolveParty } from '../../names/lookup.ts';
import { nameSource } from '../../names/source.ts';
import { namesAmong, typedWords } from '../../names/within.ts';
import { groupPosition, isOneSided } from '../../parliament/group-position.ts';
import { isDeletion } from '../../parliament/nature.ts';
import { amendmentForm, type StatedVote } from '../../parliament/stated-votes.ts';
import { dayText } from '../../words/figures.ts';
import type { Mirror } from '../mirror.ts';
import { documentAt } from '../record.ts';
import { readBallotTables } from '../saving/ballot-tables.ts';
import { sourcesOf } from './profile.ts';
import { findBallotsByNumber } from './reference.ts';

/** Facts that a vote may state of a ballot, and how they are written: in French, as in records. */
const forms: Record<string, (value: string | number) => string> = {
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

type Facts = Record<string, string | number | null | undefined>;

/** The ballot that a clause states, in a list, and where they differ; empty if none is identified. */
export function checkStatedVote(mirror: Mirror, { nearChamber, ...clause }: StatedVote) {
  const rows = checkVote(mirror, { ...clause, chamber: clause.chamber ?? nearChamber });
  return rows.length === 0 && clause.chamber === null && nearChamber ? checkVote(mirror, clause) : rows;
}

function checkVote(mirror: Mirror, statedVote: ClauseVote) {
  const words = statedVote.text.split(/[,:;()]/).flatMap(typedWords);
  const { matches } = namesAmong(words, [{ kind: 'party', source: nameSource(mirror, 'party', statedVote.text) }]);
  const groups = [...new Set(matches.map(({ matchedWords }) => matchedWords.join(' ')))];
  const subject = votingGroupForm.exec(statedVote.text);
  if (groups.length === 0 && subject) groups.push((subject[1] ?? subject[2]!).trim());
  const vote = {
    ...statedVote,
    position: statedVote.position ?? groups[0],
    group: groups.length === 1 ? groups[0]! : null,
  };
  const [best, ...otherBallots] = candidatesOf(mirror, vote)
    .map((row) => compareBallot(mirror, vote, row))
    .filter(({ evidence, agreed, facts }) => evidence > 1 || agreed.size >= facts.length - (vote.position ? 1 : 0))
    .sort((one, other) => other.score - one.score);
  if (best === undefined) return [];
  const { row, document, ballot, facts, agreed, recorded, unread } = best;
  const copies = otherBallots.filter(({ score }) => score === best.score).length;
  const differing = facts.filter(({ name }) => !agreed.has(name)).map(({ quoted, said }) => ({ quoted, said }));
  const differences = [...differing, ...unread.map((quoted) => ({ quoted, said: '' }))];
  const isExact = differences.length === 0 && copies === 0 && !vote.isHedged;
  const recordedTexts = factsOf({ ...recorded, day: null }, recorded).map(({ said }) => said);
  const match = {
    result: isExact ? 'exact' : copies === 0 && isContradicted(vote, best) ? 'contradicted' : 'near',
    agreement: Math.round((agreed.size / (facts.length + unread.length)) * 1000) / 1000,
    type: 'ballot',
    id: ballotKey(ballot),
    date: row.day,
    title: ballot.title,
    said: recordedTexts.join(', '),
    differences,
    copies,
    url: webPageOf(document, sourcesOf(mirror, document)),
  };
  return [match];
}

type ClauseVote = Omit<StatedVote, 'nearChamber'>;
type GroupVote = ClauseVote & { group: string | null };
type BallotRow = { id: number; day: string; text: string | null; nature: string | null; isNumbered: 1 | 0 | null };

/** Ballots of the stated chamber with the number, the day or the margin; `isNumbered` is 1 for the only one with it. */
function candidatesOf(mirror: Mirror, { number, chamber, days, counts, isUnsure }: ClauseVote): BallotRow[] {
  const keys = number === null ? [] : findBallotsByNumber(mirror, number, chamber).map(({ key }) => key);
  const margin = counts.for == null || counts.against == null ? null : Math.abs(counts.for - counts.against);
  readBallotTables(mirror);
  const onlyKey = keys.length === 1 && !isUnsure ? keys[0] : null;
  const sql = `SELECT id, day, text, nature, key = ? AS isNumbered FROM ballot WHERE chamber = coalesce(?, chamber)
    AND (key IN (SELECT value FROM json_each(?)) OR margin = ?
      OR EXISTS (SELECT 1 FROM json_each(?) WHERE day LIKE '%' || value))`;
  return mirror.sql<BallotRow>(sql).all(onlyKey, chamber, JSON.stringify(keys), margin, JSON.stringify(days));
}

/** Pairs each stated fact with the recorded one, which is empty if the record states none. */
const factsOf = (claims: Facts, recorded: Facts) =>
  Object.entries(forms).flatMap(([name, write]) => {
    const written = [claims[name], recorded[name]].map((value) => (value == null ? '' : write(value)));
    return written[0] === '' ? [] : [{ name, quoted: written[0]!, said: written[1]! }];
  });

const agreedIn = (facts: ReturnType<typeof factsOf>) =>
  new Set(facts.flatMap(({ name, quoted, said }) => (quoted === said ? name : [])));

const stanceForm = /\bvot(?:e|ent|aient|ait|ed) (pour|contre|for|against)\b|(?:s'est|se sont) absten/g;
const qualifiedForm =
  /n'|\b(?:ne|pas|sauf|hormis|excep|unanim|majorit|presque|autres|sans|quelqu|certain|plusieurs|partie|moitie|rejet|refus|oppos|soutenu|prononce|\bles (?!§)[a-z]+s (?:ont|se sont)|suppression|not|but|most|some)|\d (?:depute|senat|membre|elu|voix|pour|contre|§)/;

/** Matches the number of a group, written §, that voted: "61 députés § ont voté", "§ a voté pour avec 61 voix". */
const votersForm =
  /(?:^\W*|[,:;(] ?|\b(?:et|and|seuls|only) )(\d+) (?:(?:(?:deputee?|senat(?:eur|rice)|elue?|membre)s?|voix) )?(?:(?:du|de|de la|des|la|le|les) )?(?:(?:groupe|parti) (?:(?:du|de la|des) )?)?§ (?:\([^()]*\) )?(?=(?:a|ont) vote |(?:s'est|se sont) abst|voted )|(?<=§ (?:\([^()]*\) )?(?:(?:a|ont) vote|voted) (?:pour|contre|for|against)),? \(?(?:(?:avec|par|with|by) )?(\d+) (?:voix|votes)\b(?! *(?:pour|contre|for|to|against|sur|of|d'))/;
/** Matches a group, written §, before its counts: "§ : 61 pour". */
const countedGroupForm = /§(?: \([^()]*\))? ?[:(] ?\d+ (?:voix |votes )?(?:pour|contre|for|against|absten)/;

/** Matches a group by any name behind "groupe", or by one word as its members: "les socialistes ont voté". */
const votingGroupForm =
  /(?<!\p{L})(?:groupe (?:d[eu]s? (?:la )?)?((?:[\p{L}'’-]+ ){1,5})|(?:les|députés|sénateurs|élus) (?!(?:député|sénat|parlementaire|élu|membre)\p{L}* )([\p{L}-]+ ))(?:a|ont|s['’]est|se sont) (?:voté|abst)/iu;

/** Least share of a party in a group whose vote counts as the party's. */
const minPartyShare = 0.8;

/** True if a name is that of a party, and many members of the group that voted are of none or of another one. */
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
  const [slug, ...otherBearers] = ifResolved(() => findGroups(mirror, group, slugs)) ?? [];
  if (slug === undefined || otherBearers.length > 0 || isMixedGroup(mirror, { name: group, slug })) return undefined;
  return ballot.votes_by_party.find(({ party }) => party === slug);
}

/** The only stance that a clause states of a group, written §, and how many took it; null if it is qualified. */
function stanceIn(sentence: string) {
  const [written = '', members, voters] = votersForm.exec(sentence) ?? [];
  const statement = sentence.replace(written, written && ' § ');
  const [match, ...otherMatches] = statement.replace(/\([^()]*\)/g, '').matchAll(stanceForm);
  if (match === undefined || otherMatches.length > 0 || qualifiedForm.test(statement)) return null;
  const stance = stanceOf(match[1] ?? 'abstention')!;
  return { stance, counts: written ? { [stance]: Number(members ?? voters) } : {}, isOfGroup: members === undefined };
}

/** The folded text with § in place of the group where it first is a word of its own: not in "gouvernement". */
function withGroupSign({ text, group }: Pick<GroupVote, 'text' | 'group'>): string {
  const name = fold(group ?? '§').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return fold(text).replace(new RegExp(`(?<![\\p{L}\\d])${name}(?![\\p{L}\\d])`, 'u'), '§');
}

/** What a clause states of the only group that it names, and what is recorded; null if the group is not certain. */
function groupFactsIn(mirror: Mirror, { group, ...vote }: GroupVote, ballot: Ballot) {
  const sentence = withGroupSign({ ...vote, group });
  const statement = stanceIn(sentence);
  const isOfTotals = stances.some((name) => vote.counts[name] && vote.counts[name] === ballot.totals?.[name]);
  const isOfNumber = vote.number === (textOf(ballot, 'number') ?? ballot.scrutin_id) && !vote.isUnsure;
  const isList = isOfNumber && vote.position === group && !isOfTotals && countedGroupForm.test(sentence);
  // Names are looked up last, as a day may have a hundred ballots.
  const votes = group !== null && (statement || isList) ? votesOfGroup(mirror, group, ballot) : undefined;
  if (votes === undefined) return null;
  const position = statement?.isOfGroup ? groupPosition(votes, isOneSided(ballot)) : null;
  const counts: Partial<Counts> = isList ? vote.counts : (statement?.counts ?? {});
  const names = stances.filter((name) => counts[name] !== undefined);
  const hasCounts = names.length > 0 && names.every((name) => votes[name] !== null);
  const factsFrom = (stance: string | undefined, source: Partial<Counts>): Facts => ({
    position: position && `${group} : ${stanceWords[stance!]}`,
    votes: hasCounts ? `${group} : ${names.map((name) => forms[name]!(source[name]!)).join(', ')}` : null,
  });
  const claims = factsFrom(statement?.stance, counts);
  /** True if nothing but counts is stated: "3 députés LFI ont voté pour" is no position of the group. */
  const hasCountsOnly = hasCounts && (isList || statement?.isOfGroup === false);
  return { isList, hasCountsOnly, claims, recorded: factsFrom(position ?? undefined, votes) };
}

/** Matches a group, written §, as the subject of a vote: neither one of its members, nor the author of an amendment. */
const subjectForm =
  /(?:^\W*|[,:;] |\b(?:le|la|les|the) |\bl['’])(?:(?:groupe|parti|deputes|senateurs|elus) (?:(?:du|de la|des) )?)?§ (?:\([^()]*\) )?(?:a|ont|s['’]est|se sont|voted) /u;

const stanceWords: Record<string, string> = { for: 'pour', against: 'contre', abstention: 'abstention' };

/** A stated vote compared with a ballot; the more `evidence`, the likelier the statement is about that ballot. */
function compareBallot(mirror: Mirror, vote: GroupVote, row: BallotRow) {
  const document = documentAt(mirror, row.id);
  const ballot = readBallot(document);
  // Of a motion of censure, the counts against and of abstentions are no facts.
  const totals = Object.fromEntries(countFieldsOf(ballot).map((name) => [name, ballot.totals?.[name]]));
  const ofGroup = groupFactsIn(mirror, vote, ballot);
  const recorded: Facts = {
    ...{ ...totals, number: textOf(document, 'number') ?? ballot.scrutin_id, day: row.day, result: ballot.result },
    amendment: amendmentForm.exec(ballot.title ?? '')?.[1],
    ...ofGroup?.recorded,
  };
  const isResult = fold(ballot.result ?? '').startsWith(fold(vote.result ?? '?').slice(0, 5));
  const isDay = vote.days.some((each) => row.day.endsWith(each));
  const claims: Facts = {
    ...(ofGroup?.isList ? {} : vote.counts),
    number: vote.number,
    position: ofGroup?.claims.position ?? (ofGroup?.hasCountsOnly ? null : vote.position),
    votes: ofGroup?.claims.votes,
    amendment: amendmentForm.exec(vote.text)?.[1],
    day: isDay ? row.day : vote.days[0]?.replace(/^-/, `${row.day.slice(0, 4)}-`),
    result: isResult ? ballot.result : vote.result,
  };
  const inOrder = factsOf(claims, recorded);
  const reversed = factsOf({ ...claims, for: claims.against, against: claims.for }, recorded);
  const isOpen = vote.isUnordered || (vote.result !== undefined && !isResult);
  const facts = isOpen && agreedIn(reversed).size > agreedIn(inOrder).size ? reversed : inOrder;
  const agreed = agreedIn(facts);
  const numbers: string[] = [ballot.title, row.text, vote.position, claims.votes].join(' ').match(/\d+/g) ?? [];
  const unread = vote.unread.filter((words) => !numbers.includes(/\d+/.exec(words)?.[0] ?? ''));
  const differing = facts.filter(({ quoted, said }) => said !== '' && said !== quoted).map(({ name }) => name);
  const words = contentWords(row.text ?? '');
  const namedWords = words.filter((word) => vote.context.has(word)).length;
  const isNamed = words.length > 1 && namedWords >= 0.6 * words.length;
  const isWhole = row.nature === 'whole' && !/amende?ment|article|partie|crédits|motion|préalable/iu.test(vote.text);
  const marks = [agreed.has('number'), isDay, isNamed, Object.keys(vote.counts).some((name) => agreed.has(name))];
  return {
    ...{ row, document, ballot, recorded, facts, agreed, differing, unread, isWhole },
    /** True for the ballot of a day that the text and the kind of vote tell from the others. */
    isOnly: isDay && isNamed && (isWhole || agreed.has('amendment')),
    evidence: marks.filter(Boolean).length + (row.isNumbered ?? 0) - Number(differing.includes('amendment')),
    score: agreed.size - differing.length + Number(isNamed),
  };
}

/** True if a ballot without rival is identified beyond doubt, and a fact that is bound to it differs. */
function isContradicted(vote: GroupVote, best: ReturnType<typeof compareBallot>): boolean {
  const { row, ballot, document, differing, agreed, evidence, unread } = best;
  // A ballot may be adopted by rejecting a text, and a deletion against it.
  const isReversed = ['rejection', 'procedure', 'censure'].includes(row.nature ?? '') || isDeletion(document);
  const loose = ['number', 'amendment', vote.isDayDirect ? '' : 'day', isReversed && !vote.isOfBallot ? 'result' : ''];
  const bound = differing.filter((name) => !loose.includes(name));
  const counts = differing.filter((name): name is 'for' => name in vote.counts);
  // With its number, all that is stated is of the ballot, but for counts that may be of a group.
  const isOfOtherBallot = row.isNumbered
    ? !(vote.isTally && agreed.has('result')) &&
      counts.some((name) => vote.counts[name]! * 2 < (ballot.totals?.[name] ?? 0))
    : differing.length > 2 || counts.length > 1 || bound.length < differing.length;
  const isCompared = agreed.size + differing.length === best.facts.length && unread.length === 0;
  const isPosition = ['position', 'position,votes'].includes(differing.join()) && isCompared && !isReversed;
  const isOfGroup = isPosition && (best.isWhole || agreed.has('amendment')) && subjectForm.test(withGroupSign(vote));
  if (bound.length === 0 || isOfOtherBallot || (vote.position !== undefined && !isOfGroup)) return false;
  const years = (vote.text.match(/\b(?:19|20)\d\d\b/g) ?? []).filter((year) => !ballot.title?.includes(year));
  const isOfYear = agreed.has('day') || years.length === 0 || years.includes(row.day.slice(0, 4));
  const isOfChamber = row.isNumbered === 1 || vote.chamber !== null || (agreed.has('day') && agreed.has('number'));
  // The Senate numbers its ballots anew in each session.
  const isIdentified = agreed.has('number') ? evidence > (ballot.chamber === 'AN' ? 1 : 2) : best.isOnly;
  return isOfYear && isOfChamber && isIdentified && !vote.isUnsure && !vote.isHedged;
}
