import { byCodeUnit } from '../../language/fold.ts';
import { affiliationsIn, staysOf } from '../../model/affiliation.ts';
import { readBallot, unreadableCounts } from '../../model/ballot.ts';
import { ballotContradictions, type Contradiction, createContradiction } from '../../model/contradiction.ts';
import { type Document, documentsIn, slugOf, textOf } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { elementFieldSql, fieldSql } from '../../names/database.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { figure, type Phrase, say, wordPhrase } from '../../words/speech.ts';
import { type Mirror, mirrorVersion, readMeta, saveMeta } from '../mirror.ts';
import { rows } from '../rows.ts';

/** A contradiction, with the record in which it is. */
export type RecordContradiction = Contradiction & { kind: KindName; key: string };

/** Creates a generator of the contradictions within a ballot, and with the first and last days of its groups. */
function createBallotCheck(mirror: Mirror) {
  const parties = partyFacts(mirror);
  return function* (document: Document): Generator<Contradiction> {
    const ballot = readBallot(document);
    for (const { field, value, origin } of unreadableCounts(document, ballot))
      yield createContradiction('count', field, [value, origin], ['no number', 'shown as missing']);
    yield* ballotContradictions(ballot);
    const { date } = ballot;
    for (const { party } of date === null ? [] : ballot.votes_by_party) {
      const { start_date: start, end_date: end } = parties.get(party ?? '') ?? {};
      const outsideGroupDays = (which: 'first' | 'last', day: string) =>
        createContradiction('group-days', 'date', [date, 'ballot'], [day, `${which} day of ${party}`]);
      if (start && date! < start) yield outsideGroupDays('first', start);
      if (end && date! > end) yield outsideGroupDays('last', end);
    }
  };
}

/** Creates a generator of the contradictions among the affiliations of a politician. */
function createPoliticianCheck(mirror: Mirror) {
  const parties = partyFacts(mirror);
  const chamberOf = (slug: string) => parties.get(slug)?.chamber;
  return function* (document: Document): Generator<Contradiction> {
    const all = documentsIn(document.affiliations);
    const listed = affiliationsIn(document); // without repeated ones
    if (listed.length !== all.length) {
      const copiedParties = new Set(all.filter((each) => !listed.includes(each)).map(({ party }) => slugOf(party)));
      const distinct: [number, string] = [listed.length, `without copies of ${[...copiedParties].join(', ')}`];
      yield createContradiction('repeated', 'affiliations', [all.length, 'record'], distinct);
    }
    const stays = staysOf(document).filter(({ party }) => chamberOf(party));
    for (const [at, one] of stays.entries())
      for (const other of stays.slice(at + 1)) {
        // The day of a move is the last of one stay and the first of the other.
        const hasGap = one.last !== null && one.last <= other.first;
        if (hasGap || chamberOf(one.party) !== chamberOf(other.party) || one.party === other.party) continue;
        const [days, otherDays] = [one, other].map(({ first, last }) => `${first}/${last ?? '..'}`);
        yield createContradiction('two-groups', 'group', [days!, one.party], [otherDays!, other.party]);
      }
    const role = textOf(document, 'current_role');
    const inChamber = stays.filter(({ party }) => chamberOf(party) === document.chamber);
    const lastStay = inChamber.sort((one, other) => byCodeUnit(one.last ?? '~', other.last ?? '~')).at(-1);
    if (role !== null && seatPattern.test(role) && lastStay?.last)
      yield createContradiction(
        'seat',
        'current_role',
        [role, 'record'],
        [lastStay.last, `last day of ${lastStay.party}`],
      );
  };
}

/** A role that is a seat in a chamber, whose holder is in a group, if only that of the non-attached members. */
const seatPattern = /^(député|sénat(eur|rice))/i;

const checkCreators = { ballot: createBallotCheck, politician: createPoliticianCheck };

/** The contradictions within one ballot or politician; empty for other kinds, whose rules compare records. */
export function contradictionsIn(mirror: Mirror, kind: KindName, document: Document): Contradiction[] {
  return kind === 'ballot' || kind === 'politician' ? [...checkCreators[kind](mirror)(document)] : [];
}

const createRecordFinder = (kind: keyof typeof checkCreators) =>
  function* (mirror: Mirror): Generator<RecordContradiction> {
    const check = checkCreators[kind](mirror);
    for (const document of rows(mirror, kindOf(kind)))
      for (const each of check(document)) yield { kind, key: keyOf(kindOf(kind), document), ...each };
  };

const findInBallots = createRecordFinder('ballot');
const findInPoliticians = createRecordFinder('politician');

const createFinder = (rule: string, sql: string) =>
  function* (mirror: Mirror): Generator<RecordContradiction> {
    for (const row of mirror.sql<Omit<RecordContradiction, 'rule'>>(sql).iterate()) yield { rule, ...row };
  };

const findAfterDeath = createFinder(
  'after-death',
  `WITH dead AS MATERIALIZED (
    SELECT key, row, detail, ${fieldSql('death_date')} AS day FROM record
    WHERE kind = 'politician' AND withdrawn IS NULL AND ${fieldSql('death_date')} IS NOT NULL)
  SELECT record.kind, record.key, 'date' AS about, record.date AS one, record.kind AS one_of, day AS other,
    'death of ' || dead.key AS other_of
  FROM dead JOIN record ON record.politician = dead.key AND record.date > day
  WHERE record.kind IN ('promise', 'position', 'quote', 'speech', 'content') AND withdrawn IS NULL
  UNION ALL
  SELECT 'politician', dead.key, 'end', ${elementFieldSql('end')} AS last,
    coalesce(${elementFieldSql('party.slug')}, ${elementFieldSql('party')}), day, 'death of ' || dead.key
  FROM dead, json_each(coalesce(row, detail), '$.affiliations') WHERE last > day`,
);

const findWithoutUrl = createFinder(
  'no-address',
  `SELECT kind, key, 'url' AS about, coalesce(${fieldSql('url')}, 'none') AS one, 'source' AS one_of,
    'an address' AS other, 'what a source is for' AS other_of
  FROM record WHERE kind = 'source' AND withdrawn IS NULL AND coalesce(${fieldSql('url')}, '') NOT LIKE 'http%://%'`,
);

const findDuplicates = createFinder(
  'near-duplicates',
  `SELECT kind, max(key) AS key, 'text' AS about, max(key) AS one, kind AS one_of, min(key) AS other, kind AS other_of
  FROM record WHERE kind IN ('promise', 'position', 'quote') AND withdrawn IS NULL AND length(${fieldSql('text')}) >= 40
  GROUP BY kind, politician, party, date, lower(trim(${fieldSql('text')}, ' .!?…«»"')), lower(${fieldSql('title')})
  HAVING count(*) > 1`,
);

/** Data rules: name, generator of violations (some serve several rules), and the rule as a sentence. */
const rules: [name: string, find: (mirror: Mirror) => Iterable<RecordContradiction>, sentence: Phrase][] = [
  ['count', findInBallots, say`a count of a ballot is a whole number`],
  ['totals', findInBallots, say`a count of a ballot is the sum of its groups`],
  ['group-size', findInBallots, say`no more members of a group vote than it has`],
  ['position', findInBallots, say`the stated position of a group is what most of its voters chose`],
  ['group-days', findInBallots, say`a group votes between its own first and last day`],
  ['two-groups', findInPoliticians, say`nobody sits in two groups of one chamber at a time`],
  [
    'seat',
    findInPoliticians,
    say`whoever sits in a chamber is in a group of it, if any group of theirs there is stated`,
  ],
  ['repeated', findInPoliticians, say`an affiliation stands once in a record`],
  ['after-death', findAfterDeath, say`no action or membership of a person is dated after their death`],
  ['no-address', findWithoutUrl, say`a source has an address`],
  ['near-duplicates', findDuplicates, say`one statement by one person on one day is one record`],
];

/** Every rule with the likely cause of a violation: `service`, or `either` the service or how this program read it. */
export const contradictionRules = rules.map(([name, find, sentence]) => ({
  name,
  find,
  sentence,
  cause: find === findDuplicates ? 'either' : 'service',
}));

/** Yields the contradictions of one rule or all; each finder runs once, for all its rules, until the next write. */
export function* findContradictions(mirror: Mirror, rule?: string): Generator<RecordContradiction> {
  const matchingRules = contradictionRules.filter(({ name }) => rule === undefined || name === rule);
  for (const find of new Set(matchingRules.map(({ find }) => find))) {
    const { name } = contradictionRules.find((each) => each.find === find)!;
    const contradictions = mirror.readOnce(`contradictions by ${name}`, () => [...find(mirror)]);
    yield* contradictions.filter((each) => rule === undefined || each.rule === rule);
  }
}

/** Saves the number of contradictions for `status`; returns a note if counts of ballots are no numbers, else null. */
export function saveContradictionCount(mirror: Mirror): Phrase | null {
  if (readContradictionCount(mirror) !== null) return null;
  let count = 0;
  const countContradictions: RecordContradiction[] = [];
  for (const each of findContradictions(mirror)) {
    count += 1;
    if (each.rule === 'count') countContradictions.push(each);
  }
  saveMeta(mirror, 'contradictions', `${mirrorVersion(mirror)} ${count}`);
  const [first] = countContradictions;
  if (first === undefined) return null;
  const { about, one, one_of: origin, key } = first;
  const command = 'hemicycle contradictions --rule count';
  return say`counts of ballots that are no numbers, shown as missing: ${figure(countContradictions.length)}, the first ${wordPhrase(about)} "${one}" (${wordPhrase(origin)}) in ${key}; \`${command}\` lists them`;
}

/** The number of contradictions that was last saved; null if records changed since. */
export function readContradictionCount(mirror: Mirror): number | null {
  const [version, count] = readMeta(mirror, 'contradictions')?.split(' ') ?? [];
  return Number(version) === mirrorVersion(mirror) ? Number(count) : null;
}
