import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { KindName } from '../../src/model/kinds.ts';
import { createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import type { Limits } from '../../src/service/options.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createRunClock } from '../../src/sync/clock.ts';
import { newTally, type SyncContext, type SyncScope } from '../../src/sync/context.ts';
import { runSync, type SyncReport } from '../../src/sync/sync.ts';
import type { Phrase } from '../../src/words/speech.ts';
import type { FakeService } from './fake-service.ts';

export const wholeScope: SyncScope = { only: null, full: false, details: 'changed', ballots: [] };

let emptyMirror: string | undefined;

/** The path of a mirror that holds nothing, to be copied; it goes with the process. */
function emptyTemplate(): string {
  if (emptyMirror) return emptyMirror;
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  emptyMirror = join(folder, 'mirror.db');
  openWritableMirror(emptyMirror).close();
  return emptyMirror;
}

type TemporaryMirror = { mirror: Mirror; folder: string; remove: () => void };

/** A folder and a writable mirror in it; `remove` closes and deletes both. */
export function createTemporaryMirror(): TemporaryMirror {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  const db = join(folder, 'mirror.db');
  copyFileSync(emptyTemplate(), db);
  const own = {
    mirror: openWritableMirror(db),
    folder,
    remove() {
      own.mirror.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return own;
}

/** Mirrors after a first sync, by what the service holds and how it says so; they go with the process. */
const firstSyncs = new Map<string, { db: string; baseUrl: string }>();
const functionIds = new WeakMap<object, number>();
let lastFunctionId = 0;

function functionId(value: object): number {
  const id = functionIds.get(value) ?? ++lastFunctionId;
  functionIds.set(value, id);
  return id;
}

/**
 * The first sync of an empty mirror from a service that answers as its dialect says. It runs once for all tests of a process
 * whose service holds the same; the others get a copy of that mirror, and their service is not asked.
 */
export async function firstSync(own: TemporaryMirror, service: FakeService, atMs?: number): Promise<void> {
  const sync = () => syncOnce(own, service.baseUrl, atMs === undefined ? {} : { now: () => atMs });
  if (service.bent || service.faults.length > 0 || service.onRequest) return void (await sync());
  const { dialect, records, baseUrl } = service;
  const state = JSON.stringify([dialect, records, atMs], (_, value) =>
    typeof value === 'function' ? functionId(value) : value,
  );
  const key = createHash('sha256').update(state).digest('hex');
  const { path } = own.mirror;
  const first = firstSyncs.get(key);
  if (!first) {
    const { error } = await sync();
    if (error) throw error;
    own.mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    const db = join(dirname(emptyTemplate()), `${key}.db`);
    copyFileSync(path, db);
    firstSyncs.set(key, { db, baseUrl });
    return;
  }
  own.mirror.close();
  copyFileSync(first.db, path);
  own.mirror = openWritableMirror(path);
  transaction(own.mirror, () => {
    for (const [table, columns] of Object.entries(addressColumns))
      for (const column of columns)
        own.mirror.sql(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`).run(first.baseUrl, baseUrl);
  });
}

/** Where a mirror holds addresses of the service that it was synced from. */
const addressColumns = {
  kind_state: ['origin'],
  progress: ['origin', 'state'],
  run: ['origin', 'report'],
  meta: ['value'],
  answer: ['url'],
};

/** A client that waits for nothing; `slept` tells what it would have waited, in milliseconds. */
export async function createImpatientClient(
  baseUrl: string,
  token: string | null = null,
  { limits = {}, now = () => Date.parse('2026-11-01T12:00:00Z'), onDate }: ClientOptions = {},
): Promise<ServiceClient & { slept: number[]; traced: string[] }> {
  const slept: number[] = [];
  const traced: string[] = [];
  const client = await createServiceClient({
    baseUrl,
    token,
    authHeader: 'Authorization: Bearer {token}',
    userAgent: 'hemicycle-test',
    pace: { waitForSlot: async () => {}, pause: () => {} },
    now,
    onDate,
    sleep: async (ms) => void slept.push(ms),
    random: () => 0.5,
    trace: (line) => void traced.push(line),
    limits: { maxJsonBytes: 200_000, maxFileBytes: 2_000_000, ...limits },
  });
  return { ...client, slept, traced };
}

type ClientOptions = {
  limits?: Partial<Limits>;
  now?: (() => number) | undefined;
  onDate?: ((dateMs: number) => void) | undefined;
};

type SyncOptions = {
  scope?: SyncScope;
  maxShrink?: number;
  hasMoved?: boolean;
  accepted?: KindName[];
  token?: string | null;
  limits?: Partial<Limits>;
  /** The clock of the run and of its answers. */
  now?: () => number;
  /** Told the moment that each answer states. */
  onDate?: (dateMs: number) => void;
  /** True to never stamp a moment before the newest that the mirror holds, as the program does. */
  isSteady?: boolean;
  /** Chance, 0 to 1, for samples. */
  random?: () => number;
  /** So many profiles or ballots are on their way at once. */
  inFlight?: number;
  /** Receives the progress of every stage. */
  advance?: SyncContext['progress']['advance'];
};

/** What a sync of everything is given. */
export function contextOf({ mirror, folder }: { mirror: Mirror; folder: string }, client: ServiceClient): SyncContext {
  return {
    mirror,
    client,
    scope: wholeScope,
    now: Date.now,
    signal: new AbortController().signal,
    workFolder: join(folder, 'work'),
    maxShrink: 0.2,
    progress: { stage: () => {}, advance: () => {}, note: () => {} },
    tally: newTally(),
  };
}

/** One sync of a mirror from a service, without waiting. */
export async function syncOnce(
  { mirror, folder }: { mirror: Mirror; folder: string },
  baseUrl: string,
  {
    scope = wholeScope,
    maxShrink = 0.2,
    hasMoved = false,
    accepted = [],
    token = null,
    limits = {},
    now: clock = Date.now,
    isSteady = false,
    random = () => 0.5,
    inFlight = 1,
    onDate,
    advance = () => {},
  }: SyncOptions = {},
): Promise<{ report: SyncReport; error: unknown; notes: string[] }> {
  const now = isSteady ? createRunClock(mirror, { isAccepted: true, now: clock }).now : clock;
  const client = await createImpatientClient(baseUrl, token, { limits, now, onDate });
  const notes: string[] = [];
  const progress = { stage: () => {}, advance, note: (line: Phrase) => void notes.push(`${line}`) };
  const context = {
    ...contextOf({ mirror, folder }, client),
    scope,
    now,
    maxShrink,
    hasMoved,
    accepted,
    random,
    inFlight,
    progress,
  };
  const result = await runSync(context, null);
  await client.close();
  return { ...result, notes };
}

/** The key and content hash of every record of a kind, by key. */
export function hashesOf(mirror: Mirror, kind: string): Record<string, string> {
  const rows = mirror.database
    .prepare('SELECT key, hash FROM record WHERE kind = ? AND withdrawn IS NULL ORDER BY key')
    .all(kind) as { key: string; hash: string }[];
  return Object.fromEntries(rows.map(({ key, hash }) => [key, hash]));
}
