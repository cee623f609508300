import { nearMissHint, UsageError } from '../errors.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import type { DeclaredFacts } from '../names/match.ts';
import { say } from '../words/speech.ts';
import headings from './name-headings.json' with { type: 'json' };

type Fact = keyof DeclaredFacts;

/** The columns to compare, by header or 1-based position: of a name one, or two as `Prénom,Nom`. */
export type ComparedColumns = { name?: string | undefined } & { [Name in Fact]?: string | undefined };

/** Places of the columns of a name and of each fact, by heading if no name is given; throws a UsageError for none. */
export function placeColumns(header: readonly string[], { name, ...columns }: ComparedColumns) {
  const byHeading = ([field, words]: [string, readonly string[]]) =>
    [field, header.findIndex((each) => words.includes(fold(each).replace(/[^a-z]/g, '')))] as const;
  const { full = -1, first = -1, last = -1, ...evidence } = Object.fromEntries(Object.entries(headings).map(byHeading));
  const chosenFacts = Object.entries(columns).flatMap(([fact, column]) =>
    column === undefined ? [] : [[fact as Fact, placeOf(header, column)] as const],
  );
  if (name !== undefined) return { names: namePlaces(header, name), facts: chosenFacts };
  const names = first >= 0 && last >= 0 ? [first, last] : [full >= 0 ? full : last];
  if (names.includes(-1))
    throw new UsageError(
      say`no column of names was found among ${header.slice(0, 30).join(', ')}`,
      say`name it with --column NAME, or two with --column FIRST,LAST`,
    );
  const facts = new Map([...(Object.entries(evidence) as [Fact, number][]), ...chosenFacts]);
  return { names, facts: [...facts].filter(([, at]) => at >= 0) };
}

/** The column of a name, or the two columns that a comma separates. */
function namePlaces(header: readonly string[], name: string): number[] {
  const parts = name.split(',').map((each) => each.trim());
  const isOneColumn = parts.length === 1 || header.some((each) => fold(each).trim() === fold(name).trim());
  return (isOneColumn ? [name] : parts).map((each) => placeOf(header, each));
}

function placeOf(header: readonly string[], column: string): number {
  const foldText = (text: string) => fold(text).trim();
  const tests = [(each: string) => each === column, (each: string) => foldText(each) === foldText(column)];
  for (const test of tests) {
    const at = header.findIndex(test);
    if (at >= 0) return at;
  }
  if (/^[1-9]\d*$/.test(column) && Number(column) <= header.length) return Number(column) - 1;
  const nearNames = nearWords(column, header);
  throw new UsageError(
    say`the table has no column "${column}"`,
    nearMissHint(nearNames) ?? say`it has ${header.slice(0, 30).join(', ')}`,
  );
}
