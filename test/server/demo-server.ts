import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Document } from '../../src/model/document.ts';
import { type Kind, type KindName, kindOf, kinds } from '../../src/model/kinds.ts';
import { createApp } from '../../src/server/app.ts';
import type { Bounds } from '../../src/server/bounds.ts';
import type { RequestCounter } from '../../src/server/request-counter.ts';
import type { ObservedResponse } from '../../src/server/response-observers.ts';
import type { ServerSettings } from '../../src/server/serving.ts';
import { type Mirror, saveMeta } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createTemplate, demoSeating } from '../helpers/demo-mirror.ts';

export const filledAt = '2026-03-01T06:00:00.000Z';

/** The fictional records of one kind, as the fixtures have them; none of a kind that they lack. */
export function demoRecords(kind: Kind): Document[] {
  const file = new URL(`../../fixtures/demo/${kind.plural}.ndjson`, import.meta.url);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Saves records the way a sync does, and states when it ended. */
export function saveAll(mirror: Mirror, name: KindName, records: Document[], at = filledAt): void {
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf(name), { at });
    for (const record of records) saver.save(record);
    saver.finish();
  });
}

export type DemoServer = {
  url: string;
  mirror: Mirror;
  /** A second connection to the file that is served, as a sync has it. */
  writer: Mirror;
  failures: unknown[];
  app: FastifyInstance;
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Writes that to a connection of its own; resolves with all that came until the server closed it. */
  raw(request: string): Promise<string>;
  close(): Promise<void>;
};

const servedTemplate = createTemplate((mirror) => {
  for (const kind of kinds) saveAll(mirror, kind.name, demoRecords(kind));
  for (const key of ['changed_at', 'synced_at'] as const) saveMeta(mirror, key, filledAt);
});

/** A listening server over a mirror of the fictional records. */
export async function startDemoServer(
  options: {
    settings?: Partial<ServerSettings>;
    clock?: () => number;
    requestCounter?: RequestCounter;
    empty?: boolean;
    /** A mirror that is there already, and stays. */
    db?: string;
    bounds?: Partial<Bounds>;
    /** The program of processes that search; none searches in this one. */
    readerProgram?: string;
    observers?: ((answered: ObservedResponse) => void)[];
    /** What the program is called to assistants, where it serves them. */
    assistants?: { version: string };
    /** Adds to the application before it listens. */
    extend?: (app: FastifyInstance) => void;
  } = {},
): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-server-'));
  const path = options.db ?? join(folder, 'mirror.db');
  if (!options.empty && options.db === undefined) copyFileSync(await servedTemplate(), path);
  const writer = openWritableMirror(path);
  const mirror = openMirror(path);
  const failures: unknown[] = [];
  const app = await createApp({
    mirror,
    settings: {
      citation: { name: 'Transparence Valombre', siteUrl: 'https://transparence.example/' },
      groupOrder: demoSeating.split(','),
      rateLimit: false,
      semantic: false,
      ...options.settings,
    },
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.requestCounter ? { requestCounter: options.requestCounter } : {}),
    ...(options.bounds ? { bounds: options.bounds } : {}),
    ...(options.readerProgram ? { readerProgram: options.readerProgram } : {}),
    ...(options.observers ? { observers: options.observers } : {}),
    ...(options.assistants ? { assistants: options.assistants } : {}),
    onFailure: (error) => failures.push(error),
    assetsFolder: fileURLToPath(new URL('../../dist/assets', import.meta.url)),
  });
  options.extend?.(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    mirror,
    writer,
    failures,
    app,
    raw(request) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(request);
      return text(socket);
    },
    get: (address, init) => fetch(url + address, init),
    async close() {
      await app.close();
      mirror.close();
      writer.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type PlainAnswer = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer };

/** Asks an address without decoding what comes. */
export async function askPlainly(
  address: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<PlainAnswer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(address, { headers, method }, resolve).on('error', reject),
  );
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}
