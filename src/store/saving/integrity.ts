import { analyserVersion } from '../../language/stem.ts';
import { readMeta } from '../meta.ts';
import { newestVersion } from '../migrations.ts';
import type { Mirror } from '../mirror.ts';
import { versionOf } from '../schema.ts';
import { indexedKinds } from '../word-index/search-index.ts';

/** How many faults are read. */
const mostFaults = 3;

/** What SQLite finds wrong in the file, the full-text index included; empty where it is whole. */
export function faultsIn(mirror: Mirror): string[] {
  const found = mirror.database.pragma(`quick_check(${mostFaults})`) as { quick_check: string }[];
  return found.map(({ quick_check: said }) => said).filter((said) => said !== 'ok');
}

/** How the full-text index fits the records: how many it holds and should, and whether words are analysed as now. */
export type IndexState = { indexed: number; expected: number; isCurrent: boolean };

/** How the full-text index of a mirror fits its records. */
export function indexState(mirror: Mirror): IndexState {
  const names = [...indexedKinds].map(({ name }) => `'${name}'`);
  const count = (sql: string) => mirror.column<number>(sql).get() ?? 0;
  return {
    indexed: count('SELECT count(*) FROM search_docsize'),
    expected: count(`SELECT count(*) FROM record WHERE withdrawn IS NULL AND kind IN (${names.join(',')})`),
    isCurrent: readMeta(mirror, 'analyser') === String(analyserVersion),
  };
}

/** The schema of a mirror and the newest that this program knows, and the version of SQLite that reads it. */
export function versionsOf(mirror: Mirror): { schema: number; newest: number; sqlite: string } {
  return {
    schema: versionOf(mirror.database),
    newest: newestVersion,
    sqlite: mirror.column<string>('SELECT sqlite_version()').get()!,
  };
}
