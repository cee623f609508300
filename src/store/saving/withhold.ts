import { LockedError } from '../../errors.ts';
import { keyedHash } from '../../language/traces.ts';
import { type Document, type RecordTexts, sourceIdsOf } from '../../model/document.ts';
import { datasets, type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { updateNameIndexAndCounts } from '../../names/name-index.ts';
import { say } from '../../words/speech.ts';
import { recordFingerprint } from '../journal.ts';
import { bumpVersion, deleteMeta, hasTable, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { deleteResponses } from '../syncs/validators.ts';
import {
  createTombstone,
  deleteTombstone,
  isWithholdable,
  readAdmissionFilter,
  saveTombstone,
  type Tombstone,
  tombstones,
} from '../tombstones.ts';
import { transaction } from '../transaction.ts';
import { deleteTraces, saveTraces } from '../withheld-traces.ts';
import { isIndexed, optimizeIndex, removeFromIndex } from '../word-index/search-index.ts';
import { deleteTerms } from '../word-index/terms.ts';
import { dropShadowTables } from './ballot-tables.ts';
import { reindexRecord } from './save.ts';
import { citedKeySql } from './source-uses.ts';

/** Kind and key of an erased record. */
export type ErasedRecord = { kind: KindName; key: string };

/** Saves tombstones and erases the records that they withhold; returns these. Throws as `eraseWithheld`. */
export function withhold(mirror: Mirror, newTombstones: readonly Tombstone[]): ErasedRecord[] {
  transaction(mirror, () => saveTombstones(mirror, newTombstones));
  return eraseWithheld(mirror);
}

function saveTombstones(mirror: Mirror, newTombstones: readonly Tombstone[]): void {
  const savedTombstones = newTombstones.filter((each) => saveTombstone(mirror, each));
  if (savedTombstones.length > 0) saveMeta(mirror, 'to_erase', '1');
}

/** In a transaction: replaces the tombstones of followed mirrors by received ones; `eraseWithheld` applies them. */
export function replaceTombstones(mirror: Mirror, receivedTombstones: unknown, followedAddress: string): void {
  const acceptedTombstones = (Array.isArray(receivedTombstones) ? receivedTombstones : [])
    .filter(isTombstone)
    .map((each) => ({ ...each, reason: each.reason.slice(0, maxReasonLength), of: each.of ?? followedAddress }));
  const acceptedKeys = new Set(acceptedTombstones.map(({ kind, salt, hash }) => `${kind} ${salt} ${hash}`));
  // Tombstones received from a followed mirror (`of`); `deleteTombstone` also deletes those that they cover (`under`).
  for (const each of tombstones(mirror).filter(({ of, under }) => of !== null && under === null))
    if (!acceptedKeys.has(`${each.kind} ${each.salt} ${each.hash}`)) deleteTombstone(mirror, each);
  deleteTraces(mirror);
  saveTombstones(mirror, acceptedTombstones);
}

/** Longer reasons are truncated; in characters. */
export const maxReasonLength = 500;

function isTombstone(candidate: Tombstone): boolean {
  const { kind, salt, hash, day, reason, of = null, under = null } = candidate ?? {};
  const isKind = kinds.some((each) => each.name === kind && isWithholdable(each));
  const texts = [salt, hash, reason, of ?? '', under ?? ''];
  return isKind && texts.every((text) => typeof text === 'string') && /^\d{4}-\d\d-\d\d$/.test(`${day}`);
}

/** Erases withheld records from the file and returns them. Throws a LockedError while a reader keeps the old bytes. */
export function eraseWithheld(mirror: Mirror): ErasedRecord[] {
  const { database } = mirror;
  if (readMeta(mirror, 'to_erase') === null) return [];
  database.pragma('secure_delete = ON');
  const erasedRecords = transaction(mirror, () => eraseRecords(mirror));
  database.pragma('secure_delete = OFF');
  // Freed pages and merged segments of the index still contain the bytes.
  optimizeIndex(mirror);
  dropShadowTables(mirror);
  database.exec('VACUUM');
  const [checkpoint] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  // `to_erase` remains, so that the next call continues.
  if (checkpoint?.busy)
    throw new LockedError(
      mirror.path,
      say`withheld, but another process still reads the old data of ${mirror.path}`,
      say`stop long-running readers, such as an export, and run this again`,
    );
  transaction(mirror, () => deleteMeta(mirror, 'to_erase'));
  return erasedRecords;
}

type RecordRow = { id: number; kind: KindName; key: string; hash: string | null; politician: string | null };

function eraseRecords(mirror: Mirror): ErasedRecord[] {
  const admissionFilter = readAdmissionFilter(mirror)!;
  const erasedRows: RecordRow[] = [];
  const readTexts = mirror.sql<RecordTexts>('SELECT row, detail FROM record WHERE id = ?');
  // Tombstones of erased records by the sources that they cite.
  const tombstoneBySource = new Map<string, Tombstone>();
  const erase = (kind: Kind, row: RecordRow, tombstone: Tombstone) => {
    const texts = readTexts.get(row.id)!;
    const documents = [texts.row, texts.detail].flatMap((text): Document[] => (text ? [JSON.parse(text)] : []));
    saveTraces(mirror, tombstone, { id: row.id, documents });
    for (const id of sourceIdsOf(documents[0] ?? {})) tombstoneBySource.set(id, tombstone);
    eraseRecord(mirror, kind, row);
    erasedRows.push(row);
  };
  for (const kind of kinds.filter(isWithholdable))
    for (const row of rowsOf(mirror, kind)) {
      // The key of a record without an id is the hash of its first content; lists contain its present content.
      const listedKey = row.key.startsWith('sha256:') ? `sha256:${row.hash}` : row.key;
      const tombstone =
        admissionFilter.coveringTombstone(kind, row) ?? admissionFilter.findTombstone(kind.name, listedKey);
      if (tombstone === null) continue;
      if (listedKey !== row.key)
        saveTombstone(mirror, { ...tombstone, hash: keyedHash(tombstone.salt, listedKey), under: tombstone.hash });
      erase(kind, row, tombstone);
    }
  cleanDocuments(mirror);
  // Sources that only erased records cited are erased, too.
  const sql = `SELECT DISTINCT ${citedKeySql('source')}
    FROM record, json_each(coalesce(row, detail), '$.source_ids') AS source`;
  const citedIds = mirror.column<string>(sql);
  for (const id of tombstoneBySource.size > 0 ? citedIds.iterate() : []) tombstoneBySource.delete(id);
  const sourceKind = kindOf('source');
  for (const row of tombstoneBySource.size > 0 ? rowsOf(mirror, sourceKind) : []) {
    const cover = tombstoneBySource.get(row.key);
    if (cover === undefined) continue;
    const ownTombstone = createTombstone(mirror, { ...row, reason: cover.reason });
    const sourceTombstone = { ...ownTombstone, day: cover.day, of: cover.of, under: cover.under ?? cover.hash };
    saveTombstone(mirror, sourceTombstone);
    erase(sourceKind, row, sourceTombstone);
  }
  deleteSyncState(mirror, erasedRows);
  bumpVersion(mirror);
  updateNameIndexAndCounts(mirror);
  deleteTerms(mirror);
  return erasedRows;
}

function rowsOf(mirror: Mirror, kind: Kind): RecordRow[] {
  return mirror.sql<RecordRow>('SELECT id, kind, key, hash, politician FROM record WHERE kind = ?').all(kind.name);
}

/** Erases a record with its versions, index entries and sync state; its id is never reused. */
export function eraseRecord(mirror: Mirror, kind: Kind, { id, key }: Pick<RecordRow, 'id' | 'key'>): void {
  // Followers and copies learn of the change from the journal.
  mirror.sql('INSERT INTO journal (record, mark) VALUES (?, lower(hex(randomblob(4))))').run(id);
  mirror.sql('INSERT OR IGNORE INTO gone (record, place) VALUES (?, ?)').run(id, recordFingerprint(mirror, id));
  if (isIndexed(kind)) removeFromIndex(mirror, id);
  for (const table of ['version', 'evidence', 'name_index', 'acronym', 'embedded'])
    if (hasTable(mirror, table)) mirror.sql(`DELETE FROM ${table} WHERE record = ?`).run(id);
  for (const table of ['composed', 'absent'])
    mirror.sql(`DELETE FROM ${table} WHERE kind = ? AND key = ?`).run(kind.name, key);
  mirror.sql('DELETE FROM record WHERE id = ?').run(id);
}

/** Removes withheld list items from the documents and versions of politicians and parties. */
function cleanDocuments(mirror: Mirror): void {
  const admissionFilter = readAdmissionFilter(mirror)!;
  const cleanText = (kind: Kind, text: string | null) => {
    const document: Document | null = text === null ? null : JSON.parse(text);
    const cleanDocument = document && admissionFilter.admit(kind, document);
    if (cleanDocument === null || cleanDocument === document) return unchangedText;
    return { text: JSON.stringify(cleanDocument), hash: contentHash(kind, cleanDocument) };
  };
  const update = mirror.sql(`UPDATE record SET row = coalesce(?, row), hash = coalesce(?, hash),
    detail = coalesce(?, detail), detail_hash = coalesce(?, detail_hash) WHERE id = ?`);
  const updateVersion = mirror.sql('UPDATE version SET json = ?, hash = ? WHERE rowid = ?');
  for (const kind of [kindOf('politician'), kindOf('party')]) {
    const storedTexts = mirror.sql<RecordTexts & { id: number }>('SELECT id, row, detail FROM record WHERE kind = ?');
    for (const { id, row, detail } of storedTexts.all(kind.name)) {
      const [newRow, newDetail] = [cleanText(kind, row), cleanText(kind, detail)];
      if (newRow === unchangedText && newDetail === unchangedText) continue;
      update.run(newRow.text, newRow.hash, newDetail.text, newDetail.hash, id);
      reindexRecord(mirror, kind, { id, row: newRow.text ?? row, detail: newDetail.text ?? detail });
    }
    const sql = 'SELECT version.rowid AS rowid, json FROM version JOIN record ON record.id = record WHERE kind = ?';
    for (const { rowid, json } of mirror.sql<{ rowid: number; json: string }>(sql).all(kind.name)) {
      const version = cleanText(kind, json);
      if (version !== unchangedText) updateVersion.run(version.text, version.hash, rowid);
    }
  }
}

const unchangedText = { text: null, hash: null };

/** Deletes sync state that mentions erased records, and all validators. */
function deleteSyncState(mirror: Mirror, erasedRows: readonly RecordRow[]): void {
  const keys = JSON.stringify([...new Set(erasedRows.map(({ key }) => key))]);
  const hasKeySql = (text: string) => `EXISTS (SELECT 1 FROM json_each(?) WHERE instr(${text}, value) > 0)`;
  mirror.sql(`DELETE FROM failure WHERE ${hasKeySql('url')}`).run(keys);
  mirror.sql(`UPDATE run SET report = NULL WHERE ${hasKeySql('report')}`).run(keys);
  mirror.sql(`DELETE FROM gap WHERE ${hasKeySql("coalesce(after_key, '') || coalesce(before_key, '')")}`).run(keys);
  mirror.sql(`DELETE FROM progress WHERE ${hasKeySql('state')}`).run(keys);
  // The next run rebuilds `source_use`.
  mirror.database.exec('DELETE FROM shape; DROP TABLE IF EXISTS source_use');
  deleteResponses(mirror);
  // The name index and `embedding_signs` are rebuilt from the remaining records.
  deleteMeta(mirror, 'names');
  if (hasTable(mirror, 'embedding'))
    mirror.database.exec(
      'DELETE FROM embedding WHERE number NOT IN (SELECT embedding FROM embedded); DELETE FROM embedding_signs',
    );
}

/** Records of a kind with a namesake in another that has the same key and content; parameters: the other, the kind. */
const misfiledSql = `FROM record JOIN record AS another ON another.kind = ? AND another.key = record.key
    AND another.withdrawn IS NULL AND (another.hash = record.hash OR another.text_hash = record.text_hash)
  WHERE record.kind = ?`; // Keys are no proof: several kinds may number their records. CSV may give other types.

/** Another dataset that has more than half of a kind's records, so that its file was saved as this kind; or null. */
export function findMisfiledKind(mirror: Mirror, kind: Kind): Kind | null {
  const half = countRows(mirror, kind) / 2;
  const countShared = mirror.column<number>(`SELECT count(*) ${misfiledSql} AND record.withdrawn IS NULL`);
  const sharesMost = (other: Kind) => other !== kind && half > 0 && countShared.get(other.name, kind.name)! > half;
  return datasets.find(sharesMost) ?? null;
}

/** Erases records of a kind that were saved by mistake: those of another kind. */
export function eraseMisfiled(mirror: Mirror, kind: Kind, other: Kind): void {
  const sql = `SELECT record.id, record.key ${misfiledSql}`;
  const rows = mirror.sql<{ id: number; key: string }>(sql).all(other.name, kind.name);
  for (const row of rows) eraseRecord(mirror, kind, row);
}
