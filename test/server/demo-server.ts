import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from '../../src/model/document.ts';
import { type Kind, type KindName, kindOf, kinds } from '../../src/model/kinds.ts';
import { createApp } from '../../src/server/app.ts';
import type { ServerSettings } from '../../src/server/serving.ts';
import { saveMeta } from '../../src/store/meta.ts';
import { type Mirror, openMirror, openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/save.ts';
import { atOnce } from '../../src/store/transaction.ts';

export const filledAt = '2026-03-01T06:00:00.000Z';

/** The fictional records of one kind, as the fixtures have them. */
export function demoRecords(kind: Kind): Document[] {
  const text = readFileSync(new URL(`../../fixtures/demo/${kind.plural}.ndjson`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Saves records the way a sync does, and states when it ended. */
export function saveAll(mirror: Mirror, name: KindName, records: Document[], at = filledAt): void {
  atOnce(mirror, () => {
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
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

/** A listening server over a mirror of the fictional records. */
export async function startDemoServer(
  options: { settings?: Partial<ServerSettings>; clock?: () => number; empty?: boolean } = {},
): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-server-'));
  const path = join(folder, 'mirror.db');
  const writer = openWritableMirror(path);
  if (!options.empty) {
    for (const kind of kinds) saveAll(writer, kind.name, demoRecords(kind));
    saveMeta(writer, 'synced_at', filledAt);
  }
  const mirror = openMirror(path);
  const failures: unknown[] = [];
  const app = await createApp({
    mirror,
    settings: {
      citation: { name: 'Transparence Valombre', siteUrl: 'https://transparence.example/' },
      rateLimit: false,
      semantic: false,
      ...options.settings,
    },
    ...(options.clock ? { clock: options.clock } : {}),
    onFailure: (error) => failures.push(error),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    mirror,
    writer,
    failures,
    get: (address, init) => fetch(url + address, init),
    async close() {
      await app.close();
      mirror.close();
      writer.close();
      rmSync(folder, { recursive: true });
    },
  };
}
