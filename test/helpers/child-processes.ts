import { spawnSync } from 'node:child_process';

/** The processes that a process started and whose command holds that word, the oldest first, by their ids. */
export function childrenOf(pid: number, word: string): number[] {
  const listed = spawnSync('ps', ['--ppid', String(pid), '--sort', 'start_time,pid', '-o', 'pid=,args=']);
  return listed.stdout
    .toString()
    .split('\n')
    .filter((line) => line.includes(word))
    .map((line) => Number.parseInt(line, 10));
}
