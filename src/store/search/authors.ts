import { fold } from '../../language/fold.ts';
import type { Interpretation, Query } from '../../language/query.ts';
import { isAskingWord, isStopWord } from '../../language/stop-words.ts';
import { textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { namedKinds } from '../../names/database.ts';
import { isNameOfLaw } from '../../names/title.ts';
import type { Mirror } from '../mirror.ts';
import { resolveSlugs } from './filters.ts';
import { type NameHit, searchNameHits } from './name-hits.ts';
import { onlyTextsMatch, type Scope } from './scope.ts';

/** Authors that a query names, as a scope; `subject`, the query without their names; and what the names mean. */
export type Authors = {
  authorScope: Pick<Scope, 'parties' | 'politicians'>;
  subject: Query;
  interpretation: Interpretation;
};

/** A name with more homonyms does not restrict the search to authors. */
const maxPoliticians = 3;

/** The authors that a query names beside other words: politicians, else parties; null if none or if `scope` has any. */
export function findAuthors(mirror: Mirror, query: Query, scope: Scope, names?: readonly NameHit[]): Authors | null {
  if (scope.politicians !== undefined || scope.parties !== undefined || query.terms.length < 2) return null;
  const namedScope = { kinds: namedKinds.map(kindOf) };
  // `names` were searched in `scope` with all terms: reuse them if it covers all named kinds and no term is quoted.
  const coversAllNames = !onlyTextsMatch(scope) && namedScope.kinds.every((kind) => scope.kinds.includes(kind));
  // Words in quotation marks are not interpreted.
  const terms = query.terms.filter(({ phrase }) => !phrase);
  const canReuse = coversAllNames && terms.length === query.terms.length;
  const candidateNames = canReuse && names ? names : searchNameHits(mirror, { terms }, { scope: namedScope });
  const typedWords = terms.map(({ text }) => text);
  const namesInQuery = candidateNames.filter(
    ({ matchKind, isSure, matchedWords }) => isSure && matchKind === 'within' && !isNameOfLaw(typedWords, matchedWords),
  );
  const politicians = namesInQuery.filter(({ kind }) => kind === 'politician');
  const parties = namesInQuery.filter((name) => name.kind === 'party' && isWrittenAsName(name));
  const authorNames = politicians.length > 0 ? politicians : parties;
  const words = [...new Set(authorNames.flatMap(({ matchedWords }) => matchedWords))];
  const hasOtherWords = query.terms.some(({ text }) => !words.includes(text) && !isStopWord(fold(text)));
  if (authorNames.length === 0 || politicians.length > maxPoliticians || !hasOtherWords) return null;
  // A short name may belong to a party and its groups, and name search may list only one of them.
  const groups = politicians.length > 0 ? [] : words.flatMap((word) => resolveSlugs(mirror, 'party', word) ?? []);
  const values = [...new Set([...authorNames.map(({ key }) => key), ...groups])];
  return {
    authorScope: politicians.length > 0 ? { politicians: values } : { parties: values },
    subject: subjectQuery(query, words),
    interpretation: { words: words.join(' '), as: 'author', values, names: namesOf(authorNames) },
  };
}

/** At most one interpretation: words that name a role mean its holders among `names`; empty without role holders. */
export function roleInterpretations(names: readonly NameHit[]): Interpretation[] {
  const roleHolderHits = names.filter(({ isRole }) => isRole);
  const [first] = roleHolderHits;
  if (first === undefined) return [];
  const words = first.matchedWords.join(' ');
  return [{ words, as: 'role', values: roleHolderHits.map(({ key }) => key), names: namesOf(roleHolderHits) }];
}

const namesOf = (hits: readonly NameHit[]) => [...new Map(hits.map(({ name }) => [fold(name), name])).values()];

/** The query without names and asking words such as `pense` or `propose`; asking words stay if nothing else is left. */
function subjectQuery(query: Query, names: readonly string[]): Query {
  const otherTerms = query.terms.filter(({ text }) => !names.includes(text));
  const terms = otherTerms.filter(({ text, phrase }) => phrase || !isAskingWord(text));
  return { ...query, terms: terms.length > 0 ? terms : otherTerms };
}

/** True for several words, a capitalised or short word, or a party with an acronym; others may be common nouns. */
function isWrittenAsName({ matchedWords: [word = '', ...otherWords], document }: NameHit): boolean {
  const isAcronym = /^[\p{Lu}-]+$/u.test(textOf(document, 'short_name') ?? '');
  return isAcronym || otherWords.length > 0 || /^(?:\p{Lu}|.{1,4}$)/u.test(word);
}
