/** Fewer common entries than this may coincide by chance. */
const minOverlap = 10;

/** Returns how many entries, newest first, precede those of the previous poll; null if the two polls do not overlap. */
export function countNew(previous: readonly string[], current: readonly string[]): number | null {
  const minLength = Math.min(minOverlap, previous.length);
  // A poll that is longer than the previous one has at least as many new entries as it is longer.
  for (let shift = Math.max(0, current.length - previous.length); shift <= current.length - minLength; shift += 1)
    if (current.slice(shift).every((key, at) => key === previous[at])) return shift;
  return null;
}
