import type { Document, RecordTexts } from '../../model/document.ts';
import { facetsOf } from '../../model/facets.ts';
import { idBounds, type Kind } from '../../model/kinds.ts';
import { contentHash, isEqualApartFromNotation } from '../../model/normal-form.ts';
import { isNamedKind, updateNameIndex } from '../../names/name-index.ts';
import { admitDocument } from '../anonymous-log.ts';
import { bumpVersion, type Mirror } from '../mirror.ts';
import { saveVersion } from '../record.ts';
import { readComposition } from '../syncs/composition.ts';
import { readAdmissionFilter } from '../tombstones.ts';
import { observeReversion } from './missing-records.ts';
import { resolveSlugReuse } from './reused-slugs.ts';
import { type Outcome, reindexRecord, type SaverOptions, saveRecord } from './save.ts';

type RecordRow = RecordTexts & { id: number } & Record<'hash' | 'detail_hash' | 'detail_since', string | null>;

/** In a transaction: saves a full document. `same` also if withheld; `deferred`: a second day must confirm it. */
export function saveDetail(
  mirror: Mirror,
  kind: Kind,
  input: Document,
  { at, changesToConfirm }: Pick<SaverOptions, 'at' | 'changesToConfirm'>,
): Outcome | 'deferred' {
  const admittedDocument = readAdmissionFilter(mirror)?.admit(kind, input);
  if (admittedDocument === null) return 'same';
  const document = admitDocument(mirror, kind, admittedDocument ?? input);
  const { key } = facetsOf(kind, document);
  const sql = 'SELECT id, row, detail, hash, detail_hash, detail_since FROM record WHERE kind = ? AND key = ?';
  const stored = mirror.sql<RecordRow>(sql).get(kind.name, key);
  if (!stored) {
    saveRecord(mirror, kind, document, { at, isPartial: true });
    // The record exists now: save its full document.
    return saveDetail(mirror, kind, document, { at });
  }
  const identity = resolveSlugReuse(mirror, kind, stored, { document, at, changesToConfirm, isProfile: true });
  if (identity === 'unconfirmed') return 'deferred';
  // The stored record is withdrawn as `SLUG~n` now: save the document as a new record.
  if (identity === 'new') return saveDetail(mirror, kind, document, { at });
  mirror.sql('DELETE FROM absent WHERE kind = ? AND key = ?').run(kind.name, key);
  const hash = contentHash(kind, document);
  const isSame =
    stored.detail_hash === hash || isEqualApartFromNotation(kind, JSON.parse(stored.detail ?? '{}'), document);
  const isEdit = stored.detail !== null && !isSame;
  const before = { id: stored.id, hash: stored.detail_hash, isChange: isEdit };
  if (changesToConfirm === 'all' && observeReversion(mirror, before, { route: 'detail', finding: hash, at }))
    return 'deferred';
  if (isEdit)
    saveVersion(mirror, stored.id, {
      part: 'detail',
      json: stored.detail!,
      hash: stored.detail_hash!,
      seen_from: stored.detail_since!,
      seen_to: at,
      ended_by: 'edited',
    });
  const text = JSON.stringify(document);
  const update = `UPDATE record SET detail = ?, detail_hash = ?, detail_at = ?, detail_since = ?, detail_stale = 0 WHERE id = ?`;
  mirror.sql(update).run(text, hash, at, isSame ? stored.detail_since : at, stored.id);
  if (isSame) return stored.detail === text ? 'same' : 'touched';
  reindexRecord(mirror, kind, { ...stored, detail: text });
  bumpVersion(mirror);
  if (isNamedKind(kind)) updateNameIndex(mirror);
  return stored.detail === null ? 'added' : 'edited';
}

/** Marks profiles as stale that contain records changed at `at`; call it in the transaction that saved a dataset. */
export function markRelatedStale(mirror: Mirror, kind: Kind, at: string): void {
  const referenceColumns = kind.name === 'politician' ? ['party', 'group_slug'] : ['politician'];
  const owner = kind.name === 'politician' ? 'party' : 'politician';
  const sql = `SELECT DISTINCT json_array(${referenceColumns.join(', ')}) FROM record
    WHERE id BETWEEN ? AND ? AND (last_changed = ? OR withdrawn = ?)`;
  const currentReferences = mirror.column<string>(sql).all(...idBounds(kind), at, at);
  // Records edited at that moment may have referenced other profiles before.
  const formerSql = `SELECT json FROM version WHERE seen_to = ? AND part = 'row' AND record BETWEEN ? AND ?`;
  const formerRows = mirror.column<string>(formerSql).all(at, ...idBounds(kind));
  const formerSlugs = formerRows.flatMap((json) => {
    const { politician, party, group } = facetsOf(kind, JSON.parse(json));
    return kind.name === 'politician' ? [party, group] : [politician];
  });
  const slugs = new Set([...currentReferences.flatMap((each) => JSON.parse(each)), ...formerSlugs]);
  // If profiles with certain fields are fetched, a composed profile may have such a field after the change.
  const hasFetchedFields = readComposition(mirror, owner).fields.length > 0;
  const mark = mirror.sql(`UPDATE record SET detail_stale = 1 WHERE kind = ? AND key = ? AND detail_stale = 0
    AND (detail IS NOT NULL
      OR ? AND EXISTS (SELECT 1 FROM composed WHERE composed.kind = record.kind AND composed.key = record.key))`);
  for (const slug of slugs) if (slug !== null) mark.run(owner, slug, Number(hasFetchedFields));
}
