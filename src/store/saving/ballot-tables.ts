import { type Ballot, ballotKey, countFields, marginOf, type PartyVotes, readBallot } from '../../model/ballot.ts';
import { type Document, documentOf, type RecordTexts, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { groupSize } from '../../model/seats.ts';
import { fieldSql } from '../../names/database.ts';
import { billKeyInTitle, legislativeTextName, textNameInTitle } from '../../parliament/ballot-text.ts';
import { groupPosition } from '../../parliament/group-position.ts';
import { derivedOfBallot, derivedOfGroup, flatTotalsOf } from '../../parliament/group-rows.ts';
import { natureRulesVersion, titleFactsOf } from '../../parliament/nature.ts';
import { textKey } from '../../parliament/text-key.ts';
import { ballotTablesSql } from '../ballot-tables-sql.ts';
import { currentPosition, positionsOfKinds, recordIdsSince, wasAtPosition } from '../journal.ts';
import { hasTable, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { saveTextKeys, saveTextLinks } from './text-links.ts';

/** Version of the rules by which the tables derive columns; another version refills them. */
const derivationVersion = `ballots ${natureRulesVersion}.6`;

type Schema = 'main' | 'temp';

/** Updates the tables for ballots changed since the last refresh; call it at the end of a run that wrote. */
export function refreshBallotTables(mirror: Mirror): void {
  const position = positionOfTables(mirror);
  const changedIds = [...recordIdsSince(mirror, kindOf('ballot'), position)];
  if (position === null) mirror.database.exec(ballotTablesSql('main'));
  for (const id of changedIds) {
    mirror.sql('DELETE FROM main.ballot WHERE id = ?').run(id);
    mirror.sql('DELETE FROM main.group_votes WHERE ballot = ?').run(id);
  }
  fillTables(mirror, 'main', changedIds);
  if (changedIds.length > 0) deriveAcrossBallots(mirror, 'main.ballot');
  const mark = currentMark(mirror);
  const linkMark = `${mark} ${positionsOfKinds(mirror, [kindOf('content')])}`;
  if (readMeta(mirror, 'text_links') !== linkMark) saveTextLinks(mirror, 'main', 'main.ballot');
  saveMeta(mirror, 'ballot_tables', mark);
  saveMeta(mirror, 'text_links', linkMark);
  if (storedNumbers(mirror) === null) saveMeta(mirror, 'ballot_numbers', JSON.stringify([mark, countNumbered(mirror)]));
}

/** The mark of tables derived by the current rules from the current ballots. */
const currentMark = (mirror: Mirror) => `${derivationVersion} ${currentPosition(mirror, kindOf('ballot'))}`;

/** By chamber, the sum of the highest ballot numbers of its legislatures, or of sessions where none is stated. */
export type NumberedBallots = Record<string, number>;

/** How many ballots must exist, by the numbers of the stored ones: a legislature or session numbers them from 1. */
export const numberedBallots = (mirror: Mirror): NumberedBallots => storedNumbers(mirror) ?? countNumbered(mirror);

/** The saved numbers; null for a past mirror, and if ballots changed since. */
function storedNumbers(mirror: Mirror): NumberedBallots | null {
  const [mark, numbers] = JSON.parse(readMeta(mirror, 'ballot_numbers') ?? '[]');
  return mirror.asOf === null && mark === currentMark(mirror) ? numbers : null;
}

const maxNumber = 99_999; // A larger one is no count, but contains a year or another code.

function countNumbered(mirror: Mirror): NumberedBallots {
  const [chamber, legislature, session] = [fieldSql('chamber'), fieldSql('legislature'), fieldSql('session')];
  const sql = `SELECT chamber, sum(max(0, min(highest, ${maxNumber + 1}))) AS numbered FROM (
      SELECT ${chamber} AS chamber, max(CAST(${fieldSql('number')} AS INTEGER)) AS highest FROM record
      WHERE kind = 'ballot' AND withdrawn IS NULL GROUP BY 1, ${legislature}, iif(${legislature} IS NULL, ${session}, NULL))
    GROUP BY 1 HAVING max(highest) <= ${maxNumber}`;
  const rows = mirror.sql<{ chamber: string | null; numbered: number | null }>(sql).all();
  return Object.fromEntries(rows.map((row) => [row.chamber ?? '', row.numbered ?? 0]));
}

/** Shadows outdated `ballot` and `group_votes` by temporary tables: current, or of the past in a mirror `asOf`. */
export function shadowBallotTables(mirror: Mirror): void {
  mirror.readOnce('ballot tables', () => {
    dropShadowTables(mirror);
    const position = mirror.asOf === null ? positionOfTables(mirror) : null;
    const changedIds = [...recordIdsSince(mirror, kindOf('ballot'), position)];
    if (changedIds.length === 0 && position !== null) return;
    // One transaction: otherwise SQLite would commit every row.
    mirror.database.transaction(() => {
      mirror.database.exec('CREATE TEMP TABLE stale_ballot (id INTEGER PRIMARY KEY)');
      mirror.sql('INSERT INTO temp.stale_ballot SELECT value FROM json_each(?)').run(JSON.stringify(changedIds));
      mirror.database.exec(shadowTablesSql(position !== null));
      fillTables(mirror, 'temp', changedIds);
      deriveAcrossBallots(mirror, 'temp.ballot');
    })();
  });
}

/** Fills a temporary `text_link` if all ballots are shadowed; otherwise readers use the last saved `text_link`. */
export function shadowTextLinks(mirror: Mirror): void {
  shadowBallotTables(mirror);
  mirror.readOnce('text links', () => {
    if (hasTempTable(mirror, 'text_link')) saveTextLinks(mirror, 'temp', 'temp.ballot');
  });
}

const hasTempTable = (mirror: Mirror, name: string): boolean =>
  mirror.sql('SELECT 1 FROM temp.sqlite_schema WHERE name = ?').get(name) !== undefined;

/** Drops the temporary tables and view; otherwise VACUUM on the same connection would resolve to their names. */
export function dropShadowTables(mirror: Mirror): void {
  // `exec` throws while a statement of the connection is iterated.
  if (!hasTempTable(mirror, 'stale_ballot')) return;
  mirror.database.exec(`
    DROP VIEW IF EXISTS temp.group_votes; DROP TABLE IF EXISTS temp.delta_group_votes; DROP TABLE IF EXISTS temp.ballot;
    DROP TABLE IF EXISTS temp.stale_ballot; DROP TABLE IF EXISTS temp.text_link`);
}

/** SQL of temporary tables for changed ballots; with saved tables, also unchanged rows, and no `text_link`. */
function shadowTablesSql(hasSavedTables: boolean): string {
  const isUnchangedSql = 'NOT IN (SELECT id FROM temp.stale_ballot)';
  const copySql = `INSERT INTO temp.ballot SELECT * FROM main.ballot WHERE id ${isUnchangedSql}; DROP TABLE temp.text_link;`;
  const savedVotesSql = `UNION ALL SELECT * FROM main.group_votes WHERE ballot ${isUnchangedSql}`;
  return `${ballotTablesSql('temp', 'delta_')} ${hasSavedTables ? copySql : ''}
    CREATE TEMP VIEW group_votes AS SELECT * FROM temp.delta_group_votes ${hasSavedTables ? savedVotesSql : ''};`;
}

/** Journal position of the saved tables; null if missing, derived by other rules, or not in this mirror's journal. */
function positionOfTables(mirror: Mirror): string | null {
  const mark = hasTable(mirror, 'group_votes') ? readMeta(mirror, 'ballot_tables') : null;
  if (mark === null || !mark.startsWith(`${derivationVersion} `)) return null;
  const position = mark.slice(derivationVersion.length + 1);
  return wasAtPosition(mirror, kindOf('ballot'), position) ? position : null;
}

function fillTables(mirror: Mirror, schema: Schema, ids: readonly number[]): void {
  const sql = 'SELECT topic, row, detail FROM record WHERE id = ? AND withdrawn IS NULL';
  const read = mirror.sql<RecordTexts & { topic: string | null }>(sql);
  const insertBallot = insertStatement(mirror, schema, 'ballot');
  const insertVotes = insertStatement(mirror, schema, schema === 'temp' ? 'delta_group_votes' : 'group_votes');
  for (const id of ids) {
    const { topic, ...texts } = read.get(id) ?? { topic: null, row: null, detail: null };
    if (texts.row === null && texts.detail === null) continue;
    const document = documentOf(texts);
    const ballot = readBallot(document);
    const { one_sided: oneSided, ...columns } = ballotColumnsOf(document, ballot);
    const groups = ballot.votes_by_party.map((votes, at) => groupColumns(votes, { ballot: id, n: at + 1, oneSided }));
    const dissents = groups.flatMap(({ dissent }) => dissent ?? []);
    const dissent = dissents.length === 0 ? null : Math.max(...dissents);
    insertBallot.run({ ...columns, id, topic, is_one_sided: Number(oneSided), dissent });
    for (const group of groups) insertVotes.run(group);
  }
}

/** Statement that inserts a row, given as an object with a value for each column of the table. */
function insertStatement(mirror: Mirror, schema: Schema, table: string) {
  const columns = mirror.column<string>('SELECT name FROM pragma_table_info(?, ?)').all(table, schema);
  return mirror.sql(`INSERT INTO ${schema}.${table} VALUES (${columns.map((name) => `@${name}`).join(', ')})`);
}

function ballotColumnsOf(document: Document, ballot: Ballot) {
  const file = textOf(document, 'dossier');
  const name = textNameInTitle(document);
  const { nature, reading, isOnSoleArticle } = titleFactsOf(ballot);
  return {
    ...derivedOfBallot(ballot, nature),
    ...flatTotalsOf(document, ballot),
    key: ballotKey(ballot),
    chamber: ballot.chamber,
    day: /^\d{4}-\d\d-\d\d/.exec(ballot.date ?? '')?.[0] ?? '',
    title: ballot.title,
    result: ballot.result,
    type: textOf(ballot, 'type'),
    text: legislativeTextName(document),
    text_key: null,
    text_file: file && textKey(file),
    text_bill: billKeyInTitle(document),
    text_name: name && textKey(name),
    reading,
    is_sole_article: Number(isOnSoleArticle),
    has_counts: Number(countFields.some((field) => ballot.totals?.[field] != null)),
    margin: marginOf(ballot),
  };
}

function groupColumns(votes: PartyVotes, { ballot, n, oneSided }: { ballot: number; n: number; oneSided: boolean }) {
  return {
    ballot,
    n,
    party: votes.party,
    party_name: votes.party_name,
    members: groupSize(votes),
    votes_for: votes.for,
    votes_against: votes.against,
    votes_abstention: votes.abstention,
    votes_non_voting: votes.non_voting,
    ...derivedOfGroup(votes, oneSided),
    position: groupPosition(votes, oneSided),
  };
}

/** Updates columns that depend on other ballots: `text_key`, and `nature` of votes on a sole article. */
function deriveAcrossBallots(mirror: Mirror, table: string): void {
  saveTextKeys(mirror, table);
  // A vote on a sole article counts as a vote on the whole text, unless that reading has one on the whole text.
  const sql = `UPDATE ${table} AS sole SET nature = CASE WHEN EXISTS (SELECT 1 FROM ${table} AS whole
      WHERE whole.text_key = sole.text_key AND whole.chamber = sole.chamber AND whole.reading IS sole.reading
        AND whole.nature = 'whole' AND whole.is_sole_article = 0) THEN 'article' ELSE 'whole' END
    WHERE is_sole_article = 1`;
  mirror.sql(sql).run();
}
