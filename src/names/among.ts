import { particles } from '../language/name.ts';
import type { Candidate } from './candidate.ts';
import type { NamedKind } from './database.ts';
import type { WayToMatch } from './rules.ts';
import type { NameSource } from './source.ts';
import { namesWithin, type TypedWord } from './within.ts';

/** A record that a query names: how, how surely (0 to 1), and by which of its words. */
export type RankedName = {
  kind: NamedKind;
  key: string;
  name: string;
  matched: WayToMatch | 'within';
  score: number;
  taken: string[];
};

/** A ranked name with its candidate and the word range [from, to) of the name. */
export type Ranked = Omit<RankedName, 'key' | 'name'> & { candidate: Candidate; from: number; to: number };

/** A kind with the source of its names. */
export type KindSource = { kind: NamedKind; source: NameSource };

/** Names found among words; their ranges refer to `words`. */
export type Within = { words: readonly TypedWord[]; found: Ranked[] };

/** The names among some words. */
export function namesAmong(words: readonly TypedWord[], sources: readonly KindSource[]): Within {
  const found = widest(sources.flatMap((each) => amongWords(words, each)));
  return { words, found: withoutHalves(words, found, sources) };
}

/**
 * Drops persons matched by half the name of another: by a first name before a capitalised word that is nobody's name
 * (an unknown Jean Vatelin is not Anne Jean), or by a surname behind the first name of somebody else.
 */
function withoutHalves(
  words: readonly TypedWord[],
  found: Ranked[],
  sources: readonly KindSource[],
): Ranked[] {
  const people = sources.find(({ kind }) => kind === 'politician')?.source;
  const isFirstName = (at: number) =>
    words[at] !== undefined && people?.isFirstName(words[at].parts.at(-1)!) === true;
  const isTaken = (at: number) => found.some(({ from, to }) => to - from > 1 && from <= at && at < to);
  const isParticle = ({ parts }: TypedWord) => parts.every((part) => particles.has(part));
  const isOfAnother = ({ kind, from, to }: Ranked) => {
    const own = words.slice(from, to).filter((word) => !isParticle(word));
    if (kind !== 'politician' || own.length > 1) return false;
    const last = words.findLastIndex((word, at) => at < from && !isParticle(word));
    const next = words.findIndex((word, at) => at >= to && !isParticle(word));
    const isBefore = /^\p{Lu}\p{Ll}/u.test(words[next]?.text ?? '') && !isTaken(next);
    return (isBefore && isFirstName(from)) || (isFirstName(last) && !isTaken(last));
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

function widest(found: Ranked[]): Ranked[] {
  const isWider = (a: Ranked, b: Ranked) => a.from <= b.from && b.to <= a.to && a.to - a.from > b.to - b.from;
  return found.filter((each) => !found.some((other) => isWider(other, each)));
}

/** The words that belong to no name. */
export function restOf({ words, found }: Within): string[] {
  return words
    .filter((_, at) => !found.some(({ from, to }) => from <= at && at < to))
    .map(({ text }) => text);
}

const sureAmong = (sureness: number): number => inThousandths(sureness * 0.75);

/** A score from 0 to 1, rounded to thousandths. */
export function inThousandths(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
}
