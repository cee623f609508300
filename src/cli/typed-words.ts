import { nameWords } from '../language/name.ts';
import { type NamedKind, resolveSlug } from '../names/lookup.ts';
import { flagName, isRecordReference, type Parameter, type Parameters } from '../questions/parameter.ts';
import type { Mirror } from '../store/mirror.ts';
import { createNameLookup } from '../store/records/record-context.ts';
import { findDateWords } from './date-words.ts';
import { argument, optionalArgument } from './oclif.ts';

/** Arguments that name one record: KIND KEY, or one text. */
export const referenceArgs = {
  reference: argument('kind of record, or a whole reference such as KIND:KEY'),
  key: optionalArgument('slug, id, or CHAMBER:ID for a ballot'),
};

/** Help text on how to name a record. */
export const referenceHelp =
  'Name a record by its kind and key, by KIND:KEY, by its URL, or by any id in the output; case is ignored. A ' +
  'ballot can also be named by its CHAMBER:ID or number, and a politician or party by name.';

/** The argument of words that filter a list without a flag. */
export const wordsArg = {
  words: optionalArgument('a party, a politician or search words, as in the corresponding flags'),
};

/** The kind of the names that a parameter accepts (voting groups are parties); null if positional or without names. */
function namedKindOf([name, { names, isPathPart, groupNamesIn }]: [string, Parameter]): NamedKind | null {
  if (isPathPart) return null;
  if (names !== null && isRecordReference(names)) return names;
  return name === 'group' && groupNamesIn !== null ? 'party' : null;
}

/** True if words without a flag may filter the list: a parameter accepts names or search words. */
export function takesWords(parameters: Parameters): boolean {
  return 'q' in parameters || Object.entries(parameters).some((each) => namedKindOf(each) !== null);
}

/** Infers a flag for each word: dates, the longest names, then search words; null if a word fits no unset flag. */
export function inferFlags(
  mirror: () => Mirror,
  parameters: Parameters,
  { words, flags }: { words: readonly string[]; flags: Record<string, unknown> },
): { flag: string; text: string }[] | null {
  if (words.length === 0) return [];
  const isUnsetOrDefault = (flag: string) =>
    flag in parameters && [undefined, parameters[flag]!.schema.default].includes(flags[flag] as string);
  const dateWords = findDateWords(words);
  if (dateWords?.flags.every(isUnsetOrDefault)) {
    const resolvedFlags = dateWords.flags.map((flag) => ({ flag, text: dateWords.text }));
    const remainingFlags = { ...flags, ...Object.fromEntries(dateWords.flags.map((flag) => [flag, dateWords.text])) };
    const remainingInput = { words: words.toSpliced(dateWords.at, dateWords.length), flags: remainingFlags };
    return inferFlags(mirror, parameters, remainingInput)?.concat(resolvedFlags) ?? null;
  }
  const unsetEntries = Object.entries(parameters).filter(([name, each]) => flags[flagName(name, each)] === undefined);
  const nameEntries = unsetEntries.filter((each) => namedKindOf(each) !== null);
  // Try the longest name first; try a shorter one if the words after it fit no flag.
  for (let length = words.length; length > 0; length -= 1) {
    const text = words.slice(0, length).join(' ');
    const entry = nameEntries.find((each) => namesRecord(mirror(), each, { text, isPart: length < words.length }));
    if (entry === undefined) continue;
    const flag = flagName(...entry);
    // A list flag accepts further names: `ballots RN LFI`.
    const remainingFlags = entry[1].isList ? flags : { ...flags, [flag]: text };
    const furtherFlags = inferFlags(mirror, parameters, { words: words.slice(length), flags: remainingFlags });
    if (furtherFlags !== null) return [{ flag, text }, ...furtherFlags];
  }
  const catchAll = unsetEntries.find(([name]) => name === 'q') ?? nameEntries.find(([, { names }]) => names !== null);
  return catchAll ? [{ flag: flagName(...catchAll), text: words.join(' ') }] : null;
}

/** True if the text names a record; if further words follow (`isPart`), it must consist of whole words of the name. */
function namesRecord(
  mirror: Mirror,
  entry: [string, Parameter],
  { text, isPart }: { text: string; isPart: boolean },
): boolean {
  const kind = namedKindOf(entry)!;
  const resolution = resolveSlug(mirror, kind, text);
  if (resolution.match === 'several') return entry[1].matchesAllBearers === true && !isPart;
  if (resolution.match === 'none' || !isPart) return resolution.match === 'one';
  // An acronym in capitals is a party, not a query word: `feed LFI retraites`.
  if (kind === 'party' && /^\p{Lu}{2,}$/u.test(text)) return true;
  const name = nameWords(createNameLookup(mirror)(kind, resolution.key) ?? '');
  return nameWords(text).every((word) => name.includes(word));
}
