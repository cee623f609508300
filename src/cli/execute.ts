import { BrokenInstallError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { joinDateWords } from './date-words.ts';
import { findCommand, findCommandAfterFlags, readManifest } from './manifest.ts';
import { Config, type Interfaces } from './oclif.ts';

/** Ids of all commands, inserted by the build: reading the manifest takes longer than many answers. */
declare const builtIds: string[] | undefined;

/** Root folder of the program, and its package.json. */
export type Program = { root: string; pjson: Interfaces.PJSON };

/** Runs the typed command, or prints help or an error; replaces oclif's entry point, which starts a third slower. */
export async function execute(typedWords: string[], program: Program): Promise<void> {
  const argv = joinDateWords(typedWords);
  try {
    const config = new ProgramConfig(program);
    const commandIds = typeof builtIds === 'undefined' ? Object.keys(readManifest(program.root).commands) : builtIds;
    const typed =
      findCommand(argv, commandIds) ??
      (argv[0]?.startsWith('-') ? findCommandAfterFlags(argv, readManifest(program.root)) : null);
    if (typed && !asksForHelp(argv)) return await config.runCommand(typed.id, typed.remainingArguments);
    const { showHelp, showFirstSteps } = await import('./help.ts');
    if (await showFirstSteps(argv)) return;
    const words = argv.filter((word) => word !== '--help' && word !== '-h');
    await showHelp(words[0] === 'help' ? words.slice(1) : words, program);
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIT') throw error; // oclif's ExitError
    const { writeError } = await import('./error-output.ts');
    const { loadSpeech } = await import('./language.ts');
    const speech = await loadSpeech(argv, { environment: process.env });
    await writeError(error as Error, argv, { root: program.root, speech });
  }
}

type CommandClass = { id: string; new (argv: string[], config: Config): { _run(): Promise<unknown> } };

class ProgramConfig extends Config {
  constructor({ root, pjson }: Program) {
    super({ root });
    const { name, version, oclif } = pjson as Required<Interfaces.PJSON>;
    const { platform, arch } = process;
    const userAgent = `${name}/${version} ${platform}-${arch} node-${process.version}`;
    Object.assign(this, { root, pjson, name, version, bin: oclif.bin, userAgent, plugins: new Map() });
  }

  /** There are no plugins and no hooks. */
  override async runHook(): Promise<Interfaces.Hook.Result<never>> {
    return { successes: [], failures: [] };
  }

  override async runCommand<Result>(id: string, argv: string[] = []): Promise<Result> {
    const { default: command }: { default?: CommandClass } = await import(`./commands/${id.replace(':', '/')}.ts`);
    if (typeof command !== 'function')
      throw new BrokenInstallError(say`the command ${id.replaceAll(':', ' ')} is empty`);
    command.id = id;
    // The static `run` of oclif would load the configuration again.
    return (await new command(argv, this)._run()) as Result;
  }
}

function asksForHelp(argv: string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
