import { existsSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKindByWord } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
import flagSynonyms from './flag-synonyms.json' with { type: 'json' };
import { findCommand, type Manifest, type ManifestCommand, type Part, partsOf } from './manifest.ts';
import { findDays } from './typed-flags.ts';

type Commands = Manifest['commands'];

/** The error for an unknown command, with near matches; `typed` are all words, `flags` the following flags. */
export function unknownCommand(typed: string[], manifest: Manifest, flags: readonly string[] = []) {
  const { commands } = manifest;
  // oclif's ids use colons, and people may type them.
  const words = typed.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', second = '', ...remainingWords] = words;
  const within = Object.values(commands).filter(({ id }) => id.startsWith(`${first}:`));
  const isWithin = within.length > 0 && !Object.hasOwn(commands, first);
  const lines = isWithin ? linesWithin(within, [second, ...remainingWords], commands) : suggestedLines(words, commands);
  const isFlag = lines.length === 0 && first.startsWith('-');
  const otherWords = lines.length > 0 ? dropFillers(words).slice(1) : [];
  const searches = isFlag || isWithin ? [] : [typed, otherWords].map((searchWords) => [['search', ...searchWords]]);
  const withFlags = (tier: string[][]) => tier.map((line) => [...line, ...flags]);
  const tiers = [lines, ...searches].flatMap((tier) => correctedLines(withFlags(tier), manifest));
  return new UsageError(
    isFlag
      ? say`put the command before its flags: hemicycle COMMAND ${shellLine(typed)}`
      : say`unknown command "${isWithin ? `${first} ${second}` : typed[0]!}"`,
    isWithin
      ? say`as in \`${within[0]!.examples![0]!.command}\`; \`hemicycle help ${first}\` lists the commands`
      : say`\`hemicycle help\` lists the commands, \`hemicycle help recipes\` questions with theirs`,
  ).propose(
    ...tiers,
    lines.map((line) => (line[0] === 'search' && line.length > 1 ? line : [line[0]!, '--help'])),
  );
}

/** Suggested lines for words that name no command: a synonym or a typing error. */
function suggestedLines(words: readonly string[], commands: Commands): string[][] {
  // A quoted line is one word to a shell.
  const contentWords = dropFillers(words.length === 1 ? words[0]!.split(/\s+/) : words);
  if (findCommand([...contentWords], Object.keys(commands))) return [[...contentWords]];
  const phraseOf = (length: number) => contentWords.slice(0, length).map(fold).join(' ');
  const isPhrase = (length: number) => synonymTargets(synonyms, phraseOf(length)).length > 0;
  const phraseLength = [5, 4, 3, 2].find((length) => length <= contentWords.length && isPhrase(length)) ?? 1;
  const first = phraseOf(phraseLength);
  const remainingWords = contentWords.slice(phraseLength);
  const kind = findKindByWord(first);
  const kindLines = kind ? [kind.plural in commands ? kind.plural : `records ${kind.plural}`] : [];
  const nameLine = first === 'parti' ? [['parties', ...contentWords]] : [];
  const synonymLines = [...kindLines, ...synonymTargets(synonyms, first)];
  const heads = Object.keys(commands).map((id) => id.split(':')[0]!);
  const lines = synonymLines.length > 0 ? synonymLines : nearWords(first, heads);
  const [second = '', ...otherWords] = remainingWords;
  const [translation = second] = synonymTargets(synonyms, `* ${fold(second)}`);
  const withWords = (line: string) =>
    Object.hasOwn(commands, `${line}:${translation}`)
      ? appendWords(`${line} ${translation}`, otherWords, commands)
      : appendWords(line, remainingWords, commands);
  return [...nameLine, ...[...new Set(lines)].map(withWords)];
}

/** Suggested lines within a command group, for a mistyped second word or a setting (`config token`). */
function linesWithin(subcommands: Commands[string][], [second, ...remainingWords]: string[], commands: Commands) {
  const secondWords = subcommands.map(({ id }) => id.split(':')[1]!);
  const [head] = subcommands[0]!.id.split(':');
  const nearestWords = [...synonymTargets(synonyms, `* ${fold(second!)}`), ...nearWords(second!, secondWords)];
  const near = nearestWords.map((word) => appendWords(`${head} ${word}`, remainingWords, commands));
  const about = subcommands.filter(({ args }) => Object.values(args)[0]?.options?.includes(second!));
  return [...near, ...about.map(({ id }) => appendWords(id.replace(':', ' '), [second!, ...remainingWords], commands))];
}

const fillerPattern =
  /^(list|liste|numero|no?°?|lister|count|nombre|show|give|montrer?|affiche|afficher|donne|is|est|me|moi|all|tous|toutes|the|l[ea]s?|mon|ma|mes|une?|of|from|by|d[eu]s?|on|about|sur)$/;

function dropFillers(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !fillerPattern.test(fold(word)));
  return start > 0 ? words.slice(start) : words;
}

/** The line with the words behind it; commands that read no records ignore words beyond their arguments. */
function appendWords(line: string, words: readonly string[], commands: Commands): string[] {
  const lineWords = line.split(' ');
  const typed = findCommand(lineWords, Object.keys(commands));
  const { strict, flags, args } = commands[typed?.id ?? 'help']!;
  const most =
    strict && !('source' in flags) ? Object.keys(args).length - typed!.remainingArguments.length : words.length;
  return /^help .|--help$/.test(line) ? lineWords : [...lineWords, ...dropFillers(words).slice(0, Math.max(0, most))];
}

/** Corrects typed lines; returns two tiers: lines with the words as filters of a list, lines that keep the words. */
export function correctedLines(lines: readonly string[][], { commands }: Manifest): [string[][], string[][]] {
  const filteredLines: string[][] = [];
  const plainLines: string[][] = [];
  for (const line of lines) {
    const typedCommand = findCommand(line, Object.keys(commands));
    const correction = typedCommand && correctArguments(typedCommand, commands[typedCommand.id]!);
    if (!correction) continue;
    const { id, words, flagWords } = correction;
    const { args, flags } = commands[typedCommand.id]!;
    const isName = 'slug' in args && words.length > 0;
    const filters = ['department', 'party'].filter((name) => isName && name in flags);
    filteredLines.push(...filters.map((name) => [...id, ...flagWords, `--${name}`, ...filterValue(name, words)]));
    // Filters do not apply to one record, and a chamber is no more than a title.
    const parts = partsOf(flagWords, flags).filter(({ flag }) => !isName || flag?.name !== 'chamber');
    if (isName && parts.some(({ flag }) => !flag?.helpGroup)) continue;
    plainLines.push([...id, ...words, ...parts.flatMap((part) => part.words)]);
  }
  return [filteredLines, plainLines];
}

function filterValue(name: string, words: string[]): string[] {
  const hasNumber = name === 'department' && words.length > 1 && /^\d{1,3}$/.test(words.at(-1)!);
  return hasNumber ? [words.slice(0, -1).join(' '), '--constituency', words.at(-1)!] : [words.join(' ')];
}

/** The corrected arguments, or another command's line; null if one has no correction. */
function correctArguments(typed: NonNullable<ReturnType<typeof findCommand>>, command: ManifestCommand) {
  const words: string[] = [];
  const flagWords: string[] = [];
  const argv = typed.remainingArguments;
  const days = findDays(argv);
  const dayWords = days?.flags.every((flag) => flag in command.flags)
    ? [...argv.toSpliced(days.at, days.length), ...days.flags.flatMap((flag) => [`--${flag}`, days.text])]
    : argv;
  const parts = partsOf(dayWords, command.flags);
  for (let part = parts.shift(); part; part = parts.shift()) {
    const replacement = correctPart(part, command, words.length);
    if (replacement === null) return null;
    const lastWord = replacement.at(-1)!;
    const lacksValue = replacement.length > 2 && lastWord.startsWith('--');
    const valuePart = lacksValue ? parts.shift() : undefined;
    const isOtherCommand = replacement[0] === 'hemicycle';
    if (isOtherCommand) return { id: replacement.slice(1), words: [], flagWords: valuePart?.words ?? [] };
    const isFlag = lastWord.startsWith('-') || replacement.length > 1;
    (isFlag ? flagWords : words).push(...replacement);
    const takesNext = part.flag === null && (lastWord === '>' || command.flags[lastWord.slice(2)]?.type === 'option');
    if (isFlag && takesNext) flagWords.push(...(parts.shift()?.words ?? []));
  }
  if (words.length < Object.values(command.args).filter(({ required }) => required).length)
    return flagWords.includes('--help') ? { id: typed.id.split(':'), words, flagWords } : null;
  // A redirection would empty a file that is there.
  if (flagWords.includes('>') && existsSync(flagWords[flagWords.indexOf('>') + 1] ?? '')) return null;
  const needsFile = command.flags.output?.required && !/(^|,)(-o|--output)\b/.test(flagWords.join());
  const [exampleOutput = ''] = (needsFile && /-o \S+/.exec(command.examples![0]!.command)) || [];
  if (needsFile) flagWords.push(...exampleOutput.split(' '));
  return { id: typed.id.split(':'), words, flagWords };
}

/** The corrected words of a part, with `hemicycle` before another command's line; null if there is no correction. */
function correctPart({ flag, words }: Part, command: ManifestCommand, position: number): string[] | null {
  const [typed = '', ...values] = words.flatMap((each) => (/^--[^=]+=/.test(each) ? each.split(/=(.*)/s, 2) : each));
  const word = flag?.aliases?.includes(typed.slice(2)) ? `--${flag.name}` : typed;
  const isPlainWord = flag === null && !word.startsWith('-');
  const argument = isPlainWord ? Object.values(command.args)[position] : undefined;
  const value = isPlainWord ? word : values[0];
  const options = (flag ?? argument)?.options;
  const isWrong = options !== undefined && value !== undefined && !options.includes(value);
  const translations = isWrong ? synonymTargets(flagSynonyms, `= ${fold(value)}`) : [];
  const correctedValue = isWrong
    ? [...translations, ...nearWords(value, options)].find((each) => options.includes(each))
    : undefined;
  if (correctedValue !== undefined) return isPlainWord ? [correctedValue] : [word, correctedValue];
  if (flag) return isWrong ? null : [word, ...values];
  const isValid = isPlainWord && !isWrong && (!command.strict || argument !== undefined);
  // An unexpected word may be an address, a port or what is required.
  const flagForWord = Object.values(command.flags).find(({ name, helpValue, required }) =>
    /^https?:/.test(word) ? helpValue === 'URL' : /^\d+$/.test(word) ? name === 'port' : required,
  );
  if (isPlainWord && !isValid && flagForWord) return [`--${flagForWord.name}`, word];
  const targets = flagsFor(word, command);
  // A valid word gives way only to a flag with a value: `sénateurs` to `--chamber Senat`.
  const target = isValid ? targets.find((each) => /^--\S+ \S+$/.test(each)) : targets[0];
  return target === undefined ? (isValid ? words : null) : [...target.split(' '), ...values];
}

/** Replacements for an unknown flag: flags that are both synonym and near miss, then synonyms, then near misses. */
function flagsFor(typed: string, { flags }: ManifestCommand): string[] {
  const word = fold(typed.replace(/^-+/, ''));
  const isExisting = (target: string) => {
    const [name = '', value] = target.slice(2).split(' ');
    return !target.startsWith('--') || (flags[name] && (!value || (flags[name].options?.includes(value) ?? true)));
  };
  const targets = synonymTargets(flagSynonyms, word).filter(isExisting);
  const names = Object.values(flags).flatMap(({ name, allowNo }) => (allowNo ? [name, `no-${name}`] : name));
  const nearFlags = nearWords(word, [...names, 'help']).map((name) => `--${name}`);
  const lines = targets.map((target) => (target.startsWith('-') ? target : `hemicycle ${target}`));
  return [...nearFlags.filter((name) => targets.includes(name)), ...lines, ...nearFlags];
}

/** The keys of `synonyms` whose lists contain `word`, which must be folded. */
function synonymTargets(synonyms: Record<string, string[]>, word: string): string[] {
  return Object.entries(synonyms).flatMap(([target, words]) => (words.includes(word) ? [target] : []));
}
