import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A flag as the manifest has it. */
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
  multiple?: boolean;
};

/** A command as the manifest has it. */
export type ManifestCommand = {
  id: string;
  summary: string;
  description?: string;
  strict: boolean;
  examples?: { description: string; command: string }[];
  args: Record<string, { name: string; description?: string; required?: boolean; options?: string[] }>;
  flags: Record<string, ManifestFlag>;
};

/** Every command by its id (`config:get`), with its flags, as the build wrote it down. */
export type Manifest = { version: string; commands: Record<string, ManifestCommand> };

/** The manifest of the program that stands in `root`. */
export function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
}

const sharedGroups: readonly (string | undefined)[] = ['COMMON', 'OUTPUT', 'SOURCE'];

/** A command's flags in two parts: those of its own, and those that it shares with others. */
export function flagsIn({ flags }: Pick<ManifestCommand, 'flags'>): {
  own: ManifestFlag[];
  shared: ManifestFlag[];
} {
  const all = Object.values(flags);
  return {
    own: all.filter(({ helpGroup }) => !sharedGroups.includes(helpGroup)),
    shared: all.filter(({ helpGroup }) => sharedGroups.includes(helpGroup)),
  };
}

/** The command that the first words name, two or one of them, with the words behind; null where there is none. */
export function typedCommand(argv: string[], ids: readonly string[]): { id: string; rest: string[] } | null {
  for (const words of [2, 1]) {
    const id = argv.slice(0, words).join(':');
    if (argv.length >= words && ids.includes(id)) return { id, rest: argv.slice(words) };
  }
  return null;
}
