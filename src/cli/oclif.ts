import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type * as Interfaces from '@oclif/core/interfaces';

/** The parts of oclif that commands use: importing its index would load twice as much. */
export { Command } from '@oclif/core/command';
export { Config } from '@oclif/core/config';
export type { Interfaces };
export { Args, Flags };

/** A required argument; `options` are its values. Without `ignoreStdin`, oclif would wait for input under cron. */
export function argument(description: string, options?: string[]): Interfaces.Arg<string> {
  return Args.string({ ignoreStdin: true, description, required: true, ...(options ? { options } : {}) });
}

/** An optional argument. */
export function optionalArgument(description: string): Interfaces.Arg<string | undefined> {
  return Args.string({ ignoreStdin: true, description, required: false });
}

type FlagBounds = { char?: 'n' | 'o'; dependsOn?: string[]; exclusive?: string[] };

/** A flag with a value, which help calls `helpValue`. */
export function valueFlag(description: string, helpValue: string, more: FlagBounds & { default?: string } = {}) {
  return Flags.string({ description, helpValue, ...more });
}

/** The required flag `--output` of commands that write to a path. */
export function outputFlag(description: string, helpValue = 'FILE') {
  return Flags.string({ char: 'o', description, helpValue, required: true });
}

/** A flag whose value is one of `options`. */
export function choiceFlag(description: string, options: readonly string[], preset: string) {
  return Flags.string({ description, options: [...options], default: preset });
}

/** A flag whose value is a whole number within bounds. */
export function integerFlag(description: string, [min, max]: [number, number], preset: number) {
  return Flags.integer({ description, min, max, default: preset });
}

/** A flag that may be given several times, with one value each time. */
export function listFlag(description: string, helpValue: string) {
  return Flags.string({ description, helpValue, multiple: true, multipleNonGreedy: true });
}

/** A flag without a value. */
export const switchFlag = (description: string, more: FlagBounds = {}) => Flags.boolean({ description, ...more });

/** Examples for help: what each shows, and the line after the program's name, or a whole line that contains it. */
export function examples(...rows: [shows: string, typed: string][]) {
  return rows.map(([description, typed]) => ({
    description,
    command: typed.includes('hemicycle ') ? typed : `hemicycle ${typed}`,
  }));
}

/** The flags, all in one section of help. */
export function groupFlags<Group extends Interfaces.FlagInput>(helpGroup: string, flags: Group): Group {
  const groupedFlags = Object.entries(flags).map(([name, flag]) => [name, { ...flag, helpGroup }]);
  return Object.fromEntries(groupedFlags) as Group;
}
