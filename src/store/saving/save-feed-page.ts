import type { Document } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { findKind, type Kind, type KindName, kindOf } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';
import type { NumberSet } from '../word-index/number-set.ts';
import { saveDetail } from './detail.ts';
import { createSaver, type Outcomes, type SaverOptions } from './save.ts';

/** Outcomes of saving a feed page, by kind. */
export type FeedOutcomes = Map<KindName, Outcomes>;

/** `at`: retrieval, ISO 8601; `seenNumbers`: numbers of `content` records on all pages so far; see `SaverOptions`. */
type FeedPageOptions = Pick<SaverOptions, 'at' | 'changesToConfirm'> & { seenNumbers?: NumberSet | null };

/** Saves a page of the feed, in the caller's transaction; `editedFields`: edited `content` records by field. */
export function saveFeedPage(
  mirror: Mirror,
  items: Document[],
  { at, seenNumbers = null, changesToConfirm = 'none' }: FeedPageOptions,
): { outcomes: FeedOutcomes; editedFields: ReadonlyMap<string, number> } {
  const outcomes: FeedOutcomes = new Map();
  let editedFields = new Map<string, number>();
  for (const [kind, records] of Map.groupBy(items.map(readItem), (each) => each.kind)) {
    const saver = createSaver(mirror, kind, {
      at,
      isPartial: kind.dataset, // feed items never replace dataset rows
      isPage: true,
      changesToConfirm,
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

/** Saves an item as detail of the record with its key, if the dataset row differs; otherwise returns false. */
function saveAsDetail(mirror: Mirror, kind: Kind, document: Document, at: string): boolean {
  const sql = 'SELECT hash FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL';
  const storedHash = mirror.column<string | null>(sql).get(kind.name, keyOf(kind, document));
  if (!storedHash || storedHash === contentHash(kind, document)) return false;
  saveDetail(mirror, kind, document, { at });
  return true;
}
