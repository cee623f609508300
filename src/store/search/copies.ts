import type { Document } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { recordRange } from '../record.ts';
import { docValuesOf } from '../word-index/doc-values.ts';
import { copyToken } from '../word-index/index-entry.ts';
import { indexParts, isBetween } from '../word-index/search-index.ts';
import { type Found, sharingToken } from './counting.ts';

const mostCopies = 10_000;

type Told = { id: number; kind: Kind; document: Document };

/** Tells of a record how many others of its kind say the same, word for word, among what was found. */
export type Copies = {
  /** Takes note of hits that are all that was found: which of them have one text need not be looked up then. */
  know(found: readonly Found[], hits: readonly Told[]): void;
  /** The number of others; null for a record that another one, the newest of them, stands for. */
  of(found: Found, id: number, document: Document): number | null;
};

/** Finds copies of texts; what it has looked up once it knows. */
export function createCopies(mirror: Mirror): Copies {
  const values = docValuesOf(mirror);
  const groups = new Map<string, { newest: number; others: number }>();
  const tokens = new Map<number, string | null>();
  const tokenOf = ({ id, kind, document }: Told): string | null => {
    let token = tokens.get(id);
    if (token === undefined) {
      token = copyToken(kind, document);
      tokens.set(id, token);
    }
    return token;
  };
  const withTokens = (found: readonly Found[], hits: readonly Told[]): Tokened[] =>
    hits.flatMap((hit) => {
      const token = tokenOf(hit);
      if (token === null) return [];
      return [{ id: hit.id, token, group: groupOf(found.find(({ kind }) => kind === hit.kind)!, token) }];
    });
  return {
    know(found, hits) {
      for (const { id, group } of withTokens(found, hits)) {
        const { newest, others } = groups.get(group) ?? { newest: -1, others: -1 };
        groups.set(group, { newest: Math.max(newest, id), others: others + 1 });
      }
    },
    of(found, id, document) {
      if (values?.isAlone(id)) return 0;
      const token = tokenOf({ id, kind: found.kind, document });
      if (token === null) return 0;
      const name = groupOf(found, token);
      let group = groups.get(name);
      if (group === undefined) {
        const { count, newest } = sharingToken(mirror, found, token);
        group = { newest: newest ?? -1, others: Math.max(0, count - 1) };
        groups.set(name, group);
      }
      // An index that an older program built knows of no copies.
      if (group.newest === -1) return 0;
      return group.newest === id ? group.others : null;
    },
  };
}

type Tokened = { id: number; token: string; group: string };

/** What may stand for each other: a quote does not for the speech that it is from, in which all of it stands. */
function groupOf({ kind, match }: Found, token: string): string {
  return `${kind.name} ${match} ${token}`;
}

/** The records of a kind that have one text, by their numbers, the newest first. */
export function sameText(mirror: Mirror, kind: Kind, token: string): number[] {
  const { first, last } = recordRange(kind);
  return indexParts(mirror).flatMap(({ table, isValid }) =>
    mirror
      .column<number>(
        `SELECT rowid FROM ${table} WHERE search MATCH ? AND ${isBetween}${isValid}
         ORDER BY rowid DESC LIMIT ${mostCopies}`,
      )
      // It stands in no other column: which one need not be read.
      .all(`"${token}"`, first, last),
  );
}
