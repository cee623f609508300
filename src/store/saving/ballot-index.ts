import {
  type Chamber,
  dissentOf,
  isNonAttached,
  marginOf,
  readBallotFacts,
  type Stance,
  stanceOf,
} from '../../model/ballot.ts';
import { documentOf, textOf } from '../../model/document.ts';
import { kindOf, recordRange } from '../../model/kinds.ts';
import { hasTable } from '../added-tables.ts';
import { listBehind, positionNow } from '../journal.ts';
import type { Mirror } from '../mirror.ts';

/** The filterable facts of a ballot; null if not stated. */
type BallotFacts = {
  /** Number of the record within its kind. */
  number: number;
  /** Day as a sortable number (20261122); 0 if not stated. */
  day: number;
  chamber: Chamber;
  result: string | null;
  type: string | null;
  topic: string | null;
  margin: number | null;
  /** The largest dissent of any group. */
  dissent: number | null;
};

/**
 * All current ballots as columns, by day and record id. Filtering 100,000 of them takes a few milliseconds; joining a table
 * of votes in SQL takes ten times as long, reading the documents takes seconds.
 */
export type BallotIndex = {
  size: number;
  /** The values of a fact, one for each ballot. */
  column<Name extends keyof BallotFacts>(name: Name): BallotFacts[Name][];
  /** Slugs of the parties and groups with a stated position in any ballot. */
  parties(): string[];
  /** One byte for each ballot: 1 if that group took that position. */
  stance(party: string, stance: Stance): Uint8Array;
};

/** The index of the current ballots: the saved one, or a new one if ballots changed since. */
export function ballotIndex(mirror: Mirror): BallotIndex {
  return mirror.readOnce('ballots', () => savedIndex(mirror) ?? newIndex(mirror));
}

/** Saves the index if ballots changed since; call it at the end of a run that wrote. */
export function refreshBallotIndex(mirror: Mirror): void {
  const isSaved = savedIndex(mirror) !== null;
  if (!isSaved) {
    mirror.database.exec('CREATE TABLE IF NOT EXISTS ballot_column (name TEXT PRIMARY KEY, data ANY) STRICT');
    mirror.sql('DELETE FROM ballot_column').run();
  }
  const save = mirror.sql('INSERT OR REPLACE INTO ballot_column (name, data) VALUES (?, ?)');
  if (!isSaved) for (const [name, data] of columnsOf(mirror)) save.run(name, data);
  save.run('position', positionNow(mirror, kindOf('ballot')));
}

/** The saved index; null if there is none, or if any program saved ballots since. */
function savedIndex(mirror: Mirror): BallotIndex | null {
  if (mirror.pastOf !== null || !hasTable(mirror.database, 'ballot_column')) return null;
  const read = (name: string) =>
    mirror.column<string | Buffer>('SELECT data FROM ballot_column WHERE name = ?').get(name);
  const position = read('position');
  const isCurrent =
    position !== undefined && listBehind(mirror, kindOf('ballot'), String(position)).length === 0;
  return isCurrent ? openIndex(read) : null;
}

function newIndex(mirror: Mirror): BallotIndex {
  const columns = new Map(columnsOf(mirror));
  return openIndex((name) => columns.get(name));
}

function openIndex(read: (name: string) => string | Buffer | undefined): BallotIndex {
  const known = new Map<string, unknown>();
  const parsed = (name: string) => {
    if (!known.has(name)) known.set(name, JSON.parse(String(read(name) ?? '[]')));
    return known.get(name) as never[];
  };
  return {
    size: parsed('number').length,
    column: parsed,
    parties: () => parsed('parties'),
    stance: (party, stance) =>
      (read(`${stance} ${party}`) as Buffer | undefined) ?? new Uint8Array(parsed('number').length),
  };
}

const factNames: readonly (keyof BallotFacts)[] = [
  ...(['number', 'day', 'chamber', 'result', 'type', 'topic', 'margin', 'dissent'] as const),
];

/** The columns of the index by name: facts as JSON, positions as bytes. */
function* columnsOf(mirror: Mirror): Generator<[string, string | Buffer]> {
  const ballots = [...factsOfBallots(mirror)].sort((a, b) => a.day - b.day || a.number - b.number);
  for (const name of factNames) yield [name, JSON.stringify(ballots.map((facts) => facts[name]))];
  const stances = new Map<string, Buffer>();
  const parties = new Set<string>();
  for (const [at, { positions }] of ballots.entries())
    for (const { party, stance } of positions) {
      parties.add(party);
      const name = `${stance} ${party}`;
      const column = stances.get(name) ?? Buffer.alloc(ballots.length);
      column[at] = 1;
      stances.set(name, column);
    }
  yield ['parties', JSON.stringify([...parties])];
  yield* stances;
}

function* factsOfBallots(
  mirror: Mirror,
): Generator<BallotFacts & { positions: { party: string; stance: Stance }[] }> {
  const { first } = recordRange(kindOf('ballot'));
  const rows = mirror.sql<{ id: number; topic: string | null; row: string | null; detail: string | null }>(
    "SELECT id, topic, row, detail FROM record WHERE kind = 'ballot' AND withdrawn IS NULL",
  );
  for (const { id, topic, ...stored } of rows.iterate()) {
    const ballot = readBallotFacts(documentOf(stored));
    const groups = ballot.votes_by_party.filter((votes) => !isNonAttached(votes));
    const dissents = groups.map(dissentOf).filter((dissent) => dissent !== null);
    yield {
      number: id - first,
      day: dayNumber(ballot.date ?? ''),
      chamber: ballot.chamber,
      result: ballot.result,
      type: textOf(ballot, 'type'),
      topic,
      margin: marginOf(ballot),
      // Rounded: 1 - 8 / 10 is to match 0.2.
      dissent: dissents.length === 0 ? null : Number(Math.max(...dissents).toFixed(6)),
      positions: ballot.votes_by_party.flatMap(({ party, position }) => {
        const stance = stanceOf(position);
        return party === null || stance === null ? [] : [{ party, stance }];
      }),
    };
  }
}

/** A day as a number, 20261122; 0 for other text. */
export function dayNumber(date: string): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)/.exec(date);
  return found ? Number(found[1]) * 10_000 + Number(found[2]) * 100 + Number(found[3]) : 0;
}
