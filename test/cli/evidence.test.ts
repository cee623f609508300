import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { fillWithPast, forgedEvidence } from '../evidence/evidence-samples.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { createProxy, listeningServers } from '../helpers/loopback-servers.ts';
import { askProgram, program } from '../helpers/program.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

describe('hemicycle evidence', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let file: string;
  before(async () => {
    demo = await createDemoMirror();
    file = join(demo.folder, 'evidence.zip');
  });
  after(() => {
    demo.remove();
  });
  const run = (argv: string[], env: Record<string, string> = {}) =>
    askProgram(argv, { env: { HEMICYCLE_DB: demo.db, HOME: demo.folder, ...env } });

  it('takes records as `show` does, several at once, and is checked without a mirror', async () => {
    const words = ['AN:VAL1V4', 'politician', 'oceane-bruyevre', 'promise:promise-bruyevre-2025-001', 'VAL1V4'];
    const env = { SOURCE_DATE_EPOCH: '1790000000' };
    const result = await run(['evidence', ...words, '-o', file, '--json'], env);
    expect(result.exit, result.stderr).to.equal(0);
    const { item, attribution } = JSON.parse(result.stdout);
    expect(item.records).to.deep.equal([
      { kind: 'ballot', key: 'AN:VAL1V4', versions: 1 },
      { kind: 'politician', key: 'oceane-bruyevre', versions: 1 },
      { kind: 'promise', key: 'promise-bruyevre-2025-001', versions: 1 },
    ]);
    expect(item.made_at).to.equal('2026-09-21T14:13:20.000Z');
    expect(attribution.text).to.include('Service de Valombre (fictional) (https://valombre.example)');
    const elsewhere = { HEMICYCLE_DB: join(demo.folder, 'none.db') };
    const verified = await run(['evidence', 'verify', file], elsewhere);
    expect([verified.exit, verified.stderr]).to.deep.equal([0, '']);
    expect(verified.stdout).to.equal(
      `${file}: ok, 9 files; made 2026-09-21T14:13:20.000Z, of ballot:AN:VAL1V4, politician:oceane-bruyevre, promise:promise-bruyevre-2025-001\nthe creation date is only stated by its author\n`,
    );
    const bytes = readFileSync(file);
    await run(['evidence', ...words, '-o', file], env);
    expect(readFileSync(file).equals(bytes)).to.equal(true);
  });

  it('ends with 12 and a name where a byte was changed', async () => {
    expect((await run(['evidence', 'AN:VAL1V4', '-o', file])).exit).to.equal(0);
    const bytes = readFileSync(file);
    bytes.write('X', bytes.indexOf('"title"') + 1);
    writeFileSync(file, bytes);
    const { exit, stdout, stderr } = await run(['evidence', 'verify', file, '--json']);
    expect(exit).to.equal(12);
    expect(JSON.parse(stdout).faults).to.deep.equal([
      {
        part: 'data/1-ballot-an-val1v4/1-row.json',
        reason: 'its SHA-256 is not the one in manifest-sha256.txt',
      },
    ]);
    expect(JSON.parse(stderr).error).to.include({ code: 'VERIFICATION', exit: 12 });
    expect((await run(['evidence', 'verify', join(demo.folder, 'none.zip')])).exit).to.equal(12);
  });

  it('sends nothing to the terminal that acts on it, whatever the file states', async () => {
    const own = createTemporaryMirror();
    try {
      fillWithPast(own.mirror);
      const records = [{ kind: 'promise', key: '\u001b]0;owned\u0007\u001b[2J\u202eprm-1\nok' }];
      writeFileSync(file, forgedEvidence(own.mirror, { records }));
    } finally {
      own.remove();
    }
    const { exit, stdout } = await run(['evidence', 'verify', file]);
    expect(exit).to.equal(0);
    expect(stdout.split('\n')[0]).to.equal(
      `${file}: ok, 9 files; made 2026-11-22T10:00:00.000Z, of promise:]0;owned[2Jprm-1 ok`,
    );
  });

  it('says what is missing in what was typed', async () => {
    expect((await run(['evidence', 'AN:VAL1V4'])).exit).to.equal(2);
    const kind = await run(['evidence', 'ballot', '-o', file]);
    expect([kind.exit, kind.stderr]).to.deep.equal([
      2,
      'Error: ballot is a kind, not a record\nadd a key: ballot KEY\n',
    ]);
    expect((await run(['evidence', 'AN:VAL1V4', '-o', demo.db])).exit).to.equal(10);
    expect((await run(['evidence', 'AN:VAL1V4', '-o', file, '--as-of', '2020-01-01'])).exit).to.equal(8);
  });
});

describe('hemicycle evidence --capture', () => {
  const servers = listeningServers();
  let own: ReturnType<typeof createTemporaryMirror>;
  let origin: string;
  let requests: IncomingMessage[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  beforeEach(async () => {
    own = createTemporaryMirror();
    requests = [];
    answer = (_request, response) => response.setHeader('content-type', 'text/html').end('<p>Mille arbres</p>');
    const server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    origin = `http://127.0.0.1:${await servers.listen(server)}`;
  });
  afterEach(() => {
    servers.closeAll();
    own.remove();
  });

  /** Runs evidence of the promise `prm-1`, whose addresses are those, in a mirror of the service at `origin`. */
  async function capture(addresses: string[], argv: string[] = [], env: Record<string, string> = {}) {
    const [url, ...otherAddresses] = addresses;
    const folder = join(own.folder, 'data');
    mkdirSync(folder, { recursive: true });
    const sources = otherAddresses.map((address, at) => ({ id: `src-${at}`, url: address }));
    const promise = { id: 'prm-1', title: 'Mille arbres', url, source_ids: sources.map(({ id }) => id) };
    const lines = (documents: object[]) => documents.map((each) => JSON.stringify(each)).join('\n');
    writeFileSync(join(folder, 'promises.ndjson'), lines([promise]));
    writeFileSync(join(folder, 'sources.ndjson'), lines(sources));
    const whole = {
      HOME: own.folder,
      HEMICYCLE_DB: join(own.folder, 'm.db'),
      HEMICYCLE_BASE_URL: `${origin}/api/v1`,
      ...env,
    };
    const imported = await askProgram(['import', folder], { env: { ...whole, HEMICYCLE_BASE_URL: '' } });
    expect(imported.exit, imported.stderr).to.equal(0);
    const file = join(own.folder, 'evidence.zip');
    const words = ['evidence', 'promise', 'prm-1', '--capture', '-o', file, ...argv];
    return { ...(await askProgram(words, { env: whole })), file, words, env: whole };
  }
  const factsIn = (file: string) =>
    JSON.parse(Buffer.from(unzipSync(readFileSync(file))['evidence/data/evidence.json']!).toString());

  it('asks the addresses of record and sources, without the token, and names on stderr what failed', async () => {
    const secret = 'token-of-the-newsroom-1';
    const ran = await capture([`${origin}/promesses/1`, `${origin}/arbres`, 'http://10.0.0.7/intranet'], [], {
      HEMICYCLE_TOKEN: secret,
      SOURCE_DATE_EPOCH: '1790000000',
    });
    expect([ran.exit, ran.stderr]).to.deep.equal([
      0,
      'http://10.0.0.7/intranet: was not requested: it is an address of this machine or of a private network\n',
    ]);
    expect(requests.map(({ url }) => url)).to.deep.equal(['/promesses/1', '/arbres']);
    expect(requests[0]!.headers['user-agent']).to.match(/^hemicycle\//);
    expect(JSON.stringify(requests.map(({ rawHeaders }) => rawHeaders))).to.not.include(secret);
    const { captures } = factsIn(ran.file);
    expect(captures.map(({ status }: { status: number }) => status)).to.deep.equal([200, 200, null]);
    expect(captures[0].asked_at).to.equal('2026-09-21T14:13:20.000Z');
    expect((await askProgram(['evidence', 'verify', ran.file])).exit).to.equal(0);
  });

  it('counts requests to the service’s own site by its budget', async () => {
    answer = (request, response) =>
      request.url === '/1' ? response.writeHead(429, { 'retry-after': '3600' }).end() : response.end();
    const { exit, stderr } = await capture([`${origin}/1`, `${origin}/2`]);
    expect([exit, stderr]).to.deep.equal([
      0,
      `${origin}/2: was not requested: the service currently refuses requests\n`,
    ]);
    expect(requests.length).to.equal(1);
  });

  it('asks through the proxy that the environment names', async () => {
    const tunnelled: (string | undefined)[] = [];
    const HTTP_PROXY = `http://127.0.0.1:${await servers.listen(createProxy(tunnelled))}`;
    const { exit, stderr } = await capture([`${origin}/1`], [], { HTTP_PROXY });
    expect([exit, tunnelled.length, requests.length], stderr).to.deep.equal([0, 1, 1]);
  });

  it('has no proxy ask a name that cannot be resolved here, which might be private there', async () => {
    const tunnelled: (string | undefined)[] = [];
    const HTTP_PROXY = `http://127.0.0.1:${await servers.listen(createProxy(tunnelled))}`;
    const { exit, stderr } = await capture([`${origin}/1`, 'http://intranet.invalid/'], [], { HTTP_PROXY });
    expect([exit, tunnelled.length], stderr).to.deep.equal([0, 1]);
    expect(stderr).to.match(/^http:\/\/intranet\.invalid\/: there is no /m);
  });

  it('prints what a header says without what would act on a terminal', async () => {
    answer = (_request, response) => response.setHeader('content-type', 'text/html; \u009b31m').end();
    const { exit, stdout } = await capture([`${origin}/1`], ['--json']);
    expect([exit, stdout.includes('\u009b')]).to.deep.equal([0, false]);
    expect(JSON.parse(stdout).item.captures[0].type).to.equal('text/html; \u009b31m');
  });

  it('writes evidence without an answer, and ends with 6, where no address can be reached', async () => {
    const ran = await capture(['http://nothing.invalid/a', 'http://nothing.invalid/b'], ['--json']);
    expect(ran.exit).to.equal(6);
    const { item } = JSON.parse(ran.stdout);
    expect(item.captures.map(({ status, bytes }: Record<string, null>) => [status, bytes])).to.deep.equal([
      [null, null],
      [null, null],
    ]);
    expect(JSON.parse(ran.stderr.trim().split('\n').at(-1)!).error).to.include({ code: 'NETWORK', exit: 6 });
    expect((await askProgram(['evidence', 'verify', ran.file])).exit).to.equal(0);
    const french = await capture(['http://nothing.invalid/a'], ['--lang', 'fr']);
    expect(french.stderr).to.include('aucune des URL n’a répondu');
  });

  it('says where a record names no address, and where its answers are younger than what it shows', async () => {
    const none = await capture([]);
    expect([none.exit, none.stderr]).to.deep.equal([0, 'these records contain no URL: no request was sent\n']);
    expect(factsIn(none.file).captures).to.deep.equal([]);
    const past = await capture([`${origin}/1`], ['--as-of', 'today']);
    expect(past.exit, past.stderr).to.equal(0);
    expect(past.stderr).to.match(/the records are as of \S+, the responses are current/);
  });

  it('asks nothing where its file cannot be written', async () => {
    const { words, file, env } = await capture([`${origin}/1`]);
    requests.length = 0;
    const elsewhere = words.map((word) => (word === file ? join(own.folder, 'none', 'e.zip') : word));
    expect([(await askProgram(elsewhere, { env })).exit, requests.length]).to.deep.equal([10, 0]);
  });

  it('leaves no file where it is interrupted', async () => {
    const ran = await capture([`${origin}/1`]);
    const former = readFileSync(ran.file);
    const firstPart = new Promise<void>((resolve) => {
      answer = (_request, response) => void response.write('a part', () => resolve());
    });
    const child = spawn(process.execPath, [program, ...ran.words], {
      env: { PATH: process.env.PATH, ...ran.env },
    });
    let output = '';
    child.stderr.on('data', (text) => {
      output += text;
    });
    await firstPart;
    child.kill('SIGINT');
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect([exit, output.split('\n')[0]]).to.deep.equal([130, 'Error: interrupted; nothing was written']);
    expect(readFileSync(ran.file).equals(former)).to.equal(true);
    expect(readdirSync(own.folder).filter((name) => /zip|tmp/.test(name))).to.deep.equal(['evidence.zip']);
  });
});
