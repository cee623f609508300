import { type Document, documentsIn, isDocument, type Json, slugOf } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { type Kind, kindOf, kinds } from '../../model/kinds.ts';
import { type FieldChange, fieldChanges, statedForm } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';

/** The record that changed: its kind, its key, and what it said after the change. */
export type Changed = { kind: Kind; key: string; after: Document };

/**
 * The changes of a record that are its own: without those by which it only repeats what records of their own say. A
 * profile repeats quotes, positions and sources, a party its members, a reference the name of whom it refers to; each of
 * these facts is told where it belongs. What no record says, or none says so, is told here.
 */
export function ownChanges(mirror: Mirror, changed: Changed, changes: FieldChange[]): FieldChange[] {
  return changes.filter((change) => !isEcho(mirror, changed, { change, changes }));
}

function isEcho(
  mirror: Mirror,
  changed: Changed,
  { change, changes }: { change: FieldChange; changes: FieldChange[] },
): boolean {
  const { field, old, new: next } = change;
  const kind = repeatedKind(field);
  if (kind) {
    const [before, after] = [partsOf(kind, old), partsOf(kind, next)];
    if (before === null || after === null) return false;
    return [...new Set([...before.keys(), ...after.keys()])].every((key) =>
      isTold(mirror, changed, { kind, key, before: before.get(key), after: after.get(key) }),
    );
  }
  return isNameOfReference(mirror, changed, { change, changes });
}

/** The kind of the records that a field repeats; null for one that says something itself. */
function repeatedKind(field: string): Kind | null {
  if (field === 'members') return kindOf('politician');
  return kinds.find(({ name, plural }) => field === plural || field === name) ?? null;
}

/** The records that a field repeats, by key; null where it holds anything else. */
function partsOf(kind: Kind, value: Json): Map<string, Document> | null {
  const items = value === null ? [] : Array.isArray(value) ? value : [value];
  return items.every(isDocument) ? new Map(items.map((item) => [keyOf(kind, item), item])) : null;
}

type Part = { kind: Kind; key: string; before: Document | undefined; after: Document | undefined };

/** True where what changed of a repeated record is told by that record. */
function isTold(mirror: Mirror, changed: Changed, { kind, key, before, after }: Part): boolean {
  const changes = before && after ? fieldChanges(kind, before, after) : [];
  if (before && after && changes.length === 0) return true;
  const said = saidBy(mirror, kind, key);
  if (said === null) return false;
  if (before && after) return changes.every((change) => states(kind, said.documents, change));
  if (kind.name === 'source') return isCited(mirror, changed, { id: key, isNow: after !== undefined });
  const isAboutIt = (document: Document) => isAbout(document, changed);
  // Whoever left a party still names it among those of the past.
  const hasLeft = kind.name === 'politician' && after === undefined;
  if (hasLeft) return said.wasWithdrawn || said.documents.some((document) => !isAboutIt(document));
  return said.documents.some((document) => [document, ...documentsIn(document.affiliations)].some(isAboutIt));
}

/** True where the record itself, or its dataset row, names that source among its own, or no longer does. */
function isCited(
  mirror: Mirror,
  { kind, key }: Changed,
  { id, isNow }: { id: string; isNow: boolean },
): boolean {
  const lists = (saidBy(mirror, kind, key)?.documents ?? []).map(({ source_ids: ids }) => ids);
  return lists.some((ids) => Array.isArray(ids) && ids.includes(id) === isNow);
}

/** True for a record that names the one that repeats it: a quote its politician, a politician a party or group. */
function isAbout(document: Document, { kind, key }: Changed): boolean {
  const fields = kind.name === 'party' ? ['party', 'group'] : [kind.name];
  return fields.some((field) => slugOf(document[field]) === key);
}

function states(kind: Kind, documents: Document[], { field, new: next }: FieldChange): boolean {
  const form = (document: Document) => JSON.stringify(statedForm(kind, document)[field] ?? null);
  const said = form({ [field]: next });
  // A profile may shorten what it repeats.
  const start = typeof next === 'string' ? /^(.+)(?:…|\.\.\.)$/s.exec(next)?.[1] : undefined;
  return documents.some((document) => {
    if (!Object.hasOwn(document, field)) return false;
    return form(document) === said || (start !== undefined && String(document[field]).startsWith(start));
  });
}

/** All that a record ever said, as this mirror saw it, and whether it was ever withdrawn; null for one never held. */
function saidBy(
  mirror: Mirror,
  kind: Kind,
  key: string,
): { documents: Document[]; wasWithdrawn: boolean } | null {
  const stored = mirror
    .sql<{ id: number; row: string | null; detail: string | null; withdrawn: string | null }>(
      'SELECT id, row, detail, withdrawn FROM record WHERE kind = ? AND key = ?',
    )
    .get(kind.name, key);
  if (!stored) return null;
  const former = mirror
    .sql<{ json: string; ended_by: string }>('SELECT json, ended_by FROM version WHERE record = ?')
    .all(stored.id);
  const texts = [stored.row, stored.detail, ...former.map(({ json }) => json)];
  return {
    documents: texts.filter((text) => text !== null).map((text) => JSON.parse(text)),
    wasWithdrawn: stored.withdrawn !== null || former.some(({ ended_by }) => ended_by === 'withdrawn'),
  };
}

/** True for a field such as `party_name` where the party is the same, and says itself that it is called so now. */
function isNameOfReference(
  mirror: Mirror,
  { after }: Changed,
  { change, changes }: { change: FieldChange; changes: FieldChange[] },
): boolean {
  const reference = /^(.+)_name$/.exec(change.field)?.[1];
  const kind = kinds.find(({ name }) => name === reference);
  const key = reference === undefined ? null : slugOf(after[reference]);
  if (!kind || key === null || changes.some(({ field }) => field === reference)) return false;
  const documents = saidBy(mirror, kind, key)?.documents ?? [];
  return kind.search.name.some((field) => states(kind, documents, { ...change, field }));
}
