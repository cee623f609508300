import { allTables, nameOfTable } from '../export/tables.ts';
import { kinds } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Completion, completeKeys, completeShortNames } from '../store/records/reference.ts';
import { topicNames } from '../store/records/topics.ts';
import { subjectNames } from './help-subjects.ts';
import { findCommand, findFlag, type Manifest, type ManifestFlag, splitCommand } from './manifest.ts';

const fileCompletion: Completion = { word: ':files', meaning: '' }; // makes the shell complete file names

/** Calls `read` with the mirror; returns no completion without a readable mirror. */
export type ReadMirror = (read: (mirror: Mirror) => Completion[]) => Completion[];

type CompletionSource = (prefix: string, read: ReadMirror) => Completion[];

const fromWords = (words: readonly string[]): Completion[] => words.map((word) => ({ word, meaning: '' }));
const fileNames: CompletionSource = () => [fileCompletion];
const kindNames: CompletionSource = () => fromWords(kinds.map(({ name }) => name));
const politicians: CompletionSource = (prefix, read) => read((mirror) => completeKeys(mirror, 'politician', prefix));
const parties: CompletionSource = (prefix, read) => [
  ...read((mirror) => completeShortNames(mirror, prefix)),
  ...read((mirror) => completeKeys(mirror, 'party', prefix)),
];

const commaSeparated =
  (source: CompletionSource): CompletionSource =>
  (prefix, read) => {
    const head = prefix.slice(0, prefix.lastIndexOf(',') + 1);
    return addPrefix(head, source(prefix.slice(head.length), read));
  };

/** Completions of the arguments of commands, by command ids; other arguments complete their declared options. */
const argumentSources: [source: CompletionSource, commandIds: string[]][] = [
  [politicians, ['politicians']],
  [parties, ['parties', 'cohesion', 'compare']],
  [() => fromWords(allTables.map(nameOfTable)), ['export']],
  [fileNames, ['export:verify', 'evidence:verify', 'import', 'match']],
  [kindNames, ['records', 'show', 'open', 'cite', 'history', 'evidence']],
];

/** Completions of the value of a flag, by its name, in any command. */
const flagSources: Record<string, CompletionSource> = {
  party: parties,
  group: parties,
  politician: politicians,
  topic: (_, read) => read((mirror) => fromWords(topicNames(mirror))),
};

/** The completions of the last word of `typedWords`, the command line without the name of the program. */
export function completionsFor(typedWords: string[], manifest: Manifest, read: ReadMirror): Completion[] {
  const prefix = typedWords.at(-1) ?? '';
  const completions = allCompletions(typedWords.slice(0, -1), prefix, manifest, read);
  return completions.filter(({ word }) => word === fileCompletion.word || word.startsWith(prefix));
}

function allCompletions(typedWords: string[], prefix: string, manifest: Manifest, read: ReadMirror): Completion[] {
  const parsedCommand = findCommand(typedWords, Object.keys(manifest.commands));
  if (!parsedCommand) return commandWords(typedWords, manifest);
  const { id, remainingArguments } = parsedCommand;
  const command = manifest.commands[id]!;
  const lastWord = remainingArguments.at(-1) ?? '';
  const flag = findFlag(lastWord, command.flags);
  if (flag?.type === 'option' && !lastWord.includes('=')) return valueSourceOf(flag)(prefix, read);
  const [, name, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(prefix) ?? [];
  const typedFlag = name === undefined ? null : findFlag(name, command.flags);
  if (typedFlag) return addPrefix(`${name}=`, valueSourceOf(typedFlag)(value, read));
  if (prefix.startsWith('-')) return flagWords(command.flags);
  const otherParts = splitCommand(remainingArguments, command.flags).filter((part) => part.flag === null);
  const args = otherParts.flatMap(({ words }) => words).filter((word) => !word.startsWith('-'));
  if (id === 'help') return [...commandWords(args, manifest), ...(args.length > 0 ? [] : fromWords(subjectNames))];
  const options = Object.values(command.args)[args.length]?.options ?? [];
  const subcommands = remainingArguments.length === 0 ? subcommandWords(id, manifest) : [];
  const [argumentSource] = argumentSources.find(([, commandIds]) => commandIds.includes(id)) ?? [];
  return [...subcommands, ...(argumentSource?.(prefix, read) ?? fromWords(options))];
}

function commandWords(precedingWords: string[], manifest: Manifest): Completion[] {
  if (precedingWords.length === 1) return subcommandWords(precedingWords[0]!, manifest);
  if (precedingWords.length > 0) return [];
  const firstWords = new Set(Object.keys(manifest.commands).map((id) => id.split(':')[0]!));
  return [...firstWords].map((word) => ({ word, meaning: manifest.commands[word]?.summary ?? '' }));
}

function subcommandWords(firstWord: string, { commands }: Manifest): Completion[] {
  return Object.entries(commands)
    .filter(([id]) => id.startsWith(`${firstWord}:`))
    .map(([id, { summary }]) => ({ word: id.slice(firstWord.length + 1), meaning: summary }));
}

function flagWords(flags: Record<string, ManifestFlag>): Completion[] {
  const flagCompletions = Object.values(flags).flatMap(({ name, type, allowNo, description: meaning = '' }) => [
    { word: `${name.length === 1 ? '-' : '--'}${name}`, meaning },
    ...(type === 'boolean' && allowNo ? [{ word: `--no-${name}`, meaning }] : []),
  ]);
  return [...flagCompletions, { word: '--help', meaning: 'help for this command' }];
}

function valueSourceOf({ name, options, helpValue = '', description = '' }: ManifestFlag): CompletionSource {
  if (options) return () => fromWords(options);
  if (Object.hasOwn(flagSources, name)) return flagSources[name]!;
  if (/FILE|DIR/.test(helpValue)) return fileNames;
  if (helpValue === 'KIND,…') return commaSeparated(kindNames);
  // A description may end in the list of accepted words: `… (added, edited)`.
  const [, wordList] = /\(([\w-]+(?:, [\w-]+)+)\)$/.exec(description) ?? [];
  return commaSeparated(() => fromWords(wordList?.split(', ') ?? []));
}

const addPrefix = (prefix: string, completions: Completion[]) =>
  completions.map(({ word, meaning }) => ({ word: word === fileCompletion.word ? word : prefix + word, meaning }));
