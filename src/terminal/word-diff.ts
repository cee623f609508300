import { diffWordsWithSpace } from 'diff';

export type WordDiffOptions = {
  /** Words to keep on either side of a change; what is between is an ellipsis. Everything where it is not given. */
  context?: number | undefined;
};

/** Longest that two texts may be compared; beyond, a diff would take longer than anybody waits. */
const timeoutMs = 2000;

/**
 * The newer text with what went as `[-…-]` and what came as `{+…+}`, the marks of `git diff --word-diff`; null if
 * the texts are too long and too different to be compared word by word.
 */
export function wordDiff(before: string, after: string, { context }: WordDiffOptions = {}): string | null {
  const parts = diffWordsWithSpace(before, after, { timeout: timeoutMs });
  if (!parts) return null;
  return parts
    .map(({ value, added, removed }, index) => {
      if (removed) return `[-${value}-]`;
      if (added) return `{+${value}+}`;
      if (context === undefined) return value;
      return shortened(value, context, { isFirst: index === 0, isLast: index === parts.length - 1 });
    })
    .join('');
}

/** A stretch that did not change, without its middle; at the ends of the text without its far side. */
function shortened(
  text: string,
  context: number,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const kept = (isFirst ? 0 : context) + (isLast ? 0 : context);
  if (words.length <= kept + 2) return text;
  const head = isFirst ? '' : words.slice(0, context).join('').trimEnd();
  const tail = isLast ? '' : words.slice(-context).join('');
  return `${head}${head && ' '}…${tail && ' '}${tail}`;
}
