import { nearMissHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKindByWord } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
import { findCommand, type Manifest } from './manifest.ts';
import forms from './question-forms.json' with { type: 'json' };
import { synonymTargets } from './usage-error.ts';

type Commands = Manifest['commands'];

/** The error for an unknown command, with near matches; `typed` are all words, `flags` the following flags. */
export function unknownCommand(typed: string[], { commands }: Manifest, flags: readonly string[] = []) {
  // oclif's ids use colons, and people may type them.
  const words = typed.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', second = '', ...remainingWords] = words;
  const within = Object.values(commands).filter(({ id }) => id.startsWith(`${first}:`));
  const isWithin = within.length > 0 && !Object.hasOwn(commands, first);
  const lines = isWithin ? linesWithin(within, [second, ...remainingWords], commands) : suggestedLines(words, commands);
  const fittingLines = lines.filter((line) => takesFlags(line, flags, commands));
  const suggestionHint = nearMissHint(
    (fittingLines.length > 0 ? fittingLines : lines).map((line) => [line, shellLine(flags)].join(' ').trim()),
  );
  const isFlag = suggestionHint === null && first.startsWith('-');
  const fallbackHint = isWithin
    ? say`as in \`${within[0]!.examples![0]!.command}\`; \`hemicycle help ${first}\` lists the commands`
    : isFlag
      ? say`\`hemicycle help\` lists the commands`
      : say`to search for it: \`hemicycle ${shellLine(['search', ...typed, ...flags])}\`; to list the commands: \`hemicycle help\``;
  return new UsageError(
    isFlag
      ? say`put the command before its flags: hemicycle COMMAND ${shellLine(typed)}`
      : say`unknown command "${isWithin ? `${first} ${second}` : typed[0]!}"`,
    suggestionHint ?? fallbackHint,
  );
}

function takesFlags(line: string, flags: readonly string[], commands: Commands): boolean {
  const knownFlags = commandOf(line, commands)?.command.flags ?? {};
  return flags.every((word) => !word.startsWith('--') || word.slice(2).split('=')[0]! in knownFlags);
}

function commandOf(line: string, commands: Commands) {
  const typed = findCommand(line.split(' '), Object.keys(commands));
  return typed && { command: commands[typed.id]!, remainingArguments: typed.remainingArguments };
}

/** Suggested lines for words that name no command: a question, a synonym or a typing error. */
function suggestedLines(words: readonly string[], commands: Commands): string[] {
  const questionCommand = questionLine(words.join(' '));
  if (questionCommand !== null) return [questionCommand];
  // A quoted line is one word to a shell.
  const contentWords = dropFillers(words.length === 1 ? words[0]!.split(/\s+/) : words);
  if (findCommand([...contentWords], Object.keys(commands))) return [shellLine(contentWords)];
  const [first = '', ...remainingWords] = contentWords;
  const kind = findKindByWord(first);
  const kindLines = kind ? [kind.plural in commands ? kind.plural : `records ${kind.plural}`] : [];
  const synonymLines = [...kindLines, ...synonymTargets(synonyms, fold(first))];
  const heads = Object.keys(commands).map((id) => id.split(':')[0]!);
  const lines = synonymLines.length > 0 ? synonymLines : nearWords(first, heads);
  return [...new Set(lines)].map((line) => appendWords(line, remainingWords, commands));
}

/** Suggested lines within a command group, for a mistyped second word or a setting (`config token`). */
function linesWithin(subcommands: Commands[string][], [second, ...remainingWords]: string[], commands: Commands) {
  const secondWords = subcommands.map(({ id }) => id.split(':')[1]!);
  const [head] = subcommands[0]!.id.split(':');
  const near = nearWords(second!, secondWords).map((word) => appendWords(`${head} ${word}`, remainingWords, commands));
  const about = subcommands.filter(({ args }) => Object.values(args)[0]?.options?.includes(second!));
  return [...near, ...about.map(({ id }) => appendWords(id.replace(':', ' '), [second!, ...remainingWords], commands))];
}

/** The command line for a natural-language question that fits a form; null for none. */
function questionLine(text: string): string | null {
  // Fold per letter, so that slot values keep the typed spelling.
  const letters = [...text.normalize('NFC').replace(/[\s?!.]+$/, '')];
  const folded = letters.map((letter) => fold(letter)[0] ?? ' ').join('');
  for (const [line, patterns] of Object.entries(forms)) {
    const slots = patterns.map((pattern) => formPattern(pattern).exec(folded)?.indices).find(Boolean);
    if (slots)
      return line.replace(/((?: --\w+)?) ("?)\{(\w+)\}"?/g, (_, flag: string, quote: string, name: string) => {
        const range = slots.groups?.[name];
        if (!range) return '';
        const slotText = letters.slice(...range).join('');
        return `${flag} ${shellLine([quote ? slotText : slotText.replace(/^(?:(?:the|le|la|les) |l['’])/, '')])}`;
      });
  }
  return null;
}

/** Converts a form to a pattern for folded text: `{slot}` matches any words, `"{slot}"` excludes quotation marks. */
function formPattern(form: string): RegExp {
  const slots = form
    .replace(/"\{(\w+)\}"/g, '["«“]? ?(?<$1>.+?) ?["»”]?')
    .replace(/\{(group|other)\}/g, '(?<$1>(?:(?! (?:and|et|vs|versus|on|sur|about) ).)+?)')
    .replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  return new RegExp(`^(?:${slots})$`, 'd');
}

const fillerPattern =
  /^(list|liste|lister|count|nombre|show|give|montrer?|affiche|afficher|donne|me|moi|all|tous|toutes|the|l[ea]s?|of|from|by|d[eu]s?|on|about|sur)$/;

function dropFillers(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !fillerPattern.test(fold(word)));
  return start > 0 ? words.slice(start) : words;
}

function appendWords(line: string, words: readonly string[], commands: Commands): string {
  const { command, remainingArguments } = commandOf(line, commands) ?? {};
  const maxWords = command?.strict
    ? Math.max(0, Object.keys(command.args).length - remainingArguments!.length)
    : words.length;
  const argumentWords = /^help .|--help$/.test(line) ? [] : dropFillers(words).slice(0, maxWords);
  return [line, ...argumentWords.map((word) => shellLine([word]))].join(' ');
}
