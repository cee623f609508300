import { openSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pjson = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { loadCompiled } = await import(`${root}bin/compiled-code.js`);
const { execute } = loadCompiled(`${root}dist/hemicycle.cjs`, 'thread');
const fd = openSync('/dev/null', 'w');

// Every run adds listeners for signals, which a thread never gets.
process.setMaxListeners(0);

/** Puts a stream that keeps its bytes in the place of one of this thread, as every start has new ones; returns their text. */
function keepText(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    chunks.push(chunk);
    done();
  };
  Object.defineProperty(process, name, { value: Object.assign(new Writable({ write }), { fd }), configurable: true });
  return () => Buffer.concat(chunks).toString();
}

parentPort!.on('message', async ({ argv, env }: { argv: string[]; env: Record<string, string> }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, `${root}bin/run.js`, ...argv];
  process.exitCode = undefined;
  const stdout = keepText('stdout');
  const stderr = keepText('stderr');
  await execute(argv, { root, pjson });
  const exit = process.exitCode ?? 0;
  parentPort!.postMessage({ stdout: stdout().replaceAll('\r\n', '\n'), stderr: stderr(), exit });
});
