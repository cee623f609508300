import { nameWords, particles } from '../../language/name.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { namedKinds } from '../../names/database.ts';
import { isWrittenAsAcronym, type RankedName } from '../../names/names-in-text.ts';
import { searchNames } from '../../names/search.ts';
import type { Mirror } from '../mirror.ts';
import { textOfTerms } from './expression.ts';
import { createScopeTest, onlyTextsMatch, type Scope } from './scope.ts';

/** A record that a query names, with its document; `isSure` is false if it only resembles the query. */
export type NameHit = RankedName & { id: number; document: Document; isSure: boolean };

const maxNames = 20;

/** The records of a scope that a query names, best first, at most 20; similar names only if `allowsGuesses`. */
export function searchNameHits(
  mirror: Mirror,
  { terms }: Pick<Query, 'terms'>,
  { scope, allowsGuesses = false }: { scope: Scope; allowsGuesses?: boolean },
): NameHit[] {
  const kinds = namedKinds.filter((name) => scope.kinds.some((kind) => kind.name === name));
  // Scopes of texts and prefix queries match no names.
  if (kinds.length === 0 || onlyTextsMatch(scope) || terms.some(({ prefix }) => prefix)) return [];
  const { names } = searchNames(mirror, textOfTerms(terms).slice(0, 200), { kinds, limit: maxNames, allowsGuesses });
  const isInScope = createScopeTest(mirror, { ...scope, kinds: kinds.map(kindOf) });
  const sql = 'SELECT id, row, detail FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL';
  const recordStatement = mirror.sql<RecordTexts & { id: number }>(sql);
  return names.flatMap((name) => {
    // Words in quotation marks are not interpreted.
    if (name.isRole && terms.some(({ phrase }) => phrase)) return [];
    const stored = recordStatement.get(name.kind, name.key);
    if (stored === undefined || isInScope?.(stored.id) === false) return [];
    return [{ ...name, id: stored.id, document: documentOf(stored), isSure: isSureMatch(name, terms) }];
  });
}

function isSureMatch({ kind, matchKind }: RankedName, terms: readonly QueryTerm[]): boolean {
  if (matchKind === 'initials' || matchKind === 'sound' || matchKind === 'typo') return false;
  const queryWords = terms.map(({ text }) => ({ text, parts: nameWords(text) }));
  if (matchKind === 'prefix' && kind === 'party') return isWrittenAsAcronym(queryWords);
  // A stop word is no initial: `a NAME` does not mean `A. NAME`.
  return matchKind !== 'prefix' || !queryWords.some(({ text }) => isStopWord(text) && !particles.has(text));
}
