import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A flag in the manifest. */
export type ManifestFlag = {
  name: string;
  type: 'boolean' | 'option';
  char?: string;
  description?: string;
  helpGroup?: string;
  helpValue?: string;
  options?: string[];
  default?: unknown;
  allowNo?: boolean;
  required?: boolean;
};

/** A command in the manifest. */
export type ManifestCommand = {
  id: string;
  summary: string;
  description?: string;
  strict: boolean;
  examples?: { description: string; command: string }[];
  args: Record<string, { name: string; description?: string; required?: boolean; options?: string[] }>;
  flags: Record<string, ManifestFlag>;
};

/** Every command by its id (`config:get`), with its flags, as written by the build. */
export type Manifest = { version: string; commands: Record<string, ManifestCommand> };

/** Reads the manifest of the program installed in `root`. */
export function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
}

/** The command named by the first two words or the first one, with the remaining words; null if unknown. */
export function findCommand(argv: string[], ids: readonly string[]) {
  for (const words of [2, 1]) {
    const id = argv.slice(0, words).join(':');
    if (argv.length >= words && ids.includes(id)) return { id, remainingArguments: argv.slice(words) };
  }
  return null;
}

/** The command after flags (`--json politicians`), with the flags among the remaining words; null if unknown. */
export function findCommandAfterFlags(argv: string[], { commands }: Manifest): ReturnType<typeof findCommand> {
  const flags = Object.values(commands).flatMap((command) => Object.values(command.flags));
  const options = flags.filter(({ type }) => type === 'option');
  const valueFlags = new Set(options.flatMap(({ name, char }) => [`--${name}`, ...(char ? [`-${char}`] : [])]));
  let at = 0;
  while (argv[at]?.startsWith('-')) at += valueFlags.has(argv[at]!) ? 2 : 1;
  const typed = findCommand(argv.slice(at), Object.keys(commands));
  return typed && { ...typed, remainingArguments: [...argv.slice(0, at), ...typed.remainingArguments] };
}
