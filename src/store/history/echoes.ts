import { type Document, documentsIn, isDocument, type Json, slugOf } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { type Kind, kindOf, kinds } from '../../model/kinds.ts';
import { type FieldChange, fieldChanges, statedForm } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';

/** A changed record: kind, key, and document after the change. */
export type ChangedRecord = { kind: Kind; key: string; after: Document };

/**
 * The changes of a record, without those that only repeat other records: a profile repeats quotes, positions and sources,
 * a party its members, a reference a name. Each is reported with its own record; what no record states is reported here.
 */
export function ownChanges(mirror: Mirror, changed: ChangedRecord, changes: FieldChange[]): FieldChange[] {
  return changes.filter((change) => !isEcho(mirror, changed, { change, changes }));
}

function isEcho(
  mirror: Mirror,
  changed: ChangedRecord,
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

/** Kind of the records that a field repeats, or null. */
function repeatedKind(field: string): Kind | null {
  if (field === 'members') return kindOf('politician');
  return kinds.find(({ name, plural }) => field === plural || field === name) ?? null;
}

/** The records that a field repeats, by key; null if it has other content. */
function partsOf(kind: Kind, value: Json): Map<string, Document> | null {
  const items = value === null ? [] : Array.isArray(value) ? value : [value];
  return items.every(isDocument) ? new Map(items.map((item) => [keyOf(kind, item), item])) : null;
}

type RepeatedRecord = { kind: Kind; key: string; before: Document | undefined; after: Document | undefined };

/** True if the change of a repeated record is reported by that record. */
function isTold(
  mirror: Mirror,
  changed: ChangedRecord,
  { kind, key, before, after }: RepeatedRecord,
): boolean {
  const changes = before && after ? fieldChanges(kind, before, after) : [];
  if (before && after && changes.length === 0) return true;
  const said = saidBy(mirror, kind, key);
  if (said === null) return false;
  if (before && after) return changes.every((change) => states(kind, said.documents, change));
  if (kind.name === 'source') return isCited(mirror, changed, { id: key, isNow: after !== undefined });
  const isAboutIt = (document: Document) => isAbout(document, changed);
  // A former member still lists the party among its affiliations.
  const hasLeft = kind.name === 'politician' && after === undefined;
  if (hasLeft) return said.wasWithdrawn || said.documents.some((document) => !isAboutIt(document));
  return said.documents.some((document) => [document, ...documentsIn(document.affiliations)].some(isAboutIt));
}

/** True if the record or its dataset row lists that source now (`isNow`), or no longer. */
function isCited(
  mirror: Mirror,
  { kind, key }: ChangedRecord,
  { id, isNow }: { id: string; isNow: boolean },
): boolean {
  const lists = (saidBy(mirror, kind, key)?.documents ?? []).map(({ source_ids: ids }) => ids);
  return lists.some((ids) => Array.isArray(ids) && ids.includes(id) === isNow);
}

/** True if a record references the one that repeats it: a quote its politician, a politician a party or group. */
function isAbout(document: Document, { kind, key }: ChangedRecord): boolean {
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

/** All documents of a record over time, and whether it was ever withdrawn; null if never held. */
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

/** True for a field such as `party_name` if the party is unchanged and its own record has that name. */
function isNameOfReference(
  mirror: Mirror,
  { after }: ChangedRecord,
  { change, changes }: { change: FieldChange; changes: FieldChange[] },
): boolean {
  const reference = /^(.+)_name$/.exec(change.field)?.[1];
  const kind = kinds.find(({ name }) => name === reference);
  const key = reference === undefined ? null : slugOf(after[reference]);
  if (!kind || key === null || changes.some(({ field }) => field === reference)) return false;
  const documents = saidBy(mirror, kind, key)?.documents ?? [];
  return kind.search.name.some((field) => states(kind, documents, { ...change, field }));
}
