import { nameSortKey } from '../language/name.ts';
import { type Document, textOf } from '../model/document.ts';
import { type Facets, facetsOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import { contentHash } from '../model/normal-form.ts';
import { columnsSeen, saveKindState } from './kind-state.ts';
import { bumpVersion } from './meta.ts';
import { createNumberSet, type NumberSet } from './number-set.ts';
import type { Mirror } from './open.ts';
import { recordRange } from './record-range.ts';
import { addToIndex, documentOf, isIndexed, removeFromIndex } from './search-index.ts';
import { createView } from './views.ts';

/** What saving did: `touched` means other bytes with the same content, which makes no new version. */
export type Outcome = 'added' | 'edited' | 'returned' | 'touched' | 'same';

export type Outcomes = Record<Outcome, number>;

/** Saves records of one kind; to be used inside a transaction and finished there. */
export type Saver = {
  /** Saves one record; `text` is its JSON as the source wrote it. */
  save(document: Document, text?: string): Outcome;
  outcomes: Outcomes;
  /** Columns in the order in which the records brought them. */
  columns: Set<string>;
  /** Marks every record saved so far, by number within the kind. */
  seen: NumberSet;
  /** Writes the columns and the mirror's version, if anything changed. */
  finish(): void;
};

export type SaverOptions = {
  /** When the records left their source, ISO 8601. */
  at: string;
  /** True where a source may answer a record with fewer fields than its dataset row (lists, feeds). */
  partial?: boolean;
};

type Stored = {
  id: number;
  row: string | null;
  detail: string | null;
  hash: string | null;
  updated_at: string;
  last_changed: string;
  withdrawn: string | null;
};

/** A saver for the records of one kind. */
export function createSaver(mirror: Mirror, kind: Kind, { at, partial = false }: SaverOptions): Saver {
  const { first, last } = recordRange(kind);
  const indexed = isIndexed(kind);
  const known = columnsSeen(mirror, kind);
  const columns = new Set(known);
  const outcomes: Outcomes = { added: 0, edited: 0, returned: 0, touched: 0, same: 0 };
  const seen = createNumberSet();
  const highest = mirror
    .sql('SELECT max(id) FROM record WHERE id BETWEEN ? AND ?')
    .pluck()
    .get(first, last) as number | null;
  let nextId = (highest ?? first - 1) + 1;
  const insert = mirror.sql(insertSql);
  const find = mirror.sql(findSql);

  function save(document: Document, text = JSON.stringify(document)): Outcome {
    const facets = facetsOf(kind, document);
    const hash = contentHash(kind, document);
    const added = insert.run(
      nextId,
      kind.name,
      facets.key,
      text,
      hash,
      ...facetValues(kind, document, facets),
      at,
      at,
      at,
    );
    if (added.changes === 1) {
      for (const field of Object.keys(document)) if (!columns.has(field)) columns.add(field);
      if (indexed) addToIndex(mirror, kind, nextId, document);
      seen.add(nextId - first);
      nextId += 1;
      return 'added';
    }
    const stored = find.get(kind.name, facets.key) as Stored;
    seen.add(stored.id - first);
    if (stored.hash === hash && stored.withdrawn === null && (stored.row === text || partial)) return 'same';
    if (partial && stored.row && !says(document, JSON.parse(stored.row))) return 'same';
    for (const field of Object.keys(document)) if (!columns.has(field)) columns.add(field);
    return replaceRow(mirror, kind, stored, { document, text, hash, facets, at });
  }

  return {
    outcomes,
    columns,
    seen,
    save(document, text) {
      const outcome = save(document, text);
      outcomes[outcome] += 1;
      return outcome;
    },
    finish() {
      if (outcomes.added + outcomes.edited + outcomes.returned + outcomes.touched > 0) bumpVersion(mirror);
      if (columns.size === known.length) return;
      saveKindState(mirror, kind, { columns: [...columns] });
      createView(mirror, kind);
    },
  };
}

const insertSql = `INSERT INTO record
  (id, kind, key, row, hash, name, sort_name, politician, party, group_slug, topic, date, updated_at, first_seen, last_seen, last_changed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, key) DO NOTHING`;

const findSql = `SELECT id, row, detail, hash, updated_at, last_changed, withdrawn FROM record WHERE kind = ? AND key = ?`;

const updateSql = `UPDATE record SET row = ?, hash = ?, name = ?, sort_name = ?, politician = ?, party = ?, group_slug = ?,
  topic = ?, date = ?, updated_at = ?, last_seen = ?, last_changed = ?, withdrawn = NULL,
  detail_stale = CASE WHEN ? THEN 1 ELSE detail_stale END WHERE id = ?`;

type NewRow = { document: Document; text: string; hash: string; facets: Facets; at: string };

function replaceRow(
  mirror: Mirror,
  kind: Kind,
  stored: Stored,
  { document, text, hash, facets, at }: NewRow,
): Outcome {
  const returned = stored.withdrawn !== null;
  const edited = stored.hash !== hash && stored.row !== null;
  if ((returned || edited) && stored.row !== null) {
    mirror
      .sql(
        'INSERT INTO version (record, part, json, hash, seen_from, seen_to, ended_by) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        stored.id,
        'row',
        stored.row,
        stored.hash,
        stored.last_changed,
        stored.withdrawn ?? at,
        returned ? 'withdrawn' : 'edited',
      );
  }
  const changed = returned || edited || stored.row === null;
  const stale = changed || stored.updated_at !== facets.updatedAt;
  mirror
    .sql(updateSql)
    .run(
      text,
      hash,
      ...facetValues(kind, document, facets),
      at,
      changed ? at : stored.last_changed,
      stale ? 1 : 0,
      stored.id,
    );
  if (changed && isIndexed(kind)) {
    removeFromIndex(mirror, stored.id);
    addToIndex(mirror, kind, stored.id, documentOf({ row: text, detail: stored.detail }));
  }
  if (returned) return 'returned';
  return changed ? 'edited' : 'touched';
}

function facetValues(kind: Kind, document: Document, facets: Facets): (string | null)[] {
  const name = kind.search.name.length > 0 ? textOf(document, kind.search.name[0]!) : null;
  const sortName = name === null ? '' : sortNameOf(kind, document, name);
  return [
    name,
    sortName,
    facets.politician,
    facets.party,
    facets.group,
    facets.topic,
    facets.date,
    facets.updatedAt,
  ];
}

function sortNameOf(kind: Kind, document: Document, name: string): string {
  if (kind.name !== 'politician') return nameSortKey(name, name, '');
  return nameSortKey(
    name,
    textOf(document, 'last_name') ?? undefined,
    textOf(document, 'first_name') ?? undefined,
  );
}

/** True if a document states every field that the row we hold states, so that it may replace it. */
function says(document: Document, row: Document): boolean {
  return Object.entries(row).every(([field, value]) => value === null || document[field] !== undefined);
}
