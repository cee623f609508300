import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type RunningServer = { origin: string; child: ChildProcess };

/** Starts one of `children/` that serves the mirror named first, and prints its address. */
export async function startServer(name: string, ...argv: string[]): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { origin: line.toString().trim(), child };
}
