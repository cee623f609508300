import { BadInputError } from '../../errors.ts';
import { type Document, documentOf, parseDocument } from '../../model/document.ts';
import { facetsOf, formerSlugOf, keyOf } from '../../model/facets.ts';
import { type Kind, kindOf } from '../../model/kinds.ts';
import { isMoment } from '../../model/moment.ts';
import { contentHash } from '../../model/normal-form.ts';
import { type Phrase, say } from '../../words/speech.ts';
import { admitDocument } from '../anonymous-log.ts';
import { readCached } from '../cached.ts';
import { saveKindState, saveRetrievals, storedColumns } from '../kind-state.ts';
import { bumpVersion, type Mirror } from '../mirror.ts';
import { type FormerVersion, facetColumns, facetValues, nextIdSql, saveVersion } from '../record.ts';
import { saveGap } from '../records/contents.ts';
import { replaceRenames } from '../renames.ts';
import { replaceMissing } from '../saving/missing-records.ts';
import type { Outcome } from '../saving/save.ts';
import { createView } from '../schema.ts';
import { type AdmissionFilter, readAdmissionFilter } from '../tombstones.ts';
import { indexDocument, isIndexed, removeFromIndex } from '../word-index/search-index.ts';
import { type ReplicaHead, type ReplicaRecord, replicaText } from './replica.ts';

/** Result of saving a record of another mirror; `same` if it is unchanged, or withheld here and therefore not saved. */
export type ReplicaOutcome = Outcome | 'withdrawn';

const findSql = 'SELECT id, hash, withdrawn FROM record WHERE kind = ? AND key = ?';

// Renames a politician whose slug became `SLUG~n` at the other mirror; its id stays, since followers' positions use it.
const renameSql = "UPDATE record SET key = ? WHERE kind = 'politician' AND key = ? AND first_seen = ?";

const requiredTimes = ['first_seen', 'last_seen', 'last_changed'] as const;
const optionalTimes = ['withdrawn', 'detail_at', 'detail_since'] as const;
const documentColumns = ['row', 'hash', 'detail', 'detail_hash'];
const stateColumns = [...documentColumns, ...facetColumns, ...requiredTimes, ...optionalTimes, 'detail_stale'];

// Not ON CONFLICT DO UPDATE, for which SQLite copies each page first: https://sqlite.org/tempfiles.html#stmtjrnl
const updateSql = `UPDATE record SET ${stateColumns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
const insertSqls = new Map<string, string>();
const insertSql = (kind: Kind): string => `INSERT INTO record (${stateColumns.join(', ')}, id, kind, key)
  VALUES (${'?, '.repeat(stateColumns.length)}${nextIdSql(kind)}, ?, ?)`;

/** In a transaction: upserts a record of another mirror, received as `text`; throws a BadInputError if invalid. */
export function saveReplica(mirror: Mirror, replica: ReplicaRecord, { text: line }: { text: string }): ReplicaOutcome {
  const kind = kindOf(replica.kind);
  const admissionFilter = readAdmissionFilter(mirror);
  const find = mirror.sql<{ id: number; hash: string | null; withdrawn: string | null }>(findSql);
  const formerDocument = replica.key.includes('~') ? parseRecordDocument(replica, replica.row ?? replica.detail) : null;
  const reusedSlug = formerDocument && formerSlugOf(formerDocument);
  // Refuse a new former holder (`SLUG~n`) of a reused slug if SLUG has a tombstone here, which may be its own.
  const isSlugWithheld =
    reusedSlug !== null && !find.get(kind.name, replica.key) && admissionFilter?.findTombstone(kind.name, reusedSlug);
  if (isSlugWithheld || (admissionFilter !== null && isWithheld(admissionFilter, replica))) return 'same';
  const record = sanitiseReplica(mirror, replica, admissionFilter);
  const text = record === replica ? line : JSON.stringify(record);
  if (reusedSlug !== null) mirror.sql(renameSql).run(record.key, reusedSlug, record.first_seen);
  const storedRecord = find.get(kind.name, record.key);
  if (storedRecord && replicaText(mirror, storedRecord.id) === text) return 'same';
  const { id, document } = saveState(mirror, record, storedRecord?.id);
  saveVersions(mirror, id, { isNew: !storedRecord, versions: record.versions });
  if (isIndexed(kind)) {
    if (storedRecord) removeFromIndex(mirror, id);
    const fullDocument = record.row !== null && record.detail !== null ? documentOf(record) : document;
    if (record.withdrawn === null) indexDocument(mirror, kind, { id, document: fullDocument });
  }
  if (!storedRecord) return 'added';
  if ((storedRecord.withdrawn === null) !== (record.withdrawn === null))
    return record.withdrawn === null ? 'returned' : 'withdrawn';
  return storedRecord.hash === record.hash ? 'touched' : 'edited';
}

/** True if the record has a tombstone here by its key, or by one of its documents. */
function isWithheld({ findTombstone, admit }: AdmissionFilter, record: ReplicaRecord): boolean {
  const kind = kindOf(record.kind);
  if (findTombstone(kind.name, record.key)) return true;
  return [record.row, record.detail].some((text) => {
    const document = parseRecordDocument(record, text);
    return document !== null && admit(kind, document) === null;
  });
}

/** Returns the record without what this mirror may not store: personal data of the log, and withheld records in it. */
function sanitiseReplica(mirror: Mirror, replica: ReplicaRecord, admissionFilter: AdmissionFilter | null) {
  const kind = kindOf(replica.kind);
  // A copy, so that the text is always rewritten: its bytes may say more than was parsed, as by a repeated field.
  if (kind.name === 'audit') return cleanReplica(replica, (document) => ({ ...admitDocument(mirror, kind, document) }));
  if (admissionFilter === null) return replica;
  return cleanReplica(replica, (document) => admissionFilter.admit(kind, document) ?? document);
}

/** Updates the stored record or inserts it; returns its id, and its row, else its detail. Throws a BadInputError. */
function saveState(mirror: Mirror, record: ReplicaRecord, storedId?: number): { id: number; document: Document } {
  const row = parseRecordDocument(record, record.row);
  const detail = parseRecordDocument(record, record.detail);
  checkVersions(record);
  const document = row ?? detail;
  if (document === null) throw badRecordError(record, say`it has no document`);
  const kind = kindOf(record.kind);
  const facets = facetsOf(kind, document);
  if (facets.key !== record.key) throw badRecordError(record, say`its document is of "${facets.key}"`);
  const values = [
    record.row,
    record.hash === null || row === null ? null : contentHash(kind, row),
    record.detail,
    detail === null ? null : contentHash(kind, detail),
    ...facetValues(kind, document, facets),
    ...requiredTimes.map((name) => checkTime(record, record[name])),
    ...optionalTimes.map((name) => record[name] && checkTime(record, record[name])),
    record.detail_stale ? 1 : 0,
  ];
  if (storedId !== undefined) {
    mirror.sql(updateSql).run(...values, storedId);
    return { id: storedId, document };
  }
  const sql = readCached(insertSqls, kind.name, { compute: () => insertSql(kind) });
  return { id: Number(mirror.sql(sql).run(...values, kind.name, record.key).lastInsertRowid), document };
}

function checkVersions(record: ReplicaRecord): void {
  for (const { part, ended_by, seen_from, seen_to } of record.versions) {
    for (const at of [seen_from, seen_to]) checkTime(record, at);
    if (!['row', 'detail'].includes(part) || !['edited', 'withdrawn'].includes(ended_by))
      throw badRecordError(record, say`it does not have the format of a mirror`);
  }
}

/** Appends versions if the stored ones are a prefix of the received ones; otherwise replaces all stored ones. */
function saveVersions(mirror: Mirror, id: number, { isNew, versions }: { isNew: boolean; versions: FormerVersion[] }) {
  if (isNew && versions.length === 0) return;
  const sql = `SELECT ${versionFields.join(', ')} FROM version WHERE record = ? ORDER BY rowid`;
  const storedVersions = mirror.sql<FormerVersion>(sql).all(id);
  const isSameVersion = (version: FormerVersion, index: number) =>
    versionFields.every((field) => versions[index]?.[field] === version[field]);
  const isPrefix = storedVersions.every(isSameVersion);
  if (!isPrefix) mirror.sql('DELETE FROM version WHERE record = ?').run(id);
  for (const version of isPrefix ? versions.slice(storedVersions.length) : versions) saveVersion(mirror, id, version);
}

const versionFields = ['part', 'json', 'hash', 'seen_from', 'seen_to', 'ended_by'] as const;

function parseRecordDocument(record: ReplicaRecord, text: string | null): Document | null {
  const document = text === null ? null : parseDocument(text);
  if (document === null && text !== null) throw badRecordError(record, say`its document is not a JSON object`);
  return document;
}

/** Returns a time; throws a BadInputError unless it is `YYYY-MM-DDTHH:MM:SS.mmmZ`, which sorts as text. */
function checkTime(record: Pick<ReplicaRecord, 'kind' | 'key'>, text: string): string {
  // Most records have the times of the record before.
  const isValid = readCached(validityOfTimes, text, { compute: () => isMoment(text), maxEntries: 100 });
  if (!isValid) throw badRecordError(record, say`"${text}" is not a valid time`);
  return text;
}

const validityOfTimes = new Map<string, boolean>();

function badRecordError({ kind, key }: Pick<ReplicaRecord, 'kind' | 'key'>, reason: Phrase): BadInputError {
  // The key of a moderation entry may name a person: do not quote it.
  if (kind === 'audit') return new BadInputError(say`a moderation entry`, say`it does not have the format of a mirror`);
  return new BadInputError(say`the record ${kind}:${key}`, reason);
}

/** In the records' transaction: saves states, gaps, missing records, renames; bumps the version for `changedKinds`. */
export function saveReplicaHead(mirror: Mirror, head: ReplicaHead, changedKinds: ReadonlySet<string>): void {
  const { kinds, gaps, unseen = [], renames } = head;
  for (const { kind: name, state, retrievals } of kinds) {
    const kind = kindOf(name);
    const { kind: _kind, ...receivedState } = name === 'audit' ? anonymousState(state) : state;
    const previousColumns = storedColumns(mirror, kind);
    const columns = [...new Set([...state.columns, ...previousColumns])];
    // Save retrievals before the state: `saveKindState` logs the last retrieval, which must follow the earlier ones.
    for (const { at } of retrievals) checkTime({ kind: name, key: '' }, at);
    saveRetrievals(mirror, kind, retrievals);
    saveKindState(mirror, kind, { ...receivedState, columns });
    if (columns.length !== previousColumns.length) createView(mirror, kind);
    if (changedKinds.has(name)) bumpVersion(mirror);
    mirror.sql('DELETE FROM gap WHERE kind = ?').run(name);
    const missingOfKind = unseen.filter((each) => each.kind === name);
    for (const each of missingOfKind) checkTime(each, each.since);
    replaceMissing(mirror, kind, missingOfKind);
    if (renames) replaceRenames(mirror, kind, renames);
  }
  // Another program that sends replicas may omit a key.
  for (const gap of gaps) {
    checkTime({ kind: 'audit', key: '' }, gap.noticed_at);
    saveGap(mirror, { ...gap, after_key: gap.after_key ?? null, before_key: gap.before_key ?? null });
  }
}

/** The state of the moderation log without texts that may name a person: an address with a user, an invalid hash. */
function anonymousState(state: ReplicaHead['kinds'][number]['state']): typeof state {
  const { origin, fileHash } = state;
  return {
    ...state,
    origin: URL.parse(origin ?? '')?.username === '' ? origin : null,
    fileHash: fileHash !== null && /^[\da-f]+$/i.test(fileHash) ? fileHash : null,
  };
}

/** The received record with `clean` applied to all its documents, and the resulting key and hashes. */
export function cleanReplica(record: ReplicaRecord, clean: (document: Document) => Document): ReplicaRecord {
  const kind = kindOf(record.kind);
  const cleanText = <Hash extends string | null>(text: string | null, hash: Hash) => {
    const document = parseRecordDocument(record, text);
    const cleanDocument = document && clean(document);
    if (cleanDocument === document) return { text, hash };
    return { text: JSON.stringify(cleanDocument), hash: hash && contentHash(kind, cleanDocument!) };
  };
  // Clean the row last: `admitDocument` overwrites the saved withheld fields; those of the row must remain.
  const versions = record.versions.map((version) => {
    const { text, hash } = cleanText(version.json, version.hash);
    return { ...version, json: text!, hash };
  });
  const detail = cleanText(record.detail, record.detail_hash);
  const row = cleanText(record.row, record.hash);
  const text = row.text ?? detail.text;
  const key = text === null ? record.key : keyOf(kind, JSON.parse(text));
  return { ...record, key, row: row.text, hash: row.hash, detail: detail.text, detail_hash: detail.hash, versions };
}
