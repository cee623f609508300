import type { Document } from '../../model/document.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { textHash } from '../word-index/index-entry.ts';

const mostCopies = 10_000;

type TextRecord = { id: number; kind: Kind; document: Document };

/** The number of copies of a record among some of its kind; null if a newer copy is shown in its place. */
export type CountCopies = (record: TextRecord, among: ReadonlySet<number>) => number | null;

/** Creates a counter of copies, so that a text is shown once; it caches its lookups. */
export function createCopyCounter(mirror: Mirror): CountCopies {
  const known = new Map<string, number[]>();
  return ({ id, kind, document }, among) => {
    const hash = textHash(kind, document);
    if (hash === null) return 0;
    // Copies are counted per kind: a quote never hides the speech it comes from.
    const name = `${kind.name} ${hash}`;
    const same = known.get(name) ?? sameText(mirror, kind, hash);
    known.set(name, same);
    const copies = same.filter((each) => among.has(each));
    return copies.length === 0 || copies[0] === id ? Math.max(0, copies.length - 1) : null;
  };
}

/** SQL of the ids of records with a text between two ids, newest first. */
export const sameTextSql = `SELECT record FROM text_hash WHERE hash = ? AND record BETWEEN ? AND ?
  ORDER BY record DESC LIMIT ${mostCopies}`;

/** Ids of the records of a kind with a text, newest first. */
export function sameText(mirror: Mirror, kind: Kind, hash: string): number[] {
  const { first, last } = recordRange(kind);
  return mirror.column<number>(sameTextSql).all(hash, first, last);
}
