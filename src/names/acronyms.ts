import { type Acronym, isLinkWord } from '../language/acronym.ts';
import { fold } from '../language/fold.ts';
import { nameWords } from '../language/name.ts';
import { proseTokens } from '../language/prose.ts';
import { hasTable, type NameDatabase } from './database.ts';

/** Saves the acronyms that a record defines; creates the table if it is missing. */
export function saveAcronyms(db: NameDatabase, recordId: number, acronyms: readonly Acronym[]): void {
  if (!hasTable(db, 'acronym'))
    db.database.exec(`
      CREATE TABLE acronym (short TEXT NOT NULL, long TEXT NOT NULL, record INTEGER NOT NULL,
        PRIMARY KEY (short, long, record)) STRICT, WITHOUT ROWID;
      CREATE INDEX acronym_record ON acronym(record);
    `);
  const add = db.sql('INSERT OR IGNORE INTO acronym (short, long, record) VALUES (?, ?, ?)');
  for (const { short, long } of acronyms) add.run(short, long, recordId);
}

/** Deletes the acronyms that a record defined. */
export function deleteAcronyms(db: NameDatabase, recordId: number): void {
  if (hasTable(db, 'acronym')) db.sql('DELETE FROM acronym WHERE record = ?').run(recordId);
}

/** Deletes every acronym. */
export function deleteAllAcronyms(db: NameDatabase): void {
  if (hasTable(db, 'acronym')) db.sql('DELETE FROM acronym').run();
}

/** Long forms of an acronym as folded words, most frequent first, with their numbers of records. */
export function longForms(db: NameDatabase, acronym: string, minRecords = 2): { long: string; records: number }[] {
  if (!hasTable(db, 'acronym')) return [];
  const sql = `SELECT long, count(*) AS records FROM main.acronym JOIN record ON id = acronym.record
    WHERE short = ? AND withdrawn IS NULL GROUP BY long HAVING count(*) >= ? ORDER BY count(*) DESC, long`;
  return db.sql<{ long: string; records: number }>(sql).all(nameWords(acronym).join(''), minRecords);
}

/** Stemmed tokens of a long form without accents or link words, so that plurals and other spellings give the same. */
export const longFormTokens = (text: string): string[] =>
  proseTokens(fold(text)).filter((token) => token.length > 1 && !isLinkWord(token));

/** Acronyms by tokens of their long forms; omits forms that fewer than half of the acronym's records define. */
export function acronymsByLongForm(db: NameDatabase) {
  return db.readOnce('acronyms by long form', () => {
    const sql = `SELECT short, long, count(*) AS records FROM main.acronym JOIN record ON id = acronym.record
      WHERE withdrawn IS NULL GROUP BY short, long`;
    const rows = hasTable(db, 'acronym') ? db.sql<Acronym & { records: number }>(sql).all() : [];
    const definitions = [...Map.groupBy(rows, ({ short }) => short)].flatMap(([short, forms]) => {
      const sum = (all: typeof rows) => all.reduce((count, { records }) => count + records, 0);
      const byForm = [...Map.groupBy(forms, ({ long }) => longFormTokens(long).join(' '))];
      const total = sum(forms);
      return byForm
        .map(([tokens, sameForm]) => ({ tokens, short, records: sum(sameForm) }))
        .filter(({ records }) => 2 * records >= total);
    });
    return Map.groupBy(definitions, ({ tokens }) => tokens);
  });
}
