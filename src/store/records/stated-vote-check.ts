import { fold } from '../../language/fold.ts';
import { contentWords, wordPattern } from '../../language/passages.ts';
import { type Ballot, ballotKey, type Counts, countFieldsOf, readBallot } from '../../model/ballot.ts';
import { webPageOf } from '../../model/cited-work.ts';
import { textOf } from '../../model/document.ts';
import { isDeletion } from '../../parliament/nature.ts';
import { amendmentPattern, type StatedVote } from '../../parliament/stated-votes.ts';
import voteWords from '../../parliament/vote-words.json' with { type: 'json' };
import type { Mirror } from '../mirror.ts';
import { documentAt } from '../record.ts';
import { shadowBallotTables } from '../saving/ballot-tables.ts';
import { sourcesOf } from './profile.ts';
import { findBallotsByNumber } from './reference.ts';
import {
  type ClauseVote,
  type Facts,
  factWriters,
  type GroupVote,
  groupFactsIn,
  groupNamesIn,
  hasCountsOfGroup,
  hasGroupAsSubject,
  hasResultOfGroup,
  isOfOtherBody,
} from './stated-group-vote.ts';

/**
 * Best matching ballot of a stated vote, with the differences, as a list of at most one; empty if none fits.
 * Null if the vote is of a group and no ballot is certain: it is not compared.
 */
export function checkStatedVote(mirror: Mirror, { paragraphChamber, ...clause }: StatedVote) {
  const rows = checkVote(mirror, { ...clause, chamber: clause.chamber ?? paragraphChamber });
  return !rows?.length && clause.chamber === null && paragraphChamber ? checkVote(mirror, clause) : rows;
}

function checkVote(mirror: Mirror, statedVote: ClauseVote) {
  const groups = groupNamesIn(mirror, statedVote.text);
  const group = groups.length === 1 ? groups[0]! : null;
  const statesGroupCounts = hasCountsOfGroup({ ...statedVote, groups });
  if (statesGroupCounts && isOfOtherBody(statedVote)) return null;
  const otherVoters = statedVote.otherVoters ?? groups[0];
  const result = hasResultOfGroup({ ...statedVote, groups }) ? undefined : statedVote.result;
  const vote = { ...statedVote, result, otherVoters, groups, group, statesGroupCounts };
  // A candidate with at most one sign must agree in all stated facts, except a position.
  const isCandidate = ({ evidence, agreed, facts }: Comparison) =>
    evidence > 1 || agreed.size >= facts.length - (vote.otherVoters ? 1 : 0);
  const [best, ...otherBallots] = candidatesOf(mirror, vote)
    .map((row) => compareBallot(mirror, vote, row))
    .filter(isCandidate)
    .sort((one, other) => other.score - one.score || other.namedWords - one.namedWords);
  if (best === undefined) return statesGroupCounts || (groups.length > 0 && result === undefined) ? null : [];
  const { row, document, ballot, facts, agreed, recorded, ignoredTexts } = best;
  const tiedBallots = otherBallots.filter(({ score }) => score === best.score);
  const tiedCount = tiedBallots.length;
  const isCertain = agreed.has('votes') || agreed.has('number');
  if (statesGroupCounts && !isCertain && tiedBallots.some(({ namedWords }) => namedWords === best.namedWords))
    return null;
  const differing = facts
    .filter(({ name }) => !agreed.has(name))
    .map((fact) => ({ quoted: fact.claimed, said: fact.recorded }));
  if (differing.length + ignoredTexts.length === 0) ignoredTexts.push(...unknownWordsIn(vote, best));
  const differences = [...differing, ...ignoredTexts.map((quoted) => ({ quoted, said: '' }))];
  const isExact = differences.length === 0 && tiedCount === 0 && !vote.isHedged;
  const recordedTexts = factsOf({ ...recorded, day: null }, recorded).map((fact) => fact.recorded);
  const match = {
    result: isExact ? 'exact' : tiedCount === 0 && isContradicted(vote, best) ? 'contradicted' : 'near',
    agreement: Math.round((agreed.size / (facts.length + ignoredTexts.length)) * 1000) / 1000,
    type: 'ballot',
    id: ballotKey(ballot),
    date: row.day,
    title: ballot.title,
    said: recordedTexts.join(', '),
    differences,
    copies: tiedCount,
    url: webPageOf(document, sourcesOf(mirror, document)),
  };
  return [match];
}

/** Words of a clause that are neither about votes nor in the record, as one excerpt with "…", in a list. */
function unknownWordsIn({ text, result, groups }: GroupVote, { document, row, recorded }: Comparison): string[] {
  const day = (locale: string) => new Date(row.day).toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' });
  // Words about any vote name neither a text nor a person.
  const wordsOfVotes = [...voteWords.fr, ...voteWords.en, result === undefined ? '' : voteWords[result], ...groups];
  // Names of groups whose votes are not compared are unknown words.
  const knownText = [
    JSON.stringify({ ...document, votes_by_party: recorded.votes }),
    day('fr'),
    day('en'),
    ...wordsOfVotes,
  ].join(' ');
  const knownTokens = new Set(contentWords(knownText));
  const isUnknown = (word: string) => contentWords(word).some((token) => !knownTokens.has(token));
  const words = [...text.matchAll(wordPattern)].filter(([word]) => isUnknown(word));
  const excerpt = words.map(({ 0: word, index }, at) => {
    const previous = words[at - 1];
    if (previous === undefined) return word;
    // Stop words stay between their neighbours: "Anne Le Maire".
    const between = text.slice(previous.index + previous[0].length, index);
    return (/^[^,;:.()]*$/.test(between) && contentWords(between).length === 0 ? between : ' … ') + word;
  });
  return words.length === 0 ? [] : [excerpt.join('')];
}

type BallotRow = { id: number; day: string; text: string | null; nature: string | null; isNumbered: 1 | 0 | null };

/** Ballots of the stated chamber with its number, day or margin; `isNumbered` is 1 for the only one with the number. */
function candidatesOf(mirror: Mirror, vote: GroupVote): BallotRow[] {
  const { number, chamber, days, counts, mayConcernOtherVote } = vote;
  const keys = number === null ? [] : findBallotsByNumber(mirror, number, chamber).map(({ key }) => key);
  const isPart = vote.statesGroupCounts || counts.for == null || counts.against == null;
  const margin = isPart ? null : Math.abs(counts.for! - counts.against!);
  shadowBallotTables(mirror);
  const onlyKey = keys.length === 1 && !mayConcernOtherVote ? keys[0] : null;
  const sql = `SELECT id, day, text, nature, key = ? AS isNumbered FROM ballot WHERE chamber = coalesce(?, chamber)
    AND (key IN (SELECT value FROM json_each(?)) OR margin = ?
      OR EXISTS (SELECT 1 FROM json_each(?) WHERE day LIKE '%' || value))`;
  return mirror.sql<BallotRow>(sql).all(onlyKey, chamber, JSON.stringify(keys), margin, JSON.stringify(days));
}

/** Pairs the text of each stated fact with that of the recorded one, which is empty if the record states none. */
const factsOf = (claims: Facts, recorded: Facts) =>
  Object.entries(factWriters).flatMap(([name, write]) => {
    const textOfFact = ({ [name]: value }: Facts) => (value == null ? '' : write(value));
    const claimed = textOfFact(claims);
    return claimed === '' ? [] : [{ name, claimed, recorded: textOfFact(recorded) }];
  });

type ComparedFact = ReturnType<typeof factsOf>[number];

const agreedIn = (facts: ComparedFact[]) =>
  new Set(facts.flatMap(({ name, claimed, recorded }) => (claimed === recorded ? name : [])));

const auxiliaryAtEnd = / (?:a|ont|avaient|se sont|have|had)$/u;
/** Matches the motion whose adoption rejects a text. */
const rejectionForm =
  /motion de rejet(?: préalable)?|question préalable|(?:exception d['’]|motion d['’])irrecevabilité/iu;

/** Compares the facts of a stated vote with those of a ballot, and scores the ballot as a candidate. */
function compareBallot(mirror: Mirror, vote: GroupVote, row: BallotRow) {
  const document = documentAt(mirror, row.id);
  const ballot = readBallot(document);
  const groupFacts = groupFactsIn(mirror, vote, ballot);
  const recorded: Facts = {
    // Of a motion of censure, the counts against and of abstentions are no facts.
    ...Object.fromEntries(countFieldsOf(ballot).map((name) => [name, ballot.totals?.[name]])),
    number: textOf(document, 'number') ?? ballot.scrutin_id,
    day: row.day,
    result: ballot.result,
    amendment: amendmentPattern.exec(ballot.title ?? '')?.[1],
    ...groupFacts?.recorded,
  };
  const isSameResult = fold(ballot.result ?? '').startsWith(fold(vote.result ?? '?').slice(0, 5)); // adopt…, rejet…
  const isOnDay = vote.days.some((each) => row.day.endsWith(each));
  const claims: Facts = {
    ...(groupFacts?.hasGroupCounts ? {} : vote.counts),
    number: vote.number,
    position:
      groupFacts?.claims.position ?? (groupFacts?.hasCountsOnly ? null : vote.otherVoters?.replace(auxiliaryAtEnd, '')),
    votes: groupFacts?.claims.votes,
    amendment: amendmentPattern.exec(vote.text)?.[1],
    day: isOnDay ? row.day : vote.days[0]?.replace(/^-/, `${row.day.slice(0, 4)}-`),
    result: isSameResult ? ballot.result : vote.result,
  };
  const inOrder = factsOf(claims, recorded);
  const reversed = factsOf({ ...claims, for: claims.against, against: claims.for }, recorded);
  const triesReversedCounts = vote.mayReverseCounts || (vote.result !== undefined && !isSameResult);
  const claimedFacts = triesReversedCounts && agreedIn(reversed).size > agreedIn(inOrder).size ? reversed : inOrder;
  const agreed = agreedIn(claimedFacts);
  const numbers: string[] = [ballot.title, row.text, vote.otherVoters, claims.votes].join(' ').match(/\d+/g) ?? [];
  const ignoredTexts = vote.ignoredTexts.filter((words) => !numbers.includes(/\d+/.exec(words)?.[0] ?? ''));
  const facts = explainDifferences({ ...vote, ignoredTexts }, row.nature, ballot, claimedFacts);
  const differing = facts.filter((each) => each.recorded && each.recorded !== each.claimed).map(({ name }) => name);
  const scores = scoreCandidate(vote, row, agreed, differing, isOnDay);
  return { row, document, ballot, recorded, facts, agreed, differing, ignoredTexts, ...scores };
}

type Comparison = ReturnType<typeof compareBallot>;

/** Facts without recorded counts that a group's may differ from, and with the motion that explains another result. */
function explainDifferences(vote: GroupVote, nature: string | null, ballot: Ballot, claimedFacts: ComparedFact[]) {
  // A count next to a group or other figures may be of a part of the chamber.
  const hasOtherFigures = vote.otherVoters !== undefined || vote.ignoredTexts.length > 0;
  const mayBeOfPart = vote.groups.length > 0 || (hasOtherFigures && Object.keys(vote.counts).length === 1);
  // Adopting a motion to reject a text rejects the text: the difference is explained by the motion's name.
  const isRejection = nature === 'rejection' && ballot.result === 'adopté' && !rejectionForm.test(vote.text);
  const [motion] = (isRejection && rejectionForm.exec(ballot.title ?? '')) || [];
  return claimedFacts.map((fact) => {
    const { name, claimed, recorded } = fact;
    if (claimed === recorded) return fact;
    if (mayBeOfPart && !vote.statesResultWithCounts && name in vote.counts) return { ...fact, recorded: '' };
    return name === 'result' && recorded && motion ? { ...fact, recorded: `${recorded} (${motion})` } : fact;
  });
}

/** Scores a ballot: `evidence` counts signs that the clause is about it, `score` ranks it among ballots. */
function scoreCandidate(vote: GroupVote, row: BallotRow, agreed: Set<string>, differing: string[], isOnDay: boolean) {
  const words = contentWords(row.text ?? '');
  const namesText = words.length > 1 && words.filter((word) => vote.context.has(word)).length >= 0.6 * words.length;
  const clauseWords = new Set(contentWords(vote.text));
  const namedWords = words.filter((word) => clauseWords.has(word) && !/^(?:loi|proj|propos|text)/.test(word)).length;
  const isWhole = row.nature === 'whole' && !/amende?ment|article|partie|crédits|motion|préalable/iu.test(vote.text);
  const agreesInCounts = ['votes', ...Object.keys(vote.counts)].some((name) => agreed.has(name));
  const signs = [agreed.has('number'), isOnDay, namesText, agreesInCounts];
  const evidence = signs.filter(Boolean).length + (row.isNumbered ?? 0) - Number(differing.includes('amendment'));
  // Day, text and kind of vote distinguish the ballot from all others.
  const isUnique = isOnDay && namesText && (isWhole || agreed.has('amendment'));
  return { isWhole, isUnique, evidence, score: agreed.size - differing.length + Number(namesText), namedWords };
}

/** True if the clause is certainly about this ballot, and states a fact that differs and can be of no other ballot. */
function isContradicted(vote: GroupVote, best: Comparison): boolean {
  const { row, ballot, document, differing, agreed, evidence, ignoredTexts } = best;
  if (vote.mayConcernOtherVote || vote.isHedged) return false;
  // A ballot may be adopted by rejecting a text, and a deletion against it.
  const isReversed = ['rejection', 'procedure', 'censure'].includes(row.nature ?? '') || isDeletion(document);
  const resultName = isReversed && !vote.statesBallotResult ? 'result' : '';
  const inconclusiveNames = ['number', 'amendment', vote.isDayDirect ? '' : 'day', resultName];
  const conclusiveNames = differing.filter((name) => !inconclusiveNames.includes(name));
  if (conclusiveNames.length === 0) return false;
  const countNames = differing.filter((name): name is keyof Counts => name in vote.counts);
  // With its number, all stated facts are of the ballot, except counts below half, which may be a group's.
  const isBelowHalf = (name: keyof Counts) => vote.counts[name]! * 2 < (ballot.totals?.[name] ?? 0);
  const mayBeOfGroup = !(vote.statesResultWithCounts && agreed.has('result')) && countNames.some(isBelowHalf);
  const mayBeOfOtherBallot = differing.length > 2 || countNames.length > 1 || conclusiveNames.length < differing.length;
  if (row.isNumbered ? mayBeOfGroup : mayBeOfOtherBallot) return false;
  // If the clause names other voters, its subject must be a group, and only that group's vote may differ.
  if (vote.otherVoters !== undefined) {
    const differsInGroupVote = ['position', 'position,votes'].includes(differing.join());
    const isCompared = agreed.size + differing.length === best.facts.length && ignoredTexts.length === 0;
    const isOfGroup = (best.isWhole || agreed.has('amendment')) && hasGroupAsSubject(vote);
    if (!differsInGroupVote || !isCompared || isReversed || !isOfGroup) return false;
  }
  const years = (vote.text.match(/\b(?:19|20)\d\d\b/g) ?? []).filter((year) => !ballot.title?.includes(year));
  if (years.length > 0 && !years.includes(row.day.slice(0, 4)) && !agreed.has('day')) return false;
  if (row.isNumbered !== 1 && vote.chamber === null && !(agreed.has('day') && agreed.has('number'))) return false;
  // The Senate numbers its ballots anew in each session.
  return agreed.has('number') ? evidence > (ballot.chamber === 'AN' ? 1 : 2) : best.isUnique;
}
