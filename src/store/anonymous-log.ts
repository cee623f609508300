import type { Document } from '../model/document.ts';
import { facetsOf, keyOf } from '../model/facets.ts';
import { anonymised, anonymousKey, keptColumns } from '../model/identity-guard.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { contentHash } from '../model/normal-form.ts';
import { columnsSeen, saveKindState } from './kind-state.ts';
import { bumpVersion, readMeta, saveMeta } from './meta.ts';
import type { Handle, Mirror } from './mirror.ts';
import { facetColumns, facetValues } from './record.ts';
import { createView } from './schema.ts';

const audit = kindOf('audit');

/** Number of the rules; a mirror whose log was cleaned by them is marked with it and the words that its operator accepted. */
const rules = '2';

type Admitted = { document: Document; text: string; leftOut: string[] };

/**
 * The one door of the log: a document as it may be stored, with its JSON. What a moderation entry must not say is withheld,
 * and noted by field; its JSON is written anew, since bytes may say more than was parsed. Other kinds pass as they are.
 */
export function admitted(mirror: Mirror, kind: Kind, document: Document, text?: string): Admitted {
  if (kind !== audit) return { document, text: text ?? JSON.stringify(document), leftOut: [] };
  const { entry, leftOut } = anonymised(document, acceptedWords(mirror));
  noteWithheld(mirror, keyOf(audit, entry), leftOut);
  return { document: entry, text: JSON.stringify(entry), leftOut };
}

function noteWithheld(mirror: Mirror, key: string, fields: string[]): void {
  mirror.sql('DELETE FROM withheld WHERE key = ?').run(key);
  for (const field of fields)
    mirror.sql('INSERT OR IGNORE INTO withheld (key, field) VALUES (?, ?)').run(key, field);
}

/** How many entries of the log lack a value that was withheld, by field. */
export function withheldFields(mirror: Mirror): { field: string; entries: number }[] {
  return mirror
    .sql<{ field: string; entries: number }>(
      'SELECT field, count(*) AS entries FROM withheld GROUP BY field ORDER BY entries DESC, field',
    )
    .all();
}

/** Words of the log that the operator of a mirror accepted beyond those that are shipped. */
export function acceptedWords(mirror: Mirror): ReadonlySet<string> {
  return new Set(readMeta(mirror, 'anonymous_log')?.split(' ').slice(1));
}

/** True if the log holds nothing that the present rules withhold. */
export function isLogAnonymous(database: Handle): boolean {
  const mark = database.prepare("SELECT value FROM meta WHERE key = 'anonymous_log'").pluck().get();
  return String(mark).split(' ')[0] === rules;
}

/** What syncs noted of the log, which may repeat an entry, and kept files of a kind that is no dataset. */
const traces = [
  "DELETE FROM shape WHERE subject = '/audit'",
  "DELETE FROM failure WHERE stage = 'audit'",
  "DELETE FROM answer WHERE url LIKE '%/audit?%'",
  "DELETE FROM progress WHERE stage = 'audit'",
  "DELETE FROM download_part WHERE kind = 'audit'",
  "DELETE FROM download WHERE kind = 'audit'",
  "UPDATE retrieval SET columns = NULL WHERE kind = 'audit'",
  "UPDATE kind_state SET file_columns = NULL WHERE kind = 'audit'",
  "UPDATE run SET report = json_remove(report, '$.excess', '$.left_out', '$.errors')",
];

/**
 * Removes from the log what older programs kept, or what only words allowed that are `accepted` no more; overwrites it in the
 * file too.
 */
export function anonymiseLog(mirror: Mirror, accepted: Iterable<string> = acceptedWords(mirror)): void {
  const mark = [rules, ...accepted].join(' ');
  if (readMeta(mirror, 'anonymous_log') === mark) return;
  const { database } = mirror;
  database.pragma('secure_delete = ON');
  const clean = database.transaction(() => {
    saveMeta(mirror, 'anonymous_log', mark);
    const cleaned = cleanEntries(mirror) + cleanVersions(mirror);
    const columns = columnsSeen(mirror, audit);
    if (keptColumns(audit, columns).length < columns.length) {
      saveKindState(mirror, audit, { columns });
      createView(mirror, audit);
    }
    for (const sql of traces) database.exec(sql);
    database.function('anonymous_key', (key) => anonymousKey(key as string | null));
    database.exec(
      'UPDATE gap SET after_key = anonymous_key(after_key), before_key = anonymous_key(before_key)',
    );
    if (cleaned > 0) bumpVersion(mirror);
  });
  clean.immediate();
  database.pragma('secure_delete = OFF');
}

type StoredEntry = { id: number; row: string | null; detail: string | null };

/** Cleans the entries; returns how many were changed. */
function cleanEntries(mirror: Mirror): number {
  const stored = mirror.sql<StoredEntry>("SELECT id, row, detail FROM record WHERE kind = 'audit'").all();
  const refile = mirror.sql(
    `UPDATE record SET ${facetColumns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  );
  return stored.filter((entry) => {
    const [row, detail] = [cleanText(mirror, entry.row), cleanText(mirror, entry.detail)];
    const document: Document = JSON.parse((row ?? detail)!);
    refile.run(...facetValues(audit, document, facetsOf(audit, document)), entry.id);
    const isChanged = row !== entry.row || detail !== entry.detail;
    if (isChanged) replaceEntry(mirror, { id: entry.id, row, detail }, keyOf(audit, document));
    return isChanged;
  }).length;
}

function replaceEntry(mirror: Mirror, { id, row, detail }: StoredEntry, key: string): void {
  mirror
    .sql('UPDATE record SET row = ?, hash = ?, detail = ?, detail_hash = ? WHERE id = ?')
    .run(row, hashOf(row), detail, hashOf(detail), id);
  if (mirror.sql('UPDATE OR IGNORE record SET key = ? WHERE id = ?').run(key, id).changes > 0) return;
  // A duplicate without what was removed.
  mirror.sql('DELETE FROM version WHERE record = ?').run(id);
  mirror.sql('DELETE FROM record WHERE id = ?').run(id);
}

function cleanVersions(mirror: Mirror): number {
  const stored = mirror
    .sql<{ id: number; json: string }>(
      `SELECT version.rowid AS id, json FROM version JOIN record ON record.id = version.record
       WHERE record.kind = 'audit'`,
    )
    .all();
  const edit = mirror.sql('UPDATE version SET json = ?, hash = ? WHERE rowid = ?');
  return stored.filter(({ id, json }) => {
    const text = cleanText(mirror, json);
    if (text !== json) edit.run(text, hashOf(text), id);
    return text !== json;
  }).length;
}

/** The JSON of a stored entry as it may be kept. */
function cleanText(mirror: Mirror, text: string | null): string | null {
  if (text === null) return null;
  const document: Document = JSON.parse(text);
  const isClean = anonymised(document, acceptedWords(mirror)).entry === document;
  return isClean ? JSON.stringify(document) : admitted(mirror, audit, document).text;
}

function hashOf(text: string | null): string | null {
  return text === null ? null : contentHash(audit, JSON.parse(text));
}
