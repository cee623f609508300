import { amendmentFiles, type FiledAmendment } from '../../parliament/filed-amendments.ts';
import { textKey } from '../../parliament/text-key.ts';
import { type TextReference, textKeys } from '../../parliament/text-keys.ts';
import { type NameInUse, textLinks } from '../../parliament/text-links.ts';
import type { Mirror } from '../mirror.ts';

/** Sets the key of the text of every ballot in a table of all ballots. */
export function setTextKeys(mirror: Mirror, table: string): void {
  const sql = `SELECT id, text_key AS previous, text_file AS file, text_bill AS bill, text_name AS name FROM ${table}`;
  const rows = mirror.sql<{ id: number; previous: string | null } & TextReference>(sql).all();
  const update = mirror.sql(`UPDATE ${table} SET text_key = ? WHERE id = ?`);
  for (const [at, key] of textKeys(rows).entries()) if (key !== rows[at]!.previous) update.run(key, rows[at]!.id);
}

/** Fills `text_link` of the schema with the links of all texts in the table, in both directions. */
export function fillTextLinks(mirror: Mirror, schema: 'main' | 'temp', table: string): void {
  const use = "chamber, min(day) AS first, date(max(day), '+31 days') AS until";
  const names = mirror.sql<NameInUse>(
    `SELECT text_key AS text, text_file AS name, ${use} FROM ${table} WHERE text_file > '' AND day > '' GROUP BY 1, 2, 3
     UNION SELECT text_key, text_name, ${use} FROM ${table} WHERE text_name > '' AND day > '' GROUP BY 1, 2, 3`,
  );
  const filed = mirror.sql<FiledAmendment>(
    `SELECT json_extract(document, '$.title') AS title, politician, substr(date, 1, 10) AS day,
       date(date, '+120 days') AS until, json_extract(document, '$.dossier') AS file
     FROM (SELECT *, coalesce(row, detail) AS document FROM record WHERE kind = 'content' AND withdrawn IS NULL)
     WHERE politician IS NOT NULL AND day > '' AND title LIKE 'amendement n°%' AND file IS NOT NULL`,
  );
  const fileOf = amendmentFiles(filed.iterate());
  const ballots = mirror.sql<{ text: string; title: string; day: string }>(
    `SELECT text_key AS text, title, day FROM ${table} WHERE chamber = 'AN' AND nature = 'amendment' AND text_key > ''`,
  );
  const amended = ballots.all().flatMap(({ text, title, day }) => {
    const file = fileOf(title, day);
    return file === null ? [] : { text, name: textKey(file) };
  });
  mirror.sql(`DELETE FROM ${schema}.text_link`).run();
  const insert = mirror.sql(`INSERT INTO ${schema}.text_link VALUES (?, ?, ?)`);
  for (const { text, other, linkedBy } of textLinks(names.all(), amended)) {
    insert.run(text, other, linkedBy);
    insert.run(other, text, linkedBy);
  }
}
