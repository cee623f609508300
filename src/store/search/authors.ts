import { fold } from '../../language/fold.ts';
import type { Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { kindOf } from '../../model/kinds.ts';
import { namedKinds } from '../../names/database.ts';
import { isTitle } from '../../names/title.ts';
import type { Mirror } from '../mirror.ts';
import { slugsNamed } from './filters.ts';
import { type FoundName, foundNames } from './names.ts';
import { isOfTexts, type Scope } from './scope.ts';

/** Whom a query names beside what it asks of them: by which politicians or parties a record is theirs, and the words that name them. */
export type Authors = { by: Pick<Scope, 'parties' | 'politicians'>; words: readonly string[] };

/** So many politicians of one name are meant together; more are no answer to whose texts are wanted. */
const mostPoliticians = 3;

/**
 * The politicians, else the parties, whom a query names beside what it asks of them, whether these are searched themselves or
 * not; null for none, where something else bears their name, and where a filter says already whose records are meant.
 */
export function authorsOf(
  mirror: Mirror,
  query: Query,
  { scope, names }: { scope: Scope; names: readonly FoundName[] },
): Authors | null {
  if (scope.politicians !== undefined || scope.parties !== undefined || query.terms.length < 2) return null;
  const all = { kinds: namedKinds.map(kindOf) };
  const areAll = !isOfTexts(scope) && all.kinds.every((kind) => scope.kinds.includes(kind));
  const named = areAll ? names : foundNames(mirror, query, { scope: all, areGuessed: false });
  const within = named.filter(({ matched, isSure }) => isSure && matched === 'within');
  const politicians = within.filter(({ kind }) => kind === 'politician');
  const parties = within.filter((name) => name.kind === 'party' && isWrittenAsName(name));
  const meant = politicians.length > 0 ? politicians : parties;
  const words = [...new Set(meant.flatMap(({ taken }) => taken))];
  const isAsked = query.terms.some(({ text }) => !words.includes(text) && !isStopWord(fold(text)));
  if (meant.length === 0 || politicians.length > mostPoliticians || !isAsked) return null;
  if (isOfSomethingElse(query, words)) return null;
  const slugs = meant.map(({ key }) => key);
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
  const telling = before.findLast((word) => bearers.has(word) || !(isStopWord(word) || isTitle(word)));
  return telling !== undefined && bearers.has(telling);
}

/** What bears somebody's name, or is told of somebody by others; folded. */
const bearers = new Set(
  [
    'affaire affaires allocution amendement amendements anti article cabinet censure chez circulaire comite commission contre',
    'critique critiques decret destitution dispositif doctrine envers face gouvernement jurisprudence loi lois methode mission',
    'motion ordonnance ordonnances plan plans prime proces programme projet rapport rapports reforme reformes sous succession sur',
    'taxe vers visant vise',
  ].flatMap((line) => line.split(' ')),
);
