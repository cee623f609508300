import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Once a file's tests ended, a process that they started and left is named and ended: it would hold whoever waits for them. */
export const mochaHooks = {
  async afterAll() {
    // On a busy machine, one that was told to end is still ending.
    for (let looks = 0; looks < 100 && childrenLeft().length > 0; looks += 1) await delay(100);
    const leftoverChildren = childrenLeft();
    for (const { pid } of leftoverChildren) orNothing(() => process.kill(pid, 'SIGKILL'), false);
    if (leftoverChildren.length > 0)
      throw new Error(`these processes were left running: ${leftoverChildren.map(({ words }) => words).join('; ')}`);
  },
};

/** The processes that this one started and that still run (proc(5)); none where /proc does not tell. */
function childrenLeft(): { pid: number; words: string }[] {
  const threads = orNothing(() => readdirSync('/proc/self/task'), []);
  return threads.flatMap((thread) => childrenOf(`self/task/${thread}`));
}

function childrenOf(task: string): { pid: number; words: string }[] {
  const pids = procText(`${task}/children`).split(' ');
  return pids.filter(Boolean).flatMap((pid) => {
    const words = procText(`${pid}/cmdline`).replaceAll('\0', ' ').trim();
    // The spawner stays; what it has started must have ended.
    if (words.endsWith('/test/helpers/spawner.ts')) return childrenOf(`${pid}/task/${pid}`);
    // One that has ended, and that nobody has asked about, has no words; esbuild keeps its own between calls and lets it go.
    return words === '' || words.includes('/esbuild --service=') ? [] : [{ pid: Number(pid), words }];
  });
}

/** What /proc tells there; nothing of a thread or a process that ended meanwhile. */
const procText = (path: string) => orNothing(() => readFileSync(`/proc/${path}`, 'utf8'), '');

function orNothing<Value>(read: () => Value, nothing: Value): Value {
  try {
    return read();
  } catch {
    return nothing;
  }
}
