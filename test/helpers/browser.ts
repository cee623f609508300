import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

/** A page in a real browser for which no name but 127.0.0.1 exists. */
export type Page = {
  /** Every address that the page asked for. */
  requestedUrls: string[];
  /** What the browser complained about, of the page and not of what `run` runs: policies, failed requests, errors of scripts. */
  complaints: string[];
  open(url: string): Promise<void>;
  /** Has its reader prefer that scheme of colours. */
  prefer(scheme: 'light' | 'dark'): Promise<void>;
  /** Has its reader prefer what these features say, and read it on a screen or on paper. */
  emulate(features: Record<string, string>, media?: 'print'): Promise<void>;
  /** The value of an expression, once it is one that counts as true. */
  until<Value>(expression: string): Promise<Value>;
  /** The value that a script comes to, as DevTools run it: no policy of the page keeps it from that. */
  run<Value>(script: string): Promise<Value>;
  /** The role of everything on the page that screen readers are told of. */
  roles(): Promise<string[]>;
  /** Has the window be so many pixels wide. */
  size(width: number, height?: number): Promise<void>;
  /** Presses a key of that name. */
  press(key: keyof typeof keyCodes): Promise<void>;
  /** Types a text into what has the focus. */
  type(text: string): Promise<void>;
  /** What the page looks like, as PNG: what a window shows, or all of it. */
  picture(how?: { whole: boolean }): Promise<Buffer>;
  close(): Promise<void>;
};

/** True where Chromium is installed. */
export function hasBrowser(): boolean {
  return spawnSync('chromium', ['--version']).status === 0;
}

/** The demo behind a server, and a page of a browser, as long as a suite lasts; without Chromium the suite is skipped. */
export function browsingDemo(): { server: DemoServer; page: Page } {
  const opened = {} as { server: DemoServer; page: Page };
  before(async function () {
    if (!hasBrowser()) this.skip();
    opened.server = await startDemoServer();
    opened.page = await openPage();
  });
  after(async () => {
    await opened.page?.close();
    await opened.server?.close();
  });
  return opened;
}

const keyCodes = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  End: 35,
  Home: 36,
  ArrowUp: 38,
  ArrowDown: 40,
  Backspace: 8,
};

/** What complaints call a script of `run`, which may come when the next page is there already. */
const scriptOfTest = 'test.js';

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown };

/** Opens an empty page in a headless Chromium of its own, by its DevTools protocol. */
export async function openPage(): Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-browser-'));
  const child = spawn(
    'chromium',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-port=0',
      '--window-size=1280,1000',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH ?? '', HOME: folder } },
  );
  const exited = once(child, 'exit');
  let address = '';
  for await (const line of createInterface({ input: child.stderr })) {
    address = /DevTools listening on (ws:\S+)/.exec(line)?.[1] ?? '';
    if (address) break;
  }
  child.stderr.resume();
  const socket = new WebSocket(address);
  await once(socket, 'open');

  const waiting = new Map<number, (result: never) => void>();
  const requestedUrls: string[] = [];
  const complaints: string[] = [];
  let session: string | undefined;
  let last = 0;
  const loaded = new Set<string>();
  let lookWhatLoaded = () => {};
  const listeners: Record<string, (params: never) => void> = {
    'Network.requestWillBeSent': ({ request }: { request: { url: string } }) => requestedUrls.push(request.url),
    'Log.entryAdded': ({ entry }: { entry: { text: string; url?: string } }) => {
      if (entry.url !== scriptOfTest) complaints.push(`${entry.text} ${entry.url ?? ''}`);
    },
    'Runtime.exceptionThrown': ({ exceptionDetails }: { exceptionDetails: { text: string } }) =>
      complaints.push(exceptionDetails.text),
    'Page.lifecycleEvent': ({ name, loaderId }: { name: string; loaderId: string }) => {
      if (name !== 'load') return;
      loaded.add(loaderId);
      lookWhatLoaded();
    },
  };
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result } = JSON.parse(String(data)) as Message;
    if (id === undefined) return listeners[method!]?.(params as never);
    waiting.get(id)?.(result as never);
    waiting.delete(id);
  });
  const send = <Result>(method: string, params: object = {}) =>
    new Promise<Result>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params, ...(session ? { sessionId: session } : {}) }));
    });

  const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
  ({ sessionId: session } = await send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  }));
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`);
  await send('Page.setLifecycleEventsEnabled', { enabled: true });

  return {
    requestedUrls,
    complaints,
    async open(url) {
      const { loaderId } = await send<{ loaderId?: string }>('Page.navigate', { url });
      // A place on the same page loads nothing; the end of the page before is none of this one.
      if (loaderId === undefined) return;
      await new Promise<void>((resolve) => {
        lookWhatLoaded = () => loaded.has(loaderId) && resolve();
        lookWhatLoaded();
      });
    },
    async prefer(value) {
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    },
    async emulate(features, media) {
      const mediaFeatures = Object.entries(features).map(([name, value]) => ({ name, value }));
      await send('Emulation.setEmulatedMedia', { media: media ?? '', features: mediaFeatures });
    },
    async until<Value>(expression: string) {
      for (;;) {
        // A page that is left meanwhile answers nothing: the next one is looked at.
        const looked = await send<{ result: { value: Value } } | undefined>('Runtime.evaluate', {
          expression: `new Promise((resolve) => { const look = () => { const value = (${expression}); if (value) resolve(value); else requestAnimationFrame(look); }; look(); })`,
          awaitPromise: true,
          returnByValue: true,
        });
        if (looked?.result.value) return looked.result.value;
      }
    },
    async run<Value>(expression: string) {
      const { result } = await send<{ result: { value: Value } }>('Runtime.evaluate', {
        expression: `${expression}\n//# sourceURL=${scriptOfTest}`,
        awaitPromise: true,
        returnByValue: true,
      });
      return result.value;
    },
    async roles() {
      const { nodes } = await send<{ nodes: { ignored: boolean; role?: { value: string } }[] }>(
        'Accessibility.getFullAXTree',
      );
      return nodes.flatMap(({ ignored, role }) => (ignored || role === undefined ? [] : role.value));
    },
    async size(width, height = 1000) {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      });
    },
    async press(key) {
      const windowsVirtualKeyCode = keyCodes[key];
      const pressed = { key, code: key, windowsVirtualKeyCode, ...(key === 'Enter' ? { text: '\r' } : {}) };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed });
    },
    async type(text) {
      await send('Input.insertText', { text });
    },
    async picture({ whole } = { whole: false }) {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: whole,
      });
      return Buffer.from(data, 'base64');
    },
    async close() {
      socket.close();
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
