import type { Acronym } from '../language/acronym.ts';
import { nameWords } from '../language/name.ts';
import { hasTable, type NameDatabase } from './database.ts';

/** Saves the acronyms that a record defines; creates the table if it is missing. */
export function saveAcronyms(db: NameDatabase, record: number, acronyms: readonly Acronym[]): void {
  if (!hasTable(db, 'acronym'))
    db.database.exec(`
      CREATE TABLE acronym (short TEXT NOT NULL, long TEXT NOT NULL, record INTEGER NOT NULL,
        PRIMARY KEY (short, long, record)) STRICT, WITHOUT ROWID;
      CREATE INDEX acronym_record ON acronym(record);
    `);
  const add = db.sql('INSERT OR IGNORE INTO acronym (short, long, record) VALUES (?, ?, ?)');
  for (const { short, long } of acronyms) add.run(short, long, record);
}

/** Deletes the acronyms that a record defined. */
export function forgetAcronyms(db: NameDatabase, record: number): void {
  if (hasTable(db, 'acronym')) db.sql('DELETE FROM acronym WHERE record = ?').run(record);
}

/** Deletes every acronym. */
export function forgetAllAcronyms(db: NameDatabase): void {
  if (hasTable(db, 'acronym')) db.sql('DELETE FROM acronym').run();
}

/** Long forms of an acronym as folded words, most frequent first, each defined by at least `least` records. */
export function longForms(db: NameDatabase, acronym: string, least = 2): string[] {
  if (!hasTable(db, 'acronym')) return [];
  const sql = `SELECT long FROM main.acronym JOIN record ON id = acronym.record
    WHERE short = ? AND withdrawn IS NULL GROUP BY long HAVING count(*) >= ? ORDER BY count(*) DESC, long`;
  return db.column<string>(sql).all(nameWords(acronym).join(''), least);
}
