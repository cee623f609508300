import { ballotTextKeys, type TextReference } from '../../parliament/ballot-text-keys.ts';
import { createAmendmentFileLookup, type FiledAmendment } from '../../parliament/filed-amendments.ts';
import { textKey } from '../../parliament/text-key.ts';
import { type NameInUse, textLinks } from '../../parliament/text-links.ts';
import type { Mirror } from '../mirror.ts';

/** Updates `text_key` in a table of ballots: which text each of them is on. */
export function saveTextKeys(mirror: Mirror, table: string): void {
  const sql = `SELECT id, text_key AS previous, text_file AS file, text_bill AS bill, text_name AS name FROM ${table}`;
  const rows = mirror.sql<{ id: number; previous: string | null } & TextReference>(sql).all();
  const update = mirror.sql(`UPDATE ${table} SET text_key = ? WHERE id = ?`);
  for (const [at, key] of ballotTextKeys(rows).entries()) if (key !== rows[at]!.previous) update.run(key, rows[at]!.id);
}

/** SQLite date modifiers: how long a name or an amendment number still means the same text. */
const nameUseModifier = "'+31 days'";
const numberUseModifier = "'+120 days'";

/** Replaces the table `text_link`: pairs of texts on one subject, in both directions. `schema`: `temp` for a reader. */
export function saveTextLinks(mirror: Mirror, schema: 'main' | 'temp', table: string): void {
  const daysOfUse = `chamber, min(day) AS first, date(max(day), ${nameUseModifier}) AS until`;
  const namesSql = `SELECT text_key AS text, text_file AS name, ${daysOfUse} FROM ${table}
      WHERE text_file > '' AND day > '' GROUP BY 1, 2, 3
    UNION SELECT text_key, text_name, ${daysOfUse} FROM ${table} WHERE text_name > '' AND day > '' GROUP BY 1, 2, 3`;
  const amendmentsSql = `SELECT json_extract(document, '$.title') AS title, politician, substr(date, 1, 10) AS day,
      date(date, ${numberUseModifier}) AS until, json_extract(document, '$.dossier') AS file
    FROM (SELECT *, coalesce(row, detail) AS document FROM record WHERE kind = 'content' AND withdrawn IS NULL)
    WHERE politician IS NOT NULL AND day > '' AND title LIKE 'amendement n°%' AND file IS NOT NULL`;
  const findFile = createAmendmentFileLookup(mirror.sql<FiledAmendment>(amendmentsSql).iterate());
  const ballots = mirror.sql<{ text: string; title: string; day: string }>(
    `SELECT text_key AS text, title, day FROM ${table} WHERE chamber = 'AN' AND nature = 'amendment' AND text_key > ''`,
  );
  const amendmentLinks = ballots.all().flatMap(({ text, title, day }) => {
    const file = findFile(title, day);
    return file === null ? [] : { text, name: textKey(file) };
  });
  mirror.sql(`DELETE FROM ${schema}.text_link`).run();
  const insert = mirror.sql(`INSERT INTO ${schema}.text_link VALUES (?, ?, ?)`);
  for (const { text, other, linkedBy } of textLinks(mirror.sql<NameInUse>(namesSql).all(), amendmentLinks)) {
    insert.run(text, other, linkedBy);
    insert.run(other, text, linkedBy);
  }
}
