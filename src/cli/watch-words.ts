import { UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { Interfaces } from './oclif.ts';

/** What `watch add` was typed with: its own flags and name, and the words of the question. */
export type WatchWords = { own: string[]; question: string[] };

/**
 * Parts the words behind `watch add`: flags of the command itself wherever they stand, then a name, and all that is left is
 * the question's. What stands behind `--` is never a flag of the command.
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

/** Refuses a name that could be taken for something else, in a list, a shell or an address. */
export function checkWatchName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return name;
  throw new UsageError(
    say`"${name}" is not a name for a watch`,
    say`use up to 64 letters, digits, dots, hyphens and underscores, a letter or digit first`,
  );
}
