import { executeOne, type Program } from './execute.ts';

/** Runs the typed command line; every command can be loaded. */
export function execute(argv: string[], program: Program): Promise<void> {
  return executeOne({ load: (id) => import(`./commands/${id.replace(':', '/')}.ts`) }, argv, program);
}
