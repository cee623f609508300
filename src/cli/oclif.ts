/**
 * The parts of oclif that commands use. Importing its index would load twice as much, such as the check of
 * Node's version.
 */
export * as Args from '@oclif/core/args';
export { Command } from '@oclif/core/command';
export { Config } from '@oclif/core/config';
export * as Flags from '@oclif/core/flags';
export type * as Interfaces from '@oclif/core/interfaces';
