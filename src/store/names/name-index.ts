import { byCodeUnit } from '../../language/fold.ts';
import { nameKeys, nameRules, slipKeys, wordsOf } from '../../language/name-keys.ts';
import type { Candidate } from '../../language/named-candidate.ts';
import { inBatches } from '../../model/document.ts';
import { type Kind, kindOf } from '../../model/kinds.ts';
import { journalName, listBehind, positionNow, recordsBehind, wasAt } from '../journal.ts';
import { mirrorVersion, readMeta, saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { recordRange } from '../record.ts';
import { readOnce } from '../remembered.ts';
import { candidatesAmong } from './name-candidates.ts';
import { countNamed, type NamedKind, namedKinds } from './name-known.ts';

/** Up to where the index holds the records of each kind, and by which rules it was made. */
type State = {
  rules: number;
  positions: Partial<Record<NamedKind, string>>;
  /** The mirror's version when it was last counted how much is known of each. */
  counted: number | null;
};

/** True for a kind whose records stand in the index of names. */
export function isNamed({ name }: Kind): boolean {
  return (namedKinds as readonly string[]).includes(name);
}

/**
 * Brings the index of names up to what the mirror holds: the records that came or changed since, or all where other rules
 * made it. Made where it is missing; to be called in a transaction that changed records. What is not in it yet is read
 * beside it, so that it is never wrong, only slower.
 */
export function keepNameIndex(mirror: Mirror): void {
  // Without a journal nobody can tell what changed: the mirror is read as one that never had the index.
  if (journalName(mirror) === null) return;
  const state = stateOf(mirror);
  if (state === null) makeTables(mirror);
  const positions: State['positions'] = {};
  for (const kind of namedKinds) {
    const before = state?.positions[kind] ?? null;
    positions[kind] = positionNow(mirror, kindOf(kind));
    if (before !== positions[kind]) catchUp(mirror, kind, before);
  }
  saveState(mirror, { rules: nameRules, positions, counted: state?.counted ?? null });
}

/** Does that, and counts how much is known of each; to be called at the end of a run. */
export function refreshNameIndex(mirror: Mirror): void {
  keepNameIndex(mirror);
  const state = stateOf(mirror);
  const version = mirrorVersion(mirror);
  if (state === null || state.counted === version) return;
  countNamed(mirror);
  saveState(mirror, { ...state, counted: version });
}

function saveState(mirror: Mirror, state: State): void {
  const text = JSON.stringify(state);
  if (readMeta(mirror, 'names') !== text) saveMeta(mirror, 'names', text);
}

/**
 * The records of a kind that changed since they stood in the index, in any way; null where there is no index that can be
 * read. Of the past all count that were others then.
 */
export function namesNotIndexed(mirror: Mirror, kind: NamedKind): number[] | null {
  return readOnce(mirror, `names of ${kind} not indexed`, () => readNotIndexed(mirror, kind));
}

function readNotIndexed(mirror: Mirror, kind: NamedKind): number[] | null {
  const position = stateOf(mirror)?.positions[kind];
  if (position === undefined || !wasAt(mirror, kindOf(kind), position)) return null;
  const { first, last } = recordRange(kindOf(kind));
  const behind = listBehind(mirror, kindOf(kind), position);
  if (mirror.pastOf === null) return behind;
  const others = mirror.column<number>('SELECT id FROM temp.past WHERE id BETWEEN ? AND ?').all(first, last);
  return [...behind, ...others];
}

/** The state of an index that can be read by these rules; null where there is none. */
function stateOf(mirror: Mirror): State | null {
  const kept = readMeta(mirror, 'names');
  const state: State | null = kept === null ? null : JSON.parse(kept);
  return state?.rules === nameRules ? state : null;
}

function makeTables(mirror: Mirror): void {
  mirror.database.exec(`
    DROP TABLE IF EXISTS name_index;
    DROP TABLE IF EXISTS name_word;
    CREATE TABLE name_index (key TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (key, record)) STRICT, WITHOUT ROWID;
    CREATE INDEX name_index_record ON name_index(record);
    CREATE TABLE name_word (word TEXT PRIMARY KEY, reversed TEXT NOT NULL, sound TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX name_word_reversed ON name_word(reversed);
    CREATE INDEX name_word_sound ON name_word(sound);
  `);
}

function catchUp(mirror: Mirror, kind: NamedKind, position: string | null): void {
  const described = kindOf(kind);
  const { first, last } = recordRange(described);
  if (position === null || !wasAt(mirror, described, position))
    mirror.sql('DELETE FROM name_index WHERE record BETWEEN ? AND ?').run(first, last);
  // All of them before any is looked at: what is written to must not be iterated.
  for (const ids of inBatches([...recordsBehind(mirror, described, position)], 5000))
    indexNames(mirror, kind, ids);
}

function indexNames(mirror: Mirror, kind: NamedKind, ids: number[]): void {
  const forget = mirror.sql('DELETE FROM name_index WHERE record = ?');
  for (const id of ids) forget.run(id);
  const rows: [key: string, record: number][] = [];
  const words = new Set<string>();
  for (const record of candidatesAmong(mirror, kind, ids)) {
    const names = [record.name, ...(record.formerNames ?? [])];
    for (const key of keysOf(record, names)) rows.push([key, record.id]);
    for (const name of names) for (const word of wordsOf(name)) words.add(word);
  }
  // In the order of the keys a tree grows at its end.
  rows.sort(([a], [b]) => byCodeUnit(a, b));
  const add = mirror.sql('INSERT OR IGNORE INTO name_index (key, record) VALUES (?, ?)');
  for (const row of rows) add.run(...row);
  saveWords(mirror, words);
}

function keysOf(candidate: Candidate, names: string[]): string[] {
  const { shortName, acronyms = [], surname } = candidate;
  return nameKeys({ names, shortNames: [...(shortName ? [shortName] : []), ...acronyms], surname });
}

function saveWords(mirror: Mirror, words: ReadonlySet<string>): void {
  const add = mirror.sql('INSERT OR IGNORE INTO name_word (word, reversed, sound) VALUES (?, ?, ?)');
  for (const each of [...words].sort()) {
    const keys = slipKeys(each);
    if (keys !== null) add.run(keys.word, keys.reversed, keys.sound);
  }
}
