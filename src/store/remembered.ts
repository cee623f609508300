import type { Mirror } from './mirror.ts';

type Kept = { commits: number; values: Map<string, unknown> };

const kept = new WeakMap<Mirror, Kept>();

/**
 * What `read` reads of a mirror, read once as long as nobody saves anything there; the name stands for what is read. One that
 * is written to remembers nothing: its own connection's commits do not move the number of commits that it sees.
 */
export function readOnce<Value>(mirror: Mirror, name: string, read: (mirror: Mirror) => Value): Value {
  if (!mirror.readonly) return read(mirror);
  const commits = mirror.column<number>('PRAGMA data_version').get()!;
  let known = kept.get(mirror);
  if (known?.commits !== commits) {
    known = { commits, values: new Map() };
    kept.set(mirror, known);
  }
  if (!known.values.has(name)) known.values.set(name, read(mirror));
  return known.values.get(name) as Value;
}
