import type { Document } from '../model/document.ts';
import { type Facets, facetsOf, keyOf } from '../model/facets.ts';
import { allowedColumns, anonymise, anonymousKey } from '../model/identity-guard.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { contentHash } from '../model/normal-form.ts';
import { bumpVersion, type Handle, type Mirror, readMeta, saveMeta } from './mirror.ts';
import { createView } from './schema.ts';

const audit = kindOf('audit'); // entries of the moderation log, "the log" below

/** Version of the anonymisation rules; the meta value `anonymous_log` is this version and the accepted words. */
const rulesVersion = '4';

/** Returns the document to store: anonymises an entry of the log, and saves the names of its withheld fields. */
export function admitDocument(mirror: Mirror, kind: Kind, document: Document): Document {
  if (kind !== audit) return document;
  const { entry, omittedNames } = anonymise(document, acceptedWords(mirror));
  saveWithheldFields(mirror, keyOf(audit, entry), omittedNames);
  return entry;
}

function saveWithheldFields(mirror: Mirror, key: string, fields: string[]): void {
  mirror.sql('DELETE FROM withheld WHERE key = ?').run(key);
  for (const field of fields) mirror.sql('INSERT OR IGNORE INTO withheld (key, field) VALUES (?, ?)').run(key, field);
}

/** Number of moderation entries from which each field was withheld, the most frequent field first. */
export function withheldFields(mirror: Mirror): { field: string; entries: number }[] {
  const sql = 'SELECT field, count(*) AS entries FROM withheld GROUP BY field ORDER BY entries DESC, field';
  return mirror.sql<{ field: string; entries: number }>(sql).all();
}

/** Words that the mirror's operator allows in the log, in addition to the built-in ones. */
export function acceptedWords(mirror: Mirror): ReadonlySet<string> {
  return new Set(readMeta(mirror, 'anonymous_log')?.split(' ').slice(1));
}

/** True if the log was cleaned by the current version of the rules. */
export function isLogAnonymous(database: Handle): boolean {
  const mark = database.prepare("SELECT value FROM meta WHERE key = 'anonymous_log'").pluck().get();
  return String(mark).split(' ')[0] === rulesVersion;
}

/** SQL that cleans a stored log and its sync state, and merges entries that become equal, by the functions below. */
const cleaningStatements = [
  `UPDATE version SET json = log_entry(json), hash = log_hash(log_entry(json))
   WHERE record IN (SELECT id FROM record WHERE kind = 'audit')`,
  `UPDATE record SET row = log_entry(row), hash = log_hash(log_entry(row)),
   detail = log_entry(detail), detail_hash = log_hash(log_entry(detail))
   WHERE kind = 'audit' AND (row IS NOT log_entry(row) OR detail IS NOT log_entry(detail))`,
  `UPDATE record SET name = NULL, sort_name = '', politician = NULL, party = NULL, group_slug = NULL, topic = NULL,
   date = log_facet('date', row, detail), updated_at = log_facet('updatedAt', row, detail) WHERE kind = 'audit'`,
  "UPDATE OR IGNORE record SET key = log_facet('key', row, detail) WHERE kind = 'audit'",
  `DELETE FROM version WHERE record IN
   (SELECT id FROM record WHERE kind = 'audit' AND key <> log_facet('key', row, detail))`,
  "DELETE FROM record WHERE kind = 'audit' AND key <> log_facet('key', row, detail)",
  "UPDATE kind_state SET columns = log_columns(columns), file_columns = NULL WHERE kind = 'audit'",
  "UPDATE retrieval SET columns = log_columns(columns) WHERE kind = 'audit'",
  'UPDATE gap SET after_key = log_key(after_key), before_key = log_key(before_key)',
  "UPDATE run SET report = json_remove(report, '$.excess', '$.left_out', '$.errors')",
  "DELETE FROM shape WHERE subject = '/audit'",
  "DELETE FROM failure WHERE stage = 'audit'",
  "DELETE FROM answer WHERE url LIKE '%/audit?%'",
  "DELETE FROM progress WHERE stage = 'audit'",
];

/** Erases inadmissible values from the log and their bytes from the file; does nothing if cleaned by the same rules. */
export function anonymiseLog(mirror: Mirror, wordsToAccept: Iterable<string> = acceptedWords(mirror)): void {
  const mark = [rulesVersion, ...wordsToAccept].join(' ');
  if (readMeta(mirror, 'anonymous_log') === mark) return;
  const { database } = mirror;
  const acceptedWordSet = new Set(wordsToAccept);
  const withheldByKey = new Map<string, string[]>();
  const define = (name: string, transform: (...texts: string[]) => string | null) =>
    database.function(name, { varargs: true }, (...texts) => transform(...(texts as string[])));
  define('log_entry', (text) => {
    if (text === null) return null;
    const { entry, omittedNames } = anonymise(JSON.parse(text), acceptedWordSet);
    if (omittedNames.length > 0) withheldByKey.set(keyOf(audit, entry), omittedNames);
    return JSON.stringify(entry);
  });
  define('log_hash', (text) => text && contentHash(audit, JSON.parse(text)));
  define('log_facet', (name, row, detail) => facetsOf(audit, JSON.parse(row ?? detail))[name as keyof Facets]);
  define('log_columns', (text) => text && JSON.stringify(allowedColumns(audit, JSON.parse(text))));
  define('log_key', anonymousKey);
  database.pragma('secure_delete = ON');
  const anonymiseAll = database.transaction(() => {
    const changes = cleaningStatements.map((sql) => database.prepare(sql).run().changes);
    for (const [key, fields] of withheldByKey) saveWithheldFields(mirror, key, fields);
    if (changes.some((count) => count > 0)) bumpVersion(mirror);
    createView(mirror, audit);
    saveMeta(mirror, 'anonymous_log', mark);
  });
  anonymiseAll.immediate();
  database.pragma('secure_delete = OFF');
}
