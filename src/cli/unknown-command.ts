import { meantHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { type Kind, kindTyped } from '../model/kinds.ts';
import { type Phrase, say } from '../words/speech.ts';
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
  const kind = prefix ? undefined : kindTyped(first);
  const own = kind && ids.includes(kind.plural) ? [kind.plural] : [];
  // By the names that they have elsewhere, or in French.
  const called = Object.entries(synonyms).flatMap(([id, all]) => (all.includes(fold(first)) ? [id] : []));
  const rest = words.slice(prefix ? 2 : 1);
  const lines = [...new Set([...(prefix ? [] : called), ...own, ...near])].map((line) =>
    [line, shellLine(rest)].join(' ').trim(),
  );
  if (lines.length === 0 && first.startsWith('-'))
    return new UsageError(
      say`a command stands before its flags: hemicycle COMMAND ${shellLine(typed)}`,
      say`\`hemicycle help\` lists the commands`,
    );
  const hint = kind
    ? kindHint(kind, rest)
    : prefix
      ? topicHint(first, commands)
      : say`\`hemicycle ${shellLine(['search', ...typed])}\` looks for it, \`hemicycle help\` lists the commands`;
  const unknown = prefix ? `${first} ${second}` : first;
  return new UsageError(say`there is no command "${unknown}"`, meantHint(lines) ?? hint);
}

/** What the commands of one beginning are, with an example of the first. */
function topicHint(first: string, commands: Manifest['commands']): Phrase {
  const [, { examples = [] }] = Object.entries(commands).find(([id]) => id.startsWith(`${first}:`))!;
  const example = examples[0]!.command.replace('<%= config.bin %>', 'hemicycle');
  return say`as in \`${example}\`; \`hemicycle help ${first}\` lists the commands`;
}

/** How records of a kind without a command of its own are found. */
function kindHint({ name, plural, search }: Kind, words: string[]): Phrase {
  return words.length > 0 && Object.values(search).some((fields) => fields.length > 0)
    ? say`\`hemicycle ${shellLine(['search', ...words, '--type', name])}\` looks for them`
    : say`\`hemicycle export ${plural}\` writes all of them, \`hemicycle show ${name} KEY\` shows one`;
}
