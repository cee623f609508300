import { stripVTControlCharacters } from 'node:util';
import { nearMissHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { type Phrase, phraseLines, say, saying, verbatim } from '../words/speech.ts';
import flagSynonyms from './flag-synonyms.json' with { type: 'json' };
import { type Manifest, type ManifestCommand, readManifest } from './manifest.ts';

type ParseError = Error & { oclif?: { exit?: number }; code?: string; flags?: unknown };

const parseMessages: [pattern: RegExp, createMessage: (...values: string[]) => Phrase][] = [
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
    (reasons) => phraseLines(...reasons!.split('\n').map((line) => translateMessage(line.trim()))),
  ],
  [/^(.*) cannot also be provided when using (.*)$/s, (flag, other) => say`${flag} cannot be used with ${other}`],
  [
    /^All of the following must be provided when using (.*): (.*)$/s,
    (flag, otherFlags) => say`${flag} requires ${otherFlags}`,
  ],
];

function translateMessage(message: string): Phrase {
  for (const [pattern, createMessage] of parseMessages) {
    const [, ...parts] = pattern.exec(message) ?? [];
    if (parts.length > 0) return createMessage(...parts.map(String));
  }
  return verbatim(message);
}

/** Converts an oclif parse error into a UsageError with suggestions for that command; null for other errors. */
export function usageErrorOf(error: ParseError, typed?: { root: string; id: string; argv: string[] }) {
  // oclif's load errors have an exit code too, but also a `code`.
  if (error.oclif?.exit === undefined || error.code !== undefined) return null;
  // oclif's note warns of flags that consume all following words; ours accept one value each time.
  const message = stripVTControlCharacters(error.message).split(/\nSee more help|\n\nNote: --/)[0]!;
  const localisedMessage = translateMessage(message);
  if (!typed) return new UsageError(localisedMessage, say`see --help`);
  const { commands } = readManifest(typed.root);
  const command = commands[typed.id]!;
  const [, word] = /^Unexpected argument: (\S+)$/.exec(message) ?? [];
  const near = Array.isArray(error.flags)
    ? error.flags.flatMap((flag) => nearFlags(flag, command))
    : word === undefined
      ? [...nearOptions(message, command), ...completeLine(message, command, typed.argv)]
      : suggestionsForWord(word, command);
  return new UsageError(localisedMessage, nearMissHint([...new Set(near)]) ?? fallbackHint(message, command, commands));
}

/** Candidates for a mistyped flag: synonyms of other programs, French names and typing errors. */
export function nearFlags(typed: string, { flags }: Pick<ManifestCommand, 'flags'>): string[] {
  const word = fold(typed.replace(/^-+/, '').replace(/=.*$/, ''));
  const names = Object.values(flags).flatMap(({ name, allowNo }) => (allowNo ? [name, `no-${name}`] : name));
  const isExistingFlag = (target: string) => {
    const [, name, value] = /^--([\w-]+) ?(\w*)/.exec(target) ?? [];
    const flag = name === undefined ? undefined : flags[name];
    return name === undefined || (flag && (!value || !flag.options || flag.options.includes(value)));
  };
  const targets = synonymTargets(flagSynonyms, word).filter(isExistingFlag);
  const flagTargets = targets.filter((target) => target.startsWith('-'));
  if (flagTargets.length > 0) return flagTargets.slice(0, 2);
  const near = nearWords(word, [...names, 'help']).map((name) => `--${name}`);
  return near.length > 0 ? near : targets.slice(0, 2).map((target) => `hemicycle ${target}`);
}

/** Names with that folded synonym. */
export function synonymTargets(synonyms: Record<string, string[]>, word: string): string[] {
  return Object.entries(synonyms).flatMap(([target, words]) => (words.includes(word) ? [target] : []));
}

/** Suggestions for an unexpected word: a flag without dashes, or a flag's value. */
function suggestionsForWord(word: string, command: ManifestCommand): string[] {
  const flags = Object.values(command.flags);
  const acceptingFlag = /^https?:/.test(word)
    ? flags.find(({ helpValue }) => helpValue === 'URL')
    : /^\d+$/.test(word)
      ? command.flags.port
      : flags.find(({ required }) => required);
  return acceptingFlag ? [`--${acceptingFlag.name} ${word}`] : nearFlags(word, command);
}

/** The hint without near matches: the first example of the command, the command that writes a format, or help. */
function fallbackHint(message: string, { id, examples = [] }: ManifestCommand, commands: Manifest['commands']) {
  const [, format = ''] = /^Expected --format=(\w+) to be one of/.exec(message) ?? [];
  if (commands.export?.flags.format?.options?.includes(format))
    return say`\`hemicycle export\` writes ${format}, as in \`hemicycle export votes -o votes.${format}\``;
  const [example] = examples;
  return /\bMissing (required|\d)/.test(message) && example
    ? say`as in \`${example.command}\``
    : say`see \`hemicycle ${id.replaceAll(':', ' ')} --help\``;
}

/** The typed line completed with the missing flag, as in an example; empty if nothing was typed. */
function completeLine(message: string, { id, examples = [], flags }: ManifestCommand, argv: string[]): string[] {
  const [, name = ''] = /Missing required flag (\S+)$/.exec(message) ?? [];
  const value = new RegExp(`-(-${name}|${flags[name]?.char}) \\S+`).exec(examples[0]?.command ?? '');
  return name && value && argv.length > 0 ? [`${id} ${shellLine(argv)} ${value[0]}`] : [];
}

/** oclif's error for an invalid option contains neither value nor options; only its message names them. */
function nearOptions(message: string, command: ManifestCommand): string[] {
  const [, flag = '', value, options] = /^Expected (--[\w-]+=)?(.*) to be one of: (.*)$/.exec(message) ?? [];
  if (value === undefined || options === undefined) return [];
  const near = nearWords(value, options.split(', ')).map((option) => `${flag.replace('=', ' ')}${option}`);
  return near.length > 0 || flag ? near : nearFlags(value, command);
}
