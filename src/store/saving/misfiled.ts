import { datasets, type Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { eraseRecord } from './withhold.ts';

const keysOfAnother = `SELECT key FROM record AS another WHERE another.kind = ? AND another.withdrawn IS NULL`;

/** The other kind of dataset that most records of a kind stand in under the same key, or null. */
export function misfiledAs(mirror: Mirror, kind: Kind): Kind | null {
  const half = countRows(mirror, kind) / 2;
  const shared = mirror.column<number>(
    `SELECT count(*) FROM record WHERE kind = ? AND withdrawn IS NULL AND key IN (${keysOfAnother})`,
  );
  return (
    datasets.find((other) => other !== kind && half > 0 && shared.get(kind.name, other.name)! > half) ?? null
  );
}

/** Erases the records of a kind that stand in another; they were never of that kind, so nothing is told of them. */
export function eraseMisfiled(mirror: Mirror, kind: Kind, other: Kind): void {
  const rows = mirror
    .sql<{ id: number; key: string }>(
      `SELECT id, key FROM record WHERE kind = ? AND key IN (${keysOfAnother})`,
    )
    .all(kind.name, other.name);
  for (const row of rows) eraseRecord(mirror, kind, row);
}
