import { meantHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKind } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
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
  const kind = prefix ? undefined : findKind(first);
  const meant = kind && ids.includes(kind.plural) ? [kind.plural] : prefix ? [] : commandsCalled(first);
  const hint = kind
    ? say`\`hemicycle export ${kind.plural}\` writes all of them, \`hemicycle show ${kind.name} KEY\` shows one`
    : prefix
      ? say`\`hemicycle help ${first}\` lists the commands`
      : say`\`hemicycle ${shellLine(['search', ...typed])}\` looks for it, \`hemicycle help\` lists the commands`;
  const unknown = prefix ? `${first} ${second}` : first;
  return new UsageError(
    say`there is no command "${unknown}"`,
    meantHint([...new Set([...meant, ...near])]) ?? hint,
  );
}

/** The commands that go by another name elsewhere, or in French. */
function commandsCalled(word: string): string[] {
  const plain = fold(word);
  return Object.entries(synonyms).flatMap(([id, words]) => (words.includes(plain) ? [id] : []));
}
