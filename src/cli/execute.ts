import { speechTo } from './language.ts';
import { type Manifest, readManifest, typedCommand } from './manifest.ts';
import { Config, type Interfaces } from './oclif.ts';

/** Where the program stands, and its package.json. */
export type Program = { root: string; pjson: Interfaces.PJSON };

/**
 * Runs what was typed: a command of the manifest, or help. What goes wrong before a command is found is told as commands
 * tell it. oclif's own entry would first read and sort all that it may need, a third of the time of a start.
 */
export async function execute(argv: string[], program: Program): Promise<void> {
  try {
    const config = new StartedConfig(program);
    const typed = typedCommand(argv, config.manifest);
    if (typed && !asksHelp(argv)) return await config.runCommand(typed.id, typed.rest);
    await config.help(argv.filter((word) => word !== '--help' && word !== '-h'));
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIT') throw error;
    const { tellError } = await import('./tell-error.ts');
    const { speechTo } = await import('./language.ts');
    tellError(error as Error, argv, await speechTo(argv, { environment: process.env }));
  }
}

/** What commands ask of their configuration. */
class StartedConfig extends Config {
  readonly manifest: Manifest;

  constructor({ root, pjson }: Program) {
    super({ root });
    this.manifest = readManifest(root);
    const { name, version, oclif } = pjson as Required<Interfaces.PJSON>;
    const { platform, arch } = process;
    const userAgent = `${name}/${version} ${platform}-${arch} node-${process.version}`;
    Object.assign(this, { root, pjson, name, version, bin: oclif.bin, userAgent, plugins: new Map() });
  }

  override get commandIDs(): string[] {
    return Object.keys(this.manifest.commands);
  }

  /** There are no plugins, and no hooks of our own. */
  override async runHook(): Promise<Interfaces.Hook.Result<never>> {
    return { successes: [], failures: [] };
  }

  override async runCommand<Result>(id: string, argv: string[] = []): Promise<Result> {
    const { default: command } = await import(`./commands/${id.replace(':', '/')}.ts`);
    if (typeof command?.run !== 'function') throw new Error(`command ${id} not found`);
    command.id = id;
    return command.run(argv, this);
  }

  /** Shows the help that words ask for; throws a UsageError where they begin no command. */
  async help(words: string[]): Promise<void> {
    const { showHelp } = await import('./help.ts');
    const speech = await speechTo(words, { environment: process.env });
    showHelp(words, { program: this, manifest: this.manifest, speech });
  }
}

function asksHelp(argv: string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
