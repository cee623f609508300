import { dissentOf } from '../../model/agreement.ts';
import { isNonAttached, marginOf, readBallotFacts, type Stance, stanceOf } from '../../model/ballot.ts';
import { textOfBallot } from '../../model/ballot-text.ts';
import { type Document, documentOf, type RecordTexts, textOf } from '../../model/document.ts';
import { kindOf, recordRange } from '../../model/kinds.ts';
import { positionNow, recordsBehind } from '../journal.ts';
import { hasTable, type Mirror } from '../mirror.ts';

/** Filterable facts of a ballot; null if the source has none. */
type BallotFacts = ReturnType<typeof factsOf>;

/** Current ballots as columns by day and id. Filters 100,000 in 1 ms; an SQL table takes 10 ms, documents seconds. */
export type BallotIndex = ReturnType<typeof openIndex>;

/** Name of the position of an index; older programs with smaller indexes used other names. */
const positionName = 'position of all groups and texts';

const codedNames = ['chamber', 'result', 'type', 'topic', 'text'] as const;
export type Coded = (typeof codedNames)[number];

/** Returns the saved index of current ballots, or a new one if ballots changed since. */
export function ballotIndex(mirror: Mirror): BallotIndex {
  return mirror.readOnce('ballots', () => {
    const saved = savedIndex(mirror);
    if (saved) return saved;
    const columns = new Map(columnsOf(factsOfBallots(mirror)));
    return openIndex((name) => columns.get(name));
  });
}

/** Saves the index if ballots changed since; call it at the end of a run that wrote. */
export function refreshBallotIndex(mirror: Mirror): void {
  const isSaved = savedIndex(mirror) !== null;
  if (!isSaved) {
    mirror.database.exec('CREATE TABLE IF NOT EXISTS ballot_index (name TEXT PRIMARY KEY, data BLOB) STRICT');
    mirror.sql('DELETE FROM ballot_index').run();
  }
  const save = mirror.sql('INSERT OR REPLACE INTO ballot_index (name, data) VALUES (?, ?)');
  if (!isSaved) for (const [name, data] of columnsOf(factsOfBallots(mirror))) save.run(name, data);
  save.run(positionName, Buffer.from(positionNow(mirror, kindOf('ballot'))));
}

/** The saved index; null if there is none, or if any program saved ballots since. */
function savedIndex(mirror: Mirror): BallotIndex | null {
  if (mirror.pastOf !== null || !hasTable(mirror.database, 'ballot_index')) return null;
  const read = (name: string) =>
    mirror.sql<{ data: Buffer }>('SELECT data FROM ballot_index WHERE name = ?').get(name)?.data;
  const position = read(positionName)?.toString();
  if (position === undefined) return null;
  return [...recordsBehind(mirror, kindOf('ballot'), position)].length === 0 ? openIndex(read) : null;
}

function openIndex(read: (name: string) => Buffer | undefined) {
  // Copied: typed arrays need aligned offsets, which pooled buffers lack.
  const bytes = (name: string) => new Uint8Array(read(name) ?? Buffer.alloc(0)).buffer;
  const numbers = new Int32Array(bytes('number'));
  const words: Partial<Record<Coded | 'parties', string[]>> = JSON.parse(String(read('words') ?? '{}'));
  return {
    size: numbers.length,
    /** Numbers of the records within their kind. */
    numbers,
    days: new Int32Array(bytes('day')),
    /** -1 for none. */
    margins: new Int32Array(bytes('margin')),
    /** NaN for none. */
    dissents: new Float32Array(bytes('dissent')),
    /** Slugs of the parties and groups that any ballot lists. */
    parties: words.parties ?? [],
    /** Per ballot the index of its value in `words`; 0 if the source has none. */
    coded: (name: Coded) => ({ codes: new Uint16Array(bytes(name)), words: words[name] ?? [''] }),
    /** One byte for each ballot: 1 if that group took that position. */
    stance: (party: string, stance: Stance): Uint8Array => read(`${stance} ${party}`) ?? new Uint8Array(numbers.length),
  };
}

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
  words.parties = [...new Set(facts.flatMap(({ parties }) => parties))];
  yield ['words', Buffer.from(JSON.stringify(words))];
  const stances = new Map<string, Uint8Array>();
  for (const [at, { stances: ballotStances }] of facts.entries()) {
    for (const [party, stance] of ballotStances) {
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
  const rows = mirror.sql<RecordTexts & { id: number; topic: string | null }>(
    "SELECT id, topic, row, detail FROM record WHERE kind = 'ballot' AND withdrawn IS NULL",
  );
  return Array.from(rows.iterate(), ({ id, topic, ...stored }) =>
    factsOf(documentOf(stored), { number: id - first, topic }),
  );
}

function factsOf(document: Document, { number, topic }: { number: number; topic: string | null }) {
  const ballot = readBallotFacts(document);
  const groups = ballot.votes_by_party.filter((votes) => !isNonAttached(votes));
  const text = textOfBallot(document);
  const dissents = groups.map(dissentOf).filter((dissent) => dissent !== null);
  return {
    number,
    /** Day as a sortable number (20261122); 0 if unknown. */
    day: dayNumber(ballot.date ?? ''),
    chamber: ballot.chamber,
    result: ballot.result,
    type: textOf(ballot, 'type'),
    topic,
    /** The text voted on, as `title NAME` or `dossier NAME`. */
    text: text && `${text.from} ${text.name}`,
    margin: marginOf(ballot),
    dissent: dissents.length === 0 ? null : Math.max(...dissents),
    parties: ballot.votes_by_party.flatMap(({ party }) => party ?? []),
    stances: ballot.votes_by_party.flatMap(({ party, position }) => {
      const stance = stanceOf(position);
      return party === null || stance === null ? [] : [[party, stance] as const];
    }),
  };
}

/** A day as a number, 20261122; 0 for other text. */
export function dayNumber(date: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(date);
  return match ? Number(match[1]) * 10_000 + Number(match[2]) * 100 + Number(match[3]) : 0;
}
