import { existsSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKindByWord } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
import { findDateWords } from './date-words.ts';
import flagSynonyms from './flag-synonyms.json' with { type: 'json' };
import { type CommandPart, findCommand, type Manifest, type ManifestCommand, splitCommand } from './manifest.ts';

type Commands = Manifest['commands'];

/** The error for an unknown command, with tiers of proposed lines, likeliest first; each keeps the typed `flags`. */
export function unknownCommand(typedWords: string[], manifest: Manifest, flags: readonly string[] = []) {
  const { commands } = manifest;
  // oclif's ids use colons, and people may type them.
  const words = typedWords.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', second = '', ...remainingWords] = words;
  const subcommands = Object.values(commands).filter(({ id }) => id.startsWith(`${first}:`));
  const isGroup = subcommands.length > 0 && !Object.hasOwn(commands, first);
  const lines = isGroup
    ? linesInGroup(subcommands, [second, ...remainingWords], commands)
    : suggestedLines(words, commands);
  const beginsWithFlag = lines.length === 0 && first.startsWith('-');
  const laterWords = lines.length > 0 ? dropFillers(words).slice(1) : []; // without the mistyped command
  const searchTiers = beginsWithFlag || isGroup ? [] : [typedWords, laterWords].map((each) => [['search', ...each]]);
  const withFlags = (tier: string[][]) => tier.map((line) => [...line, ...flags]);
  const tiers = [lines, ...searchTiers].flatMap((tier) => correctedLines(withFlags(tier), manifest));
  const helpLines = lines.map((line) => (line[0] === 'search' && line.length > 1 ? line : [line[0]!, '--help']));
  return new UsageError(
    beginsWithFlag
      ? say`put the command before its flags: hemicycle COMMAND ${shellLine(typedWords)}`
      : say`unknown command "${isGroup ? `${first} ${second}` : typedWords[0]!}"`,
    isGroup
      ? say`as in \`${subcommands[0]!.examples![0]!.command}\`; \`hemicycle help ${first}\` lists the commands`
      : say`\`hemicycle help\` lists the commands, \`hemicycle help recipes\` questions with theirs`,
  ).propose(...tiers, helpLines); // the last tier: help of the proposed commands
}

/** Lines for words that name no command: of a quoted command line, a kind, a synonym or a near miss. */
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
  const nameLine = first === 'parti' ? [['parties', ...contentWords]] : []; // `Parti …` may be a name
  const synonymLines = [...kindLines, ...synonymTargets(synonyms, first)];
  const firstWords = Object.keys(commands).map((id) => id.split(':')[0]!);
  const lines = synonymLines.length > 0 ? synonymLines : nearWords(first, firstWords);
  const [second = '', ...otherWords] = remainingWords;
  const [translation = second] = synonymTargets(synonyms, `* ${fold(second)}`);
  const withWords = (line: string) =>
    Object.hasOwn(commands, `${line}:${translation}`)
      ? appendWords(`${line} ${translation}`, otherWords, commands)
      : appendWords(line, remainingWords, commands);
  return [...nameLine, ...[...new Set(lines)].map(withWords)];
}

/** Lines of a group of commands, for a mistyped second word or the value of an argument (`config token`). */
function linesInGroup(subcommands: ManifestCommand[], [second, ...remainingWords]: string[], commands: Commands) {
  const secondWords = subcommands.map(({ id }) => id.split(':')[1]!);
  const [group] = subcommands[0]!.id.split(':');
  const nearestWords = [...synonymTargets(synonyms, `* ${fold(second!)}`), ...nearWords(second!, secondWords)];
  const acceptingCommands = subcommands.filter(({ args }) => Object.values(args)[0]?.options?.includes(second!));
  return [
    ...nearestWords.map((word) => appendWords(`${group} ${word}`, remainingWords, commands)),
    ...acceptingCommands.map(({ id }) => appendWords(id.replace(':', ' '), [second!, ...remainingWords], commands)),
  ];
}

/** Words before the essential ones in a sentence, such as `show me all`. */
const fillerPattern =
  /^(list|liste|numero|no?°?|lister|count|nombre|show|give|montrer?|affiche|afficher|donne|is|est|me|moi|all|tous|toutes|the|l[ea]s?|mon|ma|mes|une?|of|from|by|d[eu]s?|on|about|sur)$/;

/** The words without leading fillers; unchanged if all are fillers. */
function dropFillers(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !fillerPattern.test(fold(word)));
  return start > 0 ? words.slice(start) : words;
}

/** The line, then the words, as many as the command has arguments; commands that read records take all words. */
function appendWords(line: string, words: readonly string[], commands: Commands): string[] {
  const lineWords = line.split(' ');
  if (/^help .|--help$/.test(line)) return lineWords;
  const command = findCommand(lineWords, Object.keys(commands));
  if (command === null) return [...lineWords, ...dropFillers(words)];
  const { strict, flags, args } = commands[command.id]!;
  const takesAllWords = !strict || 'source' in flags; // commands that read records have --source
  const maxWords = takesAllWords ? words.length : Object.keys(args).length - command.remainingArguments.length;
  return [...lineWords, ...dropFillers(words).slice(0, Math.max(0, maxWords))];
}

/** Two tiers of corrected lines, without uncorrectable ones: a name as a filter (`--party NAME`), then as typed. */
export function correctedLines(lines: readonly string[][], { commands }: Manifest): [string[][], string[][]] {
  const filterLines: string[][] = [];
  const wordLines: string[][] = [];
  for (const line of lines) {
    const typedCommand = findCommand(line, Object.keys(commands));
    const correction = typedCommand && correctArguments(typedCommand, commands[typedCommand.id]!);
    if (!correction) continue;
    const { id, words, flagWords } = correction;
    const { args, flags } = commands[typedCommand.id]!;
    const isRecordName = 'slug' in args && words.length > 0;
    const filters = ['department', 'party'].filter((name) => isRecordName && name in flags);
    filterLines.push(...filters.map((name) => [...id, ...flagWords, `--${name}`, ...filterValue(name, words)]));
    // One record takes no filters: flags without a help group. Drop --chamber: `senator NAME` only states an office.
    const parts = splitCommand(flagWords, flags).filter(({ flag }) => !isRecordName || flag?.name !== 'chamber');
    if (isRecordName && parts.some(({ flag }) => !flag?.helpGroup)) continue;
    wordLines.push([...id, ...words, ...parts.flatMap((part) => part.words)]);
  }
  return [filterLines, wordLines];
}

/** The value of the filter; of a department with a number (`Haute-Ombre 1`), also `--constituency`. */
function filterValue(name: string, words: string[]): string[] {
  const hasNumber = name === 'department' && words.length > 1 && /^\d{1,3}$/.test(words.at(-1)!);
  return hasNumber ? [words.slice(0, -1).join(' '), '--constituency', words.at(-1)!] : [words.join(' ')];
}

/** Id, words and flags of the corrected line, perhaps of another command; null if a part has no correction. */
function correctArguments(typedCommand: NonNullable<ReturnType<typeof findCommand>>, command: ManifestCommand) {
  const words: string[] = [];
  const flagWords: string[] = [];
  const argv = typedCommand.remainingArguments;
  const date = findDateWords(argv);
  const argvWithDateFlags = date?.flags.every((flag) => flag in command.flags)
    ? [...argv.toSpliced(date.at, date.length), ...date.flags.flatMap((flag) => [`--${flag}`, date.text])]
    : argv;
  const parts = splitCommand(argvWithDateFlags, command.flags);
  for (let part = parts.shift(); part; part = parts.shift()) {
    const correction = correctPart(part, command, words.length);
    if (correction === null) return null;
    const value = (correction.needsValue && parts.shift()?.words) || [];
    // The line of another command replaces all parts.
    if (correction.kind === 'command') return { id: correction.words, words: [], flagWords: value };
    (correction.kind === 'flag' ? flagWords : words).push(...correction.words, ...value);
  }
  const isComplete = words.length >= Object.values(command.args).filter(({ required }) => required).length;
  if (!isComplete) return flagWords.includes('--help') ? { id: typedCommand.id.split(':'), words, flagWords } : null;
  // A redirection would empty an existing file.
  if (flagWords.includes('>') && existsSync(flagWords[flagWords.indexOf('>') + 1] ?? '')) return null;
  // Add the -o of the command's first example if it is required and missing.
  const needsFile = command.flags.output?.required && !/(^|,)(-o|--output)\b/.test(flagWords.join());
  const [exampleOutput = ''] = (needsFile && /-o \S+/.exec(command.examples![0]!.command)) || [];
  if (needsFile) flagWords.push(...exampleOutput.split(' '));
  return { id: typedCommand.id.split(':'), words, flagWords };
}

/** The words that replace a part, or the line of another `command`; `needsValue`: the next part is their value. */
type Correction = { kind: 'word' | 'flag' | 'command'; words: string[]; needsValue?: boolean };

/** The correction of a part; unchanged words if it is valid, null if it cannot be corrected. */
function correctPart({ flag, words }: CommandPart, command: ManifestCommand, position: number): Correction | null {
  const [typed = '', ...values] = words.flatMap((each) => (/^--[^=]+=/.test(each) ? each.split(/=(.*)/s, 2) : each));
  const word = flag?.aliases?.includes(typed.slice(2)) ? `--${flag.name}` : typed;
  const isPlainWord = flag === null && !word.startsWith('-');
  const argument = isPlainWord ? Object.values(command.args)[position] : undefined;
  const value = isPlainWord ? word : values[0];
  const options = (flag ?? argument)?.options;
  const isBadValue = options !== undefined && value !== undefined && !options.includes(value);
  if (isBadValue) {
    const candidates = [...synonymTargets(flagSynonyms, `= ${fold(value)}`), ...nearWords(value, options)];
    const correctedValue = candidates.find((each) => options.includes(each));
    if (correctedValue !== undefined && isPlainWord) return { kind: 'word', words: [correctedValue] };
    if (correctedValue !== undefined) return { kind: 'flag', words: [word, correctedValue] };
  }
  if (flag) return isBadValue ? null : { kind: 'flag', words: [word, ...values] };
  const isValidWord = isPlainWord && !isBadValue && (!command.strict || argument !== undefined);
  // An unexpected word may be the value of a flag: a URL, a port or what a required flag names.
  const flagForWord = Object.values(command.flags).find(({ name, helpValue, required }) =>
    /^https?:/.test(word) ? helpValue === 'URL' : /^\d+$/.test(word) ? name === 'port' : required,
  );
  if (isPlainWord && !isValidWord && flagForWord) return { kind: 'flag', words: [`--${flagForWord.name}`, word] };
  const targets = replacementsFor(word, command);
  // A valid word is replaced only by a flag with a value: `sénateurs` by `--chamber Senat`.
  const target = isValidWord ? targets.find((each) => /^--\S+ \S+$/.test(each)) : targets[0];
  if (target === undefined) return isValidWord ? { kind: 'word', words } : null;
  const isFlag = target.startsWith('-');
  // `>` ends a replacement by a redirection: `--out FILE` becomes `--format csv > FILE`.
  const takesValue = target.endsWith('>') || command.flags[target.slice(2)]?.type === 'option';
  const needsValue = values.length === 0 && (isFlag ? takesValue : / --\S+$/.test(target));
  return { kind: isFlag ? 'flag' : 'command', words: [...target.split(' '), ...values], needsValue };
}

/** Flags, and lines of other commands, for a word: those that are synonym and near miss, synonyms, near misses. */
function replacementsFor(typedWord: string, { flags }: ManifestCommand): string[] {
  const word = fold(typedWord.replace(/^-+/, ''));
  // True for another command's line, and for a flag of this command that accepts the value.
  const isAvailable = (target: string) => {
    const [name = '', value] = target.slice(2).split(' ');
    return !target.startsWith('--') || (flags[name] && (!value || (flags[name].options?.includes(value) ?? true)));
  };
  const targets = synonymTargets(flagSynonyms, word).filter(isAvailable);
  const names = Object.values(flags).flatMap(({ name, allowNo }) => (allowNo ? [name, `no-${name}`] : name));
  const nearFlags = nearWords(word, [...names, 'help']).map((name) => `--${name}`);
  return [...nearFlags.filter((name) => targets.includes(name)), ...targets, ...nearFlags];
}

/** Targets whose synonyms include the folded `word`, with prefix `* ` for a second word, `= ` for a flag's value. */
function synonymTargets(synonyms: Record<string, string[]>, word: string): string[] {
  return Object.entries(synonyms).flatMap(([target, words]) => (words.includes(word) ? [target] : []));
}
