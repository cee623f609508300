import { readBallot } from '../../model/ballot.ts';
import { sourcesIn } from '../../model/cited-work.ts';
import type { Document, Json } from '../../model/document.ts';
import { type Kind, type KindName, kindOf } from '../../model/kinds.ts';
import { currentKey } from '../../names/database.ts';
import { isNamedKind } from '../../names/name-index.ts';
import type { Mirror } from '../mirror.ts';
import { readRecord } from '../record.ts';
import { membersSql, withMembership } from './members.ts';

/** A politician or party by its slug. */
export type ProfileReference = { kind: Kind; slug: string };

/** The profile composed from a politician's or party's document, and from stored facts or members, and sources. */
export function composeProfile(mirror: Mirror, { kind, slug }: ProfileReference, document: Document): Document {
  const profile = { ...document, ...profileParts(mirror, { kind, slug }, document) };
  if (profile.sources !== undefined) return profile;
  // A source that the mirror lacks has only an id: omit it.
  return { ...profile, sources: sourcesOf(mirror, profile).filter((source) => Object.keys(source).length > 1) };
}

/** The parts of a profile that its document may lack, from the document, else from other records. */
function profileParts(mirror: Mirror, { kind, slug }: ProfileReference, document: Document): Document {
  if (kind.name === 'party') {
    const members = document.members ?? mirror.sql<Json>(membersSql).all(slug, slug);
    return { description: document.description ?? null, members };
  }
  const facts = mirror.column<string>(`SELECT coalesce(row, detail) FROM record
    WHERE politician = ? AND kind = ? AND withdrawn IS NULL ORDER BY date DESC, id`);
  const factsOf = (name: KindName) => facts.all(slug, name).map((json): Json => JSON.parse(json));
  return {
    bio: document.bio ?? null,
    positions: document.positions ?? factsOf('position'),
    promises: document.promises ?? factsOf('promise'),
    quotes: document.quotes ?? factsOf('quote'),
    affiliations: document.affiliations ?? [],
  };
}

/** The sources of a record (see `sourcesIn`), read from the mirror. */
export function sourcesOf(mirror: Mirror, document: Document): Document[] {
  return sourcesIn(document, (id) => readRecord(mirror, kindOf('source'), id));
}

/** The complete current record: a profile, a ballot with standard fields, another as stored; or undefined. */
export function readCompleteRecord(
  mirror: Mirror,
  kind: Kind,
  storedKey: string,
  { isInterface = false }: { isInterface?: boolean | undefined } = {},
): Document | undefined {
  const key = currentKey(mirror, kind.name, storedKey) ?? storedKey;
  const document = readRecord(mirror, kind, key);
  if (document && isNamedKind(kind)) {
    const composedDocument = composeProfile(mirror, { kind, slug: key }, document);
    const profile = isInterface ? composedDocument : withMembership(mirror, { kind, slug: key }, composedDocument);
    // `composed`: from a dataset of the service, without a fetched profile.
    const sql = `SELECT 1 FROM record JOIN kind_state ON kind_state.kind = record.kind
      WHERE record.kind = ? AND key = ? AND detail IS NULL AND origin LIKE 'http%'`;
    return mirror.column(sql).get(kind.name, key) === undefined ? profile : { ...profile, composed: true };
  }
  return document && kind.name === 'ballot' ? readBallot(document) : document;
}
