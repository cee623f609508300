import {
  type Chamber,
  dissentOf,
  isNonAttached,
  marginOf,
  readBallotFacts,
  type Stance,
  stanceOf,
} from '../../model/ballot.ts';
import { type Document, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { hasAddedTable } from '../added-tables.ts';
import { listBehind, positionNow } from '../journal.ts';
import { mirrorVersion } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { documentOf, recordRange } from '../record.ts';

/** What is asked of ballots, read from their documents once; texts are null where nothing is stated. */
type BallotFacts = {
  /** Number of the record within its kind. */
  number: number;
  /** Day as a number that orders as days do (20261122); 0 where none is stated. */
  day: number;
  chamber: Chamber;
  result: string | null;
  type: string | null;
  topic: string | null;
  margin: number | null;
  /** The largest dissent of any group. */
  dissent: number | null;
  stances: [party: string, stance: Stance][];
};

/**
 * Every ballot that is not withdrawn as columns, in the order of days and, within one, of records: a hundred thousand of
 * them are filtered in a millisecond, while reading their documents takes seconds. A column is read when it is needed.
 */
export type BallotIndex = {
  size: number;
  /** Numbers of the records within their kind. */
  numbers: Int32Array;
  days: Int32Array;
  /** -1 where there is none. */
  margins: Int32Array;
  /** NaN where there is none. */
  dissents: Float32Array;
  /** For each ballot the place of its word in `words`, 0 where nothing is stated. */
  coded(name: Coded): { codes: Uint16Array; words: string[] };
  /** The parties and groups of which any ballot states a position. */
  parties(): string[];
  /** One byte for each ballot: 1 where that group took that position. */
  stance(party: string, stance: Stance): Uint8Array;
};

const codedNames = ['chamber', 'result', 'type', 'topic'] as const;
export type Coded = (typeof codedNames)[number];

/** The index of the ballots as the mirror holds them now: the kept one, or one made anew where ballots changed since. */
export function ballotIndex(mirror: Mirror): BallotIndex {
  return mirror.readOnce('ballots', () => keptIndex(mirror) ?? indexOf(factsOfBallots(mirror)));
}

/** Keeps the index in the mirror's file if ballots changed since it was kept; called at the end of a run that wrote. */
export function refreshBallotIndex(mirror: Mirror): void {
  const isKept = keptIndex(mirror) !== null;
  if (!isKept) {
    mirror.database.exec('CREATE TABLE IF NOT EXISTS ballot_index (name TEXT PRIMARY KEY, data BLOB) STRICT');
    mirror.sql('DELETE FROM ballot_index').run();
  }
  const save = mirror.sql('INSERT OR REPLACE INTO ballot_index (name, data) VALUES (?, ?)');
  if (!isKept) for (const [name, data] of columnsOf(factsOfBallots(mirror))) save.run(name, data);
  save.run('position', Buffer.from(positionNow(mirror, kindOf('ballot'))));
}

/** The index in the mirror's file; null where no ballot has it, or any came or changed since, whichever program wrote it. */
function keptIndex(mirror: Mirror): BallotIndex | null {
  if (mirror.pastOf !== null || !hasAddedTable(mirror, 'ballot_index')) return null;
  const read = (name: string) =>
    mirror.sql<{ data: Buffer }>('SELECT data FROM ballot_index WHERE name = ?').get(name)?.data;
  const [position, version] = [read('position')?.toString(), read('version')?.toString()];
  const isCurrent =
    position === undefined
      ? version === String(mirrorVersion(mirror)) // As programs before this one kept it.
      : listBehind(mirror, kindOf('ballot'), position).length === 0;
  return isCurrent ? openIndex(read) : null;
}

function indexOf(facts: BallotFacts[]): BallotIndex {
  const columns = new Map(columnsOf(facts));
  return openIndex((name) => columns.get(name));
}

function openIndex(read: (name: string) => Buffer | undefined): BallotIndex {
  // Copied: typed arrays need aligned offsets, which pooled buffers lack.
  const bytes = (name: string) => new Uint8Array(read(name) ?? Buffer.alloc(0)).buffer;
  const numbers = new Int32Array(bytes('number'));
  const lazy = <Value>(make: () => Value) => {
    let value: Value | undefined;
    return () => {
      value ??= make();
      return value;
    };
  };
  const [days, margins, dissents, words] = [
    lazy(() => new Int32Array(bytes('day'))),
    lazy(() => new Int32Array(bytes('margin'))),
    lazy(() => new Float32Array(bytes('dissent'))),
    lazy(() => JSON.parse(String(read('words') ?? '{}')) as Partial<Record<Coded | 'parties', string[]>>),
  ];
  return {
    size: numbers.length,
    numbers,
    get days() {
      return days();
    },
    get margins() {
      return margins();
    },
    get dissents() {
      return dissents();
    },
    parties: () => words().parties ?? [],
    coded: (name) => ({ codes: new Uint16Array(bytes(name)), words: words()[name] ?? [''] }),
    stance: (party, stance) => {
      const column = read(`${stance} ${party}`);
      return column ? new Uint8Array(column) : new Uint8Array(numbers.length);
    },
  };
}

/** The columns of the index by name, as bytes. */
function* columnsOf(facts: BallotFacts[]): Generator<[string, Buffer]> {
  facts.sort((a, b) => a.day - b.day || a.number - b.number);
  const bytes = (view: ArrayBufferView) => Buffer.from(view.buffer);
  yield ['number', bytes(Int32Array.from(facts, ({ number }) => number))];
  yield ['day', bytes(Int32Array.from(facts, ({ day }) => day))];
  yield ['margin', bytes(Int32Array.from(facts, ({ margin }) => margin ?? -1))];
  yield ['dissent', bytes(Float32Array.from(facts, ({ dissent }) => dissent ?? Number.NaN))];
  const words: Record<string, string[]> = {};
  for (const name of codedNames) {
    const codes = new Map<string | null, number>([[null, 0]]);
    const column = Uint16Array.from(facts, ({ [name]: word }) => {
      if (!codes.has(word)) codes.set(word, codes.size);
      return codes.get(word)!;
    });
    words[name] = [...codes.keys()].map((word) => word ?? '');
    yield [name, bytes(column)];
  }
  words.parties = [...new Set(facts.flatMap(({ stances }) => stances.map(([party]) => party)))];
  yield ['words', Buffer.from(JSON.stringify(words))];
  const stances = new Map<string, Uint8Array>();
  for (const [at, { stances: taken }] of facts.entries()) {
    for (const [party, stance] of taken) {
      const name = `${stance} ${party}`;
      const column = stances.get(name) ?? new Uint8Array(facts.length);
      column[at] = 1;
      stances.set(name, column);
    }
  }
  for (const [name, column] of stances) yield [name, bytes(column)];
}

function factsOfBallots(mirror: Mirror): BallotFacts[] {
  const { first } = recordRange(kindOf('ballot'));
  // A fresh statement: a cached one cannot be iterated twice at once.
  const rows = mirror.database
    .prepare<unknown[], { id: number; topic: string | null; row: string | null; detail: string | null }>(
      "SELECT id, topic, row, detail FROM record WHERE kind = 'ballot' AND withdrawn IS NULL",
    )
    .iterate();
  const facts: BallotFacts[] = [];
  for (const { id, topic, ...stored } of rows)
    facts.push(factsOf(documentOf(stored), { number: id - first, topic }));
  return facts;
}

function factsOf(
  document: Document,
  { number, topic }: { number: number; topic: string | null },
): BallotFacts {
  const ballot = readBallotFacts(document);
  const groups = ballot.votes_by_party.filter((votes) => !isNonAttached(votes));
  const dissents = groups.map(dissentOf).filter((dissent) => dissent !== null);
  return {
    number,
    day: dayNumber(ballot.date ?? ''),
    chamber: ballot.chamber,
    result: ballot.result,
    type: textOf(ballot, 'type'),
    topic,
    margin: marginOf(ballot),
    dissent: dissents.length === 0 ? null : Math.max(...dissents),
    stances: ballot.votes_by_party.flatMap(({ party, position }) => {
      const stance = stanceOf(position);
      return party === null || stance === null ? [] : [[party, stance] as [string, Stance]];
    }),
  };
}

/** A day as a number, 20261122; 0 for what is no day. */
export function dayNumber(date: string): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)/.exec(date);
  return found ? Number(found[1]) * 10_000 + Number(found[2]) * 100 + Number(found[3]) : 0;
}
