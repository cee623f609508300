import { UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKindByWord } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
import { correctedLines, synonymTargets } from './corrected-line.ts';
import { findCommand, type Manifest } from './manifest.ts';

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
