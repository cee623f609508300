import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The processes that a process started and whose command holds that word, the oldest first, by their ids. */
export function childrenOf(pid: number, word: string): number[] {
  const listed = spawnSync('ps', ['--ppid', String(pid), '--sort', 'start_time,pid', '-o', 'pid=,args=']);
  return listed.stdout
    .toString()
    .split('\n')
    .filter((line) => line.includes(word))
    .map((line) => Number.parseInt(line, 10));
}

/** True once a process has ended and let go of its files, though nobody has asked how it ended (proc(5)). */
export function isZombie(pid: number): boolean {
  return (fieldsOf(pid)?.[0] ?? 'Z') === 'Z';
}

/** How long a process has computed, in hundredths of a second (proc(5)); 0 for one that is gone. */
export function computedTicks(pid: number): number {
  const fields = fieldsOf(pid);
  return fields ? Number(fields[11]) + Number(fields[12]) : 0;
}

/** What stands in /proc/PID/stat behind the name: the state first, the times of user and system at 11 and 12. */
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
