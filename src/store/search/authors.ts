import { fold } from '../../language/fold.ts';
import type { Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { namedKinds } from '../../names/database.ts';
import type { Mirror } from '../mirror.ts';
import { resolveSlugs } from './filters.ts';
import { type NameHit, searchNameHits } from './names.ts';
import { onlyTextsMatch, type Scope } from './scope.ts';

/** Authors whose records a query requests, and the query words that name them. */
export type Authors = { authorScope: Pick<Scope, 'parties' | 'politicians'>; words: readonly string[] };

/** A name with more homonyms does not restrict the search to authors. */
const mostPoliticians = 3;

/** The authors that a query names beside other words: politicians, else parties; null if none or a filter has any. */
export function authorsOf(
  mirror: Mirror,
  query: Query,
  { scope, names }: { scope: Scope; names: readonly NameHit[] },
): Authors | null {
  if (scope.politicians !== undefined || scope.parties !== undefined || query.terms.length < 2) return null;
  const namedScope = { kinds: namedKinds.map(kindOf) };
  const coversAllNames = !onlyTextsMatch(scope) && namedScope.kinds.every((kind) => scope.kinds.includes(kind));
  const candidateNames = coversAllNames ? names : searchNameHits(mirror, query, { scope: namedScope });
  const namesInQuery = candidateNames.filter(({ matchKind, isSure }) => isSure && matchKind === 'within');
  const politicians = namesInQuery.filter(({ kind }) => kind === 'politician');
  const parties = namesInQuery.filter((name) => name.kind === 'party' && isWrittenAsName(name));
  const authorNames = politicians.length > 0 ? politicians : parties;
  const words = [...new Set(authorNames.flatMap(({ matchedWords }) => matchedWords))];
  const hasOtherWords = query.terms.some(({ text }) => !words.includes(text) && !isStopWord(fold(text)));
  if (authorNames.length === 0 || politicians.length > mostPoliticians || !hasOtherWords) return null;
  const slugs = authorNames.map(({ key }) => key);
  if (politicians.length > 0) return { authorScope: { politicians: slugs }, words };
  // A short name may belong to a party and its groups, and name search may list only one of them.
  const groups = words.flatMap((word) => resolveSlugs(mirror, 'party', word) ?? []);
  return { authorScope: { parties: [...new Set([...slugs, ...groups])] }, words };
}

/** True for several words, a capitalised or short word, or a party with an acronym; others may be common nouns. */
function isWrittenAsName({ matchedWords: [word = '', ...otherWords], document }: NameHit): boolean {
  const isAcronym = /^[\p{Lu}-]+$/u.test(textOf(document, 'short_name') ?? '');
  return isAcronym || otherWords.length > 0 || /^(?:\p{Lu}|.{1,4}$)/u.test(word);
}
