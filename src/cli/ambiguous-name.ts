import type { AmbiguousNameError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { phraseLines, say } from '../words/speech.ts';

/** Ends the hint with the line as it was typed, the first candidate in the place of the name; no line if that is not in it. */
export function withLineToType(
  error: AmbiguousNameError,
  { id, argv }: { id: string; argv: string[] },
): AmbiguousNameError {
  const { advice, asked, candidates } = error;
  const [first] = candidates;
  const line = first && argvWith(argv, asked, first.key);
  if (!advice || !line) return error;
  const typed = shellLine(['hemicycle', ...id.split(':'), ...line]);
  error.advice = phraseLines(advice, say`as in \`${typed}\``);
  return error;
}

/** The words with `key` in the place of those that make up `name`, alone or as the value of a flag; null if none do. */
function argvWith(argv: string[], name: string, key: string): string[] | null {
  for (let from = 0; from < argv.length; from += 1) {
    const flag = /^--[a-z-]+=/.exec(argv[from]!)?.[0] ?? '';
    if (flag && argv[from]!.slice(flag.length) === name) return argv.with(from, flag + key);
    for (let to = from + 1; to <= argv.length; to += 1)
      if (argv.slice(from, to).join(' ') === name) return argv.toSpliced(from, to - from, key);
  }
  return null;
}
