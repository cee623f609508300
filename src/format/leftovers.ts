import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { kill, pid } from 'node:process';

/**
 * A new hidden name in a folder, for what is being written: it tells which process of which machine writes, so that
 * what one that was killed left behind is known for that.
 */
export function temporaryIn(folder: string): string {
  const name = `.hemicycle-${machine}-${pid}-${randomBytes(8).toString('hex')}.tmp`;
  inUse.add(name);
  return join(folder, name);
}

/** Removes what processes that have ended left in a folder; what another machine wrote there, after a day. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, from, writer] = temporaryName.exec(name) ?? [];
    if (from === undefined || inUse.has(name.replace(/-journal$/, ''))) continue;
    const path = join(folder, name);
    // The process of another machine, or container, cannot be asked for.
    const isLeft = from === machine ? !isAlive(Number(writer)) : await isOlderThanADay(path);
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** To be called when what was written under the name has another one, or is gone. */
export function forget(path: string): void {
  inUse.delete(basename(path));
}

const temporaryName = /^\.hemicycle-([0-9a-f]{8})-?(\d*)-?[0-9a-f]*\.tmp(?:-journal)?$/;

/** The names that this very process writes under: whatever else has its number was written by one before it. */
const inUse = new Set<string>();

/** Told apart by its name and, where it has such, the space in which its processes are numbered. */
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
