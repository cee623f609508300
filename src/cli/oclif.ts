import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type * as Interfaces from '@oclif/core/interfaces';

/** The parts of oclif that commands use: importing the index of oclif loads twice as many modules. */
export { Command } from '@oclif/core/command';
export { Config } from '@oclif/core/config';
export type { Interfaces };
export { Args, Flags };

/** A required argument; `options` are its values. Without `ignoreStdin`, oclif would wait for stdin under cron. */
export function argument(description: string, options?: string[]): Interfaces.Arg<string> {
  return Args.string({ ignoreStdin: true, description, required: true, ...(options ? { options } : {}) });
}

/** An optional argument, undefined if it is not typed. */
export function optionalArgument(description: string): Interfaces.Arg<string | undefined> {
  return Args.string({ ignoreStdin: true, description, required: false });
}

type FlagProps = { char?: 'n' | 'o'; dependsOn?: string[]; exclusive?: string[] };

/** A flag with a value, which help calls `helpValue`. */
export function valueFlag(description: string, helpValue: string, props: FlagProps & { default?: string } = {}) {
  return Flags.string({ description, helpValue, ...props });
}

/** The required flag `--output` of commands that write to a path. */
export function outputFlag(description: string, helpValue = 'FILE') {
  return Flags.string({ char: 'o', description, helpValue, required: true });
}

/** A flag whose value is one of `options`. */
export function choiceFlag(description: string, options: readonly string[], defaultValue: string) {
  return Flags.string({ description, options: [...options], default: defaultValue });
}

/** A flag whose value is an integer from `min` to `max`. */
export function integerFlag(description: string, [min, max]: [number, number], defaultValue: number) {
  return Flags.integer({ description, min, max, default: defaultValue });
}

/** A flag that may be given several times, with one value each time. */
export function listFlag(description: string, helpValue: string) {
  return Flags.string({ description, helpValue, multiple: true, multipleNonGreedy: true });
}

/** A flag without a value, false if it is not typed. */
export const switchFlag = (description: string, props: FlagProps = {}) => Flags.boolean({ description, ...props });

/** Examples for help: rows of description and command; `hemicycle ` is prepended unless the command contains it. */
export function examples(...rows: [description: string, command: string][]) {
  const commandOf = (line: string) => (line.includes('hemicycle ') ? line : `hemicycle ${line}`);
  return rows.map(([description, line]) => ({ description, command: commandOf(line) }));
}

/** The flags, listed in help in one section with the title `helpGroup`. */
export function groupFlags<Group extends Interfaces.FlagInput>(helpGroup: string, flags: Group): Group {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, helpGroup }])) as Group;
}
