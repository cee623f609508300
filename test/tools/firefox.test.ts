import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { views } from '../helpers/views.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const program = ['firefox-esr', 'firefox'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Nothing but this machine is reached, what is not asked for is not fetched, and its reader prefers that scheme. */
const preferences = (scheme: 'light' | 'dark') => ({
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.shell.checkDefaultBrowser': false,
});

type Firefox = {
  /** Every address that the page asked for. */
  requestedUrls: string[];
  /** What its console said. */
  complaints: string[];
  open(url: string): Promise<void>;
  size(width: number): Promise<void>;
  /** The value that a script comes to. */
  run<Value>(script: string): Promise<Value>;
  /** Writes into what has the focus, as a keyboard does. */
  type(keys: string): Promise<void>;
  /** Once the next page has loaded. */
  nextPage(): Promise<void>;
  close(): Promise<void>;
};

type Message = {
  id?: number;
  method?: string;
  error?: string;
  message?: string;
  result?: unknown;
  params?: { request?: { url: string }; text?: string; level?: string };
};

/** Opens an empty page in a headless Firefox of its own, by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
async function openFirefox(scheme: 'light' | 'dark'): Promise<Firefox> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-firefox-'));
  const preferenceLines = Object.entries(preferences(scheme)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(folder, 'user.js'), preferenceLines.join(''));
  const child = spawn(
    program!,
    ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0', 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH ?? '', HOME: folder } },
  );
  const exited = once(child, 'exit');
  let address = '';
  for await (const line of createInterface({ input: child.stderr })) {
    address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1] ?? '';
    if (address) break;
  }
  child.stderr.resume();
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');

  const waiting = new Map<number, (answer: Message) => void>();
  const [requestedUrls, complaints]: [string[], string[]] = [[], []];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const { id, method, params } = message;
    if (id !== undefined) return waiting.get(id)?.(message);
    if (method === 'network.beforeRequestSent') requestedUrls.push(params!.request!.url);
    if (method === 'browsingContext.load') loaded();
    if (method === 'log.entryAdded') complaints.push(`${params!.level}: ${params!.text}`);
  });
  let loaded = () => {};
  let last = 0;
  const send = async <Result>(method: string, params: object = {}): Promise<Result> => {
    last += 1;
    const id = last;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await answered;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error} ${message}`);
    return result as Result;
  };

  await send('session.new', { capabilities: {} });
  await send('session.subscribe', {
    events: ['log.entryAdded', 'network.beforeRequestSent', 'browsingContext.load'],
  });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree');
  const { context } = contexts[0]!;
  return {
    requestedUrls,
    complaints,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    size: (width) => send('browsingContext.setViewport', { context, viewport: { width, height: 1000 } }),
    async run<Value>(script: string) {
      const { result, exceptionDetails } = await send<{
        result: { value: string };
        exceptionDetails?: { text: string };
      }>('script.evaluate', {
        expression: `Promise.resolve(${script}).then(JSON.stringify)`,
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value ?? 'null') as Value;
    },
    async type(keys) {
      const actions = [...keys].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('input.performActions', {
        context,
        actions: [{ type: 'key', id: 'keyboard', actions }],
      });
    },
    nextPage: () =>
      new Promise((resolve) => {
        loaded = resolve;
      }),
    async close() {
      await send('browser.close').catch(() => {});
      socket.close();
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const addresses = views.map(({ path, example }) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example[name]!)),
);

/** A value once it is one that counts as true, looked at whenever the page is painted. */
const until = (expression: string) =>
  `new Promise((resolve) => { const look = () => { const value = (${expression}); if (value) resolve(value); else requestAnimationFrame(look); }; look(); })`;

describe('pages in Firefox', () => {
  let server: DemoServer;
  before(async function () {
    if (program === undefined) return this.skip();
    server = await startDemoServer();
  });
  after(() => server?.close());

  // Chromium shows every page to every reader; here each is shown to one of two.
  for (const [reader, [scheme, lang]] of (
    [
      ['light', 'fr'],
      ['dark', 'en'],
    ] as const
  ).entries()) {
    describe(`${scheme}, ${lang}`, () => {
      let firefox: Firefox;
      before(async () => {
        firefox = await openFirefox(scheme);
      });
      after(() => firefox?.close());

      it('are wholly seen, break no rule of access or of their policy, and ask for nothing elsewhere', async () => {
        for (const [at, address] of [...addresses, '/search?q=port', '/politicians/none'].entries()) {
          if (at % 2 !== reader) continue;
          const where = `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`;
          firefox.complaints.length = 0;
          await firefox.open(server.url + where);
          expect(
            await firefox.run('[document.documentElement.lang, matchMedia("(prefers-color-scheme: dark)").matches]'),
            where,
          ).to.deep.equal([lang, scheme === 'dark']);
          for (const width of [1400, 320]) {
            await firefox.size(width);
            const over = await firefox.run<number>('document.documentElement.scrollWidth - innerWidth');
            expect(over, `${where} ${width}`).to.be.at.most(0);
          }
          expect(firefox.complaints, where).to.deep.equal([]);
          const violations = await firefox.run<unknown[]>(
            `(() => { ${axe}; return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])); })()`,
          );
          expect(violations, where).to.deep.equal([]);
        }
        const foreign = firefox.requestedUrls.filter(
          (url) => !url.startsWith(`${server.url}/`) && !/^(data|about):/.test(url),
        );
        expect(foreign).to.deep.equal([]);
      });

      it('offer names as one types, and answer a search by Enter', async () => {
        await firefox.open(`${server.url}/?lang=${lang}`);
        await firefox.run(`document.querySelector('#q').focus()`);
        await firefox.type('bruy');
        const offered = until(
          `[...document.querySelectorAll('#q-offered a')].map(({ firstChild }) => firstChild.textContent).find((name) => name.includes('Bruyèvre'))`,
        );
        expect(await firefox.run(offered)).to.equal('Océane Bruyèvre');
        const answered = firefox.nextPage();
        await firefox.type('\uE007');
        await answered;
        expect(await firefox.run(`location.pathname + document.querySelector('.hits li').className`)).to.equal(
          '/searchitem',
        );
        expect(firefox.complaints).to.deep.equal([]);
      });

      it('let nothing run that is put into them', async () => {
        await firefox.open(`${server.url}/about`);
        // The page is told of it in any case, the console some time.
        const refused = await firefox.run(
          `new Promise((resolve) => { document.addEventListener('securitypolicyviolation', ({ effectiveDirective, disposition }) => resolve([effectiveDirective, disposition])); const put = document.createElement('img'); put.setAttribute('onerror', 'document.title = "run"'); put.src = '/none.png'; document.body.append(put); })`,
        );
        expect(refused).to.deep.equal(['script-src-attr', 'enforce']);
        expect(await firefox.run('document.title')).not.to.equal('run');
      });
    });
  }
});
