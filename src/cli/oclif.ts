/**
 * The parts of oclif that a command is made of. Its index would load twice as much, such as the check of Node's version,
 * before any command.
 */
export * as Args from '@oclif/core/args';
export { Command } from '@oclif/core/command';
export { Config } from '@oclif/core/config';
export * as Flags from '@oclif/core/flags';
export type * as Interfaces from '@oclif/core/interfaces';
