import { byCodeUnit } from '../language/fold.ts';
import { initialsOf, nameTokens, nameWords } from '../language/name.ts';
import { soundKey } from '../language/sound.ts';
import { inBatches } from '../model/document.ts';
import { idBounds, type Kind, kindOf, recordRange } from '../model/kinds.ts';
import { type CandidateRecord, candidatesAmong } from './candidate.ts';
import { type NameDatabase, type NamedKind, namedKinds } from './database.ts';
import { saveReferenceCounts } from './reference-counts.ts';

/** Version of the rules that compute index keys; an index of another version is rebuilt. */
export const nameRulesVersion = 6;

/** Index keys; the first letter gives the type. */
export const nameKey = {
  /** A part of a name, several parts joined, or the whole name. */
  word: (text: string) => `w${text}`,
  surname: (text: string) => `n${text}`,
  initials: (text: string) => `i${text}`,
  /** A short name, or its first word. */
  short: (text: string) => `s${text}`,
};

/** The index keys of a record, and every word by which its names can be matched. */
function keysOf({ name, formerNames = [], shortNameParts, surname }: CandidateRecord) {
  const keys = new Set<string>();
  if (surname) keys.add(nameKey.word(surname)).add(nameKey.surname(surname));
  for (const text of [shortNameParts.join(''), shortNameParts[0] ?? '']) if (text !== '') keys.add(nameKey.short(text));
  const words = [name, ...formerNames].flatMap((each) => {
    const parts = nameWords(each);
    for (const letters of initialsOf(parts)) keys.add(nameKey.initials(letters));
    return [...nameTokens(each), parts.join('')].filter((word) => word !== '');
  });
  for (const word of words) {
    keys.add(nameKey.word(word));
    if (surname?.includes(word)) keys.add(nameKey.surname(word));
  }
  return { keys, words };
}

/** Keys that find misspellings of a word: `reversed`, by its suffix, and `sound`; null for fewer than 4 letters. */
export function misspellingKeys(word: string): { reversed: string; sound: string } | null {
  return word.length < 4 ? null : { reversed: [...word].reverse().join(''), sound: soundKey(word) };
}

/** State of the index: version of its rules, and by kind the journal position up to which it is complete. */
type IndexState = {
  rules: number;
  positions: Partial<Record<NamedKind, string>>;
  /** Version of the mirror whose references were counted last; null before the first count. */
  counted: number | null;
};

/** True for a kind in the name index. */
export const isNamedKind = ({ name }: Kind): boolean => (namedKinds as readonly string[]).includes(name);

/** Updates the name index, creating or rebuilding it if necessary; call it in a transaction that changed records. */
export function updateNameIndex(db: NameDatabase): void {
  // Readers add unindexed records, so a stale index is slower, never wrong.
  // Without a journal, changes cannot be detected: readers then work without an index.
  if (readMeta(db, 'journal') === null) return;
  const state = stateOf(db);
  if (state === null) recreateTables(db);
  const positions: IndexState['positions'] = {};
  for (const kind of namedKinds) {
    const before = state?.positions[kind] ?? null;
    positions[kind] = journalPosition(db, kindOf(kind), newestJournalSeq(db)).join('.');
    if (before !== positions[kind]) indexChangedNames(db, kind, before);
  }
  saveState(db, { rules: nameRulesVersion, positions, counted: state?.counted ?? null });
}

/** Updates the name index and the counts of references; call it at the end of a run. */
export function updateNameIndexAndCounts(db: NameDatabase): void {
  updateNameIndex(db);
  const state = stateOf(db);
  const version = Number(readMeta(db, 'version') ?? 0);
  if (state === null || state.counted === version) return;
  saveReferenceCounts(db);
  saveState(db, { ...state, counted: version });
}

function readMeta(db: NameDatabase, key: 'journal' | 'names' | 'version'): string | null {
  return db.column<string>('SELECT value FROM meta WHERE key = ?').get(key) ?? null;
}

function saveState(db: NameDatabase, state: IndexState): void {
  const text = JSON.stringify(state);
  if (readMeta(db, 'names') === text) return;
  db.sql(
    "INSERT INTO meta (key, value) VALUES ('names', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  ).run(text);
}

/** Sequence number (`seq`) of the newest entry of the journal; 0 for none. */
export function newestJournalSeq(db: NameDatabase): number {
  return db.column<number | null>('SELECT max(seq) FROM journal').get() ?? 0;
}

type JournalPosition = readonly [journal: string, seq: number, mark: string, recordNumber: number];

/** Position of a kind at the journal entry `seq`; `recordNumber`: the newest record's in the kind, 0 for none. */
export function journalPosition(db: NameDatabase, kind: Kind, seq: number): JournalPosition {
  const { first, last } = recordRange(kind);
  const newest = db.column<number | null>('SELECT max(id) FROM main.record WHERE id BETWEEN ? AND ?').get(first, last);
  return [readMeta(db, 'journal') ?? '', seq, journalMark(db, seq), newest ? newest - first + 1 : 0];
}

/** Random mark of a journal entry, which distinguishes diverged copies of a mirror; empty without the entry. */
export function journalMark(db: NameDatabase, seq: number): string {
  return db.column<string>('SELECT mark FROM journal WHERE seq = ?').get(seq) ?? '';
}

/** Selects ids of changed and new records; parameters: `seq`, first and last id of changed, then of new records. */
export const changedRecordsSql = `SELECT record FROM journal WHERE seq > ? AND record BETWEEN ? AND ?
  UNION SELECT id FROM main.record WHERE id BETWEEN ? AND ? ORDER BY 1`;

/** Ids of records of a kind, new or changed since a position; null if the journal never had that position. */
function recordsSince(db: NameDatabase, kind: NamedKind, position: string): number[] | null {
  const [journal, seq, mark, recordNumber] = position.split('.');
  if (journal !== readMeta(db, 'journal') || mark !== journalMark(db, Number(seq))) return null;
  const { first, last } = recordRange(kindOf(kind));
  return db.column<number>(changedRecordsSql).all(Number(seq), first, last, first + Number(recordNumber), last);
}

/** Ids of records of a kind that changed since indexing or differ at `asOf`; null without a usable index. */
export function unindexedRecordIds(db: NameDatabase, kind: NamedKind): number[] | null {
  return db.readOnce(`names of ${kind} not indexed`, () => {
    const position = stateOf(db)?.positions[kind];
    const changedIds = position === undefined ? null : recordsSince(db, kind, position);
    if (changedIds === null || db.asOf === null) return changedIds;
    const pastIds = db.column<number>('SELECT id FROM temp.past WHERE id BETWEEN ? AND ?');
    return [...changedIds, ...pastIds.all(...idBounds(kindOf(kind)))];
  });
}

/** State of the index; null if it is missing or has other rules. */
function stateOf(db: NameDatabase): IndexState | null {
  const storedState = readMeta(db, 'names');
  const state: IndexState | null = storedState === null ? null : JSON.parse(storedState);
  return state?.rules === nameRulesVersion ? state : null;
}

function recreateTables(db: NameDatabase): void {
  db.database.exec(`
    DROP TABLE IF EXISTS name_index;
    DROP TABLE IF EXISTS name_word;
    CREATE TABLE name_index (key TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (key, record)) STRICT, WITHOUT ROWID;
    CREATE INDEX name_index_record ON name_index(record);
    CREATE TABLE name_word (word TEXT PRIMARY KEY, reversed TEXT NOT NULL, sound TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX name_word_reversed ON name_word(reversed);
    CREATE INDEX name_word_sound ON name_word(sound);
  `);
}

/** Indexes the records of a kind that changed since a position; all of them if it is null or not in the journal. */
function indexChangedNames(db: NameDatabase, kind: NamedKind, position: string | null): void {
  const { first, last } = recordRange(kindOf(kind));
  let changedIds = position === null ? null : recordsSince(db, kind, position);
  if (changedIds === null) {
    db.sql('DELETE FROM name_index WHERE record BETWEEN ? AND ?').run(first, last);
    changedIds = db.column<number>('SELECT id FROM main.record WHERE id BETWEEN ? AND ? ORDER BY id').all(first, last);
  }
  for (const ids of inBatches(changedIds, 5000)) indexNames(db, kind, ids);
}

function indexNames(db: NameDatabase, kind: NamedKind, ids: number[]): void {
  const deleteStatement = db.sql('DELETE FROM name_index WHERE record = ?');
  for (const id of ids) deleteStatement.run(id);
  const rows: [key: string, record: number][] = [];
  const allWords = new Set<string>();
  for (const record of candidatesAmong(db, kind, ids)) {
    const { keys, words } = keysOf(record);
    for (const key of keys) rows.push([key, record.id]);
    for (const word of words) allWords.add(word);
  }
  // Inserting in key order appends to the B-tree.
  rows.sort(([a], [b]) => byCodeUnit(a, b));
  const add = db.sql('INSERT OR IGNORE INTO name_index (key, record) VALUES (?, ?)');
  for (const row of rows) add.run(...row);
  const addWord = db.sql('INSERT OR IGNORE INTO name_word (word, reversed, sound) VALUES (?, ?, ?)');
  for (const each of [...allWords].sort()) {
    const misspelling = misspellingKeys(each);
    if (misspelling !== null) addWord.run(each, misspelling.reversed, misspelling.sound);
  }
}
