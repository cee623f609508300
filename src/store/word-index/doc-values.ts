import { analyserVersion } from '../../language/stem.ts';
import type { Kind } from '../../model/kinds.ts';
import { hasTable } from '../added-tables.ts';
import { mirrorVersion, readMeta, saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { documentOf, kindOfRecord, recordRange } from '../record.ts';
import { copyToken, type IndexEntry } from './index-entry.ts';
import { indexedKinds } from './search-index.ts';

/**
 * What a search asks of many records at once, kept side by side by their numbers as Lucene keeps its doc values: the day of
 * each, and whether another record has its text. To read that from the records takes as long as all else that a search does.
 */
export type DocValues = {
  /** The days of some records, numbers in the order of days; null where one of them states anything else than a day. */
  days(ids: readonly number[]): number[] | null;
  /** True where no other record has the text of that one. */
  isAlone(id: number): boolean;
};

/** The records of a block: 2^n of them, so that a number tells its block. */
const blockLength = 1024;

/**
 * A day is its number (20261122), 0 where none is stated. Of a text stands the end of its hash, 0 where there is none; the
 * lowest bit is set where other texts have that end too.
 */
type Block = { days: Int32Array<ArrayBuffer>; texts: Uint32Array<ArrayBuffer> };

const [notDay, unknown] = [-1, -2];
const isShared = 1;

/**
 * Up to where the values are kept, and by which analysis of texts: the mirror's version, its journal's last entry, and the last
 * record of each kind.
 */
type State = {
  analyser: number;
  version: number;
  journal: number;
  last: Partial<Record<Kind['name'], number>>;
};

/** The values of a mirror; null where they are not kept, or for another state than it is in: records tell them then. */
export function docValuesOf(mirror: Mirror): DocValues | null {
  return mirror.readonly && mirror.pastOf === null
    ? mirror.readOnce('doc values', () => openValues(mirror))
    : null;
}

function openValues(mirror: Mirror): DocValues | null {
  if (stateOf(mirror)?.version !== mirrorVersion(mirror)) return null;
  const blocks = new Map<number, Block>();
  const blockOf = (id: number) => {
    const number = Math.floor(id / blockLength);
    let block = blocks.get(number);
    if (block === undefined) {
      block = readBlock(mirror, number);
      blocks.set(number, block);
    }
    return block;
  };
  return {
    days(ids) {
      const days = ids.map((id) => blockOf(id).days[id % blockLength]!);
      return days.every((day) => day >= 0) ? days : null;
    },
    isAlone(id) {
      const { days, texts } = blockOf(id);
      return days[id % blockLength] !== unknown && (texts[id % blockLength]! & isShared) === 0;
    },
  };
}

function stateOf(mirror: Mirror): State | null {
  const text = hasTable(mirror, 'doc_value') ? readMeta(mirror, 'doc_values') : null;
  const state: State | null = text === null ? null : JSON.parse(text);
  return state?.analyser === analyserVersion ? state : null;
}

function readBlock(mirror: Mirror, number: number): Block {
  const stored = mirror
    .sql<{ days: Buffer; texts: Buffer }>('SELECT days, texts FROM main.doc_value WHERE block = ?')
    .get(number);
  return stored === undefined ? emptyBlock() : blockIn(stored);
}

/** Copied: a view of numbers begins at a whole multiple of their size, which a buffer of a pool may not. */
function blockIn({ days, texts }: { days: Buffer; texts: Buffer }): Block {
  return {
    days: new Int32Array(new Uint8Array(days).buffer),
    texts: new Uint32Array(new Uint8Array(texts).buffer),
  };
}

function bytesOf({ buffer }: Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer);
}

function emptyBlock(): Block {
  return { days: new Int32Array(blockLength).fill(unknown), texts: new Uint32Array(blockLength) };
}

type Blocks = Map<number, Block>;

function put(blocks: Blocks, id: number, { day, text }: { day: number; text: number }): void {
  const number = Math.floor(id / blockLength);
  let block = blocks.get(number);
  if (block === undefined) {
    block = emptyBlock();
    blocks.set(number, block);
  }
  block.days[id % blockLength] = day;
  block.texts[id % blockLength] = text;
}

/** What was noted of new records since a mirror was opened: who has just saved a million of them need not read them again. */
const noted = new WeakMap<Mirror, Blocks>();

/** Notes the values of a new record, whose words stand in the index. */
export function noteValues(
  mirror: Mirror,
  id: number,
  { date, entry }: { date: string; entry: Pick<IndexEntry<string | Uint8Array>, 'about'> },
): void {
  const blocks = noted.get(mirror) ?? new Map();
  noted.set(mirror, blocks);
  put(blocks, id, { day: dayIn(date), text: endOfToken(entry.about) });
}

/** Brings the values up to what the mirror holds; to be called at the end of a run that wrote, in a transaction. */
export function refreshDocValues(mirror: Mirror): void {
  const [state, version] = [stateOf(mirror), mirrorVersion(mirror)];
  if (state?.version === version) return;
  mirror.database.exec(
    'CREATE TABLE IF NOT EXISTS doc_value (block INTEGER PRIMARY KEY, days BLOB NOT NULL, texts BLOB NOT NULL) STRICT',
  );
  const kept: Blocks = state === null ? new Map() : keptBlocks(mirror);
  const blocks: Blocks = new Map([...kept].map(([number, block]) => [number, copyOf(block)]));
  const last = addNew(mirror, blocks, state?.last ?? {});
  const journal = addChanged(mirror, blocks, state?.journal ?? 0);
  markShared(blocks);
  const save = mirror.sql('INSERT OR REPLACE INTO doc_value (block, days, texts) VALUES (?, ?, ?)');
  for (const [number, block] of blocks) {
    const before = kept.get(number);
    const [days, texts] = [bytesOf(block.days), bytesOf(block.texts)];
    const isAsBefore = before && days.equals(bytesOf(before.days)) && texts.equals(bytesOf(before.texts));
    if (!isAsBefore) save.run(number, days, texts);
  }
  saveMeta(
    mirror,
    'doc_values',
    JSON.stringify({ analyser: analyserVersion, version, journal, last } satisfies State),
  );
}

function keptBlocks(mirror: Mirror): Blocks {
  const stored = mirror
    .sql<{ block: number; days: Buffer; texts: Buffer }>('SELECT block, days, texts FROM doc_value')
    .all();
  return new Map(stored.map(({ block, ...bytes }) => [block, blockIn(bytes)]));
}

function copyOf({ days, texts }: Block): Block {
  return { days: days.slice(), texts: texts.slice() };
}

/** Adds the records that came since, as they were noted or else as they are read; the last of each kind now. */
function addNew(mirror: Mirror, blocks: Blocks, before: State['last']): State['last'] {
  const notes = noted.get(mirror) ?? new Map<number, Block>();
  noted.delete(mirror);
  const entries = [...indexedKinds].map((kind): [Kind['name'], number] => {
    const range = recordRange(kind);
    const last =
      mirror
        .column<number | null>('SELECT max(id) FROM record WHERE id BETWEEN ? AND ?')
        .get(range.first, range.last) ?? range.first - 1;
    let id = (before[kind.name] ?? range.first - 1) + 1;
    for (; id <= last; id += 1) {
      const block = notes.get(Math.floor(id / blockLength));
      const [day, text] = [block?.days[id % blockLength] ?? unknown, block?.texts[id % blockLength] ?? 0];
      if (day === unknown) break;
      put(blocks, id, { day, text });
    }
    if (id <= last) addRead(mirror, blocks, { condition: 'id BETWEEN ? AND ?', parameters: [id, last] });
    return [kind.name, last];
  });
  return Object.fromEntries(entries);
}

/** Adds the records that changed since an entry of the journal; the last entry now. */
function addChanged(mirror: Mirror, blocks: Blocks, before: number): number {
  const since = 'id IN (SELECT record FROM journal WHERE seq > ?)';
  const ranges = [...indexedKinds]
    .map(recordRange)
    .map(({ first, last }) => `id BETWEEN ${first} AND ${last}`);
  addRead(mirror, blocks, { condition: `${since} AND (${ranges.join(' OR ')})`, parameters: [before] });
  return mirror.column<number | null>('SELECT max(seq) FROM journal').get() ?? 0;
}

type Stored = { id: number; date: string; row: string | null; detail: string | null };

function addRead(
  mirror: Mirror,
  blocks: Blocks,
  { condition, parameters }: { condition: string; parameters: number[] },
): void {
  const rows = mirror
    .sql<Stored>(`SELECT id, date, row, detail FROM record WHERE ${condition}`)
    .iterate(...parameters);
  for (const { id, date, ...stored } of rows) {
    const token = copyToken(kindOfRecord(id), documentOf(stored));
    put(blocks, id, { day: dayIn(date), text: token === null ? 0 : endOfToken(token) });
  }
}

/** Marks the texts that more than one record has. */
function markShared(blocks: Blocks): void {
  const ends = new Uint32Array(blockLength * blocks.size);
  for (const [at, { texts }] of [...blocks.values()].entries())
    ends.set(texts.map(withoutMark), at * blockLength);
  ends.sort();
  const shared = new Set<number>();
  for (let at = 1; at < ends.length; at += 1) if (ends[at] === ends[at - 1]) shared.add(ends[at]!);
  shared.delete(0);
  for (const { texts } of blocks.values())
    for (let at = 0; at < blockLength; at += 1) {
      const end = withoutMark(texts[at]!);
      texts[at] = shared.has(end) ? end + isShared : end;
    }
}

function withoutMark(text: number): number {
  return text - (text & isShared);
}

const [zero, nine, letterA, underscore, dash] = [48, 57, 97, 95, 45];

/** The end of the hash that a token of a text writes in base 36 (`copyToken`), the last word of what a record is about; 0 for none. */
function endOfToken(about: string | Uint8Array): number {
  const isText = typeof about === 'string';
  const begin = isText ? about.lastIndexOf('_') : about.lastIndexOf(underscore);
  if (begin === -1) return 0;
  let end = 0;
  for (let at = begin + 1; at < about.length; at += 1) {
    const code = isText ? about.charCodeAt(at) : about[at]!;
    end = Math.imul(end, 36) + code - (code <= nine ? zero : letterA - 10);
  }
  // One bit is left for the mark; what ends in nothing is not taken for no text.
  return (end << 1) >>> 0 || 2;
}

/** A day as a number, 20261122, 0 for none; `notDay` for what is written in another way. */
function dayIn(date: string): number {
  if (date === '') return 0;
  if (date.length !== 10 || date.charCodeAt(4) !== dash || date.charCodeAt(7) !== dash) return notDay;
  let day = 0;
  for (let at = 0; at < 10; at += 1) {
    if (at === 4 || at === 7) continue;
    const digit = date.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return notDay;
    day = day * 10 + digit;
  }
  return day;
}
