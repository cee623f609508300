import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { kill, pid } from 'node:process';

/**
 * A new hidden path for a temporary file. The name holds machine and process id, so that leftovers of
 * killed processes can be recognised.
 */
export function temporaryIn(folder: string): string {
  const name = `.hemicycle-${machine}-${pid}-${randomBytes(8).toString('hex')}.tmp`;
  inUse.add(name);
  return join(folder, name);
}

/** Removes temporary files of dead processes; those of other machines once they are a day old. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, from, writer] = temporaryName.exec(name) ?? [];
    if (from === undefined || inUse.has(name.replace(/-journal$/, ''))) continue;
    const path = join(folder, name);
    // Process ids of another machine or container cannot be checked.
    const isLeft = from === machine ? !isAlive(Number(writer)) : await isOlderThanADay(path);
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Forgets a temporary path; call it once the file was renamed or removed. */
export function forget(path: string): void {
  inUse.delete(basename(path));
}

const temporaryName = /^\.hemicycle-([0-9a-f]{8})-?(\d*)-?[0-9a-f]*\.tmp(?:-journal)?$/;

/** Names in use by this process: any other name with its id is from an earlier process. */
const inUse = new Set<string>();

/** Machine id: a hash of the host name and, if any, the PID namespace. */
const machine = createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function isAlive(number: number): boolean {
  if (number === pid) return false;
  try {
    return kill(number, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function isOlderThanADay(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > 86_400_000;
}
