import type { Handle } from '../../src/store/mirror.ts';

/** What takes a step of the schema back, by the version that it leaves; newest first. */
const stepsBack: [version: number, sql: string][] = [
  [2, 'DROP TABLE download_part; DROP TABLE download'],
  [
    1,
    `DROP INDEX version_withdrawn; DROP INDEX record_detail_since; DROP TABLE answer;
     ALTER TABLE record DROP COLUMN detail_since;
     ALTER TABLE kind_state DROP COLUMN file_columns; ALTER TABLE kind_state DROP COLUMN file_ends_line;
     ALTER TABLE kind_state ADD COLUMN validators TEXT`,
  ],
];

/** Takes a mirror back to an earlier version of its schema, as the program of that time left it. */
export function makeOlder(database: Handle, version: number): void {
  for (const [left, sql] of stepsBack) {
    if (left >= version) database.exec(`${sql}; PRAGMA user_version = ${left}`);
  }
}
