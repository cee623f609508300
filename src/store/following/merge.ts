import { saveKindState, storedColumns } from '../kind-state.ts';
import { bumpVersion, type Mirror } from '../mirror.ts';
import { readCitedSource } from '../records/contents.ts';
import { refreshIndexes } from '../saving/indexes.ts';
import { withhold } from '../saving/withhold.ts';
import { createView } from '../schema.ts';
import { refuseOtherService } from '../syncs/service.ts';
import { tombstones } from '../tombstones.ts';
import { transaction } from '../transaction.ts';
import { replicaKinds, replicaText } from './replica.ts';
import { saveReplica } from './save-replica.ts';

/** Adds missing records and tombstones of another mirror; counts records as added, same, or retained (differing). */
export function mergeMirror(mirror: Mirror, other: Mirror) {
  const { address } = readCitedSource(other);
  if (address !== null) refuseOtherService(mirror, address);
  const outcomes = { added: 0, same: 0, retained: 0 };
  const idOfKey = mirror.column<number>('SELECT id FROM record WHERE kind = ? AND key = ?');
  const otherRecords = other.sql<{ id: number; key: string }>('SELECT id, key FROM record WHERE kind = ? ORDER BY id');
  transaction(mirror, () => {
    for (const kind of replicaKinds) {
      let hasAdded = false;
      for (const { id, key } of otherRecords.iterate(kind.name)) {
        const text = replicaText(other, id);
        const storedId = idOfKey.get(kind.name, key);
        if (storedId !== undefined) {
          outcomes[replicaText(mirror, storedId) === text ? 'same' : 'retained'] += 1;
          continue;
        }
        // `same` for a record that is missing here means that it is withheld; it is not counted.
        if (saveReplica(mirror, JSON.parse(text), { text }) === 'same') continue;
        outcomes.added += 1;
        hasAdded = true;
      }
      if (!hasAdded) continue;
      bumpVersion(mirror);
      const columns = [...new Set([...storedColumns(mirror, kind), ...storedColumns(other, kind)])];
      saveKindState(mirror, kind, { columns });
      createView(mirror, kind);
    }
    refreshIndexes(mirror);
  });
  withhold(mirror, tombstones(other));
  return outcomes;
}

/** Number of records of a mirror, withdrawn ones included. */
export const countRecords = (mirror: Mirror): number => mirror.column<number>('SELECT count(*) FROM record').get()!;
