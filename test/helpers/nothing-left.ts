import { readdirSync, readFileSync } from 'node:fs';

/** Once a file's tests ended, a process that they started and left is named and ended: it would hold whoever waits for them. */
export const mochaHooks = {
  afterAll() {
    const left = childrenLeft();
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    if (left.length > 0)
      throw new Error(`these processes were left running: ${left.map(({ words }) => words).join('; ')}`);
  },
};

/** The processes that this one started and that still run (proc(5)); none where there is no /proc. */
function childrenLeft(): { pid: number; words: string }[] {
  let threads: string[] = [];
  try {
    threads = readdirSync('/proc/self/task');
  } catch {
    return [];
  }
  const pids = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '),
  );
  return pids.filter(Boolean).flatMap((pid) => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    // One that has ended, and that nobody has asked about, has no words; esbuild keeps its own between calls and lets it go.
    return words === '' || words.includes('/esbuild --service=') ? [] : [{ pid: Number(pid), words }];
  });
}
