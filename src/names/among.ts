import { stem } from '../language/stem.ts';
import type { Candidate } from './candidate.ts';
import type { NamedKind } from './database.ts';
import type { WayToMatch } from './rules.ts';
import type { NameSource } from './source.ts';
import { apartAtHyphens, isCompound, namesWithin, singleName, type TypedWord } from './within.ts';

/**
 * A record that a query names: `matched` is the way in which it does (`within` for a name among other words), `score` how
 * surely, from 0 to 1, and `taken` the words of the query that are its name.
 */
export type RankedName = {
  kind: NamedKind;
  key: string;
  name: string;
  matched: WayToMatch | 'within';
  score: number;
  taken: string[];
};

/** The same with its candidate, and the places of the words that are its name. */
export type Ranked = Omit<RankedName, 'key' | 'name'> & { candidate: Candidate; from: number; to: number };

/** Where names of a kind are read from. */
export type KindSource = { kind: NamedKind; source: NameSource };

/** Names among words, and the words by whose places they are told. */
export type Within = { words: readonly TypedWord[]; found: Ranked[] };

/** The names among some words; of a word with a hyphen that is part of none, those that stand on both its sides. */
export function namesAmong(words: readonly TypedWord[], sources: readonly KindSource[]): Within {
  const among = (words: readonly TypedWord[]): Within => {
    const all = widest(sources.flatMap((each) => amongWords(words, each)));
    const arePeople = all.some(({ kind }) => kind === 'politician');
    const found = all.filter(({ score }) => arePeople || score > sureAmong(singleName));
    return { words, found: withoutFirstNames(words, found, sources) };
  };
  const isLeft = ({ words, found }: Within) =>
    words.some(({ text }, at) => isCompound(text) && !found.some(({ from, to }) => from <= at && at < to));
  const within = among(words);
  if (!isLeft(within)) return within;
  const { found, ...rest } = among(words.flatMap(apartAtHyphens));
  // What stands on both sides of a hyphen is no name of its own: Jean-Michel.
  const apart = { ...rest, found: found.filter(({ taken }) => new Set(taken).size === taken.length) };
  return isLeft(apart) ? within : apart;
}

/** Words that no record has, with the token in whose place each was looked for. */
export type Slips = ReadonlyMap<string, string>;

/** No more slips of a query are taken for names, and for no more words of names each. */
const [mostSlips, mostNear] = [2, 3];

/**
 * The names among some words of which a few are slips: each is tried as the words of names that it nearly is. Without a
 * capital only a name with a first name is meant, or one that is what was looked for in its place. Null where no slip is a name.
 */
export function namesAmongSlips(
  words: readonly TypedWord[],
  sources: readonly KindSource[],
  slips: Slips,
): Within | null {
  let best: Within | null = null;
  for (const [slip, token] of [...slips].slice(0, mostSlips)) {
    const at = (best?.words ?? words).findIndex(({ text }) => text === slip);
    if (at === -1) continue;
    const typed = words.find(({ text }) => text === slip)!.parts.at(-1)!;
    const near = new Set(sources.flatMap(({ source }) => source.wordsNear(typed).slice(0, mostNear)));
    const tried = [...near].flatMap((word): Within[] => {
      const asked = (best?.words ?? words).map((each) =>
        each.text === slip ? { ...each, parts: [word] } : each,
      );
      const within = namesAmong(asked, sources);
      const isMeant = ({ taken }: Ranked) =>
        taken.includes(slip) &&
        (taken.length > 1 || /^\p{Lu}/u.test(slip) || [word, stem(word)].includes(token));
      return within.found.some(isMeant) ? [within] : [];
    });
    const sum = ({ found }: Within) =>
      Math.max(...found.filter(({ taken }) => taken.includes(slip)).map(({ score }) => score));
    const [surest] = tried.sort((a, b) => sum(b) - sum(a));
    best = surest ?? best;
  }
  return best;
}

/**
 * Leaves out who is named by a first name alone before a word with a capital that is nobody's name: of Jean Vatelin, whom
 * the mirror does not hold, no Anne Jean.
 */
function withoutFirstNames(
  words: readonly TypedWord[],
  found: Ranked[],
  sources: readonly KindSource[],
): Ranked[] {
  const people = sources.find(({ kind }) => kind === 'politician')?.source;
  const isOfAnother = ({ kind, from, to }: Ranked) => {
    const next = words[to];
    return (
      kind === 'politician' &&
      to - from === 1 &&
      next !== undefined &&
      /^\p{Lu}\p{Ll}/u.test(next.text) &&
      !found.some((other) => other.from <= to && to < other.to) &&
      people?.isFirstName(words[from]!.parts.at(-1)!) === true
    );
  };
  return found.filter((each) => !isOfAnother(each));
}

function amongWords(words: readonly TypedWord[], { kind, source }: KindSource): Ranked[] {
  return namesWithin(words, source.within(words)).map(({ candidate, from, to, sureness }) => ({
    kind,
    candidate,
    matched: 'within' as const,
    score: sureAmong(sureness),
    taken: words.slice(from, to).map(({ text }) => text),
    from,
    to,
  }));
}

/** A name that is part of another one's words is left out: Emmanuel, where Emmanuel Merlin is named. */
function widest(found: Ranked[]): Ranked[] {
  const isWider = (a: Ranked, b: Ranked) => a.from <= b.from && b.to <= a.to && a.to - a.from > b.to - b.from;
  return found.filter((each) => !found.some((other) => isWider(other, each)));
}

/** The words that are part of no name. */
export function restOf({ words, found }: Within): string[] {
  return words
    .filter((_, at) => !found.some(({ from, to }) => from <= at && at < to))
    .map(({ text }) => text);
}

function sureAmong(sureness: number): number {
  return inThousandths(sureness * 0.75);
}

/** A score, from 0 to 1, in thousandths. */
export function inThousandths(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
}
