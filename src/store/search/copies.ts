import type { Document } from '../../model/document.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { copyToken } from '../word-index/index-entry.ts';
import { indexParts, isBetween } from '../word-index/search-index.ts';

const mostCopies = 10_000;

type TextRecord = { id: number; kind: Kind; document: Document };

/** The number of copies of a record among some of its kind; null if a newer copy is shown in its place. */
export type CountCopies = (record: TextRecord, among: ReadonlySet<number>) => number | null;

/** Creates a counter of copies, so that a text is shown once; it caches its lookups. */
export function createCopyCounter(mirror: Mirror): CountCopies {
  const known = new Map<string, number[]>();
  return ({ id, kind, document }, among) => {
    const token = copyToken(kind, document);
    if (token === null) return 0;
    // Copies are counted per kind: a quote never hides the speech it comes from.
    const name = `${kind.name} ${token}`;
    const same = known.get(name) ?? sameText(mirror, kind, token);
    known.set(name, same);
    const copies = same.filter((each) => among.has(each));
    return copies.length === 0 || copies[0] === id ? Math.max(0, copies.length - 1) : null;
  };
}

/** Ids of the records of a kind with a text, newest first. */
export function sameText(mirror: Mirror, kind: Kind, token: string): number[] {
  const { first, last } = recordRange(kind);
  return indexParts(mirror)
    .flatMap(({ table, isValid }) =>
      mirror
        .column<number>(
          `SELECT rowid FROM ${table} WHERE search MATCH ? AND ${isBetween}${isValid}
           ORDER BY rowid DESC LIMIT ${mostCopies}`,
        )
        // Copy tokens stand in one column only, so no column filter is needed.
        .all(`"${token}"`, first, last),
    )
    .sort((one, other) => other - one);
}
