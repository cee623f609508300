import { meantHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { type Kind, kindTyped } from '../model/kinds.ts';
import { type Phrase, say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
import { exampleLine, type Manifest } from './manifest.ts';
import { calledBy } from './usage-error.ts';

/** The error for an unknown command, with near matches; `typed` holds every typed word. */
export function unknownCommand(typed: string[], { commands }: Manifest): UsageError {
  const ids = Object.keys(commands);
  // oclif's ids use colons, and people may type them.
  const words = typed.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', ...others] = words;
  if (ids.includes(first))
    return new UsageError(say`there is no command "${words.join(':')}"`, meantHint([words.join(' ')]));
  if (ids.some((id) => id.startsWith(`${first}:`))) return unknownWithin(first, others, commands);
  const kind = kindTyped(first);
  const own = kind && ids.includes(kind.plural) ? [kind.plural] : [];
  // By the names that they have elsewhere, or in French.
  const called = calledBy(synonyms, fold(first));
  const heads = ids.map((id) => id.split(':')[0]!);
  const meant = lineHint([...called, ...own, ...nearWords(first, heads)], others);
  if (meant === null && first.startsWith('-'))
    return new UsageError(
      say`a command stands before its flags: hemicycle COMMAND ${shellLine(typed)}`,
      say`\`hemicycle help\` lists the commands`,
    );
  const otherwise = kind
    ? kindHint(kind, others)
    : say`\`hemicycle ${shellLine(['search', ...typed])}\` looks for it, \`hemicycle help\` lists the commands`;
  return new UsageError(say`there is no command "${first}"`, meant ?? otherwise);
}

/** The error for an unknown second word behind one that several commands begin with. */
function unknownWithin(first: string, [second = '', ...others]: string[], commands: Manifest['commands']) {
  const within = Object.values(commands).filter(({ id }) => id.startsWith(`${first}:`));
  const seconds = within.map(({ id }) => id.split(':')[1]!);
  const near = nearWords(second, seconds).map((word) => `${first} ${word}`);
  const [example] = within[0]!.examples!;
  const unknown = `${first} ${second}`;
  return new UsageError(
    say`there is no command "${unknown}"`,
    lineHint(near, others) ??
      say`as in \`${exampleLine(example!)}\`; \`hemicycle help ${first}\` lists the commands`,
  );
}

/** A hint with the commands that may have been meant, each with the words typed behind it; null for none. */
function lineHint(commands: string[], words: string[]): Phrase | null {
  return meantHint([...new Set(commands)].map((line) => [line, shellLine(words)].join(' ').trim()));
}

/** How records of a kind without a command of its own are found. */
function kindHint({ name, plural, search }: Kind, words: string[]): Phrase {
  return words.length > 0 && Object.values(search).some((fields) => fields.length > 0)
    ? say`\`hemicycle ${shellLine(['search', ...words, '--type', name])}\` looks for them`
    : say`\`hemicycle export ${plural}\` writes all of them, \`hemicycle show ${name} KEY\` shows one`;
}
