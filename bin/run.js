#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);

if (process.argv[2] === '--version') {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.log(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}`);
} else if (major > 22 || (major === 22 && minor >= 19)) {
  await start();
} else {
  runOnPinnedNode();
}

async function start() {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(
    join(process.env.XDG_CACHE_HOME || join(process.env.HOME || homedir(), '.cache'), 'hemicycle', 'code'),
  );
  process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The help plugin only adds the command `help`: other starts are spared its import.
  const wantsHelp = process.argv.length <= 2 || process.argv[2] === 'help' || process.argv[2] === '--help';
  if (!wantsHelp) pjson.oclif.plugins = [];
  const { execute } = await import('../dist/cli/execute.js');
  // Awaiting here would end `hemicycle … | head` with exit 13, because the pipe closes first.
  void execute(process.argv.slice(2), { root, pjson });
}

/** An older Node dies in SQLite's binding with a segmentation fault, so that nothing may be imported on it. */
function runOnPinnedNode() {
  const binary = join('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const places = [join(root, 'node_modules', binary), join(root, '..', binary)];
  const node = places.find((place) => existsSync(place));
  if (!node) {
    console.error(`hemicycle needs Node 22.19 or newer; this is Node ${process.versions.node}.`);
    console.error('Install a newer Node, or put one beside hemicycle: npm install -g node@24');
    process.exit(10);
  }
  const argv = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, argv, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
