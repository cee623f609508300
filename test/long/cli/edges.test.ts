import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { outputFormats } from '../../../src/terminal/list.ts';
import { createDemoMirror, demoMirrorForEach } from '../../helpers/demo-mirror.ts';
import { dialects } from '../../helpers/dialects.ts';
import { startFakeService } from '../../helpers/fake-service.ts';
import { listeningServers } from '../../helpers/loopback-servers.ts';
import { makeOlder } from '../../helpers/older-mirror.ts';
import { askProgram, runAtTerminal } from '../../helpers/program.ts';

const program = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));

describe('the program at its edges', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(argv, { env: demo.env });

  it('ends quietly with exit 0 when its reader leaves', async () => {
    const child = spawn(process.execPath, [program, 'export', 'content'], {
      env: { ...process.env, ...demo.env },
    });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect(exit).to.equal(0);
    expect(stderr).not.to.match(/Error|EPIPE/);
  });

  it('ends with exit 0 when the reader of its remarks leaves', async () => {
    const child = spawn(process.execPath, [program, 'parties'], { env: { ...process.env, ...demo.env } });
    child.stderr.destroy();
    child.stdout.resume();
    expect(await new Promise((resolve) => child.on('close', resolve))).to.equal(0);
  });

  it('takes no argument from standard input', async () => {
    const { stdout, exit } = await askProgram(['parties', '--format', 'csv', '--columns', 'slug', '--no-header'], {
      env: demo.env,
      input: 'parti-du-verger\n',
    });
    expect(exit).to.equal(0);
    expect(stdout.trim().split('\n')).to.have.length(8);
  });

  it('says with exit 2 that a command, a flag or a value is unknown', async () => {
    for (const argv of [
      ['ministries'],
      ['politicians', '--height'],
      ['vote', 'X', '--chamber', 'Lords'],
      ['feed', '--limit', '0'],
      ['search'],
    ]) {
      expect((await run(...argv)).exit, argv.join(' ')).to.equal(2);
    }
  });

  it('refuses two formats at once with exit 2, and takes one that is named twice', async () => {
    for (const argv of [
      ['politicians', '--json', '--format', 'csv'],
      ['search', 'pommes', '--format=table', '--json'],
      ['status', '--json', '--format', 'markdown'],
      ['export', 'parties', '--json', '--format', 'csv'],
    ]) {
      const { exit, stdout, stderr } = await run(...argv);
      expect({ exit, stdout }, argv.join(' ')).to.deep.equal({ exit: 2, stdout: '' });
      expect(JSON.parse(stderr).error.message).to.match(/^--json asks for (nd)?json, and --format for \w+$/);
    }
    expect(JSON.parse((await run('parties', '--json', '--format', 'json')).stdout).items).to.have.length(8);
    expect((await run('export', 'parties', '--json', '--format', 'ndjson')).stdout).to.match(/^\{"slug"/);
  });

  it('says with exit 2 which kinds a sync can bring, where one is named that it cannot', async () => {
    for (const kinds of ['speech', 'politicians,speeches']) {
      const { exit, stdout, stderr } = await run('sync', '--only', kinds, '--dry-run', '--from', 'http://127.0.0.1:1');
      expect({ exit, stdout }).to.deep.equal({ exit: 2, stdout: '' });
      expect(stderr)
        .to.include('a sync cannot fetch speeches')
        .and.match(/can fetch: politician, party, .*audit;/);
    }
    const planned = await run('sync', '--only', 'audit', '--dry-run', '--from', 'http://127.0.0.1:1');
    expect([planned.exit, planned.stdout]).to.satisfy(
      ([exit, plan]: [number, string]) => exit === 0 && /^audit +1 /.test(plan),
    );
  });

  it('says with exit 10 that there is no mirror, and two ways to get one', async () => {
    const { exit, stderr } = await askProgram(['politicians'], { env: { HOME: join(demo.folder, 'empty') } });
    expect(exit).to.equal(10);
    expect(stderr)
      .to.match(/hemicycle init URL/)
      .and.match(/hemicycle import FOLDER/);
  });

  it('says with exit 10 that a mirror is damaged', async () => {
    const bytes = readFileSync(demo.db);
    bytes.fill(0x55, 16_384);
    writeFileSync(demo.db, bytes);
    const { exit, stderr } = await run('politicians');
    expect(exit).to.equal(10);
    expect(stderr).to.include('is damaged');
  });

  it('refuses a mirror older than --max-age with exit 8', async () => {
    expect((await run('status', '--max-age', '1s')).exit).to.equal(8);
    expect((await run('politicians', '--max-age', 'soon')).exit).to.equal(2);
  });

  it('lets no control, bidi or zero-width character of a record reach a terminal', async () => {
    const folder = join(demo.folder, 'hostile');
    mkdirSync(folder);
    const hostile = 'Le\u001b[2J\u0007 ph\u200bare \u202etourne\u2066 \u0085vite\u009b31m';
    writeFileSync(
      join(folder, 'content.ndjson'),
      `${JSON.stringify({ id: 'x', title: hostile, text: hostile, date: '2030-01-01', politician: hostile })}\n`,
    );
    expect((await run('import', folder)).exit).to.equal(0);
    for (const format of outputFormats) {
      const { stdout } = await runAtTerminal(['feed', '--limit', '1', '--format', format, '--no-color'], {
        env: demo.env,
      });
      expect(stdout.split('').filter(isHidden), format).to.deep.equal([]);
    }
  });

  it('honours NO_COLOR and --no-color at a terminal', async () => {
    const plain = await runAtTerminal(['parties'], { env: { ...demo.env, NO_COLOR: '1' } });
    expect(plain.stdout).not.to.include('\u001b');
    expect((await runAtTerminal(['parties', '--no-color'], { env: demo.env })).stdout).not.to.include('\u001b');
    expect((await runAtTerminal(['parties'], { env: demo.env })).stdout).to.include('\u001b[1m');
  });

  it('keeps no setting of a form that it could not use, and forgets one that was kept', async () => {
    const wrong = [
      ['base-url', 'ftp://service.example'],
      ['auth-header', 'no token'],
      ['rate', 'fast'],
      ['lang', 'volapük'],
      ['semantic-search', 'perhaps'],
      ['embeddings-url', 'nowhere'],
      ['mail-from', 'nobody'],
    ];
    const ended = await Promise.all([
      ...wrong.map(([key = '', value = '']) => run('config', 'set', key, value)),
      askProgram(['config', 'set', 'smtp-url'], { env: demo.env, input: 'https://mail.example\n' }),
      askProgram(['config', 'set', 'embeddings-key'], { env: demo.env, input: 'one\ntwo\n' }),
    ]);
    expect(ended.map(({ exit }) => exit)).to.deep.equal([...wrong.map(() => 10), 10, 2]);
    const path = join(demo.folder, '.config', 'hemicycle', 'config.json');
    expect(existsSync(path)).to.equal(false);
    for (const [key = '', value = ''] of [
      ['mail-from', 'Veille <veille@maison.example>'],
      ['lang', 'fr'],
    ])
      expect((await run('config', 'set', key, value)).exit).to.equal(0);
    writeFileSync(path, '{"lang":"volapük"}');
    expect((await run('config', 'unset', 'lang')).exit).to.equal(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).to.deep.equal({});
  });

  it('refuses an invalid value as a usage error where a flag has it, and as a configuration error elsewhere', async () => {
    const { exit, stderr } = await run('sync', '--from', 'notaurl');
    expect([exit, stderr.includes('"notaurl" is not a web address')]).to.deep.equal([2, true]);
    expect((await run('sync', '--from', 'https://service.example', '--rate', 'fast')).exit).to.equal(2);
    const env = { ...demo.env, HEMICYCLE_BASE_URL: 'notaurl' };
    expect((await askProgram(['sync'], { env })).exit).to.equal(10);
  });

  it('keeps the token in a file of mode 0600 and shows it nowhere', async () => {
    expect((await run('config', 'set', 'token', 'secret-1')).exit).to.equal(2);
    expect((await askProgram(['config', 'set', 'token'], { env: demo.env, input: 'secret-2\n' })).exit).to.equal(0);
    const file = join(demo.folder, '.config/hemicycle/config.json');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const shown = await run('config', 'list', '--origin');
    expect(shown.stdout).to.include('(set, not shown)').and.not.include('secret');
    expect((await run('config', 'get', 'token')).stdout).not.to.include('secret');
    await run('config', 'unset', 'token');
    expect(readFileSync(file, 'utf8')).not.to.include('secret');
  });

  it('takes a list of ids that is not there for a mistake', async () => {
    const ended = await run('sync', '--from', 'http://127.0.0.1:9', '--ids-from', '/nope', '--dry-run');
    expect([ended.exit, ended.stderr.split('\n')[0]]).to.deep.equal([
      2,
      'Error: --ids-from /nope cannot be read (ENOENT)',
    ]);
  });

  it('refuses settings that make no sense with exit 10', async () => {
    const bad: Record<string, string>[] = [
      { HEMICYCLE_BASE_URL: 'ftp://x' },
      { HEMICYCLE_RATE: 'fast' },
      { HEMICYCLE_AUTH_HEADER: 'no token' },
      { HEMICYCLE_BASE_URL: 'https://service.example', HEMICYCLE_RATE: '61' },
    ];
    for (const settings of bad) {
      expect(
        (await askProgram(['status'], { env: { ...demo.env, ...settings } })).exit,
        JSON.stringify(settings),
      ).to.equal(10);
    }
  });

  it('asks no network with --source mirror, and calls nothing absent when the service cannot be reached', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const there = { ...demo.env, HEMICYCLE_BASE_URL: origin };
    expect((await askProgram(['vote', 'VAL1V999', '--source', 'mirror'], { env: there })).exit).to.equal(3);
    expect(requests).to.deep.equal([]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { exit, stderr } = await askProgram(['vote', 'VAL1V999'], { env: there });
    expect(exit).to.equal(6);
    expect(stderr)
      .to.match(/Error: .*votes.VAL1V999/)
      .and.include('no ballot VAL1V999 of the chamber AN is in the mirror');
    const near = await askProgram(['politicians', 'oceane-bruyevra'], { env: there });
    expect([near.exit, near.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 6 && text.includes('oceane-bruyevre'),
    );
  });

  it('asks the service for what the mirror never held, keeps it, and does not ask again', async () => {
    const service = await startFakeService(dialects[0]!);
    service.records.politicians!.push({
      slug: 'aube-nouvelle',
      full_name: 'Aube Nouvelle',
      current_role: null,
      source_ids: [],
    });
    const there = { ...demo.env, HEMICYCLE_BASE_URL: service.baseUrl };
    const first = await askProgram(['politicians', 'aube-nouvelle', '--json'], { env: there });
    expect(JSON.parse(first.stdout)).to.have.nested.property('item.full_name', 'Aube Nouvelle');
    expect(JSON.parse(first.stdout).origin.from).to.equal('service');
    const requestCount = service.requests.length;
    const second = await askProgram(['politicians', 'Aube Nouvelle', '--json'], { env: there });
    expect(JSON.parse(second.stdout).origin.from).to.equal('mirror');
    expect(service.requests.length).to.equal(requestCount);
    await service.close();
  });

  it('keeps nothing of what the service answers in the mirror of an older program, and shows it', async () => {
    const old = await createDemoMirror();
    const database = new Database(old.db);
    makeOlder(database, 1);
    database.close();
    const bytes = readFileSync(old.db);
    const service = await startFakeService(dialects[0]!);
    const added = { slug: 'aube-nouvelle', full_name: 'Aube Nouvelle', current_role: null, source_ids: [] };
    service.records.politicians!.push(added);
    const there = { HOME: old.folder, HEMICYCLE_DB: old.db, HEMICYCLE_BASE_URL: service.baseUrl };
    for (const source of ['auto', 'service']) {
      const answer = await askProgram(['politicians', 'aube-nouvelle', '--source', source], { env: there });
      expect({ source, exit: answer.exit }).to.deep.equal({ source, exit: 0 });
      expect(answer.stdout).to.include('Aube Nouvelle');
      expect(answer.stderr).to.include('was written by an older Hemicycle: the response is not cached');
    }
    expect(readFileSync(old.db).equals(bytes)).to.equal(true);
    await service.close();
    old.remove();
  });

  it('says on stderr who answered, in JSON too, and with JSON an error is all that stands there', async () => {
    const service = await startFakeService(dialects[0]!);
    const there = { ...demo.env, HEMICYCLE_BASE_URL: service.baseUrl };
    for (const argv of [['parties', 'parti-du-verger'], ['parties'], ['search', 'phare']]) {
      expect((await run(...argv, '--json')).stderr, argv[0]!).to.match(/^from the mirror, as of \S+\n$/);
      expect((await run(...argv, '--json', '--quiet')).stderr).to.equal('');
    }
    const answer = await askProgram(['vote', 'VAL1V999', '--json'], { env: there });
    expect(JSON.parse(answer.stderr).error).to.include({ code: 'NOT_FOUND', exit: 3 });
    await service.close();
    const unreachable = await askProgram(['parties', '--source', 'service', '--format=json'], { env: there });
    expect(JSON.parse(unreachable.stderr).error).to.include({ code: 'NETWORK', exit: 6 });
    for (const argv of [['ministries'], ['topics', 'x', 'y'], ['config', 'nope']]) {
      const { stderr, exit } = await run(...argv, '--json');
      expect(JSON.parse(stderr).error, argv.join(' ')).to.include({ code: 'USAGE', exit: 2 });
      expect(exit).to.equal(2);
    }
  });

  it('fills a demo mirror of its own, whatever is set for a real service, and touches nothing that is not the demo’s', async () => {
    const folder = join(demo.folder, 'demo');
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const out = join(folder, 'out');
    const set = {
      HEMICYCLE_TOKEN: 'secret',
      HEMICYCLE_RATE: '10',
      HEMICYCLE_SITE_URL: 'https://service.example',
      HTTP_PROXY: 'http://127.0.0.1:1',
    };
    for (const [env, ...argv] of [
      [{}, 'demo'],
      [set, 'demo', '--db', join(demo.folder, 'own.db')],
    ] as const) {
      const { exit, stdout, stderr } = await askProgram([...argv], { env: { ...demo.env, ...env } });
      expect([exit, stderr.includes('Error')], argv.join(' ')).to.deep.equal([0, false]);
      expect(stdout).to.include('https://valombre.example').and.not.include('https://service.example');
      // As a version with other columns would have left it.
      const described = readFileSync(join(out, 'datapackage.json'), 'utf8');
      writeFileSync(join(out, 'datapackage.json'), described.replaceAll('"votes_for"', '"for"'));
      writeFileSync(join(out, 'notes.txt'), 'mine');
    }
    for (const path of [folder, out]) expect(readFileSync(join(path, 'notes.txt'), 'utf8'), path).to.equal('mine');
    for (const db of [join(folder, 'mirror.db'), join(demo.folder, 'own.db')])
      expect((await run('status', '--db', db)).stdout).to.match(/politician +50 /);
    const before = (await run('politicians', '--format', 'csv')).stdout;
    const refused = await run('demo', '--db', demo.db);
    expect([refused.exit, refused.stderr.includes('is not the demo’s mirror')]).to.deep.equal([2, true]);
    expect((await run('politicians', '--format', 'csv')).stdout).to.equal(before);
  });

  it('says what is left of the budget of the service that the mirror came from', async () => {
    const service = await startFakeService(dialects[0]!);
    const there = { HOME: demo.folder, HEMICYCLE_DB: join(demo.folder, 'new.db') };
    await askProgram(['sync', '--from', service.baseUrl, '--only', 'audit', '--quiet'], { env: there });
    const { stdout } = await askProgram(['status', '--json'], { env: there });
    expect(JSON.parse(stdout).budget).to.deep.equal({ limit: 60, left: 59, blocked_until: null });
    await service.close();
  });

  it('links the service that it was synced from where no address is stated, and says so in status alone', async () => {
    const service = await startFakeService(dialects[0]!);
    const there = { HOME: demo.folder, HEMICYCLE_DB: join(demo.folder, 'new.db') };
    await askProgram(['sync', '--from', service.baseUrl, '--only', 'audit', '--quiet'], { env: there });
    await service.close();
    const { origin } = new URL(service.baseUrl);
    const [log, status] = await Promise.all(
      ['audit', 'status'].map((name) => askProgram([name, '--json'], { env: there })),
    );
    expect(JSON.parse(log!.stdout).attribution).to.include({
      url: origin,
      text: `Source: Public Political Information Service (${origin}); free for non-commercial use`,
    });
    expect(log!.stderr).not.to.include('site-url');
    expect(JSON.parse(status!.stdout).site_url_assumed).to.equal(true);
    expect(status!.stderr.match(/^.*site-url.*$/gm)).to.deep.equal([
      `attribution links to ${origin}, which is assumed; set the address with: hemicycle config set site-url URL`,
    ]);
    const withSiteUrl = await askProgram(['status'], {
      env: { ...there, HEMICYCLE_SITE_URL: 'https://x.example' },
    });
    expect(withSiteUrl.stdout).to.include('(https://x.example)');
    expect(withSiteUrl.stderr).not.to.include('site-url');
  });

  it('warns once of a mirror that no address is known of: in status and in exports, however quiet', async () => {
    const there = { HOME: demo.folder, HEMICYCLE_DB: join(demo.folder, 'new.db') };
    const fixtures = fileURLToPath(new URL('../../../fixtures/demo', import.meta.url));
    await askProgram(['import', join(fixtures, 'parties.ndjson')], { env: there });
    const unlinked = /^.*no address of the service is known.*config set site-url URL$/gm;
    const warnings = async (...argv: string[]) => {
      const { stdout, stderr, exit } = await askProgram(argv, { env: there });
      expect([exit, /address not set|null\)/.test(stdout + stderr)], argv.join(' ')).to.deep.equal([0, false]);
      return stderr.match(unlinked)?.length ?? 0;
    };
    expect(await warnings('parties')).to.equal(0);
    expect(await warnings('status')).to.equal(1);
    expect(await warnings('export', 'parties', '--quiet')).to.equal(1);
    for (const target of [
      ['-o', 'parties.csv'],
      ['-o', 'out/'],
      ['--sqlite', 'facts.db'],
    ]) {
      const argv = ['export', 'parties', '--quiet', target[0]!, join(demo.folder, target[1]!)];
      expect(await warnings(...argv)).to.equal(1);
    }
    expect(readFileSync(join(demo.folder, 'out', 'LICENSE.txt'), 'utf8')).to.include(
      'cite Public Political Information Service by its name.\n',
    );
  });

  it('lets an error of a long run with --json stand alone on stderr, and tells what it did where it ends well', async () => {
    const servers = listeningServers();
    const nothing = await servers.serve((_, response) => response.writeHead(404).end('none'));
    const from = ['--from', nothing, '--db', join(demo.folder, 'none.db')];
    for (const argv of [
      ['sync', ...from],
      ['backup', '-o', 'x'],
      ['restore', 'nowhere.tar'],
    ]) {
      const { stderr, exit } = await run(...argv, '--json');
      expect(JSON.parse(stderr).error.exit, argv[0]!).to.equal(exit).and.be.greaterThan(0);
    }
    servers.closeAll();
    const { stderr } = await run('import', 'fixtures/demo', '--json');
    expect(stderr).to.match(/^\w+: 0 added[\s\S]*the mirror is .+\n$/);
  });

  it('advises a wait for another run only where the command can wait', async () => {
    const { takeLock } = await import('../../../src/store/lock.ts');
    const lock = await takeLock(demo.db, { sleep: async () => {} });
    const hint = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stderr).error.hint;
    const again = 'wait until it ends, then run this again';
    expect(await hint('import', 'fixtures/demo')).to.equal(again);
    expect(await hint('sync', '--from', 'http://127.0.0.1:9')).to.equal(`use \`--wait-lock 5m\` to wait\n${again}`);
    lock.close();
  });

  it('says of a file to match or verify that it is not there', async () => {
    for (const argv of [
      ['match', 'no.csv', '--column', 'x'],
      ['export', 'verify', 'no.csv'],
    ])
      expect((await run(...argv)).stderr).to.match(/^Error: no\.csv: it is not there\nname a /);
  });

  it('gives a citation and an address as rows, too, in the formats of rows', async () => {
    for (const [name, field] of [
      ['cite', 'citation'],
      ['open', 'url'],
    ] as const) {
      const outputAs = async (format: string) =>
        (await run(name, 'politician', 'oceane-bruyevre', '--format', format)).stdout;
      const row = JSON.parse(await outputAs('ndjson'));
      expect(await outputAs('table'))
        .to.equal(`${row[field]}\n`)
        .and.equal(await outputAs('markdown'));
      expect((await outputAs('csv')).split('\n')[0]).to.equal(Object.keys(row).join(','));
    }
  });

  it('asks the service by a name as by a slug', async () => {
    const service = await startFakeService(dialects[0]!);
    const there = { HOME: demo.folder, HEMICYCLE_DB: join(demo.folder, 'new.db') };
    const ask = (...argv: string[]) =>
      askProgram([...argv, '--source', 'service', '--json'], {
        env: { ...there, HEMICYCLE_BASE_URL: service.baseUrl },
      });
    const slugIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout).item.slug;
    expect(slugIn(await ask('parties', 'Parti du Verger'))).to.equal('parti-du-verger');
    expect(slugIn(await ask('parties', 'verger'))).to.equal('parti-du-verger');
    expect(slugIn(await ask('politicians', 'Océane Bruyèvre'))).to.equal('oceane-bruyevre');
    expect((await ask('politicians', 'camille-personne')).exit).to.equal(3);
    await ask('feed', '--party', 'Parti du Verger');
    expect(service.requests.at(-1)!.query.get('party')).to.equal('parti-du-verger');
    await service.close();
  });

  it('shows of a search what was asked for, from a service that knows its words alone', async () => {
    const hits = ['party', 'content', 'content', 'content'].map((type, n) => ({
      type,
      id: `${n}`,
      title: 'T',
    }));
    const searches: string[] = [];
    const server = createServer((request, response) => {
      const { searchParams, search } = new URL(request.url ?? '', 'http://x');
      searches.push(search);
      response.statusCode = [...searchParams.keys()].join() === 'q' ? 200 : 422;
      response.end(JSON.stringify(response.statusCode === 200 ? { results: hits } : { detail: 'unknown parameter' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const there = {
      ...demo.env,
      HEMICYCLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    const argv = ['search', 'phare', '--source', 'service', '--type', 'content', '--limit', '2', '--format', 'csv'];
    const { stdout, stderr, exit } = await askProgram([...argv, '--columns', 'id'], { env: there });
    expect([stdout, exit]).to.deep.equal(['id\n1\n2\n', 0]);
    expect(stderr).to.include('shown 2 of 3');
    expect(searches.at(-1)).to.equal('?q=phare');
    const whole = await askProgram([...argv.slice(0, 4), '--json'], { env: there });
    const { mode, method, fallback, relaxed, corrected, counts, suggestions } = JSON.parse(whole.stdout);
    expect([mode, method, fallback, relaxed]).to.deep.equal(['fulltext', 'words', false, null]);
    expect({ corrected, counts, suggestions }).to.deep.equal({ corrected: [], counts: {}, suggestions: [] });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('says in JSON which way a search went, whether or not meaning was asked for', async () => {
    const searchSummary = async (argv: string[], more: Record<string, string> = {}) => {
      const { stdout } = await askProgram(['search', ...argv, '--json'], { env: { ...demo.env, ...more } });
      const { mode, fallback, suggestions, items, near } = JSON.parse(stdout);
      return [mode, fallback, suggestions, items.length > 0, near?.relaxed];
    };
    expect(await searchSummary(['retraites'])).to.deep.equal(['fulltext', false, [], true, undefined]);
    const sentence = ['comment', 'payer', 'les', 'retraites', 'demain', '--semantic'];
    expect(await searchSummary(sentence)).to.deep.equal(['fulltext', true, [], false, 'any-word']);
    const on = { FEATURE_SEMANTIC_SEARCH: 'true' };
    expect(await searchSummary(sentence, on)).to.deep.equal(['semantic', false, [], true, undefined]);
  });

  it('names the file and line of a bad record, with exit 5', async () => {
    const folder = join(demo.folder, 'bad');
    mkdirSync(folder);
    writeFileSync(join(folder, 'quotes.ndjson'), '{"id":"a"}\n{"id":\n');
    const { exit, stderr } = await run('import', folder, '--json');
    expect(exit).to.equal(5);
    writeFileSync(join(folder, 'sources.ndjson'), '{"id":"s1"}\n');
    expect(JSON.parse(stderr).error).to.include({ code: 'BAD_INPUT', exit: 5 });
    expect(stderr).to.include('quotes.ndjson:2');
    writeFileSync(join(folder, 'promises.ndjson'), 'bad\n');
    const { message, hint } = JSON.parse((await run('import', folder, '--json')).stderr).error;
    expect(`${message}\n${hint}`).to.include('quotes.ndjson:2').and.include('promises.ndjson:1');
  });

  it('writes a file whole or not at all, and never through a link', async () => {
    const out = join(demo.folder, 'out');
    mkdirSync(out);
    expect((await run('export', 'parties', '-o', join(out, 'parties.csv'))).exit).to.equal(0);
    expect(readdirSync(out).sort()).to.deep.equal(['parties.csv', 'parties.csv.meta.json']);
    symlinkSync(join(out, 'elsewhere.csv'), join(out, 'link.csv'));
    expect((await run('export', 'parties', '-o', join(out, 'link.csv'))).exit).to.equal(10);
    expect((await run('export', 'parties', '-o', join(out, 'missing/parties.csv'))).exit).to.equal(10);
    expect(existsSync(join(out, 'elsewhere.csv'))).to.equal(false);
  });

  it('exports the same bytes twice, with sums that hold', async () => {
    for (const folder of ['one/', 'two/'])
      expect((await run('export', '--all', '-o', join(demo.folder, folder))).exit).to.equal(0);
    const names = readdirSync(join(demo.folder, 'one')).sort();
    expect(names).to.include.members([
      'datapackage.json',
      'LICENSE.txt',
      'ATTRIBUTION.txt',
      'SHA256SUMS',
      'ballots.csv',
    ]);
    for (const name of names) {
      expect(
        readFileSync(join(demo.folder, 'two', name)).equals(readFileSync(join(demo.folder, 'one', name))),
        name,
      ).to.equal(true);
    }
    const check = spawn('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(demo.folder, 'one') });
    expect(await new Promise((resolve) => check.on('close', resolve))).to.equal(0);
  });

  it('prints the plan of a sync without asking, and writes the report of one', async () => {
    const service = await startFakeService(dialects[0]!);
    const db = join(demo.folder, 'synced.db');
    const plan = await run('sync', '--from', service.baseUrl, '--db', db, '--dry-run', '--json');
    expect(JSON.parse(plan.stdout).requests).to.equal(8);
    expect(service.requests).to.deep.equal([]);
    const report = join(demo.folder, 'report.json');
    const { exit } = await run(
      'sync',
      '--from',
      service.baseUrl,
      '--db',
      db,
      '--rate',
      '100000',
      '--quiet',
      '--report',
      report,
    );
    expect(exit).to.equal(0);
    expect(JSON.parse(readFileSync(report, 'utf8'))).to.deep.include({
      exit: 0,
      requests: service.requests.length,
      errors: [],
    });
    await service.close();
  });

  it('refuses a report that could not be written before it asks anything, and writes one of whatever went wrong', async () => {
    const service = await startFakeService(dialects[0]!);
    const from = ['--from', service.baseUrl, '--db', join(demo.folder, 'reported.db')];
    const nowhere = await run('sync', ...from, '--report', join(demo.folder, 'no', 'report.json'));
    expect([nowhere.exit, service.requests.length]).to.deep.equal([10, 0]);
    expect(nowhere.stderr).to.include('report.json').and.include('choose another target with --report');
    await service.close();
    const report = join(demo.folder, 'report.json');
    const readReport = () => JSON.parse(readFileSync(report, 'utf8'));
    const lock = new Database(`${demo.db}.lock`);
    lock.exec('BEGIN EXCLUSIVE');
    const locked = await run('sync', '--from', 'http://127.0.0.1:9/api/v1', '--report', report);
    lock.close();
    expect([locked.exit, readReport().exit, readReport().errors[0].code]).to.deep.equal([9, 9, 'LOCKED']);
    const unset = await run('sync', '--report', report);
    expect([unset.exit, readReport().exit, readReport().origin]).to.deep.equal([10, 10, null]);
    expect(readdirSync(demo.folder).filter((name) => name.startsWith('.hemicycle-'))).to.deep.equal([]);
  });

  it('ends a sync that waits at the first Ctrl-C, with exit 130 and what to do', async () => {
    const service = await startFakeService(dialects[0]!);
    const db = join(demo.folder, 'interrupted.db');
    const report = join(demo.folder, 'interrupted.json');
    const child = spawn(
      process.execPath,
      [program, 'sync', '--from', service.baseUrl, '--db', db, '--rate', '7', '--report', report],
      { env: { ...process.env, ...demo.env } },
    );
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      if (String(chunk).includes('feed')) child.kill('SIGINT');
    });
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect(exit).to.equal(130);
    expect(stderr).to.include('to continue: hemicycle sync --from');
    expect(JSON.parse(readFileSync(report, 'utf8'))).to.include({ exit: 130, origin: service.baseUrl });
    await service.close();
  });

  it('refuses filters of a list beside the name of one record, and takes what arranges a list', async () => {
    for (const [command, name, ...flags] of [
      ['politicians', 'Océane Bruyèvre', '--subject', 'zzz'],
      ['politicians', 'oceane-bruyevre', '--party', 'ADR'],
      ['politicians', 'oceane-bruyevre', '-q', 'trains'],
      ['politicians', 'oceane-bruyevre', '--in-office'],
    ] as const) {
      const { exit, stderr, stdout } = await askProgram([command, name, ...flags], { env: demo.env });
      expect(exit, flags.join(' ')).to.equal(2);
      expect(stderr).to.include(flags[0] === '-q' ? '--query' : flags[0]);
      expect(stdout).to.equal('');
    }
    const { exit } = await askProgram(['parties', 'ADR', '--limit', '3'], { env: demo.env });
    expect(exit).to.equal(0);
  });
});

/** Characters that draw nothing and change what stands around them; line ends are none of them. */
function isHidden(character: string): boolean {
  const code = character.charCodeAt(0);
  const ranges = [
    [0x00, 0x08],
    [0x0b, 0x1f],
    [0x7f, 0x9f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x2069],
  ];
  return ranges.some(([first, last]) => code >= first! && code <= last!);
}
