import { chamberOf } from './ballot.ts';
import { type Document, slugOf, textOf } from './document.ts';
import type { Kind } from './kinds.ts';
import { assignedKeyField, contentHash } from './normal-form.ts';

/** Fields of a record that queries use; if not published, `date` and `updatedAt` are empty, others null. */
export type Facets = ReturnType<typeof facetsOf>;

/** The key of a record: the one in its document, else a hash of its content. */
export const keyOf = (kind: Kind, document: Document): string =>
  keyInDocument(kind, document) ?? contentKey(kind, document);

/** Content-hash key of a record without an id; after an edit, the field `_key` preserves the first one. */
export const contentKey = (kind: Kind, document: Document): string => `sha256:${contentHash(kind, document)}`;

/** The key in a document: slug, id, `CHAMBER:SCRUTIN_ID`, or the assigned `_key`; null if it has none. */
export function keyInDocument(kind: Kind, document: Document): string | null {
  if (kind.name === 'ballot') {
    const scrutinId = textOf(document, 'scrutin_id', 'scrutinId', 'id', 'uid');
    if (scrutinId) return `${chamberOf(document.chamber ?? document.chambre) ?? 'AN'}:${scrutinId}`;
  }
  if (formerSlugOf(document) !== null) return textOf(document, assignedKeyField);
  return textOf(document, kind.keyField, kind.keyField === 'slug' ? 'id' : 'uid', assignedKeyField);
}

/** The slug that a record lost to another person (its key is `SLUG~1`); null for any other record. */
export function formerSlugOf(document: Document): string | null {
  const slug = textOf(document, 'slug');
  return slug !== null && textOf(document, assignedKeyField)?.startsWith(`${slug}~`) ? slug : null;
}

/** The facets of a record of any kind; accepts alternative spellings. */
export function facetsOf(kind: Kind, document: Document) {
  const isPolitician = kind.name === 'politician';
  const isParty = kind.name === 'party';
  return {
    key: keyOf(kind, document),
    politician: isPolitician || isParty ? null : slugOf(document.politician ?? document.politician_slug),
    party: isParty ? null : slugOf(document.party ?? document.party_slug),
    /** Parliamentary group of a politician, if it differs from the party. */
    group: isPolitician ? slugOf(document.group) : null,
    topic: isPolitician || isParty ? null : slugOf(document.topic),
    date: textOf(document, 'date', 'published_at', 'created_at', 'timestamp') ?? '',
    updatedAt: textOf(document, 'updated_at', 'updatedAt') ?? '',
  };
}

/** The title of a record in a list of mixed kinds, as published. */
export function titleOf(kind: Kind, document: Document): string {
  return textOf(document, ...kind.search.name, 'title', 'text', kind.keyField) ?? keyOf(kind, document);
}
