import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKind } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { Manifest } from './manifest.ts';

/** The error for an unknown command, with near matches; `typed` holds every typed word. */
export function unknownCommand(typed: string[], { commands }: Manifest): UsageError {
  const ids = Object.keys(commands);
  // oclif's ids use colons, and people may type them.
  const words = typed.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', second = ''] = words;
  if (ids.includes(first))
    return new UsageError(say`there is no command "${words.join(':')}"`, meantHint([words.join(' ')]));
  const prefix = ids.some((id) => id.startsWith(`${first}:`)) ? `${first}:` : '';
  const known = ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length).split(':')[0]!);
  const near = nearWords(prefix ? second : first, known).map((word) => `${prefix.replace(':', ' ')}${word}`);
  const kind = prefix ? null : findKind(first);
  const hint = kind
    ? say`\`hemicycle export ${kind.plural}\` writes all of them, \`hemicycle show ${kind.name} KEY\` shows one`
    : say`\`hemicycle help${prefix ? ` ${first}` : ''}\` lists the commands`;
  const unknown = prefix ? `${first} ${second}` : first;
  return new UsageError(say`there is no command "${unknown}"`, meantHint(near) ?? hint);
}
