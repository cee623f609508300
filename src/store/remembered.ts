import { readEdition } from './contents.ts';
import type { Mirror } from './mirror.ts';

type Kept = { edition: string; values: Map<string, unknown> };

const kept = new WeakMap<Mirror, Kept>();

/** What `read` reads of a mirror, read once as long as nothing changes; the name stands for what is read. */
export function readOnce<Value>(mirror: Mirror, name: string, read: (mirror: Mirror) => Value): Value {
  const { version, state, filledAt } = readEdition(mirror);
  const edition = `${version} ${state} ${filledAt}`;
  let known = kept.get(mirror);
  if (known?.edition !== edition) {
    known = { edition, values: new Map() };
    kept.set(mirror, known);
  }
  if (!known.values.has(name)) known.values.set(name, read(mirror));
  return known.values.get(name) as Value;
}
