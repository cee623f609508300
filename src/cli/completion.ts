import { allTables, nameOfTable } from '../export/tables.ts';
import { kinds } from '../model/kinds.ts';
import type { Completion } from '../store/records/completions.ts';
import { subjectNames } from './help-subjects.ts';
import { type Manifest, type ManifestCommand, type ManifestFlag, typedCommand } from './manifest.ts';
import { settingKeys } from './setting-table.ts';

/** Candidate that makes the shell complete file names. */
export const ofFiles: Completion = { word: ':files', meaning: '' };

/** Completions from the mirror: names that start with a prefix. */
export type MirrorWords = {
  politicians(prefix: string): Completion[];
  parties(prefix: string): Completion[];
  /** Short names of parties and groups. */
  groups(prefix: string): Completion[];
  topics(prefix: string): Completion[];
};

type CompletionSource = { manifest: Manifest; words: MirrorWords };

/** Completions of the last typed word; `typed` is the command line without the program's name. */
export function candidatesOf(typed: string[], asked: CompletionSource): Completion[] {
  const current = typed.at(-1) ?? '';
  return unfiltered(typed, asked).filter(({ word }) => word === ofFiles.word || word.startsWith(current));
}

function unfiltered(typed: string[], { manifest, words }: CompletionSource): Completion[] {
  const current = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const found = typedCommand(before, Object.keys(manifest.commands));
  if (!found) return commandWords(before, manifest);
  const command = manifest.commands[found.id]!;
  const last = found.rest.at(-1) ?? '';
  const flag = flagNamed(last, command);
  if (flag?.type === 'option' && !last.includes('=')) return valuesOf(flag, current, words);
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  const stated = name === undefined ? undefined : flagNamed(name, command);
  if (stated) return prefixed(`${name}=`, valuesOf(stated, value!, words));
  if (current.startsWith('-')) return flagWords(command);
  const within = found.rest.length === 0 ? secondWords(found.id, manifest) : [];
  return [...within, ...placeWords(found.id, placesIn(found.rest, command), { current, manifest, words })];
}

function commandWords(before: string[], manifest: Manifest): Completion[] {
  if (before.length === 1) return secondWords(before[0]!, manifest);
  if (before.length > 0) return [];
  const heads = new Map<string, string>();
  for (const [id, { summary }] of Object.entries(manifest.commands)) {
    const [head = '', tail] = id.split(':');
    if (tail === undefined || !heads.has(head)) heads.set(head, tail === undefined ? summary : '');
  }
  return [...heads].map(([word, meaning]) => ({ word, meaning }));
}

function secondWords(head: string, { commands }: Manifest): Completion[] {
  return Object.entries(commands)
    .filter(([id]) => id.startsWith(`${head}:`))
    .map(([id, { summary }]) => ({ word: id.slice(head.length + 1), meaning: summary }));
}

function flagNamed(word: string, { flags }: ManifestCommand): ManifestFlag | undefined {
  const [, dashes, name] = /^(--?)([\w-]+)/.exec(word) ?? [];
  if (name === undefined) return undefined;
  return dashes === '--'
    ? flags[name]
    : Object.values(flags).find((flag) => (flag.char ?? flag.name) === name);
}

function flagWords({ flags }: ManifestCommand): Completion[] {
  const own = Object.values(flags).flatMap(({ name, type, allowNo, description: meaning = '' }) => [
    { word: `${name.length === 1 ? '-' : '--'}${name}`, meaning },
    ...(type === 'boolean' && allowNo ? [{ word: `--no-${name}`, meaning }] : []),
  ]);
  return [...own, { word: '--help', meaning: 'help for this command' }];
}

/** Completion of flag values by flag name, the same for every command. */
const flagValues: Record<string, (words: MirrorWords, current: string) => Completion[]> = {
  party: (words, current) => [...words.groups(current), ...words.parties(current)],
  politician: (words, current) => words.politicians(current),
  topic: (words, current) => words.topics(current),
  voted: votedWords,
  order: listed((words, current) => [...words.groups(current), ...words.parties(current)]),
  kind: listed(() => kindWords()),
  only: listed(() => kindWords()),
};

function valuesOf(flag: ManifestFlag, current: string, words: MirrorWords): Completion[] {
  const { name, options, helpValue = '', description = '' } = flag;
  if (options) return options.map((word) => ({ word, meaning: '' }));
  if (Object.hasOwn(flagValues, name)) return flagValues[name]!(words, current);
  if (/FILE|DIR/.test(helpValue)) return [ofFiles];
  // A flag that takes a list of words names all of them at the end of its description.
  const [, all] = /\(([\w-]+(?:, [\w-]+)+)\)$/.exec(description) ?? [];
  if (all === undefined) return [];
  return listed(() => all.split(', ').map((word) => ({ word, meaning: '' })))(words, current);
}

/** Completes the last item of a comma-separated list. */
function listed(complete: (words: MirrorWords, current: string) => Completion[]) {
  return (words: MirrorWords, current: string) => {
    const head = current.slice(0, current.lastIndexOf(',') + 1);
    return prefixed(head, complete(words, current.slice(head.length)));
  };
}

function votedWords(words: MirrorWords, current: string): Completion[] {
  const [group = '', stance] = current.split(':');
  if (stance === undefined)
    return words.groups(group).map(({ word, meaning }) => ({ word: `${word}:`, meaning }));
  return ['for', 'against', 'abstention'].map((word) => ({ word: `${group}:${word}`, meaning: '' }));
}

const prefixed = (prefix: string, all: Completion[]) =>
  all.map(({ word, meaning }) => ({ word: word === ofFiles.word ? word : prefix + word, meaning }));

/** Positional arguments: words that are neither flags nor values of flags. */
function placesIn(rest: string[], command: ManifestCommand): string[] {
  return rest.filter((word, at) => {
    if (word.startsWith('-')) return false;
    const before = rest[at - 1] ?? '';
    return before.includes('=') || flagNamed(before, command)?.type !== 'option';
  });
}

type CompletionPoint = CompletionSource & { current: string };

/** Completions of the next positional argument. */
function placeWords(
  id: string,
  places: string[],
  { current, manifest, words }: CompletionPoint,
): Completion[] {
  const at = places.length;
  if (id === 'politicians') return at === 0 ? words.politicians(current) : [];
  if (id === 'parties') return at === 0 ? [...words.groups(current), ...words.parties(current)] : [];
  if (id === 'compare' || id === 'cohesion')
    return [...words.groups(current), ...(id === 'compare' ? [{ word: 'majority', meaning: '' }] : [])];
  if (id === 'help') return helpWords(places, manifest);
  if (id === 'export') return allTables.map((table) => ({ word: nameOfTable(table), meaning: '' }));
  if (['import', 'export:verify', 'evidence:verify', 'match'].includes(id)) return [ofFiles];
  if (id.startsWith('config:')) return at === 0 ? settingKeys.map((word) => ({ word, meaning: '' })) : [];
  if (!['show', 'open', 'cite', 'history', 'evidence'].includes(id) || at > 1) return [];
  if (at === 0) return kindWords();
  if (places[0] === 'politician') return words.politicians(current);
  return places[0] === 'party' ? words.parties(current) : [];
}

function helpWords(places: string[], manifest: Manifest): Completion[] {
  if (places.length > 0) return commandWords(places, manifest);
  return [...commandWords([], manifest), ...subjectNames.map((word) => ({ word, meaning: '' }))];
}

const kindWords = () => kinds.map(({ name }) => ({ word: name, meaning: '' }));
