import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

/** Restarts on the npm package `node`, inside this package or beside it; exits with its code, or 10 if none exists. */
export function runOnPinnedNode(program) {
  const root = dirname(dirname(program));
  const binary = join('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const node = [join(root, 'node_modules', binary), join(root, '..', binary)].find((path) => existsSync(path));
  if (!node) {
    console.error(`hemicycle needs Node 22.19 or newer; this is Node ${process.versions.node}.`);
    console.error('Install a newer Node, or put one beside hemicycle: npm install -g node@24');
    process.exit(10);
  }
  const argv = [...process.execArgv, program, ...process.argv.slice(2)];
  const child = spawn(node, argv, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
