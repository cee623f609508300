import { nameWords } from '../language/name.ts';
import { hasTable, type NameDatabase, type NamedKind, namedKinds } from './database.ts';
import { isOrdinaryWord } from './surname-words.ts';

const countedAtMost = 1000;

/**
 * How many records name a politician or a party, as their author or in words: as it was counted at the end of a run, or else
 * their records now, up to 1,000. It puts names in order between which nothing else decides, and is told to nobody.
 */
export function timesNamed(db: NameDatabase, kind: NamedKind, key: string): number {
  const times = isCounted(db)
    ? db.column<number>('SELECT records FROM name_known WHERE kind = ? AND key = ?').get(kind, key)
    : db
        .column<number>(
          `SELECT count(*) FROM (SELECT 1 FROM record WHERE ${kind} = ? AND withdrawn IS NULL LIMIT ${countedAtMost})`,
        )
        .get(key);
  return times ?? 0;
}

function isCounted(db: NameDatabase): boolean {
  return db.readOnce('name_known is there', () => hasTable(db, 'name_known'));
}

/** Of some records of one kind those that most records name, so many at most. */
export function bestKnown(
  db: NameDatabase,
  kind: NamedKind,
  { ids, most }: { ids: readonly number[]; most: number },
): number[] {
  if (!isCounted(db)) return [...ids];
  return db
    .column<number>(
      `SELECT record.id FROM json_each(?) AS asked CROSS JOIN record ON record.id = asked.value
       LEFT JOIN name_known ON name_known.kind = ? AND name_known.key = record.key
       WHERE +record.kind = ? ORDER BY coalesce(records, 0) DESC, sort_name, record.id LIMIT ?`,
    )
    .all(JSON.stringify(ids), kind, kind, most);
}

/** Counts anew how many records name each politician and party; for the end of a run that changed any. */
export function countNamed(db: NameDatabase): void {
  db.database.exec(`
    CREATE TABLE IF NOT EXISTS name_known
      (kind TEXT, key TEXT, records INTEGER NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
    DELETE FROM name_known;
  `);
  // Read from an index alone, which does not tell what was withdrawn.
  for (const kind of namedKinds)
    db.sql(
      `INSERT INTO name_known SELECT ?, ${kind}, count(*) FROM record WHERE ${kind} IS NOT NULL GROUP BY ${kind}`,
    ).run(kind);
  addMentions(db);
}

/** Adds how many texts hold a word by which a politician is known: the longest of the surname, if it is no other word. */
function addMentions(db: NameDatabase): void {
  db.database.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_vocabulary USING fts5vocab('main', 'search', 'col')",
  );
  const people = db
    .sql<{ key: string; name: string; surname: string }>(
      `SELECT key, name, sort_name AS surname FROM record WHERE kind = 'politician' AND withdrawn IS NULL AND name IS NOT NULL`,
    )
    .all();
  const texts = db.column<number | null>(
    "SELECT max(doc) FROM temp.name_vocabulary WHERE term = ? AND col IN ('title', 'body')",
  );
  // Once a word: all records that it stands in are read for it, and very many may share a surname.
  const mentionsOf = new Map<string, number>();
  const add = db.sql(
    'INSERT INTO name_known VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET records = records + excluded.records',
  );
  const read = people.map(({ key, name, surname }) => ({
    key,
    ...apart(nameWords(name), surname.split(' ')[0] ?? ''),
  }));
  // A text that says Michel need not mean somebody called Michel.
  const firstNames = new Set(read.flatMap(({ others }) => others));
  for (const { key, longest } of read) {
    if (longest === undefined || firstNames.has(longest) || isOrdinaryWord(longest)) continue;
    const mentions = mentionsOf.get(longest) ?? texts.get(longest) ?? 0;
    mentionsOf.set(longest, mentions);
    if (mentions > 0) add.run('politician', key, mentions);
  }
  db.database.exec('DROP TABLE temp.name_vocabulary');
}

/** The longest word of a surname, and the words of a name that are not of it. */
function apart(parts: string[], surname: string): { longest: string | undefined; others: string[] } {
  const own = parts.filter((part) => part.length > 3 && surname.includes(part));
  const [longest] = own.sort((a, b) => b.length - a.length);
  return { longest, others: parts.filter((part) => !surname.includes(part)) };
}
