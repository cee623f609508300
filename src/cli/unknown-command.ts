import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKind } from '../model/kinds.ts';
import { type Phrase, say } from '../words/speech.ts';
import type { Manifest } from './manifest.ts';

/** The error for an unknown command, with near matches; `typed` holds every typed word. */
export function unknownCommand(typed: string[], { commands }: Manifest): UsageError {
  const commandIDs = Object.keys(commands);
  // oclif's ids use colons, and people may type them.
  const words = typed.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', second = ''] = words;
  const parts = commandIDs.map((id) => id.split(':'));
  if (commandIDs.includes(first))
    return new UsageError(say`there is no command "${words.join(':')}"`, meantHint([words.join(' ')]));
  const within = parts.filter(([head, tail]) => head === first && tail !== undefined);
  const isTopic = within.length > 0;
  const near = isTopic
    ? nearWords(
        second,
        within.map(([, tail]) => tail!),
      ).map((word) => `${first} ${word}`)
    : nearWords(
        first,
        parts.map(([head]) => head!),
      );
  return new UsageError(
    say`there is no command "${isTopic ? `${first} ${second}` : first}"`,
    meantHint(near) ??
      kindHint(first) ??
      say`\`hemicycle help${isTopic ? ` ${first}` : ''}\` lists the commands`,
  );
}

/** Hint on how to read a kind's records, if its name was typed as a command; else null. */
function kindHint(word: string): Phrase | null {
  const kind = findKind(word);
  if (!kind) return null;
  return say`\`hemicycle export ${kind.plural}\` writes all of them, \`hemicycle show ${kind.name} KEY\` shows one`;
}
