import { executeOne, type Program } from './execute.ts';

/** Runs what was typed, whichever command it is. */
export function execute(argv: string[], program: Program): Promise<void> {
  return executeOne({ load: (id) => import(`./commands/${id.replace(':', '/')}.ts`) }, argv, program);
}
