import type { Document } from '../model/document.ts';
import type { Kind } from '../model/kinds.ts';
import { copyToken } from './index-entry.ts';
import type { Mirror } from './mirror.ts';
import { recordRange } from './record.ts';
import { indexParts } from './search-index.ts';
import { type Found, numbersOf } from './search-ranking.ts';

const mostCopies = 10_000;

/** Tells of a record how many others say the same, word for word, among what was found. */
export type Copies = {
  /** The number of others; null for a record that another one, the newest of them, stands for. */
  of(found: Found, id: number, document: Document): number | null;
};

/** Finds copies of texts; what it has looked up once it knows. */
export function createCopies(mirror: Mirror): Copies {
  const groups = new Map<string, { newest: number; others: number }>();
  const numbers = new Map<Found, Set<number>>();
  const numbersIn = (found: Found) => {
    const known = numbers.get(found) ?? numbersOf(mirror, found);
    numbers.set(found, known);
    return known;
  };
  return {
    of(found, id, document) {
      const token = copyToken(found.kind, document);
      if (token === null) return 0;
      const name = `${found.match} ${token}`;
      let group = groups.get(name);
      if (group === undefined) {
        const all = sameText(mirror, found.kind, token);
        const members = all.length > 1 ? all.filter((each) => numbersIn(found).has(each)) : all;
        group = { newest: Math.max(...members, -1), others: Math.max(0, members.length - 1) };
        groups.set(name, group);
      }
      // An index that an older program built knows of no copies.
      if (group.newest === -1) return 0;
      return group.newest === id ? group.others : null;
    },
  };
}

/** The records of a kind that have one text, by their numbers, the newest first. */
export function sameText(mirror: Mirror, kind: Kind, token: string): number[] {
  const { first, last } = recordRange(kind);
  return indexParts(mirror).flatMap(({ table, isValid }) =>
    mirror
      .column<number>(
        `SELECT rowid FROM ${table} WHERE search MATCH ? AND rowid BETWEEN ? AND ?${isValid}
         ORDER BY rowid DESC LIMIT ${mostCopies}`,
      )
      .all(`about : "${token}"`, first, last),
  );
}
