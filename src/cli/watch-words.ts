import { UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { Interfaces } from './oclif.ts';

/** The words typed after `watch add`: its own flags and name, and those of the question. */
export type WatchWords = { own: string[]; question: string[] };

/**
 * Splits the words after `watch add`: the command's own flags anywhere, then a name; the rest is the
 * question. Words after `--` are never flags of the command. Throws a UsageError without a name.
 */
export function watchWords(typed: readonly string[], flags: Interfaces.FlagInput): WatchWords {
  const own: string[] = [];
  const others: string[] = [];
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  for (let at = 0; at < end; at += 1) {
    const word = typed[at]!;
    const [name = ''] = word.replace(/^--(?:no-)?/, '').split('=', 1);
    const flag = word.startsWith('--') ? flags[name] : undefined;
    if (!flag) {
      others.push(word);
      continue;
    }
    own.push(word);
    if (flag.type !== 'option' || word.includes('=') || at + 1 >= end) continue;
    at += 1;
    own.push(typed[at]!);
  }
  const [name, ...question] = others;
  if (name === undefined || name.startsWith('-'))
    throw new UsageError(
      say`the watch has no name`,
      say`as in \`hemicycle watch add logement search logement --type promise\``,
    );
  const words = [...question, ...typed.slice(end + 1)];
  // A question in quotes is one word to a shell.
  const [only = ''] = words.length === 1 ? words : [];
  return { own: [...own, name], question: /\s/.test(only) ? only.trim().split(/\s+/) : words };
}

/** Returns the name; throws a UsageError if it would be ambiguous in a list, a shell or an address. */
export function checkWatchName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return name;
  throw new UsageError(
    say`"${name}" is not a name for a watch`,
    say`use up to 64 letters, digits, dots, hyphens and underscores, a letter or digit first`,
  );
}
