/** Returns the first term at or after `from` by code unit; undefined after the last. */
export type Seek = (from: string) => string | undefined;

const mostSteps = 20_000;

/**
 * Returns the terms of a sorted list within `max` edits of a word (insert, delete, replace, swap neighbours),
 * with their distances, in list order. Walks the list as a trie and skips branches beyond `max`; stops after
 * 20,000 steps with what it has.
 */
export function nearTermsIn(seek: Seek, word: string, max: number): { term: string; distance: number }[] {
  const found: { term: string; distance: number }[] = [];
  const walk: Walk = { word, max, rows: [Array.from({ length: word.length + 1 }, (_, at) => at)], path: '' };
  let from = '';
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const term = seek(from);
    if (term === undefined) break;
    const deadAt = descend(walk, term);
    if (deadAt === null) {
      const distance = walk.rows[term.length]![word.length]!;
      if (distance <= max) found.push({ term, distance });
      from = `${term}\0`;
      continue;
    }
    const next = nextBranch(walk, term, deadAt);
    if (next === null) break;
    from = next;
  }
  return found;
}

/** Position of a walk in the trie: the letters so far, and one row of the distance table per letter. */
type Walk = { word: string; max: number; rows: number[][]; path: string };

/**
 * Descends to a term from its common prefix with the path; returns the index of the letter that exceeds
 * `max`, or null.
 */
function descend(walk: Walk, term: string): number | null {
  let shared = 0;
  while (shared < walk.path.length && shared < term.length && walk.path[shared] === term[shared]) shared += 1;
  walk.rows.length = shared + 1;
  walk.path = term.slice(0, shared);
  for (let at = shared; at < term.length; at += 1) {
    const row = rowBehind(walk, term, at);
    if (Math.min(...row) > walk.max && !mayBeSwapped(walk, term[at]!)) return at;
    walk.rows.push(row);
    walk.path = term.slice(0, at + 1);
  }
  return null;
}

/** The row after one more letter (optimal string alignment). */
function rowBehind({ word, rows }: Walk, term: string, at: number): number[] {
  const last = rows[at]!;
  const beforeLast = rows[at - 1];
  const row = [at + 1];
  for (let to = 1; to <= word.length; to += 1) {
    let least = Math.min(row[to - 1]! + 1, last[to]! + 1, last[to - 1]! + Number(word[to - 1] !== term[at]));
    const isSwap = beforeLast && to > 1 && word[to - 1] === term[at - 1] && word[to - 2] === term[at];
    if (isSwap) least = Math.min(least, beforeLast[to - 2]! + 1);
    row.push(least);
  }
  return row;
}

/** True if the next letter may complete a swap, which costs 1 in total. */
function mayBeSwapped({ word, rows, max }: Walk, letter: string): boolean {
  const row = rows.at(-1)!;
  for (let to = 1; to < word.length; to += 1) if (word[to] === letter && row[to - 1]! < max) return true;
  return false;
}

/** Start of the next branch within `max`; null after the last. */
function nextBranch({ word, max, rows, path }: Walk, term: string, deadAt: number): string | null {
  for (let depth = deadAt; depth >= 0; depth -= 1) {
    const letter = nextLetter(
      { word, max, row: rows[depth]!, before: rows[depth - 1], path },
      depth,
      term[depth]!,
    );
    if (letter !== null) return path.slice(0, depth) + letter;
  }
  return null;
}

type Node = { word: string; max: number; row: number[]; before: number[] | undefined; path: string };

/** The first letter after `behind` that stays within `max`, under a node of the trie. */
function nextLetter({ word, max, row, before, path }: Node, depth: number, behind: string): string | null {
  if (Math.min(...row) < max) return String.fromCharCode(behind.charCodeAt(0) + 1);
  let next: string | null = null;
  const offer = (letter: string) => {
    if (letter > behind && (next === null || letter < next)) next = letter;
  };
  for (let at = 0; at < word.length; at += 1) {
    if (row[at]! <= max) offer(word[at]!);
    const isSwap = before && at + 1 < word.length && word[at + 1] === path[depth - 1] && before[at]! < max;
    if (isSwap) offer(word[at]!);
  }
  return next;
}
