import { nameWords } from '../../language/name.ts';
import { analyseProse } from '../../language/prose.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { type Document, documentOf } from '../../model/document.ts';
import { type Kind, kindOf } from '../../model/kinds.ts';
import type { RankedName, Slips } from '../../names/among.ts';
import { namedKinds } from '../../names/database.ts';
import { namesPeople } from '../../names/party-name.ts';
import { searchNames } from '../../names/search.ts';
import { isTitle } from '../../names/title.ts';
import type { Mirror } from '../mirror.ts';
import { isOfTexts, type Scope, withinScope } from './scope.ts';

/** A record that a query names, with its document; `isSure` is false for a guess. */
export type FoundName = RankedName & { id: number; record: Kind; document: Document; isSure: boolean };

const mostNames = 20;
const guesses: ReadonlySet<string> = new Set(['prefix', 'initials', 'sound', 'typo']);

/**
 * The records that a query names within a scope, surest first, at most 20. Without guesses the query is a plain word: a
 * form of it matches a party's name only if it denotes people (réunions is not La Réunion). `slips` are words that no
 * record has; they may be misspelt names.
 */
export function foundNames(
  mirror: Mirror,
  { terms }: Query,
  { scope, areGuessed, slips }: { scope: Scope; areGuessed: boolean; slips?: Slips },
): FoundName[] {
  const kinds = namedKinds.filter((name) => scope.kinds.some((kind) => kind.name === name));
  // Scopes of texts and prefix queries match no names.
  if (kinds.length === 0 || isOfTexts(scope) || terms.some(({ prefix }) => prefix)) return [];
  const text = terms.map((term) => term.text).join(' ');
  const { names } = searchNames(mirror, text.slice(0, 200), { kinds, limit: mostNames, areGuessed, slips });
  const isWithin = withinScope(mirror, { ...scope, kinds: kinds.map(kindOf) });
  const phrases = terms
    .filter(({ phrase }) => phrase)
    .map(({ name }) => name.filter((word) => !isTitle(word)));
  return names.flatMap((name) => {
    if (name.matched === 'within' && phrases.some((phrase) => isPartOf(name, phrase))) return [];
    const record = kindOf(name.kind);
    const stored = mirror
      .sql<{ id: number; row: string | null; detail: string | null }>(
        'SELECT id, row, detail FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL',
      )
      .get(name.kind, name.key);
    if (stored === undefined || isWithin?.(stored.id) === false) return [];
    const { id, ...texts } = stored;
    if (!areGuessed && name.matched === 'forms' && !namesPeople(terms[0]!.text)) return [];
    return [{ ...name, id, record, document: documentOf(texts), isSure: isSure(name, terms) }];
  });
}

/** True if only some words of a phrase belong to the name. */
function isPartOf({ taken }: RankedName, phrase: readonly string[]): boolean {
  const words = new Set(taken.flatMap(nameWords));
  return phrase.some((word) => words.has(word)) && !phrase.every((word) => words.has(word));
}

/** Score of a prefix match that contains the whole surname. */
const ofSurname = 0.695;

/** True for a capitalised surname with initials: A. Blanc. */
function isWrittenWithInitials(terms: readonly QueryTerm[]): boolean {
  const areLetters = ({ text }: QueryTerm) => /^(?:\p{Lu}[.-]*)+$/u.test(text);
  const others = terms.filter((term) => !areLetters(term));
  return (
    others.length > 0 && others.length < terms.length && others.every(({ text }) => /^\p{Lu}/u.test(text))
  );
}

/** False for guesses, and for a party whose name differs by an accent: marché is not En marche. */
function isSure({ kind, matched, name, score }: RankedName, terms: readonly QueryTerm[]): boolean {
  if (matched === 'prefix' && score >= ofSurname && isWrittenWithInitials(terms)) return true;
  if (guesses.has(matched)) return false;
  if (kind !== 'party') return true;
  const tokens = new Set(analyseProse(name).split(' '));
  const isToldApart = ({ prose, otherAccents }: QueryTerm) =>
    otherAccents.flat().some((token) => tokens.has(token)) && !prose.some((token) => tokens.has(token));
  return !terms.some(isToldApart);
}
