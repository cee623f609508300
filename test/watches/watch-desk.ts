import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { type Mirror, saveMeta } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { openWatches, type WatchBook } from '../../src/store/watch-book.ts';
import { listWatches, type NewWatch, type Watch } from '../../src/store/watches.ts';
import type { ChannelKind } from '../../src/watches/channel.ts';
import { channelKinds } from '../../src/watches/channels.ts';
import type { MessageBody } from '../../src/watches/message.ts';
import { runWatches, type WatchReport } from '../../src/watches/run.ts';
import { createWatch } from '../../src/watches/watch-check.ts';
import { webhookChannel } from '../../src/watches/webhook-channel.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

/** A fictional mirror with its watches, a clock that is set by hand, and a webhook that takes what it is given. */
export type WatchDesk = {
  folder: string;
  db: string;
  mirror: Mirror;
  book: WatchBook;
  /** Now, in milliseconds; a test moves it. */
  clock: { nowMs: number };
  /** What webhooks were given, and whether they take it: none of them, or only those at an address. */
  delivered: MessageBody[];
  /** Why messages were not taken. */
  notes: string[];
  refuses: { error: Error | null; url?: string };
  /** Saves records as a sync that finds these of a kind and no others, at the moment of the clock. */
  fill(kind: KindName, records: Document[]): void;
  add(name: string, words: string, more?: Partial<NewWatch>): Promise<number | null | undefined>;
  run(): Promise<WatchReport>;
  watch(name: string): Watch;
  path(name: string): string;
  text(name: string): string;
  remove(): void;
};

/** A webhook, as `watch add` makes it. */
export const webhook: NewWatch['channels'][number] = {
  kind: 'webhook',
  target: ['https://receiver.example/hook'],
  secret: null,
  isPrivate: false,
};

/** Opens a desk whose mirror holds nothing yet, with further rows in the table of channels. */
export function openDesk(...more: ChannelKind[]): WatchDesk {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-watches-'));
  const db = join(folder, 'mirror.db');
  const mirror = openWritableMirror(db);
  saveMeta(mirror, 'service_name', 'Service fictif');
  saveMeta(mirror, 'site_url', 'https://fictif.example');
  const book = openWatches(db);
  const clock = { nowMs: Date.parse('2026-03-01T06:00:00.000Z') };
  const at = () => new Date(clock.nowMs).toISOString();
  const delivered: MessageBody[] = [];
  const notes: string[] = [];
  const refuses: WatchDesk['refuses'] = { error: null };
  const takingWebhook: ChannelKind = {
    ...webhookChannel,
    async send({ target: [url] }, { body }) {
      if (refuses.error && (refuses.url ?? url) === url) throw refuses.error;
      delivered.push(body);
    },
  };
  const kinds = [...channelKinds, ...more].map((kind) => (kind.name === 'webhook' ? takingWebhook : kind));
  const path = (name: string) => join(folder, name);
  return {
    ...{ folder, db, mirror, book, clock, delivered, notes, refuses, path },
    fill(kind, records) {
      transaction(mirror, () => {
        const saver = createSaver(mirror, kindOf(kind), { at: at() });
        for (const record of records) saver.save(record);
        saver.finish();
        withdrawMissing(mirror, kindOf(kind), {
          seenNumbers: saver.seenNumbers,
          at: at(),
        });
      });
      saveMeta(mirror, 'synced_at', at());
    },
    add: (name, words, more = {}) =>
      createWatch(
        book,
        mirror,
        {
          name,
          words: words.split(' '),
          changeTypes: null,
          digest: 'run',
          language: 'en',
          createdAt: at(),
          channels: [webhook],
          ...more,
        },
        { nowMs: clock.nowMs, from: null },
      ),
    run: () =>
      runWatches(book, mirror, {
        citation: { citation: { name: null, siteUrl: null }, baseUrl: null },
        settings: {
          userAgent: 'test',
          mailServer: null,
          commandEnv: {},
          textOf: () => ({ subject: '', text: '', html: '' }),
          operator: null,
        },
        kinds,
        now: () => clock.nowMs,
        signal: new AbortController().signal,
        note: ({ reason }) => void notes.push(reason),
      }),
    watch: (name) => listWatches(book, name)[0]!,
    text: (name) => readFileSync(path(name), 'utf8'),
    remove() {
      book.close();
      mirror.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A fictional promise. */
export function promise(id: string, text: string, more: Document = {}): Document {
  return {
    id,
    politician: 'une-elue',
    title: `Promesse ${id}`,
    text,
    date: '2026-01-01',
    source_ids: ['s1'],
    ...more,
  };
}
