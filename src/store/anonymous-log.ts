import type { Document } from '../model/document.ts';
import { keyOf } from '../model/facets.ts';
import { anonymised, isAllowedField } from '../model/identity-guard.ts';
import { kindOf } from '../model/kinds.ts';
import { contentHash } from '../model/normal-form.ts';
import { columnsSeen, saveKindState } from './kind-state.ts';
import { bumpVersion, saveMeta } from './meta.ts';
import type { Handle, Mirror } from './mirror.ts';
import { createView } from './schema.ts';

const audit = kindOf('audit');

const entriesSql = `SELECT id, row AS text FROM record WHERE kind = 'audit' AND row IS NOT NULL`;
const formerSql = `SELECT version.rowid AS id, version.json AS text FROM version
  JOIN record ON record.id = version.record WHERE record.kind = 'audit'`;

/** True if no entry of the log has identifying fields, which older programs kept. */
export function isLogAnonymous(database: Handle): boolean {
  return (
    isMarked(database) || [entriesSql, formerSql].every((sql) => entriesToClean(database, sql).next().done)
  );
}

/** Removes identifying fields, which older programs kept, from the log; overwrites them in the file too. */
export function anonymiseLog(mirror: Mirror): void {
  const { database } = mirror;
  if (isMarked(database)) return;
  database.pragma('secure_delete = ON');
  const clean = database.transaction(() => {
    const [entries, former] = [entriesSql, formerSql].map(
      (sql) => [...entriesToClean(database, sql)] as const,
    );
    for (const each of entries!) replaceEntry(mirror, each);
    const edit = mirror.sql('UPDATE version SET json = ?, hash = ? WHERE rowid = ?');
    for (const { id, entry } of former!) edit.run(JSON.stringify(entry), contentHash(audit, entry), id);
    const columns = columnsSeen(mirror, audit);
    if (!columns.every(isAllowedField)) {
      saveKindState(mirror, audit, { columns: columns.filter(isAllowedField) });
      createView(mirror, audit);
    }
    if (entries!.length + former!.length > 0) bumpVersion(mirror);
    saveMeta(mirror, 'anonymous_log', '1');
  });
  clean.immediate();
  database.pragma('secure_delete = OFF');
}

function replaceEntry(mirror: Mirror, { id, entry }: CleanedEntry): void {
  const hash = contentHash(audit, entry);
  mirror.sql('UPDATE record SET row = ?, hash = ? WHERE id = ?').run(JSON.stringify(entry), hash, id);
  const named = mirror.sql('UPDATE OR IGNORE record SET key = ? WHERE id = ?').run(keyOf(audit, entry), id);
  if (named.changes > 0) return;
  // A duplicate without the removed fields.
  mirror.sql('DELETE FROM version WHERE record = ?').run(id);
  mirror.sql('DELETE FROM record WHERE id = ?').run(id);
}

function isMarked(database: Handle): boolean {
  return database.prepare("SELECT 1 FROM meta WHERE key = 'anonymous_log'").get() !== undefined;
}

type CleanedEntry = { id: number; entry: Document };

/** Entries with identifying fields, without them. */
function* entriesToClean(database: Handle, sql: string): Generator<CleanedEntry> {
  const stored = database.prepare<unknown[], { id: number; text: string }>(sql).all();
  for (const { id, text } of stored) {
    const document: Document = JSON.parse(text);
    const { entry } = anonymised(document);
    if (entry !== document) yield { id, entry };
  }
}
