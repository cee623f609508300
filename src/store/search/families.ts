import { findVerbs } from '../../language/conjugation.ts';
import { areOfOneVerb, familyOf, familyPrefix } from '../../language/families.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isUnstemmed } from '../../language/stem.ts';
import type { Mirror } from '../mirror.ts';
import { type Terms, termsOf } from '../word-index/terms.ts';

const maxFamilyWords = 20;
const maxVerbs = 3;

/** Which related words match: all words of the family, or only other forms of the same verb. */
type FamilyReach = 'family' | 'verb';

/** The query with indexed related words (forestier for forêt) as readings; null if no term has any. */
export function addFamilies(mirror: Mirror, query: Query, reach: FamilyReach): Query | null {
  const terms = termsOf(mirror);
  // Counts are of the present only: as of a past moment, every token counts as indexed.
  const isIndexed = (token: string) => mirror.asOf !== null || terms.countRecords(token) > 0;
  const widenedTerms = query.terms.map((term) => {
    const newReadings = findRelatedTokens(term, { terms, reach, isIndexed }).map((token) => [token]);
    return newReadings.length === 0 ? term : { ...term, readings: [...term.readings, ...newReadings] };
  });
  return widenedTerms.every((term, at) => term === query.terms[at]) ? null : { ...query, terms: widenedTerms };
}

/** Tokens of other forms of a term's verbs, and of its family; none for phrases, prefixes and unstemmed words. */
function findRelatedTokens(
  term: QueryTerm,
  { terms, reach, isIndexed }: { terms: Terms; reach: FamilyReach; isIndexed: (token: string) => boolean },
): string[] {
  const { text, prose, phrase, prefix } = term;
  const [token = ''] = prose;
  if (prose.length !== 1 || phrase || prefix || isUnstemmed(token)) return [];
  const prefixOfFamily = familyPrefix(token);
  const completions = prefixOfFamily === null ? [] : terms.tokensWithPrefix(prefixOfFamily);
  const family = familyOf(token);
  const isOther = (word: string) => word !== token && !isUnstemmed(word);
  const isOfFamily = (word: string) => familyOf(word) === family;
  const isInReach = (word: string) => reach === 'family' || areOfOneVerb(token, word);
  const verbs = findVerbs(text).filter(({ infinitive, isSure }) => isSure || isIndexed(infinitive));
  const forms = verbs.slice(0, maxVerbs).flatMap((verb) => verb.forms());
  // `areOfOneVerb` compares tokens of one family; irregular forms outside it (saura) belong to the verb in any case.
  const verbForms = forms.filter((form) => isOther(form) && (!isOfFamily(form) || isInReach(form)) && isIndexed(form));
  const familyWords = completions.filter((word) => isOther(word) && isOfFamily(word) && isInReach(word));
  return [...new Set([...verbForms, ...familyWords.slice(0, maxFamilyWords)])];
}
