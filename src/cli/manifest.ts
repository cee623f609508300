import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type ManifestFlag = {
  name: string;
  type: 'boolean' | 'option';
  char?: string;
  description?: string;
  aliases?: string[];
  helpGroup?: string;
  helpValue?: string;
  options?: string[];
  default?: unknown;
  allowNo?: boolean;
  required?: boolean;
};

export type ManifestCommand = {
  id: string;
  summary: string;
  description?: string;
  strict: boolean;
  examples?: { description: string; command: string }[];
  args: Record<string, { name: string; description?: string; required?: boolean; options?: string[] }>;
  flags: Record<string, ManifestFlag>;
};

/** oclif.manifest.json, as written by the build: every command by its id (`config:get`), with its flags. */
export type Manifest = { version: string; commands: Record<string, ManifestCommand> };

/** Reads the manifest of the program installed in `root`. */
export function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
}

/** The command that the first two words name, else the first one, with the remaining words; null if unknown. */
export function findCommand(argv: string[], ids: readonly string[]) {
  for (const words of [2, 1]) {
    const id = argv.slice(0, words).join(':');
    if (argv.length >= words && ids.includes(id)) return { id, remainingArguments: argv.slice(words) };
  }
  return null;
}

type FlagShape = { type: string; char?: string; aliases?: string[] };

/** A typed flag with its value, or another word. */
export type CommandPart<F = ManifestFlag> = { flag: F | null; words: string[] };

/** The flag that a word names, by `--name`, an alias, `--no-name` or its letter; null for any other word. */
export function findFlag<F extends FlagShape>(word: string, flags: Record<string, F>): F | null {
  const [, name, letter] = /^--(?:no-)?([\w-]+)|^-([a-z])(?=$|[\d=])/.exec(word) ?? [];
  // A flag whose name is one letter has no other `char`.
  if (name === undefined) return Object.entries(flags).find(([key, { char = key }]) => char === letter)?.[1] ?? null;
  return flags[name] ?? Object.values(flags).find(({ aliases }) => aliases?.includes(name)) ?? null;
}

/** Splits a command line: each flag together with its value, each other word alone. */
export function splitCommand<F extends FlagShape>(argv: readonly string[], flags: Record<string, F>): CommandPart<F>[] {
  const words = argv.values();
  return Array.from(words, (word) => {
    const flag = findFlag(word, flags);
    const takesNext = flag?.type === 'option' && (word.startsWith('--') ? !word.includes('=') : word.length === 2);
    return { flag, words: takesNext ? [word, ...words.take(1)] : [word] }; // `take` advances `words`
  });
}

/** The command after flags (`--json politicians`), whose remaining words begin with these flags; null if unknown. */
export function findCommandAfterFlags(argv: string[], { commands }: Manifest): ReturnType<typeof findCommand> {
  const parts = splitCommand(argv, Object.assign({}, ...Object.values(commands).map(({ flags }) => flags)));
  const commandIndex = parts.findIndex(({ words }) => !words[0]!.startsWith('-'));
  if (commandIndex < 0) return null;
  const flagWords = parts.slice(0, commandIndex).flatMap(({ words }) => words);
  const command = findCommand(argv.slice(flagWords.length), Object.keys(commands));
  return command && { ...command, remainingArguments: [...flagWords, ...command.remainingArguments] };
}
