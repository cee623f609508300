import { columnFields } from '../../model/bounds.ts';
import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import { type Facets, facetsOf, keyOf } from '../../model/facets.ts';
import { type Kind, kindOf, recordRange } from '../../model/kinds.ts';
import { contentHash, differInFormAlone } from '../../model/normal-form.ts';
import { quotedText } from '../../names/database.ts';
import { isNamedKind, updateNameIndex } from '../../names/name-index.ts';
import { admitDocument } from '../anonymous-log.ts';
import { saveKindState, storedColumns } from '../kind-state.ts';
import { bumpVersion, type Mirror } from '../mirror.ts';
import { facetColumns, facetValues, saveVersion } from '../record.ts';
import { createView } from '../schema.ts';
import { withholding } from '../tombstones.ts';
import { indexEntryOf, textHash } from '../word-index/index-entry.ts';
import { addToIndex, indexDocument, isIndexed, removeFromIndex } from '../word-index/search-index.ts';
import { createEditBuffer } from './edits.ts';
import { createIdentities, type Identities, type IdentityOptions } from './identities.ts';
import { createEvidenceEraser, observeReversion } from './missing-records.ts';
import { replaceHolder } from './reused-slugs.ts';

/** Result of saving a record; `touched`: other bytes with equal content, without a new version. */
export type Outcome = 'added' | 'edited' | 'returned' | 'touched' | 'same';
export type Outcomes = Record<Outcome, number>;

/** Outcome counts, all zero. */
export const newOutcomes = (): Outcomes => ({ added: 0, edited: 0, returned: 0, touched: 0, same: 0 });

/** Saves records of one kind; use and finish it in one transaction. */
export type Saver = ReturnType<typeof createSaver>;

export type SaverOptions = IdentityOptions & {
  /** When the source sent the records, ISO 8601. */
  at: string;
  /** True for lists, feeds and profiles, whose fields may differ from the dataset row, which they never replace. */
  partial?: boolean;
  /** True for an enumeration: only the first record of each key is saved. */
  once?: boolean;
  /** True if every value is text (CSV): values equal to the stored ones as text keep their types. */
  untyped?: boolean;
  /** True if a former state counts as an edit or a return only when seen on two days; false if a user accepts all. */
  requiresSecondDay?: boolean;
};

type RecordRow = RecordTexts & {
  id: number;
  hash: string | null;
  updated_at: string;
  last_changed: string;
  withdrawn: string | null;
};

/** Returns a saver for the records of one kind. */
export function createSaver(mirror: Mirror, kind: Kind, options: SaverOptions) {
  const identities = createIdentities(mirror, kind, options);
  const rows = createRowSaver(mirror, kind, { ...options, identities });
  const admissionFilter = withholding(mirror);
  const isLog = kind.name === 'audit';

  /** Saves one record; `text` is its JSON as the source wrote it. One without an id may wait for `settle`. */
  function save(received: Document, text = JSON.stringify(received)): Outcome {
    // The moderation log is anonymised before it is stored.
    const document = isLog
      ? admitDocument(mirror, kind, received).document
      : admissionFilter
        ? admissionFilter.admit(kind, received)
        : received;
    if (document === null) return 'same';
    // The text may hold more than was parsed, and a moderation entry may name a person.
    const isWhole = document === received && !isLog;
    const record = identities.identify(document, isWhole ? text : JSON.stringify(document));
    return record === null ? 'same' : rows.save(record.document, record.text);
  }

  /** Applies what is deferred to the end of an enumeration, which completes `outcomes`. */
  function settle(): void {
    for (const { document, text } of identities.settle()) rows.save(document, text);
    rows.applyDeferredEdits();
  }

  return {
    ...rows,
    save,
    settle,
    /** Saves the columns, and bumps the mirror's version if anything changed. */
    finish() {
      settle();
      rows.finish();
      if (isNamedKind(kind)) updateNameIndex(mirror);
    },
  };
}

function createRowSaver(mirror: Mirror, kind: Kind, options: SaverOptions & { identities: Identities }) {
  const { at, partial = false, once = false, untyped = false, identities } = options;
  const { seenNumbers, mayBeStored: wasStored } = identities;
  const { first } = recordRange(kind);
  const clearMissing = createEvidenceEraser(mirror, kind);
  const knownColumns = storedColumns(mirror, kind);
  const columns = new Set(knownColumns);
  const outcomes = newOutcomes();
  const edits = createEditBuffer(outcomes);
  let repeatedCount = 0;
  const findIdentical = mirror.column<number>(sameSql);
  // Most records of a stored kind are unchanged; a new record is mostly followed by another.
  let mayBeStored = wasStored;
  const insert = mirror.sql(insertSql(kind));

  /** Marks a stored record as seen; false if this enumeration listed it before. */
  function markSeen(id: number, isSame: boolean): boolean {
    const isRepeated = once && seenNumbers.has(id - first);
    repeatedCount += Number(isRepeated);
    identities.use(id);
    clearMissing(id, isSame);
    return !isRepeated;
  }

  function save(document: Document, text: string): Outcome {
    const identicalId = mayBeStored ? findIdentical.get(kind.name, keyOf(kind, document), text) : undefined;
    // Of rows with one key, the one equal to the stored row counts.
    if (identicalId !== undefined) return markSeen(identicalId, true) ? 'same' : edits.drop(identicalId);
    const facets = facetsOf(kind, document);
    const isProvisional = partial && kind.dataset;
    // Without a hash, the dataset row later replaces this one without a version.
    const hash = isProvisional ? null : contentHash(kind, document);
    const values = [...facetValues(kind, document, facets), textHash(kind, document)];
    const inserted = insert.run(facets.key, text, hash, ...values, at, at, at);
    if (inserted.changes > 0) {
      const id = Number(inserted.lastInsertRowid);
      identities.use(id);
      addFields(columns, document);
      if (isIndexed(kind)) addToIndex(mirror, id, indexEntryOf(kind, document));
      return 'added';
    }
    const stored = mirror.sql<RecordRow>(findSql).get(kind.name, facets.key)!;
    const next = untyped && stored.row !== null ? restoreTypes(kind, stored.row, document) : { document, text, hash };
    const isUnchanged = stored.hash === next.hash && stored.withdrawn === null;
    const isFirst = markSeen(stored.id, isUnchanged);
    // A list may shorten or omit fields: that is no edit of the dataset's row.
    if (isProvisional && stored.hash !== null) return 'same';
    if (!isFirst) return isUnchanged ? edits.drop(stored.id) : 'same';
    if (isUnchanged && stored.row === next.text) return 'same';
    addFields(columns, document);
    return edits.add(stored, next.document, {
      apply: () => replaceRow(mirror, kind, stored, { ...next, ...options, facets, add: () => save(document, text) }),
      isDeferrable: once,
    });
  }

  return {
    outcomes,
    /** Number of edited records per field; omits volatile fields, counts, and fields that were null before. */
    editedFields: edits.fields,
    applyDeferredEdits: edits.applyDeferred,
    /** Number of records skipped because of a repeated key. */
    repeatedCount: () => repeatedCount,
    /** Columns in the order of their first occurrence. */
    columns,
    /** Numbers within the kind of all records saved so far. */
    seenNumbers,
    /** Saves one record with a key. */
    save(document: Document, text = JSON.stringify(document)): Outcome {
      const outcome = save(document, text);
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

const hasChanges = ({ same: _, ...changes }: Outcomes) => Object.values(changes).some((count) => count > 0);

function addFields(columns: Set<string>, document: Document): void {
  for (const field of columnFields(document)) columns.add(field);
}

// Each insert computes the next number: several savers of one kind may run at once.
function insertSql(kind: Kind): string {
  const { first, last } = recordRange(kind);
  return `INSERT INTO record
    (kind, id, key, row, hash, ${facetColumns.join(', ')}, text_hash, first_seen, last_seen, last_changed)
    VALUES (${quotedText(kind.name)}, 1 + max((SELECT coalesce(max(id), ${first - 1}) FROM record WHERE id BETWEEN ${first} AND ${last}),
    (SELECT coalesce(max(record), 0) FROM gone WHERE record BETWEEN ${first} AND ${last})),
    ?, CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, key) DO NOTHING`;
}

const findSql = `SELECT id, row, detail, hash, updated_at, last_changed, withdrawn FROM record WHERE kind = ? AND key = ?`;

// SQLite compares, so that neither this text nor the long full document is read.
const sameSql = `SELECT id FROM record WHERE kind = ? AND key = ? AND row = ? AND hash IS NOT NULL AND withdrawn IS NULL`;

const updateSql = `UPDATE record SET row = ?, hash = ?, ${facetColumns.map((column) => `${column} = ?`).join(', ')}, last_seen = ?, last_changed = ?, withdrawn = NULL,
  detail_stale = CASE WHEN ? THEN 1 ELSE detail_stale END WHERE id = ?`;

type NewRow = SaverOptions & { document: Document; text: string; hash: string | null; facets: Facets } & {
  add: () => Outcome;
};

function replaceRow(mirror: Mirror, kind: Kind, stored: RecordRow, next: NewRow): Outcome {
  const { document, text, hash, facets, at, requiresSecondDay = false } = next;
  const holder = replaceHolder(mirror, kind, stored, next);
  if (holder !== 'same') return holder === 'new' ? next.add() : 'same';
  const isReturned = stored.withdrawn !== null;
  const isProvisional = stored.hash === null;
  const isOtherContent = stored.hash !== hash && stored.row !== null && !isProvisional;
  const isEdited = isOtherContent && !differInFormAlone(kind, JSON.parse(stored.row!), document);
  // A record that returns in another form goes back to its state, too.
  const observation = { route: 'row', finding: String(isEdited ? hash : (stored.hash ?? hash)), at } as const;
  const isChange = isReturned || isEdited || isProvisional;
  if (requiresSecondDay && observeReversion(mirror, { ...stored, isChange }, observation)) return 'same';
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
  const isStale = isChanged || stored.updated_at !== facets.updatedAt;
  const state = [at, isChanged ? at : stored.last_changed, isStale ? 1 : 0];
  mirror.sql(updateSql).run(text, hash, ...facetValues(kind, document, facets), ...state, stored.id);
  if (isChanged || isProvisional) reindexRecord(mirror, kind, { ...stored, row: text });
  if (isReturned) return 'returned';
  return isChanged ? 'edited' : 'touched';
}

/** Replaces the index entry of a changed record. */
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
    const isSameValue =
      (typeof storedValue === 'number' || typeof storedValue === 'boolean') && String(storedValue) === value;
    document[field] = isSameValue || (storedValue === '' && value === null) ? storedValue! : value;
  }
  return { document, text: JSON.stringify(document), hash: contentHash(kind, document) };
}

/** Saves one ballot; call it in a transaction. */
export function saveBallot(mirror: Mirror, document: Document, { at }: { at: string }): Outcome {
  const saver = createSaver(mirror, kindOf('ballot'), { at });
  const outcome = saver.save(document);
  saver.finish();
  return outcome;
}
