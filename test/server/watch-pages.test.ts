import { expect } from 'chai';
import { serverSettings } from '../../src/server/run/settings.ts';
import { openWatches } from '../../src/store/watches.ts';
import { createWatch } from '../../src/watches/look.ts';
import { runWatches } from '../../src/watches/run.ts';
import { webhookChannel } from '../../src/watches/webhook-channel.ts';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

const secret = 'whsec_Z2VoZWltLWdlaGVpbS1nZWhlaW0tZ2VoZWlt';

/** Watches a mirror for promises, lets one come, and tells it to a webhook that takes it. */
async function watchPromises({ mirror, writer }: DemoServer): Promise<void> {
  const book = openWatches(mirror.path);
  const target = ['https://receiver.example/hook/geheim'];
  await createWatch(
    book,
    mirror,
    {
      ...{
        name: 'promesses',
        words: ['feed', '--types', 'promise'],
        only: null,
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
      mailOf: () => ({ subject: '', text: '' }),
    },
    kinds: [{ ...webhookChannel, send: async () => {} }],
    now: () => Date.parse('2026-03-02T07:00:00.000Z'),
    signal: new AbortController().signal,
    note: () => {},
  });
  book.close();
}

describe('what watches told', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer({ settings: { showsWatches: true } });
  });
  after(() => server.close());
  const html = { accept: 'text/html' };

  it('stands on no page where nothing is watched, and then on one, with feeds, and without secrets', async () => {
    expect((await server.app.inject({ url: '/watches', headers: html })).statusCode).to.equal(404);
    expect((await server.app.inject('/watches/promesses.atom')).statusCode).to.equal(404);
    await watchPromises(server);
    const page = await server.app.inject({ url: '/watches?lang=fr', headers: html });
    expect(page.statusCode).to.equal(200);
    expect(page.body)
      .to.include('<h1>Veilles</h1>')
      .and.include('feed --types promise')
      .and.include('href="/watches/promesses.atom"')
      .and.include('Une &lt;neuve&gt;');
    const atom = await server.app.inject('/watches/promesses.atom');
    expect(atom.headers['content-type']).to.equal('application/atom+xml; charset=utf-8');
    expect(atom.body).to.include('/records/promise/neuve"/>').and.include('nouveau: Une');
    const json = await server.app.inject('/watches/promesses.json');
    expect(json.json().items).to.have.length(1);
    for (const { body } of [page, atom, json]) expect(body).to.not.match(/whsec_|geheim|receiver\.example/);
    const { etag } = atom.headers;
    const again = await server.app.inject({
      url: '/watches/promesses.atom',
      headers: { 'if-none-match': etag! },
    });
    expect(again.statusCode).to.equal(304);
    for (const name of ['promesses', 'none.atom', 'promesses.xml'])
      expect((await server.app.inject(`/watches/${name}`)).statusCode, name).to.equal(404);
  });

  it('is shown on this machine alone unless whoever runs the server says otherwise', async () => {
    const flags = {
      ...{ host: '127.0.0.1', port: 0, 'rate-limit': 'on', 'limit-store-down': 'open', workers: 1 },
      ...{ 'metrics-host': '127.0.0.1', 'log-query': false, mcp: false },
    };
    const user = {
      ...{ citation: { name: null, siteUrl: null }, baseUrl: null, db: 'x' },
      ...{ semanticSearch: false, thesaurus: null, embeddings: null },
    };
    const shows = async (more: object) =>
      (await serverSettings({ ...flags, ...more }, user, { viewerTokenFile: 'x' })).showsWatches;
    expect(await shows({})).to.equal(true);
    expect(await shows({ host: '0.0.0.0' })).to.equal(false);
    expect(await shows({ 'trust-proxy': '127.0.0.1' })).to.equal(false);
    expect(await shows({ 'allow-host': 'data.example' })).to.equal(false);
    expect(await shows({ host: '0.0.0.0', watches: true })).to.equal(true);
    const other = await startDemoServer({ settings: { showsWatches: false } });
    try {
      await watchPromises(other);
      expect((await other.app.inject('/watches/promesses.atom')).statusCode).to.equal(404);
    } finally {
      await other.close();
    }
  });
});
