import { type Kind, kindOf, kinds } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { refreshNameIndex } from '../../names/name-index.ts';
import { hasTable } from '../added-tables.ts';
import { recordPlace } from '../journal.ts';
import { bumpVersion, forgetMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { forgetAnswers } from '../syncs/validators.ts';
import {
  forgetTombstone,
  isOfPerson,
  saveTombstone,
  type Tombstone,
  tombstones,
  withholding,
} from '../tombstones.ts';
import { atOnce } from '../transaction.ts';
import { joinIndexParts, removeFromIndex } from '../word-index/search-index.ts';
import { reindex } from './save.ts';

/**
 * Saves tombstones and erases from the mirror's file what they withhold: records, versions, index, vectors, kept downloads,
 * what syncs remember of their addresses, and their copies inside profiles. Returns the number of records that are gone.
 */
export function withhold(mirror: Mirror, added: readonly Tombstone[]): number {
  const { database } = mirror;
  database.pragma('secure_delete = ON');
  const erased = atOnce(mirror, () => {
    const fresh = added.filter((each) => saveTombstone(mirror, each));
    return fresh.length === 0 ? 0 : eraseWithheld(mirror);
  });
  database.pragma('secure_delete = OFF');
  if (erased > 0) {
    // Freed pages and merged segments of the index still hold the bytes.
    joinIndexParts(mirror);
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
  }
  return erased;
}

/** Takes over what a followed mirror withholds, and gives up what it withholds no more. */
export function takeTombstones(mirror: Mirror, told: readonly Tombstone[], followed: string): void {
  const taken = told.filter(isTombstone).map((each) => ({ ...each, of: each.of ?? followed }));
  for (const each of tombstones(mirror).filter(({ of }) => of !== null))
    if (!taken.some(({ hash, kind }) => hash === each.hash && kind === each.kind))
      forgetTombstone(mirror, each);
  withhold(mirror, taken);
}

/** True for what another program calls a tombstone, if it is one. */
function isTombstone({ kind, salt, hash, day, reason, of }: Tombstone): boolean {
  const texts = [salt, hash, day, reason, of ?? ''];
  return kinds.some(({ name }) => name === kind) && texts.every((text) => typeof text === 'string');
}

type Row = { id: number; key: string; politician: string | null };

function eraseWithheld(mirror: Mirror): number {
  const held = withholding(mirror)!;
  const erased: Row[] = [];
  const counts = new Map<Tombstone, number>();
  for (const kind of kinds.filter(isOfPerson))
    for (const row of mirror
      .sql<Row>('SELECT id, key, politician FROM record WHERE kind = ?')
      .all(kind.name)) {
      const of =
        held.of(kind.name, row.key) ??
        (row.politician === null ? null : held.of('politician', row.politician));
      if (of === null) continue;
      eraseRecord(mirror, kind, row);
      erased.push(row);
      counts.set(of, (counts.get(of) ?? 0) + 1);
    }
  const count = mirror.sql(
    'UPDATE tombstone SET records = records + ? WHERE kind = ? AND salt = ? AND hash = ?',
  );
  for (const [{ kind, salt, hash }, records] of counts) count.run(records, kind, salt, hash);
  cleanDocuments(mirror);
  forgetSyncs(mirror, erased);
  bumpVersion(mirror);
  refreshNameIndex(mirror);
  return erased.length;
}

/** Tables with rows for each record. */
const tablesOfRecords = ['version', 'unseen', 'doubt', 'name_index', 'acronym', 'embedded'];

/** Erases a record with all that is kept of it; call it in a transaction. */
export function eraseRecord(mirror: Mirror, kind: Kind, { id, key }: Pick<Row, 'id' | 'key'>): void {
  // Followers and copies learn from the journal that it changed; its number is never given again.
  mirror.sql('INSERT INTO journal (record, mark) VALUES (?, lower(hex(randomblob(4))))').run(id);
  mirror.sql('INSERT OR IGNORE INTO gone (record, place) VALUES (?, ?)').run(id, recordPlace(mirror, id));
  removeFromIndex(mirror, id);
  for (const table of tablesOfRecords)
    if (hasTable(mirror.database, table)) mirror.sql(`DELETE FROM ${table} WHERE record = ?`).run(id);
  for (const table of ['composed', 'absent'])
    mirror.sql(`DELETE FROM ${table} WHERE kind = ? AND key = ?`).run(kind.name, key);
  mirror.sql('DELETE FROM record WHERE id = ?').run(id);
}

type RecordTexts = { id: number; kind: string; row: string | null; detail: string | null };

/** Takes what is withheld out of the documents of other records, and of their versions. */
function cleanDocuments(mirror: Mirror): void {
  const held = withholding(mirror)!;
  const cleaned = (kind: Kind, text: string | null) => {
    if (text === null) return null;
    const document = JSON.parse(text);
    const made = held.admit(kind, document);
    return made === null || made === document ? null : made;
  };
  const update = mirror.sql(
    `UPDATE record SET row = coalesce($row, row), hash = coalesce($hash, hash),
     detail = coalesce($detail, detail), detail_hash = coalesce($detailHash, detail_hash) WHERE id = $id`,
  );
  for (const kind of [kindOf('politician'), kindOf('party')]) {
    const stored = mirror
      .sql<RecordTexts>('SELECT id, kind, row, detail FROM record WHERE kind = ?')
      .all(kind.name);
    for (const { id, row, detail } of stored) {
      const [newRow, newDetail] = [cleaned(kind, row), cleaned(kind, detail)];
      if (newRow === null && newDetail === null) continue;
      const texts = { row: newRow && JSON.stringify(newRow), detail: newDetail && JSON.stringify(newDetail) };
      update.run({
        ...texts,
        id,
        hash: newRow && contentHash(kind, newRow),
        detailHash: newDetail && contentHash(kind, newDetail),
      });
      reindex(mirror, kind, { id, row: texts.row ?? row, detail: texts.detail ?? detail });
    }
    const versions = mirror
      .sql<{ rowid: number; json: string }>(
        'SELECT version.rowid AS rowid, json FROM version JOIN record ON record.id = record WHERE kind = ?',
      )
      .all(kind.name);
    for (const { rowid, json } of versions) {
      const made = cleaned(kind, json);
      if (made !== null)
        mirror
          .sql('UPDATE version SET json = ?, hash = ? WHERE rowid = ?')
          .run(JSON.stringify(made), contentHash(kind, made), rowid);
    }
  }
}

/** Deletes what syncs remember by address, and the downloads that hold what is withheld. */
function forgetSyncs(mirror: Mirror, erased: readonly Row[]): void {
  const keys = JSON.stringify([...new Set(erased.map(({ key }) => key))]);
  const among = (text: string) => `EXISTS (SELECT 1 FROM json_each(?) WHERE instr(${text}, value) > 0)`;
  mirror.sql(`DELETE FROM failure WHERE ${among('url')}`).run(keys);
  mirror.sql(`UPDATE run SET report = NULL WHERE ${among('report')}`).run(keys);
  mirror
    .sql(`DELETE FROM gap WHERE ${among("coalesce(after_key, '') || coalesce(before_key, '')")}`)
    .run(keys);
  mirror.sql(`DELETE FROM progress WHERE ${among('state')}`).run(keys);
  mirror.database.exec(`
    DELETE FROM download_part; DELETE FROM download; DELETE FROM shape;`);
  forgetAnswers(mirror);
  // Both are made anew from what is left.
  forgetMeta(mirror, 'names');
  if (hasTable(mirror.database, 'embedding'))
    mirror.database.exec(
      'DELETE FROM embedding WHERE number NOT IN (SELECT embedding FROM embedded); DELETE FROM embedding_signs',
    );
}
