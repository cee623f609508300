import { HemicycleCommand } from '../base-command.ts';
import { showHelp } from '../help.ts';
import { readManifest } from '../manifest.ts';
import { Args, Flags } from '../oclif.ts';

export default class Help extends HemicycleCommand {
  static override summary = 'help for a command, or on a subject such as recipes';
  static override examples = [
    { description: 'What there is', command: '<%= config.bin %> help' },
    { description: 'One command', command: '<%= config.bin %> help vote' },
    { description: 'Questions, and the line that answers each', command: '<%= config.bin %> help recipes' },
  ];
  static override strict = false;
  static override args = {
    subject: Args.string({
      ignoreStdin: true,
      description: 'a command, in one word or two, or a subject',
      required: false,
    }),
  };
  static override flags = {
    'nested-commands': Flags.boolean({ char: 'n', description: 'every command on a line of its own' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Help);
    const words = [...(argv as string[]), ...(flags['nested-commands'] ? ['-n'] : [])];
    const colour = flags.color === undefined ? [] : [flags.color ? '--color' : '--no-color'];
    const program = { pjson: this.config.pjson };
    showHelp([...words, ...colour], {
      program,
      manifest: readManifest(this.config.root),
      speech: this.speech,
    });
  }
}
