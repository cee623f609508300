import { stripVTControlCharacters } from 'node:util';
import { UsageError } from '../errors.ts';
import { clauses, type Phrase, say, saying, verbatim } from '../words/speech.ts';
import { type Manifest, readManifest } from './manifest.ts';

type ParseError = Error & { oclif?: { exit?: number }; code?: string };

/** English messages of oclif: a pattern, and the localised phrase for the values of its groups. */
const messageTranslations: [pattern: RegExp, createMessage: (...values: string[]) => Phrase][] = [
  [/^Nonexistent flags?: (.*)$/s, (flags) => say`unknown flag ${flags}`],
  [/^Parsing --(\S+) \s*(.*)$/s, (flag, message) => say`--${flag}: ${translateMessage(message!)}`],
  [/^Missing required flag:? (?:--)?(\S+)$/, (flag) => say`--${flag} is missing`],
  [/^Unexpected arguments?: (.*)$/s, (input) => say`too many words: "${input}"`],
  [
    /^Missing \d+ required args?:\n(\S+) {2}([^\n]*)/s,
    (name, meaning) => say`${name} is missing: ${saying((speech) => speech.word(meaning!))}`,
  ],
  [/^Expected --(\S+?)=(.*) to be one of: (.*)$/s, (flag, _, options) => say`--${flag} must be one of ${options}`],
  [
    /^(?:Expected|Flag) (.*) (?:to be|expects) one of(?: these values)?: (.*)$/s,
    (input, options) => say`${input} must be one of ${options}`,
  ],
  [/^Expected an integer but received: (.*)$/s, (input) => say`"${input}" must be a whole number`],
  [
    /^Expected an integer (greater|less) than or equal to (.*) but received: (.*)$/s,
    (side, bound, input) =>
      side === 'less' ? say`"${input}" must be at most ${bound}` : say`"${input}" must be at least ${bound}`,
  ],
  [/^Flag (.*) can only be specified once$/s, (flag) => say`${flag} must be given only once`],
  [/^Flag (.*) expects a value$/s, (flag) => say`${flag} needs a value`],
  [
    /^The following errors? occurred:\n(.*)$/s,
    (reasons) => {
      const messages = reasons!.split('\n').map((line) => translateMessage(line.trim()));
      return saying(({ render }) => messages.map(render).join('\n'));
    },
  ],
  [/^(.*) cannot also be provided when using (.*)$/s, (flag, other) => say`${flag} cannot be used with ${other}`],
  [/^All of the following must be provided when using (.*): (.*)$/s, (flag, names) => say`${flag} requires ${names}`],
];

function translateMessage(message: string): Phrase {
  for (const [pattern, createMessage] of messageTranslations) {
    const [, ...parts] = pattern.exec(message) ?? [];
    if (parts.length > 0) return createMessage(...parts.map(String));
  }
  return verbatim(message);
}

/** Converts an oclif parse error into a UsageError with a hint on the command, if given; null for other errors. */
export function usageErrorOf(error: ParseError, command?: { root: string; id: string }) {
  // Errors of oclif when loading a command also have an exit code, but a `code` too: they are no usage errors.
  if (error.oclif?.exit === undefined || error.code !== undefined) return null;
  // oclif's note warns of flags that consume all following words; ours accept one value each time.
  const message = stripVTControlCharacters(error.message).split(/\nSee more help|\n\nNote: --/)[0]!;
  const isPersonFlag = /^Nonexistent flags?: --(?:polit|person|elu)/.test(message);
  const isVoteCommand = /^(?:ballots|vote|text|compare|cohesion)$/.test(command?.id ?? '');
  const translated = translateMessage(message);
  const reason = say`the service publishes votes by group only, never by person`;
  const localisedMessage = isPersonFlag && isVoteCommand ? clauses([translated, reason]) : translated;
  if (!command) return new UsageError(localisedMessage, say`see --help`);
  return new UsageError(localisedMessage, hintFor(message, command.id, readManifest(command.root)));
}

/** The hint: `export` if it writes the format that `--format` refused, else the command's help. */
function hintFor(message: string, id: string, { commands }: Manifest) {
  const [, format = ''] = /^Expected --format=(\w+) to be one of/.exec(message) ?? [];
  return commands.export?.flags.format?.options?.includes(format)
    ? say`\`hemicycle export\` writes ${format}, as in \`hemicycle export votes -o votes.${format}\``
    : say`see \`hemicycle ${id.replaceAll(':', ' ')} --help\``;
}
