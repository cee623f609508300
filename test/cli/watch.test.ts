import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { watchPath } from '../../src/store/watch-book.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { askProgram } from '../helpers/program.ts';
import { demoRecords, saveAll } from '../server/demo-server.ts';

describe('the commands of watches', () => {
  const servers = listeningServers();
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let got: {
    headers: IncomingHttpHeaders;
    body: Record<'type' | 'text' | 'message' | 'topic', string | undefined>;
  }[];
  let status: number;
  beforeEach(async () => {
    demo = await createDemoMirror();
    got = [];
    status = 204;
  });
  afterEach(() => {
    servers.closeAll();
    demo.remove();
  });

  const env = () => ({ HOME: demo.folder, HEMICYCLE_DB: demo.db });
  const run = (...argv: string[]) => askProgram(argv, { env: env() });
  it('are listed without the mirror if there are none', async () => {
    writeFileSync(demo.db, 'damaged');
    expect(await run('watch', 'list')).to.include({ exit: 0, stdout: '' });
  });

  /** In the folder of the mirror, where a line names files without it. */
  const runThere = (...argv: string[]) => askProgram(argv, { env: env(), cwd: demo.folder });
  const receiver = () =>
    servers.serve((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        got.push({ headers: request.headers, body: JSON.parse(body) });
        response.writeHead(status).end();
      });
    });
  const addParty = (slug: string) => {
    const mirror = openWritableMirror(demo.db);
    const at = new Date().toISOString();
    saveAll(mirror, 'party', [...demoRecords(kindOf('party')), { slug, name: slug }], at);
    saveMeta(mirror, 'synced_at', at);
    mirror.close();
  };

  it('refuse at once, with exit 2, what could never be told, and add nothing', async () => {
    writeFileSync(join(demo.folder, 'not-executable'), '');
    for (const [channel, reason] of [
      [['--command', 'no-such-program'], /the program does not exist/],
      [['--command', './not-executable'], /chmod \+x/],
      [['--mail', 'desk@newsroom.example'], /no mail server is configured/],
      [['--webhook', 'http://127.0.0.1:9/hook'], /--allow-private/],
      [['--webhook', 'http://localhost:9/hook'], /--allow-private/],
      [['--webhook', 'http://127.0.0.1:9/hook', '--allow-private'], /--no-test/],
      [['--webhook', 'https://a.example/x', '--webhook-format', 'pager'], /one of slack, mattermost, ntfy/],
    ] as const) {
      const isRelative = channel[1].startsWith('./');
      const { exit, stderr } = await (isRelative ? runThere : run)('watch', 'add', 'tout', 'changes', ...channel);
      expect([exit, stderr], channel.join(' ')).to.satisfy(
        ([code, message]: [number, string]) => code === 2 && reason.test(message),
      );
    }
    expect(existsSync(watchPath(demo.db))).to.equal(false);
    const untested = ['--webhook', 'http://127.0.0.1:9/hook', '--allow-private', '--no-test'];
    expect((await run('watch', 'add', 'tout', 'changes', ...untested)).exit).to.equal(0);
  });

  it('rest, change, list what was sent, send it once more, and sign with two secrets for a day', async () => {
    const url = await receiver();
    const added = await run('watch', 'add', 'partis', 'changes', '--webhook', url, '--allow-private');
    expect(added.stdout, 'the new secret').to.match(/^whsec_\S+\n$/);
    expect(added.exit, added.stderr).to.equal(0);
    expect(got.map(({ body }) => body.type)).to.deep.equal(['watch.test']);
    expect((await run('watch', 'pause', 'partis')).exit).to.equal(0);
    addParty('parti-neuf');
    await run('watch', 'run');
    expect(got).to.have.length(1);
    await run('watch', 'pause', 'partis', '--resume');
    await run('watch', 'run');
    expect(got).to.have.length(2);
    const { stdout: log } = await run('watch', 'log', 'partis', '--json');
    const [sent] = JSON.parse(log).items;
    expect(sent).to.include({ watch: 'partis', state: 'delivered', attempts: 1, changes: 1 });
    expect((await run('watch', 'rotate-secret', 'partis')).stdout).to.match(/^whsec_/);
    expect((await run('watch', 'redeliver', sent.id)).exit).to.equal(0);
    expect(got[2]!.headers['webhook-id']).to.equal(got[1]!.headers['webhook-id']);
    expect(got[2]!.body).to.deep.equal(got[1]!.body);
    expect(got[2]!.headers['webhook-signature']).to.match(/^v1,\S+ v1,\S+$/);
    const unknown = await run('watch', 'redeliver', 'msg_1');
    expect([unknown.exit, unknown.stderr.includes('watch log')]).to.deep.equal([3, true]);
    const edit = ['edit', 'partis', '--rename', 'groupes', '--only', 'added', '--file', 'p.atom'];
    const edited = await runThere('watch', ...edit);
    expect(edited.exit, edited.stderr).to.equal(0);
    addParty('parti-plus-neuf');
    await run('watch', 'run', 'groupes');
    expect(readFileSync(join(demo.folder, 'p.atom'), 'utf8')).to.include('parti-plus-neuf');
    expect((await run('watch', 'edit', 'groupes', '--drop', '/api/v1')).exit).to.equal(0);
    const { stdout: listed } = await run('watch', 'list', '--json');
    expect(JSON.parse(listed).items[0]).to.include({ name: 'groupes' });
    expect(JSON.parse(listed).items[0].channels.join()).to.match(/^file:.+p\.atom$/);
  });

  it('infers from words the flags that the command of the question infers', async () => {
    for (const [words, expanded] of [
      [
        ['ballots', 'LDA', 'vergers'],
        ['ballots', '--group', 'LDA', '--query', 'vergers'],
      ],
      [
        ['ballots', 'vergers', '--group', 'LDA'],
        ['ballots', '--query', 'vergers', '--group', 'LDA'],
      ],
      [
        ['feed', 'Bruyèvre', '--chamber', 'AN'],
        ['feed', '--politician', 'Bruyèvre', '--chamber', 'AN'],
      ],
      [
        ['search', 'LDA', 'vergers'],
        ['search', 'LDA', 'vergers'],
      ],
    ] as const) {
      const name = words.join('.').replaceAll('-', '');
      const { stdout, stderr } = await run('watch', 'add', name, ...words, '--file', `${name}.atom`, '--json');
      expect(JSON.parse(stdout || '{}'), stderr).to.deep.include({ question: expanded });
      const rows = await run(...words, '--format', 'ndjson', '--limit', '1000');
      expect(JSON.parse(stdout).known, name).to.equal(rows.stdout.split('\n').filter((row) => row !== '').length);
    }
  });

  it('note from when on changes are reported', async () => {
    const note = async (...words: string[]) => (await run('watch', 'add', ...words, '--file', 'x.atom')).stderr;
    expect(await note('a', 'feed')).to.match(/^the watch a starts with \S+ rows, and reports changes from now on$/m);
    expect(await note('b', 'changes')).to.match(/^the watch b reports changes from now on$/m);
    expect(await note('c', 'changes', '--from', '2026-11-20')).to.match(/^the watch c reports changes since .*2026/m);
  });

  it('write what Slack, Mattermost and ntfy take, unsigned and without markup of ours or theirs', async () => {
    const url = `${await receiver()}/sujet`;
    for (const format of ['slack', 'mattermost', 'ntfy']) {
      const words = ['changes', '--webhook', url, '--webhook-format', format, '--allow-private'];
      const { exit, stdout } = await run('watch', 'add', format, ...words);
      expect([exit, stdout]).to.deep.equal([0, '']);
    }
    got = [];
    addParty('<b>_neuf_</b>');
    await run('watch', 'run');
    const byFormat = got.map(({ body, headers }) => ({ ...body, signed: headers['webhook-signature'] }));
    expect(byFormat).to.have.length(3);
    const texts = byFormat.map(({ text, message }) => text ?? message);
    expect(texts.filter((text) => text!.includes('&lt;b&gt;_neuf_&lt;/b&gt;'))).to.have.length(1);
    expect(texts.filter((text) => text!.includes('<b\\>\\_neuf\\_</b\\>'))).to.have.length(1);
    expect(byFormat.find(({ topic }) => topic)).to.deep.include({ topic: 'sujet', signed: undefined });
  });
});
