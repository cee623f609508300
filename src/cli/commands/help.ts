import { commands } from '@oclif/plugin-help';
import { HemicycleCommand } from '../base-command.ts';
import { showHelp } from '../help.ts';
import { optionalArgument, switchFlag } from '../oclif.ts';

/** Unlike the plugin's own command, reads no name from stdin, and accepts subjects (`hemicycle help recipes`). */
export default class Help extends commands.help {
  static override baseFlags = HemicycleCommand.baseFlags;
  static override strict = false;
  static override args = { command: optionalArgument('a command of one or two words, or a subject') };
  static override flags = { 'nested-commands': switchFlag('list every command on its own line') };

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(Help);
    // Flags of other commands, such as --db, do not affect help.
    const helpFlags = [
      ...(flags['nested-commands'] ? ['-n'] : []),
      ...(flags.color === undefined ? [] : [flags.color ? '--color' : '--no-color']),
      ...(flags.lang === undefined ? [] : [`--lang=${flags.lang}`]),
    ];
    await showHelp([...(argv as string[]), ...helpFlags], this.config);
  }
}
