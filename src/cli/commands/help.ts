import { Args } from '@oclif/core';
import { commands } from '@oclif/plugin-help';
import HemicycleHelp from '../help.ts';

/** The plugin's own takes a name from standard input where none is typed. */
export default class Help extends commands.help {
  static override summary = 'help for a command';
  static override description = 'Help for the program, or for one command.';
  static override strict = false;
  static override args = {
    command: Args.string({
      ignoreStdin: true,
      description: 'a command, in one word or two',
      required: false,
    }),
  };

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(Help);
    const help = new HemicycleHelp(this.config, { all: flags['nested-commands'] });
    await help.showHelp(argv as string[]);
  }
}
