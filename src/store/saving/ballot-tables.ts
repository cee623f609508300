import { dissentOf } from '../../model/agreement.ts';
import {
  type Ballot,
  ballotKey,
  countFields,
  isNonAttached,
  marginOf,
  type PartyVotes,
  readBallotFacts,
} from '../../model/ballot.ts';
import { textOfBallot } from '../../model/ballot-text.ts';
import { type Document, documentOf, type RecordTexts, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { membersOf } from '../../model/seats.ts';
import { electorateOf, turnoutOf, withoutRecordedVote } from '../../parliament/electorate.ts';
import { groupPosition, isOneSided } from '../../parliament/group-position.ts';
import { natureRules, titleFactsOf } from '../../parliament/nature.ts';
import { textKey } from '../../parliament/text-key.ts';
import { ballotTablesSql } from '../ballot-tables-sql.ts';
import { positionNow, recordsBehind, wasAt } from '../journal.ts';
import { readMeta, saveMeta } from '../meta.ts';
import { hasTable, type Mirror } from '../mirror.ts';

/** Version of everything that the tables derive from a record; another version fills them anew. */
const derivation = `ballots ${natureRules}.3`;

type Schema = 'main' | 'temp';

/** Saves the tables for ballots that changed since; call it at the end of a run that wrote. */
export function refreshBallotTables(mirror: Mirror): void {
  const kind = kindOf('ballot');
  const position = positionOfTables(mirror);
  const changed = [...recordsBehind(mirror, kind, position)];
  for (const table of tables)
    if (position === null) mirror.sql(`DELETE FROM main.${table}`).run();
    else for (const id of changed) mirror.sql(`DELETE FROM main.${table} WHERE ${idOf[table]} = ?`).run(id);
  fillTables(mirror, 'main', changed);
  if (changed.length > 0) settleSoleArticles(mirror, 'main.ballot');
  saveMeta(mirror, 'ballot_tables', `${derivation} ${positionNow(mirror, kind)}`);
}

/** Makes the names `ballot` and `group_votes` stand for current content, also where the tables are behind. */
export function readBallotTables(mirror: Mirror): void {
  mirror.readOnce('ballot tables', () => {
    const hasDelta = mirror.sql("SELECT 1 FROM temp.sqlite_schema WHERE name = 'ballot_behind'").get() !== undefined;
    if (hasDelta) mirror.database.exec(dropDelta);
    const isPast = mirror.pastOf !== null;
    const position = isPast ? null : positionOfTables(mirror);
    const changed = isPast
      ? mirror.column<number>("SELECT id FROM record WHERE kind = 'ballot'").all()
      : [...recordsBehind(mirror, kindOf('ballot'), position)];
    if (changed.length === 0 && position !== null) return;
    mirror.database.exec(createDelta(position !== null));
    const behind = mirror.sql('INSERT INTO temp.ballot_behind VALUES (?)');
    for (const id of changed) behind.run(id);
    fillTables(mirror, 'temp', changed);
    settleSoleArticles(mirror, 'temp.delta_ballot');
  });
}

const tables = ['ballot', 'group_votes'] as const;
const idOf = { ballot: 'id', group_votes: 'ballot' } as const;

const dropDelta = `
  DROP VIEW IF EXISTS temp.ballot; DROP VIEW IF EXISTS temp.group_votes; DROP TABLE IF EXISTS temp.ballot_behind;
  DROP TABLE IF EXISTS temp.delta_ballot; DROP TABLE IF EXISTS temp.delta_group_votes;
`;

/** SQL of the changed ballots as temporary tables, and of views that put them in place of the saved ones. */
function createDelta(hasSaved: boolean): string {
  const views = tables.map((table) => {
    const saved = `SELECT * FROM main.${table} WHERE ${idOf[table]} NOT IN (SELECT id FROM temp.ballot_behind) UNION ALL`;
    return `CREATE TEMP VIEW ${table} AS ${hasSaved ? saved : ''} SELECT * FROM temp.delta_${table};`;
  });
  return `${ballotTablesSql('temp', 'delta_')} CREATE TEMP TABLE ballot_behind (id INTEGER PRIMARY KEY); ${views.join(' ')}`;
}

/** Position of the records that the saved tables contain; null if they are of other rules or do not exist. */
function positionOfTables(mirror: Mirror): string | null {
  const mark = hasTable(mirror.database, 'group_votes') ? readMeta(mirror, 'ballot_tables') : null;
  if (mark === null || !mark.startsWith(`${derivation} `)) return null;
  const position = mark.slice(derivation.length + 1);
  return wasAt(mirror, kindOf('ballot'), position) ? position : null;
}

function fillTables(mirror: Mirror, schema: Schema, ids: readonly number[]): void {
  const prefix = schema === 'temp' ? 'delta_' : '';
  const read = mirror.sql<RecordTexts & { topic: string | null }>(
    'SELECT topic, row, detail FROM record WHERE id = ? AND withdrawn IS NULL',
  );
  const insertBallot = insertStatement(mirror, schema, `${prefix}ballot`);
  const insertVotes = insertStatement(mirror, schema, `${prefix}group_votes`);
  for (const id of ids) {
    const { topic, ...texts } = read.get(id) ?? { topic: null, row: null, detail: null };
    if (texts.row === null && texts.detail === null) continue;
    const document = documentOf(texts);
    const ballot = readBallotFacts(document);
    const oneSided = isOneSided(ballot);
    const groups = ballot.votes_by_party.map((votes, at) => groupColumns(votes, { ballot: id, n: at + 1, oneSided }));
    const dissents = groups.flatMap(({ dissent }) => dissent ?? []);
    insertBallot.run({
      ...ballotColumnsOf(document, ballot),
      ...{ id, topic, is_one_sided: Number(oneSided) },
      dissent: dissents.length === 0 ? null : Math.max(...dissents),
    });
    for (const group of groups) insertVotes.run(group);
  }
}

/** The statement that inserts a row, an object with a value for each column of the table. */
function insertStatement(mirror: Mirror, schema: Schema, table: string) {
  const columns = mirror.column<string>('SELECT name FROM pragma_table_info(?, ?)').all(table, schema);
  return mirror.sql(`INSERT INTO ${schema}.${table} VALUES (${columns.map((name) => `@${name}`).join(', ')})`);
}

function ballotColumnsOf(document: Document, ballot: Ballot) {
  const text = textOfBallot(document);
  const { nature, textKind, reading, isOnSoleArticle } = titleFactsOf(ballot);
  return {
    key: ballotKey(ballot),
    chamber: ballot.chamber,
    day: /^\d{4}-\d\d-\d\d/.exec(ballot.date ?? '')?.[0] ?? '',
    title: ballot.title,
    result: ballot.result,
    type: textOf(ballot, 'type'),
    text: text?.name ?? null,
    text_from: text?.from ?? null,
    text_key: text && textKey(text.name),
    reading,
    nature,
    text_kind: textKind,
    is_sole_article: Number(isOnSoleArticle),
    has_counts: Number(countFields.some((field) => ballot.totals?.[field] != null)),
    margin: marginOf(ballot),
    turnout: turnoutOf(ballot),
    ...electorateOf(ballot),
  };
}

function groupColumns(votes: PartyVotes, { ballot, n, oneSided }: { ballot: number; n: number; oneSided: boolean }) {
  return {
    ...{ ballot, n, party: votes.party, party_name: votes.party_name, members: membersOf(votes) },
    votes_for: votes.for,
    votes_against: votes.against,
    votes_abstention: votes.abstention,
    votes_non_voting: votes.non_voting,
    no_vote_recorded: withoutRecordedVote(votes),
    stated_position: votes.position,
    position: groupPosition(votes, oneSided),
    dissent: oneSided || isNonAttached(votes) || (votes.party ?? votes.party_name) === null ? null : dissentOf(votes),
  };
}

/** A vote on a sole article counts as one on the whole text, unless there is one on the whole of it at that reading. */
function settleSoleArticles(mirror: Mirror, table: 'main.ballot' | 'temp.delta_ballot'): void {
  const names = table === 'main.ballot' ? 'main.ballot' : 'ballot';
  mirror
    .sql(
      `UPDATE ${table} AS sole SET nature = CASE WHEN EXISTS (SELECT 1 FROM ${names} AS whole
         WHERE whole.text_key = sole.text_key AND whole.chamber = sole.chamber AND whole.reading IS sole.reading
           AND whole.nature = 'whole' AND whole.is_sole_article = 0) THEN 'article' ELSE 'whole' END
       WHERE is_sole_article = 1`,
    )
    .run();
}
