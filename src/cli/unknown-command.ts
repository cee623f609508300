import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKind } from '../model/kinds.ts';
import { type Phrase, say } from '../words/speech.ts';
import type { Manifest } from './manifest.ts';

/** What is told of a command that does not exist, by all the words that were typed. */
export function unknownCommand(typed: string[], { commands }: Manifest): UsageError {
  const commandIDs = Object.keys(commands);
  // The ids of oclif have colons, and people may have met them.
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

/** Where records of a kind are found, for who typed its name as a command. */
function kindHint(word: string): Phrase | null {
  const kind = findKind(word);
  if (!kind) return null;
  return say`\`hemicycle export ${kind.plural}\` writes all of them, \`hemicycle show ${kind.name} KEY\` shows one`;
}
