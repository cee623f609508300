import type { Document } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { findKind, type Kind, type KindName, kindOf } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';
import type { NumberSet } from '../word-index/number-set.ts';
import { saveDetail } from './detail.ts';
import { createSaver, type Outcomes } from './save.ts';

/** Outcomes of saving a feed page, by kind. */
export type FeedOutcomes = Map<KindName, Outcomes>;

type FeedPageOptions = { at: string; seenNumbers?: NumberSet | null; requiresConfirmation?: boolean };

/** In a transaction: saves a page, items with a dataset row as detail; numbers and edited fields are of `content`. */
export function saveFeedPage(
  mirror: Mirror,
  items: Document[],
  { at, seenNumbers = null, requiresConfirmation = false }: FeedPageOptions,
): { outcomes: FeedOutcomes; editedFields: ReadonlyMap<string, number> } {
  const outcomes: FeedOutcomes = new Map();
  let editedFields = new Map<string, number>();
  for (const [kind, records] of Map.groupBy(items.map(readItem), (each) => each.kind)) {
    const saver = createSaver(mirror, kind, {
      at,
      isPartial: kind.dataset,
      isPage: true,
      requiresConfirmation,
      ...(seenNumbers && kind.name === 'content' ? { seenNumbers } : {}),
    });
    for (const { document } of records) {
      if (kind.dataset && saveAsDetail(mirror, kind, document, at)) saver.outcomes.edited += 1;
      else saver.save(document);
    }
    saver.finish();
    outcomes.set(kind.name, saver.outcomes);
    if (kind.name === 'content') editedFields = saver.editedFields;
  }
  return { outcomes, editedFields };
}

/** The kind and the document of an item, without `type`; an item of a type without a kind in the feed is content. */
function readItem(item: Document): { kind: Kind; document: Document } {
  const { type, ...document } = item;
  const kind = typeof type === 'string' ? findKind(type) : undefined;
  return kind?.feed ? { kind, document } : { kind: kindOf('content'), document: item };
}

/** Saves an item as the full document of a record whose dataset row differs; false if there is none: nothing saved. */
function saveAsDetail(mirror: Mirror, kind: Kind, document: Document, at: string): boolean {
  const sql = 'SELECT hash FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL';
  const storedHash = mirror.column<string | null>(sql).get(kind.name, keyOf(kind, document));
  if (!storedHash || storedHash === contentHash(kind, document)) return false;
  saveDetail(mirror, kind, document, { at });
  return true;
}
