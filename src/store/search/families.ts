import { verbsOf } from '../../language/conjugation.ts';
import { areOfOneVerb, familyBeginning, familyOf } from '../../language/families.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isKept } from '../../language/stem.ts';
import type { Mirror } from '../mirror.ts';
import { openPostings, type Postings } from '../word-index/postings.ts';

const [mostBegun, mostOfFamily, mostVerbs, budget] = [400, 20, 3, 2000];

/** Which relatives of a word match: its whole family, or only other forms of the same verb. */
type FamilyReach = 'family' | 'verb';

/**
 * The query with indexed words of the same families (forestier for forêt) as further readings; null if there are none.
 * Kept words (France, franc) have no family; words that differ by accents alone are excluded.
 */
export function withFamilies(mirror: Mirror, query: Query, reach: FamilyReach): Query | null {
  const postings = openPostings(mirror, budget);
  const find = mirror.sql('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1');
  // The current index says nothing about past records.
  const isHeld = (token: string) => mirror.pastOf !== null || find.get(`"${token}"`) !== undefined;
  const terms = query.terms.map((term) => {
    const family = relatedTo(term, { postings, reach, isHeld }).map((token) => [token]);
    return family.length === 0 ? term : { ...term, readings: [...term.readings, ...family] };
  });
  return terms.every((term, at) => term === query.terms[at]) ? null : { ...query, terms };
}

/** Endings of nouns that say what an infinitive does: nationaliser, nationalisation. */
const nounOfAction = /(?:ion|ment|age|ance)$/;

type FamilyLookup = { postings: Postings; reach: FamilyReach; isHeld: (token: string) => boolean };

/** Other forms of the verbs that a word may be a form of, and words of its family with the same beginning. */
function relatedTo(term: QueryTerm, { postings, reach, isHeld }: FamilyLookup): string[] {
  const { text, prose, phrase, prefix, otherAccents } = term;
  const [token = ''] = prose;
  if (prose.length !== 1 || phrase || prefix || isKept(token)) return [];
  const beginning = familyBeginning(token);
  const begun = beginning === null ? [] : postings.words(beginning, mostBegun);
  const known = new Set(begun);
  const isAllRead = begun.length < mostBegun;
  const isThere = (form: string) =>
    known.has(form) || (!(isAllRead && beginning !== null && form.startsWith(beginning)) && isHeld(form));
  const toldApart = otherAccents.flat();
  const isOther = (word: string) => word !== token && !isKept(word) && !toldApart.includes(word);
  const verbs = verbsOf(text).filter(({ infinitive, isSure }) => isSure || isThere(infinitive));
  const forms = verbs.slice(0, mostVerbs).flatMap((verb) => verb.forms());
  const family = familyOf(token);
  const isInfinitive = verbs.some((verb) => verb.isSure && verb.infinitive === token);
  const isMeant = (word: string) =>
    reach === 'family' || (isInfinitive && nounOfAction.test(word)) || areOfOneVerb(token, word);
  return [
    ...new Set([
      ...forms.filter(
        (form) => isOther(form) && (familyOf(form) !== family || isMeant(form)) && isThere(form),
      ),
      ...begun
        .filter((word) => isOther(word) && familyOf(word) === family && isMeant(word))
        .slice(0, mostOfFamily),
    ]),
  ];
}

/** Indexed words of a token's family, read for a family, and at most given. */
const [mostRead, mostGiven] = [200, 8];

/** Other words of a token's family in the index. */
export function familyTokens(postings: Postings, token: string): string[] {
  const beginning = familyBeginning(token);
  if (beginning === null) return [];
  const family = familyOf(token);
  return postings
    .words(beginning, mostRead)
    .filter((word) => word !== token && familyOf(word) === family)
    .slice(0, mostGiven);
}
