import { openWatches } from '../../src/store/watch-book.ts';
import { runWatches } from '../../src/watches/run.ts';
import { createWatch } from '../../src/watches/watch-check.ts';
import { webhookChannel } from '../../src/watches/webhook-channel.ts';
import { type DemoServer, saveAll } from './demo-server.ts';

const secret = 'whsec_Z2VoZWltLWdlaGVpbS1nZWhlaW0tZ2VoZWlt';

/** Watches a mirror for promises, lets one come, and tells it to a webhook that takes it. */
export async function watchPromises({ mirror, writer }: DemoServer): Promise<void> {
  const book = openWatches(mirror.path);
  const target = ['https://receiver.example/hook/geheim'];
  await createWatch(
    book,
    mirror,
    {
      ...{
        name: 'promesses',
        words: ['feed', '--types', 'promise'],
        changeTypes: null,
        digest: 'run',
        language: 'fr',
      },
      createdAt: '2026-03-01T06:00:00.000Z',
      channels: [{ kind: 'webhook', target, secret, isPrivate: false }],
    },
    { nowMs: Date.parse('2026-03-01T06:00:00.000Z'), from: null },
  );
  saveAll(
    writer,
    'promise',
    [{ id: 'neuve', title: 'Une <neuve>', text: 'x', date: '2026-03-02' }],
    '2026-03-02T06:00:00.000Z',
  );
  await runWatches(book, mirror, {
    citation: { citation: { name: null, siteUrl: null }, baseUrl: null },
    settings: {
      userAgent: 'test',
      mailServer: null,
      commandEnv: {},
      textOf: () => ({ subject: '', text: '', html: '' }),
      operator: null,
    },
    kinds: [{ ...webhookChannel, send: async () => {} }],
    now: () => Date.parse('2026-03-02T07:00:00.000Z'),
    signal: new AbortController().signal,
    note: () => {},
  });
  book.close();
}
