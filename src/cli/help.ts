import process from 'node:process';
import { processTerminal } from '../terminal/terminal.ts';
import type { Speech } from '../words/speech.ts';
import { commandPage, flagsPage, groupPage, type HelpPage, rootPage, type Topics } from './help-page.ts';
import { subjectNames, subjectPage } from './help-subjects.ts';
import { helpText } from './help-text.ts';
import { type Manifest, typedCommand } from './manifest.ts';
import { unknownCommand } from './unknown-command.ts';

/** Sources of help: package.json and the manifest of commands. */
export type HelpSource = { program: { pjson: PackageJson }; manifest: Manifest };
type PackageJson = { description?: string; oclif: { topics?: unknown } };

/** Prints help on what `words` name: the program, a command, a group of commands, or a subject. */
export function showHelp(words: string[], { speech, ...source }: HelpSource & { speech: Speech }): void {
  const flagAt = words.findIndex((word) => word.startsWith('-'));
  const typed = flagAt < 0 ? words : words.slice(0, flagAt);
  if (typed.length === 0 && words.length > 0 && !isOfHelp(words))
    throw unknownCommand(words, source.manifest);
  const page = pageOf(
    typed[0] === 'help' ? typed.slice(1) : typed,
    source,
    words.includes('--nested-commands') || words.includes('-n'),
  );
  const terminal = processTerminal('stdout', { colour: stated(words) });
  process.stdout.write(helpText(page, terminal, speech));
}

/** The help page that `words` name; throws a UsageError if there is none. */
export function pageOf(words: string[], { program, manifest }: HelpSource, isNested = false): HelpPage {
  const [first = ''] = words;
  const topics = (program.pjson.oclif.topics ?? {}) as Topics;
  if (words.length === 0)
    return rootPage(manifest, {
      topics,
      subjects: subjectNames,
      description: program.pjson.description ?? '',
      isNested,
    });
  if (first === 'flags') return flagsPage(manifest);
  const typed = typedCommand(words, Object.keys(manifest.commands));
  const isGroup = Object.keys(manifest.commands).some((id) => id.startsWith(`${first}:`));
  if (typed) return commandPage(typed.id, manifest);
  const subject = subjectPage(first);
  if (subject) return subject;
  if (isGroup && words.length === 1) return groupPage(first, manifest, topics);
  throw unknownCommand(words, manifest);
}

/** True if every word is a flag of `help` itself. */
function isOfHelp(words: string[]): boolean {
  return words.every((word) => /^(--(no-)?color|--nested-commands|-n|--lang(=.*)?|en|fr)$/.test(word));
}

function stated(words: string[]): boolean | undefined {
  const last = words.findLast((word) => /^--(no-)?color$/.test(word));
  return last === undefined ? undefined : last === '--color';
}
