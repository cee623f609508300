import { areOfOneVerb, familyBeginning, familyOf } from '../../language/families.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isKept } from '../../language/stem.ts';
import type { Mirror } from '../mirror.ts';
import { openPostings, type Postings } from '../word-index/postings.ts';

const [mostBegun, mostOfFamily, budget] = [400, 20, 2000];

/** How much of a family is meant: all of it, or only other forms of a verb. */
export type FamilyReach = 'family' | 'verb';

/**
 * The query with the words of the index that are of the family of each of its words (forestier for forêt) as readings of
 * these; null where no word has any. Words that the rules keep apart (France, franc) are of no family, nor are words that
 * accents alone tell from one that was typed.
 */
export function withFamilies(mirror: Mirror, query: Query, reach: FamilyReach): Query | null {
  const postings = openPostings(mirror, budget);
  const terms = query.terms.map((term) => {
    const family = familyIn(postings, term, reach);
    return family.length === 0 ? term : { ...term, readings: [...term.readings, ...family] };
  });
  return terms.every((term, at) => term === query.terms[at]) ? null : { ...query, terms };
}

function familyIn(
  postings: Postings,
  { prose, phrase, prefix, otherAccents }: QueryTerm,
  reach: FamilyReach,
): string[][] {
  const [token = ''] = prose;
  const beginning =
    prose.length === 1 && !phrase && !prefix && !isKept(token) ? familyBeginning(token) : null;
  if (beginning === null) return [];
  const family = familyOf(token);
  const toldApart = otherAccents.flat();
  const isMeant = (word: string) => reach === 'family' || areOfOneVerb(token, word);
  return postings
    .words(beginning, mostBegun)
    .filter((word) => word !== token && !isKept(word) && !toldApart.includes(word))
    .filter((word) => familyOf(word) === family && isMeant(word))
    .slice(0, mostOfFamily)
    .map((word) => [word]);
}
