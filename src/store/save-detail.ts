import type { Document } from '../model/document.ts';
import { facetsOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import { contentHash } from '../model/normal-form.ts';
import { bumpVersion } from './meta.ts';
import type { Mirror } from './open.ts';
import { createSaver, type Outcome } from './save.ts';
import { addToIndex, documentOf, isIndexed, removeFromIndex } from './search-index.ts';

type Stored = {
  id: number;
  row: string | null;
  detail: string | null;
  detail_hash: string | null;
  detail_since: string | null;
};

/**
 * Saves the full document of one record beside its dataset row; a record that no dataset listed yet is added.
 * To be used inside a transaction.
 */
export function saveDetail(
  mirror: Mirror,
  kind: Kind,
  document: Document,
  { at, text = JSON.stringify(document) }: { at: string; text?: string },
): Outcome {
  const { key } = facetsOf(kind, document);
  const stored = mirror
    .sql('SELECT id, row, detail, detail_hash, detail_since FROM record WHERE kind = ? AND key = ?')
    .get(kind.name, key) as Stored | undefined;
  if (!stored) {
    const saver = createSaver(mirror, kind, { at, partial: true });
    saver.save(document, text);
    saver.finish();
    return saveDetail(mirror, kind, document, { at, text });
  }
  mirror.sql('DELETE FROM absent WHERE kind = ? AND key = ?').run(kind.name, key);
  const hash = contentHash(kind, document);
  if (stored.detail !== null && stored.detail_hash !== hash) keepVersion(mirror, stored, at);
  mirror
    .sql(
      `UPDATE record SET detail = ?, detail_hash = ?, detail_at = ?, detail_since = ?, detail_stale = 0 WHERE id = ?`,
    )
    .run(text, hash, at, stored.detail_hash === hash ? stored.detail_since : at, stored.id);
  if (stored.detail_hash === hash) return stored.detail === text ? 'same' : 'touched';
  if (isIndexed(kind)) {
    removeFromIndex(mirror, stored.id);
    addToIndex(mirror, kind, stored.id, documentOf({ row: stored.row, detail: text }));
  }
  bumpVersion(mirror);
  return stored.detail === null ? 'added' : 'edited';
}

function keepVersion(mirror: Mirror, stored: Stored, at: string): void {
  mirror
    .sql(
      `INSERT INTO version (record, part, json, hash, seen_from, seen_to, ended_by) VALUES (?, 'detail', ?, ?, ?, ?, 'edited')`,
    )
    .run(stored.id, stored.detail, stored.detail_hash, stored.detail_since, at);
}
