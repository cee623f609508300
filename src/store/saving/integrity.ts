import { analyserVersion } from '../../language/stem.ts';
import { quotedText } from '../../names/database.ts';
import { newestVersion } from '../migrations.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import { schemaVersion } from '../schema.ts';
import { indexedKinds } from '../word-index/search-index.ts';

const maxFaults = 3;

/** The first faults that SQLite reports in the file, its full-text index included; empty if intact. */
export function findFaults(mirror: Mirror): string[] {
  const checkRows = mirror.database.pragma(`quick_check(${maxFaults})`) as { quick_check: string }[];
  return checkRows.map(({ quick_check: fault }) => fault).filter((fault) => fault !== 'ok');
}

/** The number of records that the full-text index has, and should have; whether the current analyser built it. */
export function compareIndex(mirror: Mirror) {
  const names = [...indexedKinds].map(({ name }) => quotedText(name));
  const count = (sql: string) => mirror.column<number>(sql).get() ?? 0;
  return {
    indexed: count('SELECT count(*) FROM search_docsize'),
    expected: count(`SELECT count(*) FROM record WHERE withdrawn IS NULL AND kind IN (${names.join(',')})`),
    isCurrent: readMeta(mirror, 'analyser') === String(analyserVersion),
  };
}

/** Schema version of a mirror, the newest known one, and the version of SQLite. */
export function versionsOf(mirror: Mirror): { schema: number; newest: number; sqlite: string } {
  const sqlite = mirror.column<string>('SELECT sqlite_version()').get()!;
  return { schema: schemaVersion(mirror.database), newest: newestVersion, sqlite };
}
