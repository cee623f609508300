import { columnFields } from '../../model/bounds.ts';
import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import { type Facets, facetsOf, keyOf } from '../../model/facets.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import { contentHash, isEqualApartFromNotation } from '../../model/normal-form.ts';
import { quotedText } from '../../names/database.ts';
import { isNamedKind, updateNameIndex } from '../../names/name-index.ts';
import { admitDocument } from '../anonymous-log.ts';
import { saveKindState, storedColumns } from '../kind-state.ts';
import { bumpVersion, type Mirror } from '../mirror.ts';
import { facetColumns, facetValues, nextIdSql, saveVersion } from '../record.ts';
import { createView } from '../schema.ts';
import { readAdmissionFilter } from '../tombstones.ts';
import { indexEntryOf, textHash } from '../word-index/index-entry.ts';
import { addToIndex, indexDocument, isIndexed, removeFromIndex } from '../word-index/search-index.ts';
import { createEditBuffer } from './edits.ts';
import { createIdentities, type Identities, type IdentityOptions } from './identities.ts';
import { createEvidenceEraser, observeReversion } from './missing-records.ts';
import { type ChangesToConfirm, resolveSlugReuse } from './reused-slugs.ts';

/** Result of saving; `returned`: no longer withdrawn; `touched`: new text of equal content; `same`: saved nothing. */
export type Outcome = 'added' | 'edited' | 'returned' | 'touched' | 'same';
export type Outcomes = Record<Outcome, number>;

/** Outcome counts, all zero. */
export const newOutcomes = (): Outcomes => ({ added: 0, edited: 0, returned: 0, touched: 0, same: 0 });

/** Saves records of one kind; create, use and finish it in one transaction. */
export type Saver = ReturnType<typeof createSaver>;

export type SaverOptions = IdentityOptions & {
  /** When the source sent the records, ISO 8601. */
  at: string;
  /** True for lists, feeds and profiles, which never replace a dataset row, as their fields may differ. */
  isPartial?: boolean;
  /** True for an enumeration: only the first record of each key is saved. */
  once?: boolean;
  /** True if every value is text (CSV): values equal to the stored ones as text keep their types. */
  untyped?: boolean;
  /** Changes that a second day must confirm, by default slug reuse; one not yet confirmed saves nothing (`same`). */
  changesToConfirm?: ChangesToConfirm;
};

type RecordRow = RecordTexts & { id: number } & Record<'updated_at' | 'last_changed', string> &
  Record<'hash' | 'withdrawn', string | null>;

/** Returns a saver for the records of one kind, which counts `outcomes`. */
export function createSaver(mirror: Mirror, kind: Kind, options: SaverOptions) {
  const identities = createIdentities(mirror, kind, options);
  const rowSaver = createRowSaver(mirror, kind, { ...options, identities });
  const admissionFilter = readAdmissionFilter(mirror);
  const isAudit = kind.name === 'audit';

  function admit(received: Document): Document | null {
    if (isAudit) return admitDocument(mirror, kind, received);
    return admissionFilter === null ? received : admissionFilter.admit(kind, received);
  }

  /** Saves one record; `text` is its JSON as the source wrote it. `same` if withheld, or if it waits for `settle`. */
  function save(received: Document, text = JSON.stringify(received)): Outcome {
    const document = admit(received);
    if (document === null) return 'same';
    // The text of a moderation entry may contain a name that parsing dropped.
    const record = identities.identify(document, document === received && !isAudit ? text : JSON.stringify(document));
    return record === null ? 'same' : rowSaver.save(record.document, record.text);
  }

  /** Saves records whose key was undecided, and applies deferred edits; `outcomes` are complete then. */
  function settle(): void {
    for (const { document, text } of identities.settle()) rowSaver.save(document, text);
    rowSaver.applyDeferredEdits();
  }

  return {
    ...rowSaver,
    save,
    settle,
    /** Settles, saves new columns, and bumps the mirror's version if anything changed. */
    finish() {
      settle();
      rowSaver.finish();
      if (isNamedKind(kind)) updateNameIndex(mirror);
    },
  };
}

function createRowSaver(mirror: Mirror, kind: Kind, options: SaverOptions & { identities: Identities }) {
  const { at, isPartial = false, once = false, untyped = false, identities } = options;
  const { first } = recordRange(kind);
  const eraseEvidence = createEvidenceEraser(mirror, kind);
  const knownColumns = storedColumns(mirror, kind);
  const columns = new Set(knownColumns);
  const outcomes = newOutcomes();
  const edits = createEditBuffer(outcomes);
  let repeatedCount = 0;
  const findIdenticalRow = mirror.column<number>(findIdenticalSql);
  // A record after an unchanged one is likely stored, after a new one likely new: skip the query then.
  let mayBeStored = identities.hasStoredRecords;
  const insert = mirror.sql(insertSql(kind));

  /** Marks a record as received, erases evidence that it is missing; true if this enumeration listed its key before. */
  function markReceived(id: number, isUnchanged: boolean): boolean {
    const isRepeated = once && identities.seenNumbers.has(id - first);
    repeatedCount += Number(isRepeated);
    identities.markReceived(id);
    eraseEvidence(id, isUnchanged);
    return isRepeated;
  }

  function upsert(document: Document, text: string): Outcome {
    const identicalId = mayBeStored ? findIdenticalRow.get(kind.name, keyOf(kind, document), text) : undefined;
    if (identicalId !== undefined) {
      if (markReceived(identicalId, true)) edits.repeat(identicalId, null, true);
      return 'same';
    }
    const facets = facetsOf(kind, document);
    const isProvisional = isPartial && kind.dataset;
    // Without a hash, the dataset row later replaces this one without a version.
    const hash = isProvisional ? null : contentHash(kind, document);
    const values = [...facetValues(kind, document, facets), textHash(kind, document)];
    const inserted = insert.run(facets.key, text, hash, ...values, at, at, at);
    if (inserted.changes > 0) {
      const id = Number(inserted.lastInsertRowid);
      identities.markReceived(id);
      addFields(columns, document);
      if (isIndexed(kind)) addToIndex(mirror, id, indexEntryOf(kind, document));
      return 'added';
    }
    const stored = mirror.sql<RecordRow>(findSql).get(kind.name, facets.key)!;
    const next = untyped && stored.row !== null ? restoreTypes(kind, stored.row, document) : { document, text, hash };
    const isUnchanged = stored.hash === next.hash && stored.withdrawn === null;
    const isRepeated = markReceived(stored.id, isUnchanged);
    // A list may shorten or omit fields: that is no edit of the dataset's row.
    if (isProvisional && stored.hash !== null) return 'same';
    if (isRepeated) edits.repeat(stored.id, next.hash, isUnchanged);
    if (isRepeated || (isUnchanged && stored.row === next.text)) return 'same';
    addFields(columns, document);
    return edits.add(stored, next, {
      apply: () => replaceRow(mirror, kind, stored, { ...next, ...options, facets }) ?? upsert(document, text),
      isDeferrable: once,
    });
  }

  return {
    outcomes,
    /** Number of edited records per field (see `countEditedFields`). */
    editedFields: edits.editedFields,
    applyDeferredEdits: edits.applyDeferred,
    /** Numbers of rows ignored because of a repeated key: all, and those unlike the record that is kept. */
    repeats: () => ({ count: repeatedCount, conflicts: edits.conflictCount() }),
    /** Numbers within the kind of all records saved so far. */
    seenNumbers: identities.seenNumbers,
    /** Saves one record that has a key, and counts its outcome. */
    save(document: Document, text = JSON.stringify(document)): Outcome {
      const outcome = upsert(document, text);
      mayBeStored = outcome !== 'added';
      outcomes[outcome] += 1;
      return outcome;
    },
    finish() {
      if (hasChanges(outcomes)) bumpVersion(mirror);
      if (columns.size === knownColumns.length) return;
      saveKindState(mirror, kind, { columns: [...new Set([...storedColumns(mirror, kind), ...columns])] });
      createView(mirror, kind);
    },
  };
}

function addFields(columns: Set<string>, document: Document): void {
  for (const field of columnFields(document)) columns.add(field);
}

const insertedColumns = ['hash', ...facetColumns, 'text_hash', 'first_seen', 'last_seen', 'last_changed'];

// Each insert computes the next id, as several savers of a kind may be in use.
const insertSql = (kind: Kind): string => `INSERT INTO record (kind, id, key, row, ${insertedColumns.join(', ')})
  VALUES (${quotedText(kind.name)}, ${nextIdSql(kind)}, ?, CAST(? AS TEXT)${', ?'.repeat(insertedColumns.length)})
  ON CONFLICT (kind, key) DO NOTHING`;

const findSql = `SELECT id, row, detail, hash, updated_at, last_changed, withdrawn FROM record WHERE kind = ? AND key = ?`;

// SQLite compares, so that JavaScript reads neither `row` nor the long `detail` of an unchanged record.
const findIdenticalSql = `SELECT id FROM record WHERE kind = ? AND key = ? AND row = ? AND hash IS NOT NULL AND withdrawn IS NULL`;

const updateSql = `UPDATE record SET row = ?, hash = ?, ${facetColumns.map((column) => `${column} = ?`).join(', ')}, last_seen = ?, last_changed = ?, withdrawn = NULL,
  detail_stale = CASE WHEN ? THEN 1 ELSE detail_stale END WHERE id = ?`;

type NewRow = SaverOptions & { document: Document; text: string; hash: string | null; facets: Facets };

/** Replaces the row of a record; the former one becomes a version if edited or withdrawn. Null: another person's. */
function replaceRow(mirror: Mirror, kind: Kind, stored: RecordRow, next: NewRow): Outcome | null {
  const { document, text, hash, facets, at, changesToConfirm } = next;
  const identity = resolveSlugReuse(mirror, kind, stored, { document, at, changesToConfirm });
  if (identity === 'new') return null; // another person: the stored record was renamed, so the document can be added
  if (identity === 'unconfirmed') return 'same';
  const isReturned = stored.withdrawn !== null;
  const isProvisional = stored.hash === null;
  const mayDiffer = stored.hash !== hash && stored.row !== null && !isProvisional;
  const isEdited = mayDiffer && !isEqualApartFromNotation(kind, JSON.parse(stored.row!), document);
  if (changesToConfirm === 'all' && awaitsConfirmation(mirror, stored, { ...next, isEdited })) return 'same';
  if ((isReturned || isEdited) && stored.row !== null)
    saveVersion(mirror, stored.id, {
      part: 'row',
      json: stored.row,
      hash: stored.hash ?? contentHash(kind, JSON.parse(stored.row)),
      seen_from: stored.last_changed,
      seen_to: stored.withdrawn ?? at,
      ended_by: isReturned ? 'withdrawn' : 'edited',
    });
  const isChanged = isReturned || isEdited || stored.row === null;
  const lastChanged = isChanged ? at : stored.last_changed;
  const isDetailStale = isChanged || stored.updated_at !== facets.updatedAt;
  const values = facetValues(kind, document, facets);
  mirror.sql(updateSql).run(text, hash, ...values, at, lastChanged, Number(isDetailStale), stored.id);
  if (isChanged || isProvisional) reindexRecord(mirror, kind, { ...stored, row: text });
  if (isReturned) return 'returned';
  return isChanged ? 'edited' : 'touched';
}

/**
 * True if a second day must confirm a reversion, which a stale source may send: to the content of a version or, for a
 * withdrawn record, to its last content in any notation. The finding is the hash of that content.
 */
function awaitsConfirmation(mirror: Mirror, stored: RecordRow, next: NewRow & { isEdited: boolean }): boolean {
  const hasNewContent = next.isEdited || stored.hash === null; // the content of a provisional row is not compared
  const finding = String(hasNewContent ? next.hash : stored.hash);
  const isChange = hasNewContent || stored.withdrawn !== null;
  return observeReversion(mirror, { ...stored, isChange }, { route: 'row', finding, at: next.at });
}

/** Replaces the full-text index entry of a changed record. */
export function reindexRecord(mirror: Mirror, kind: Kind, { id, ...texts }: RecordTexts & { id: number }): void {
  if (!isIndexed(kind)) return;
  removeFromIndex(mirror, id);
  indexDocument(mirror, kind, { id, document: documentOf(texts) });
}

/** Gives the text values of a CSV record the types of the stored row. */
function restoreTypes(kind: Kind, row: string, texts: Document): { document: Document; text: string; hash: string } {
  const storedRow: Document = JSON.parse(row);
  const document: Document = {};
  for (const [field, value] of Object.entries(texts)) {
    const storedValue = storedRow[field];
    const isSameValue = ['number', 'boolean'].includes(typeof storedValue) && String(storedValue) === value;
    document[field] = isSameValue || (storedValue === '' && value === null) ? storedValue! : value;
  }
  return { document, text: JSON.stringify(document), hash: contentHash(kind, document) };
}

/** In a transaction: saves one record. */
export function saveRecord(mirror: Mirror, kind: Kind, document: Document, options: SaverOptions): Outcome {
  const saver = createSaver(mirror, kind, options);
  const outcome = saver.save(document);
  saver.finish();
  return outcome;
}

const hasChanges = ({ same: _, ...changes }: Outcomes) => Object.values(changes).some((count) => count > 0);
