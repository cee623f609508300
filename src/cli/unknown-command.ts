import { meantHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { kindTyped } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };
import { exampleLine, type Manifest, typedCommand } from './manifest.ts';
import forms from './question-forms.json' with { type: 'json' };
import { calledBy } from './usage-error.ts';

type Commands = Manifest['commands'];

/** The error for an unknown command, with near matches; `typed` holds every typed word, `flags` what stands behind them. */
export function unknownCommand(
  typed: string[],
  { commands }: Manifest,
  flags: readonly string[] = [],
): UsageError {
  // oclif's ids use colons, and people may type them.
  const words = typed.flatMap((word, at) => (at === 0 ? word.split(':') : word));
  const [first = '', second = '', ...others] = words;
  const within = Object.values(commands).filter(({ id }) => id.startsWith(`${first}:`));
  const isWithin = within.length > 0 && !Object.hasOwn(commands, first);
  const lines = isWithin ? linesWithin(within, [second, ...others], commands) : linesMeant(words, commands);
  const meant = meantHint(lines.map((line) => [line, shellLine(flags)].join(' ').trim()));
  if (isWithin)
    return new UsageError(
      say`there is no command "${`${first} ${second}`}"`,
      meant ??
        say`as in \`${exampleLine(within[0]!.examples![0]!)}\`; \`hemicycle help ${first}\` lists the commands`,
    );
  if (meant === null && first.startsWith('-'))
    return new UsageError(
      say`a command stands before its flags: hemicycle COMMAND ${shellLine(typed)}`,
      say`\`hemicycle help\` lists the commands`,
    );
  return new UsageError(
    say`there is no command "${typed[0]!}"`,
    meant ??
      say`\`hemicycle ${shellLine(['search', ...typed])}\` looks for it, \`hemicycle help\` lists the commands`,
  );
}

/** The lines that words may stand for which name no command: a question, a command by another name, or a slip. */
function linesMeant(words: readonly string[], commands: Commands): string[] {
  const asked = questionLine(words.join(' '));
  if (asked !== null) return [asked];
  const said = withoutFillers(words);
  if (typedCommand(said, Object.keys(commands))) return [shellLine(said)];
  const [first = '', ...others] = said;
  const kind = kindTyped(first);
  const own = kind ? [kind.plural in commands ? kind.plural : `records ${kind.plural}`] : [];
  const called = [...own, ...calledBy(synonyms, fold(first))];
  const heads = Object.keys(commands).map((id) => id.split(':')[0]!);
  const near = called.length > 0 ? called : nearWords(first, heads);
  return [...new Set(near)].map((line) => lineWith(line, others, commands));
}

/** The lines of the commands that begin with one word which a second may stand for: a slip, or a setting (`config token`). */
function linesWithin(
  within: Commands[string][],
  [second, ...others]: string[],
  commands: Commands,
): string[] {
  const seconds = within.map(({ id }) => id.split(':')[1]!);
  const [head] = within[0]!.id.split(':');
  const near = nearWords(second!, seconds).map((word) => lineWith(`${head} ${word}`, others, commands));
  const about = within.filter(({ args }) => Object.values(args)[0]?.options?.includes(second!));
  return [...near, ...about.map(({ id }) => lineWith(id.replace(':', ' '), [second!, ...others], commands))];
}

/** The line that answers a whole question, by the forms that it may have; null for none. */
function questionLine(text: string): string | null {
  // Letter for letter, so that what a slot holds is told as it was typed.
  const letters = [...text.normalize('NFC').replace(/[\s?!.]+$/, '')];
  const folded = letters.map((letter) => fold(letter)[0] ?? ' ').join('');
  for (const [line, patterns] of Object.entries(forms)) {
    const slots = patterns.map((pattern) => formOf(pattern).exec(folded)?.indices).find(Boolean);
    if (slots)
      return line.replace(/((?: --\w+)?) \{(\w+)\}/g, (_, flag: string, name: string) => {
        const place = slots.groups?.[name];
        return place ? `${flag} ${shellLine([letters.slice(...place).join('')])}` : '';
      });
  }
  return null;
}

/** A form as a pattern for folded text: `{slot}` takes words but no article before them, `"{slot}"` takes every word, without the marks of a quotation. */
function formOf(form: string): RegExp {
  const slots = form
    .replace(/"\{(\w+)\}"/g, '["«“]? ?(?<$1>.+?) ?["»”]?')
    .replace(/\{(\w+)\}/g, "(?:(?:the|le|la|les) |l')?(?<$1>.+?)");
  return new RegExp(`^(?:${slots})$`, 'd');
}

/** Words that say nothing of what is asked for, before others. */
const fillers = new Set(
  'list liste lister show give montre montrer affiche afficher donne me moi all tous toutes the le la les of from by de du des on about sur'.split(
    ' ',
  ),
);

/** Words from the first that says what is asked for. */
const withoutFillers = (words: readonly string[]) =>
  words.slice(
    Math.max(
      0,
      words.findIndex((word, at) => at === words.length - 1 || !fillers.has(fold(word))),
    ),
  );

/** A line with as many of the words behind it as its command takes. */
function lineWith(line: string, words: readonly string[], commands: Commands): string {
  const { id = '', rest } = typedCommand(line.split(' '), Object.keys(commands)) ?? {};
  const { strict, args } = commands[id] ?? {};
  const most = strict ? Math.max(0, Object.keys(args!).length - rest!.length) : words.length;
  return [line, shellLine(withoutFillers(words).slice(0, most))].join(' ').trim();
}
