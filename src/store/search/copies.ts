import type { Document } from '../../model/document.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { copyToken } from '../word-index/index-entry.ts';
import { indexParts, isBetween, vocabularyOf } from '../word-index/search-index.ts';
import { type KindMatches, sharingToken } from './counting.ts';

const mostCopies = 10_000;

type TextRecord = { id: number; kind: Kind; document: Document };

/** Counts records of the same kind with the same text among the matches, so that copies are shown once. */
export type Copies = {
  /** Finds in one query which hits have copies at all. */
  meet(hits: readonly TextRecord[]): void;
  /** The number of copies of a hit; null if a newer copy is shown in its place. */
  of(found: KindMatches, hit: TextRecord): number | null;
};

/** Creates a counter of copies; it caches its lookups. */
export function createCopies(mirror: Mirror): Copies {
  const groups = new Map<string, { newest: number; others: number }>();
  const tokens = new Map<number, string | null>();
  const alone = new Set<string>();
  const tokenOf = ({ id, kind, document }: TextRecord): string | null => {
    let token = tokens.get(id);
    if (token === undefined) {
      token = copyToken(kind, document);
      tokens.set(id, token);
    }
    return token;
  };
  return {
    meet(hits) {
      // No null among them: fts5vocab would scan all words for it.
      const met = hits.filter(({ id }) => !tokens.has(id)).flatMap((hit) => tokenOf(hit) ?? []);
      // When the past is read, the vocabulary does not tell how many records had a token.
      if (mirror.pastOf !== null || met.length === 0) return;
      const rows = vocabularyOf(mirror, { type: 'row' });
      const ofOne = mirror.column<string>(
        `SELECT value FROM json_each(?) WHERE (SELECT doc FROM ${rows} WHERE term = value) < 2`,
      );
      for (const token of ofOne.all(JSON.stringify(met))) alone.add(token);
    },
    of(found, hit) {
      const token = tokenOf(hit);
      if (token === null || alone.has(token)) return 0;
      // Copies are counted per kind: a quote never hides the speech it comes from.
      const name = `${found.kind.name} ${found.match} ${token}`;
      let group = groups.get(name);
      if (group === undefined) {
        const { count, newest } = sharingToken(mirror, found, token);
        group = { newest: newest ?? -1, others: Math.max(0, count - 1) };
        groups.set(name, group);
      }
      // Program 0.1 indexed no copy tokens.
      if (group.newest === -1) return 0;
      return group.newest === hit.id ? group.others : null;
    },
  };
}

/** Ids of the records of a kind with a text, newest first. */
export function sameText(mirror: Mirror, kind: Kind, token: string): number[] {
  const { first, last } = recordRange(kind);
  return indexParts(mirror).flatMap(({ table, isValid }) =>
    mirror
      .column<number>(
        `SELECT rowid FROM ${table} WHERE search MATCH ? AND ${isBetween}${isValid}
         ORDER BY rowid DESC LIMIT ${mostCopies}`,
      )
      // Copy tokens stand in one column only, so no column filter is needed.
      .all(`"${token}"`, first, last),
  );
}
