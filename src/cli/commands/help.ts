import { commands } from '@oclif/plugin-help';
import { HemicycleCommand } from '../base-command.ts';
import { showHelp } from '../help.ts';
import { Args, type Command, type Config, Flags, type Interfaces } from '../oclif.ts';

/** Unlike the plugin's own command, reads no name from stdin, and knows subjects. */
export default class Help extends commands.help {
  static override baseFlags = HemicycleCommand.baseFlags;
  static override summary = 'help for a command, or on a subject such as recipes';
  static override examples = [
    { description: 'What there is', command: '<%= config.bin %> help' },
    { description: 'One command', command: '<%= config.bin %> help vote' },
    { description: 'Questions, and the line that answers each', command: '<%= config.bin %> help recipes' },
  ];
  static override description = '';
  static override strict = false;
  static override args = {
    command: Args.string({
      ignoreStdin: true,
      description: 'a command, in one word or two, or a subject',
      required: false,
    }),
  };
  static override flags = {
    'nested-commands': Flags.boolean({ char: 'n', description: 'every command on a line of its own' }),
  };

  /** Reuses the loaded configuration; the plugin's own `run` would load it again. */
  static override async run<T extends Command>(
    this: new (
      argv: string[],
      config: Config,
    ) => T,
    argv?: string[],
    config?: Interfaces.LoadOptions,
  ): Promise<ReturnType<T['run']>> {
    return (new this(argv ?? [], config as Config) as unknown as Help)._run();
  }

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(Help);
    const { color, lang } = flags;
    const words = [
      ...(argv as string[]),
      ...(flags['nested-commands'] ? ['-n'] : []),
      ...(color === undefined ? [] : [color ? '--color' : '--no-color']),
      ...(lang === undefined ? [] : [`--lang=${lang}`]),
    ];
    await showHelp(words, this.config);
  }
}
