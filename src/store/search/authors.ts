import { fold } from '../../language/fold.ts';
import { isNamedAfter } from '../../language/names-within.ts';
import type { Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { isTitle } from '../../language/title.ts';
import type { Mirror } from '../mirror.ts';
import type { FoundName } from './names.ts';
import { type Scope, slugsNamed } from './scope.ts';

/** Whom a query names beside what it asks of them: by which politicians or parties a record is theirs, and the words that name them. */
export type Authors = { by: Pick<Scope, 'parties' | 'politicians'>; words: readonly string[] };

/** So many politicians of one name are meant together; more are no answer to whose texts are wanted. */
const mostPoliticians = 3;

/**
 * The politicians, else the parties, whom a query names beside what it asks of them; null for none, and where something else
 * bears their name.
 */
export function authorsAmong(mirror: Mirror, sure: readonly FoundName[], query: Query): Authors | null {
  const within = sure.filter(({ matched }) => matched === 'within');
  const politicians = within.filter(({ kind }) => kind === 'politician');
  const parties = within.filter((name) => name.kind === 'party' && isWrittenAsName(name));
  const named = politicians.length > 0 ? politicians : parties;
  const words = [...new Set(named.flatMap(({ taken }) => taken))];
  const isAsked = query.terms.some(({ text }) => !words.includes(text) && !isStopWord(fold(text)));
  if (named.length === 0 || politicians.length > mostPoliticians || !isAsked) return null;
  if (isOfSomethingElse(query, words)) return null;
  const slugs = named.map(({ key }) => key);
  if (politicians.length > 0) return { by: { politicians: slugs }, words };
  // A short name is that of a party and of its groups, of which one may hide another among names.
  const groups = words.flatMap((word) => slugsNamed(mirror, 'party', word) ?? []);
  return { by: { parties: [...new Set([...slugs, ...groups])] }, words };
}

/** A party is meant by a word with a capital, or by a short name; in small letters a longer one may be any word. */
function isWrittenAsName({ taken }: FoundName): boolean {
  return taken.length > 1 || taken.every((word) => /^\p{Lu}/u.test(word) || word.length <= 4);
}

/** True where the word before a name says that something else bears it, or that others speak of it: loi Merlin, contre Merlin. */
function isOfSomethingElse({ terms }: Query, words: readonly string[]): boolean {
  const first = terms.findIndex(({ text }) => words.includes(text));
  const before = terms.slice(0, Math.max(0, first)).map(({ text }) => fold(text));
  const telling = before.findLast((word) => isNamedAfter(word) || !(isStopWord(word) || isTitle(word)));
  return telling !== undefined && isNamedAfter(telling);
}
