import { fold } from '../../language/fold.ts';
import {
  type Ballot,
  ballotKey,
  type Chamber,
  chambers,
  isNonAttached,
  type PartyVotes,
  readBallot,
  type Stance,
  stanceOf,
} from '../../model/ballot.ts';
import type { Document } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { kindOf } from '../../model/kinds.ts';
import { derivedOfGroup } from '../../parliament/group-rows.ts';
import { type Nature, type NatureFilter, natureOf } from '../../parliament/nature.ts';
import type { Mirror } from '../mirror.ts';
import { allOf, inValues, type JsonPage, readCount, type Sql, trimPage } from '../page.ts';
import { documentAt } from '../record.ts';
import { shadowBallotTables } from '../saving/ballot-tables.ts';
import { readWordsFilter } from '../search/all-words.ts';
import { type BallotPosition, type BallotSort, ballotOrders, cursorAfter, readCursor } from './ballot-orders.ts';
import { groupFacts } from './parties.ts';
import { type SubjectFilter, subjectSql } from './subject-records.ts';

/** Ballots in which one of `groups` (slugs) took the position `stance`; `requestedName` is the name in the request. */
export type StanceFilter = { requestedName: string; groups: string[]; stance: Stance };

/** A minimum share of dissent, 0 to 1, of one of these groups; `groups` is null for any group. */
export type Dissent = { groups: string[] | null; share: number };

/** Position and reason that a user's list of ballots states for one of them; null if it states none. */
export type ChosenBallot = { direction: Stance | null; reason: string | null };

/** Which ballots to list; all parts must match. Results include the votes of `reportedGroups`. */
export type BallotFilter = SubjectFilter & {
  q?: string | undefined;
  /** Record ids to which the results are restricted. */
  ids?: readonly number[] | undefined;
  chamber?: Chamber | undefined;
  /** First and last day, `YYYY-MM-DD`. */
  since?: string | undefined;
  until?: string | undefined;
  result?: string | undefined;
  type?: string | undefined;
  topic?: string | undefined;
  /** Key of the text voted on. */
  text?: string | undefined;
  /** Ballots of a user's list, by key. */
  chosen?: ReadonlyMap<string, ChosenBallot> | undefined;
  nature?: NatureFilter | undefined;
  /** True for one-sided ballots only, false for all except them. */
  oneSided?: boolean | undefined;
  /** Positions as counted, and positions as the source states them. */
  voted: StanceFilter[];
  votedStated?: StanceFilter[];
  reportedGroups?: readonly string[];
  /** Maximum margin in votes. */
  margin?: number | undefined;
  dissent?: Dissent | undefined;
  sort: BallotSort;
  limit: number;
  cursor?: string | undefined;
};

/** A page of ballots in the order of `sort`, with votes of the requested groups only. */
export function listBallots(mirror: Mirror, filter: BallotFilter): JsonPage {
  const { limit, sort, cursor } = filter;
  const where = selectionSql(mirror, filter);
  const after = cursor === undefined ? [] : [ballotOrders[sort].after(positionAt(mirror, sort, cursor))];
  const page = allOf([where, ...after]);
  const sql = `SELECT id, day, margin FROM ballot WHERE ${page.sql} ORDER BY ${ballotOrders[sort].terms} LIMIT ?`;
  const positions = mirror.sql<BallotPosition>(sql).all(...page.parameters, Number.isFinite(limit) ? limit + 1 : -1);
  const { rows, last } = trimPage(positions, limit);
  return {
    items: rows.map(({ id }) => JSON.stringify(ballotSummary(mirror, id, filter))),
    total: readCount(mirror, { ...where, sql: `SELECT count(*) FROM ballot WHERE ${where.sql}` }),
    nextCursor: last && cursorAfter(sort, last),
  };
}

/** Keyset position of a cursor; if its ballot was withdrawn or its margin changed, before all with that margin. */
function positionAt(mirror: Mirror, sort: BallotSort, cursor: string): BallotPosition {
  const { id, day, margin } = readCursor(sort, cursor);
  if (day !== null) return { id, day, margin };
  const storedDay = mirror.column<string>('SELECT day FROM ballot WHERE id = ? AND margin = ?').get(id, margin);
  return { id, margin, day: storedDay ?? '~' }; // `~` sorts above all days, so the descending order starts there
}

/** `BallotFilter` without order and paging: selects the ballots from which a figure is computed. */
export type BallotChoice = Omit<BallotFilter, 'sort' | 'limit' | 'cursor'>;

/** Yields every ballot that the filters select, oldest first. */
export function* readBallots(mirror: Mirror, choice: BallotChoice): Generator<Ballot> {
  const where = selectionSql(mirror, choice);
  const sql = `SELECT id FROM ballot WHERE ${where.sql} ORDER BY day, id`;
  for (const id of mirror.column<number>(sql).all(...where.parameters)) yield readBallot(documentAt(mirror, id));
}

/** Slugs of parties and groups listed in any ballot. */
export function votingGroups(mirror: Mirror): ReadonlySet<string> {
  shadowBallotTables(mirror);
  return distinctGroupValues(mirror, 'party');
}

/** Enumeration fields of ballots by which they can be filtered. */
const enumerationColumns = ['chamber', 'result', 'type', 'topic'] as const;
export type EnumerationColumn = (typeof enumerationColumns)[number];

/** Distinct values of a field of ballots, sorted; of spellings that fold alike only the most frequent. */
export function enumerationValues(mirror: Mirror, name: EnumerationColumn): string[] {
  const spellings = Map.groupBy(spellingsOf(mirror, name), (word) => fold(word));
  return [...spellings.values()].map(([mostFrequent]) => mostFrequent!).sort();
}

/** Every spelling of a field's values, the most frequent first. */
function spellingsOf(mirror: Mirror, name: EnumerationColumn): string[] {
  shadowBallotTables(mirror);
  return mirror.readOnce(`ballots by ${name}`, () => {
    const sql = `SELECT ${name} FROM ballot WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`;
    return mirror.column<string>(sql).all();
  });
}

/** Condition on the table `ballot` for the ballots that a filter selects. */
function selectionSql(mirror: Mirror, filter: BallotChoice & { sort?: BallotSort }): Sql {
  shadowBallotTables(mirror);
  const conditions: Sql[] = [];
  const add = (sql: string, ...parameters: Sql['parameters']) => conditions.push({ sql, parameters });
  for (const name of enumerationColumns) {
    const word = filter[name];
    if (word === undefined) continue;
    const spellings = spellingsOf(mirror, name).filter((each) => fold(each) === fold(word));
    conditions.push(inValues(name, spellings));
  }
  if (filter.nature === 'resolution') add("nature = 'whole' AND text_kind = 'resolution'");
  else if (filter.nature !== undefined) add('nature = ?', filter.nature);
  if (filter.q !== undefined) conditions.push(readWordsFilter(mirror, filter.q, ['ballot']).sql());
  if (filter.ids !== undefined) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids));
  conditions.push(...subjectSql(mirror, filter.subject));
  const { text, chosen, since, until, margin, dissent, oneSided } = filter;
  if (text !== undefined) add('text_key = ?', text);
  if (chosen !== undefined)
    add(
      "id IN (SELECT id FROM record WHERE kind = 'ballot' AND key IN (SELECT value FROM json_each(?)))",
      JSON.stringify([...chosen.keys()]),
    );
  if (since !== undefined) add('day >= ?', since);
  // Ballots without a day match no range.
  if (until !== undefined) add("day <= ? AND day > ''", until);
  if (margin !== undefined) add('margin <= ?', margin);
  // Ballots without a known margin have no rank.
  else if (filter.sort === 'margin') add('margin IS NOT NULL');
  if (oneSided !== undefined) add('is_one_sided = ?', Number(oneSided));
  if (dissent?.groups === null) add('dissent >= ?', dissent.share);
  else if (dissent !== undefined)
    add(
      'id IN (SELECT ballot FROM group_votes WHERE party IN (SELECT value FROM json_each(?)) AND dissent >= ?)',
      JSON.stringify(dissent.groups),
      dissent.share,
    );
  const spellingsOfSource = (stance: Stance) =>
    [...distinctGroupValues(mirror, 'stated_position')].filter((word) => stanceOf(word) === stance);
  const positions = [
    ...filter.voted.map(({ groups, stance }) => positionSql(groups, 'position', [stance])),
    ...(filter.votedStated ?? []).map(({ groups, stance }) =>
      positionSql(groups, 'stated_position', spellingsOfSource(stance)),
    ),
  ];
  // With ORDER BY, SQLite merges sorted index ranges, in a third of the time of one IN per group.
  if (positions.length > 0) {
    const positionsSql = positions.map(({ sql }) => sql).join(' INTERSECT ');
    add(`id IN (${positionsSql} ORDER BY 1)`, ...positions.flatMap(({ parameters }) => parameters));
  }
  return allOf(conditions);
}

/** Ballots in which one of these groups took one of these positions. */
function positionSql(groups: readonly string[], column: 'position' | 'stated_position', words: readonly string[]): Sql {
  const { sql, parameters } = allOf([inValues('party', groups), inValues(column, words)]);
  return { sql: `SELECT ballot FROM group_votes WHERE ${sql}`, parameters };
}

const distinctGroupValues = (mirror: Mirror, column: 'party' | 'stated_position'): ReadonlySet<string> =>
  mirror.readOnce(`${column} of groups in ballots`, () => {
    const sql = `SELECT DISTINCT ${column} FROM group_votes WHERE ${column} IS NOT NULL`;
    return new Set(mirror.column<string>(sql).all());
  });

/** A ballot in a list: header, derived values, and the votes of requested (`voted`) and dissenting groups only. */
export function ballotSummary(mirror: Mirror, id: number, filter: Omit<BallotChoice, 'q'>): Document {
  const { voted, votedStated = [], reportedGroups = [], dissent, chosen } = filter;
  const { votes_by_party: votes, ...summary } = readBallot(documentAt(mirror, id));
  const slugs = [...[...voted, ...votedStated].flatMap(({ groups }) => groups), ...reportedGroups];
  const sql = `SELECT margin, nature, text_kind, is_one_sided, members, no_vote_recorded, turnout FROM ballot WHERE id = ?`;
  const { is_one_sided: isOneSided, ...derived } = mirror.sql<Document>(sql).get(id)!;
  const withDerived = (group: PartyVotes) => ({ ...group, ...derivedOfGroup(group, isOneSided === 1) });
  const isDissenting = ({ party, dissent: share }: ReturnType<typeof withDerived>) =>
    (share ?? -1) >= dissent!.share && (dissent!.groups === null || dissent!.groups.includes(party ?? ''));
  return {
    ...summary,
    ...derived,
    one_sided: isOneSided === 1,
    ...chosen?.get(ballotKey(summary)),
    ...(slugs.length > 0 && { voted: votes.filter(({ party }) => party && slugs.includes(party)).map(withDerived) }),
    ...(dissent !== undefined && { dissenting: votes.map(withDerived).filter(isDissenting) }),
  };
}

/** Returns a reader of ballots' natures; loads those of sole articles. Call it outside row loops: it may write. */
export function createNatureReader(mirror: Mirror): (document: Document) => Nature | null {
  shadowBallotTables(mirror);
  const sql = 'SELECT key, nature FROM ballot WHERE is_sole_article = 1';
  const soleArticles = mirror.sql<{ key: string; nature: Nature }>(sql).all();
  const natures = new Map(soleArticles.map(({ key, nature }) => [key, nature]));
  return (document) => natures.get(keyOf(kindOf('ballot'), document)) ?? natureOf(document);
}

/** A group that voted recently, with its chambers and a short label. */
export type VotingGroup = { slug: string; chambers: Chamber[]; label: string };

/** Newest ballots per chamber that define its present groups. */
const recentBallotCount = 20;

/** Returns the groups in the newest ballots of each chamber, in the source's order, without non-attached members. */
export function listRecentGroups(mirror: Mirror): VotingGroup[] {
  shadowBallotTables(mirror);
  const sql = `SELECT party, max(party_name) AS party_name FROM (
      SELECT id FROM ballot WHERE chamber = ? AND EXISTS (SELECT 1 FROM group_votes WHERE ballot = id)
      ORDER BY day DESC, id DESC LIMIT ${recentBallotCount}
    ) JOIN group_votes ON ballot = id WHERE party IS NOT NULL GROUP BY party ORDER BY min(n)`;
  const statement = mirror.sql<{ party: string; party_name: string | null }>(sql);
  const groupRows = chambers.flatMap((chamber) => statement.all(chamber).map((group) => ({ ...group, chamber })));
  const attachedGroups = groupRows.filter((group) => !isNonAttached(group));
  const groups = Map.groupBy(attachedGroups, ({ party }) => party);
  const facts = groupFacts(mirror);
  return [...groups].map(([slug, rows]) => ({
    slug,
    chambers: rows.map(({ chamber }) => chamber),
    label: facts.get(slug)?.shortName ?? rows[0]!.party_name ?? slug,
  }));
}
