import { createHash } from 'node:crypto';
import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { isComposed, readComposition } from '../syncs/composition.ts';
import { equalsStoredProfile } from './profile-comparison.ts';

/** Counts of equal and different records of a kind in two mirrors; `hash`: SHA-256 of the fresh keys and hashes. */
export type KindComparison = ReturnType<typeof compareKind>;

type RecordHashes = { key: string; hash: string | null; detail_hash: string | null; isMissing: 0 | 1 };

/** `listsNewestOnly`: the service lists only the newest records; `hasDetails`: full documents are compared too. */
type Options = { kind: Kind; listsNewestOnly: boolean; hasDetails: boolean };

/** Compares records by key and hash; a composed profile (built from other records, not fetched) has no hash. */
export function compareKind(mirror: Mirror, freshMirror: Mirror, { kind, listsNewestOnly, hasDetails }: Options) {
  // `extra` omits records that syncs already missed (`isMissing`), and kinds that the service lists only in part.
  const result = { kind: kind.name as string, held: 0, fresh: 0, missing: 0, extra: 0, different: 0 };
  const examples: string[] = [];
  const usesComposition = readComposition(freshMirror, kind.name).state === 'agrees';
  const equalsProfileIn = (slug: string, source: Mirror) => equalsStoredProfile(mirror, { kind, slug }, source);
  const isSameProfile = ({ key, detail_hash: storedHash }: RecordHashes, { detail_hash: freshHash }: RecordHashes) => {
    if (storedHash === freshHash) return true;
    if (storedHash !== null && freshHash !== null) return false;
    // One mirror did not fetch the profile: compare the fetched profile with the one composed in `mirror`.
    if (storedHash === null) return isComposed(mirror, kind.name, key) && equalsProfileIn(key, freshMirror);
    return !usesComposition || equalsProfileIn(key, mirror); // without composition, a missing fresh profile is ignored
  };
  const digest = createHash('sha256');
  const addDifference = (difference: 'missing' | 'extra' | 'different', { key }: RecordHashes) => {
    result[difference] += 1;
    if (examples.length < 10) examples.push(key);
  };
  for (const [storedRecord, freshRecord] of mergeByKey(hashesOf(mirror, kind), hashesOf(freshMirror, kind))) {
    if (storedRecord) result.held += 1;
    if (freshRecord) {
      result.fresh += 1;
      // With composition, the digest omits details: each run fetches other profiles.
      digest.update(`${freshRecord.key} ${freshRecord.hash} ${usesComposition ? null : freshRecord.detail_hash}\n`);
    }
    if (storedRecord && freshRecord) {
      const hashes = [storedRecord.hash, freshRecord.hash];
      const isSameRow = hashes.includes(null) || hashes[0] === hashes[1]; // a null hash is not compared
      if (isSameRow && (!hasDetails || isSameProfile(storedRecord, freshRecord))) continue;
      addDifference('different', storedRecord);
    } else if (freshRecord) addDifference('missing', freshRecord);
    else if (storedRecord && !listsNewestOnly && !storedRecord.isMissing) addDifference('extra', storedRecord);
  }
  const agrees = result.missing + result.extra + result.different === 0;
  return { ...result, examples, hash: digest.digest('hex'), agrees };
}

function hashesOf(mirror: Mirror, kind: Kind): Iterator<RecordHashes> {
  const sql = `SELECT key, hash, detail_hash, id IN (SELECT record FROM unseen) AS isMissing FROM record
    WHERE kind = ? AND withdrawn IS NULL ORDER BY key`;
  return mirror.sql<RecordHashes>(sql).iterate(kind.name);
}

/** Merge join of two sequences ordered by key: yields pairs, with null for the one that lacks the key. */
function* mergeByKey(storedRows: Iterator<RecordHashes>, freshRows: Iterator<RecordHashes>) {
  const nextRow = (rows: Iterator<RecordHashes>): RecordHashes | null => rows.next().value ?? null;
  let stored = nextRow(storedRows);
  let fresh = nextRow(freshRows);
  while (stored || fresh) {
    // Byte order, as SQLite sorts text.
    const order = !stored ? 1 : !fresh ? -1 : Buffer.compare(Buffer.from(stored.key), Buffer.from(fresh.key));
    yield [order <= 0 ? stored : null, order >= 0 ? fresh : null] as const;
    if (order <= 0) stored = nextRow(storedRows);
    if (order >= 0) fresh = nextRow(freshRows);
  }
}
