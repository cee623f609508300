/** The folded words that lead a surname without being one: with any of them a surname may begin. */
export const particles: ReadonlySet<string> = new Set(
  'de d du des le la les l van von der den di da del della'.split(' '),
);
