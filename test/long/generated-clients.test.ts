import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { environmentGiven } from '../helpers/own-environment.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const run = promisify(execFile);
const clientsFolder = fileURLToPath(new URL('clients', import.meta.url));
const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** Generators that people use, and how each is told to write its client beside `adapters/NAME.ts`. */
const generators: Record<string, string[]> = {
  'openapi-fetch': ['openapi-typescript', 'openapi.json', '-o', 'openapi-fetch/generated/types.ts'],
  orval: ['orval', '--config', 'orval.config.mjs'],
  'swagger-typescript-api': [
    ...['swagger-typescript-api', 'generate', '--path', 'openapi.json'],
    ...['--output', 'swagger-typescript-api/generated', '--name', 'Api.ts'],
  ],
  'hey-api': ['openapi-ts', '--input', 'openapi.json', '--output', 'hey-api/generated'],
};
const names = Object.keys(generators);

// biome-ignore lint/suspicious/noExplicitAny: what is looked at without types, to be compared with what has some
type Json = any;

describe('clients that are generated from /openapi.json', () => {
  let server: DemoServer;
  let folder: string;
  let plain: object;

  before(async () => {
    server = await startDemoServer();
    plain = await toldPlainly();
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-clients-'));
    cpSync(clientsFolder, folder, { recursive: true });
    writeFileSync(join(folder, 'openapi.json'), await (await server.get('/openapi.json')).text());
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: environmentGiven,
    });
    for (const name of names) {
      mkdirSync(join(folder, name, 'generated'), { recursive: true });
      copyFileSync(join(folder, 'adapters', `${name}.ts`), join(folder, name, 'client.ts'));
      copyFileSync(join(folder, 'program.ts'), join(folder, name, 'program.ts'));
      writeFileSync(join(folder, name, 'server.ts'), `export const serverUrl = ${JSON.stringify(server.url)};\n`);
    }
  });
  after(async () => {
    await server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  for (const [name, [command, ...argv]] of Object.entries(generators)) {
    it(`are made by ${command}`, async () => {
      const env = { ...process.env, SERVER_URL: server.url, DO_NOT_TRACK: '1' };
      await run(join(folder, 'node_modules/.bin', command!), argv, { cwd: folder, env });
      if (name !== 'swagger-typescript-api') return;
      // It asks the compiler to look away, which would hide every type that is none.
      const generatedFile = join(folder, name, 'generated/Api.ts');
      const text = readFileSync(generatedFile, 'utf8');
      expect(text).to.include('// @ts-nocheck\n');
      writeFileSync(generatedFile, text.replace('// @ts-nocheck\n', ''));
    });
  }

  for (const [which, path] of [
    ['of this project', () => compiler],
    ['before it', () => join(folder, 'node_modules/.bin/tsc')],
  ] as const) {
    it(`compile strictly, under the TypeScript ${which}, in a program that says what type each answer has`, async () => {
      const { stdout } = await run(path(), ['-p', folder]).catch((error) => error);
      expect(stdout).to.equal('');
    });
  }

  for (const name of names) {
    it(`get from the server what is there, by ${name}`, async () => {
      expect(await toldBy(name)).to.deep.equal(plain);
    });
  }

  async function toldBy(name: string): Promise<unknown> {
    const outfile = join(folder, name, 'program.mjs');
    const entryPoints = [join(folder, name, 'program.ts')];
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' });
    const { stdout } = await run(process.execPath, [outfile]);
    return JSON.parse(stdout);
  }

  /** The same without a client. */
  async function toldPlainly() {
    const get = async (path: string) => (await server.get(`/api/v1${path}`)).json() as Promise<Json>;
    const { items, total } = await get('/politicians?limit=6');
    const profile = await get(`/politicians/${items[0].slug}`);
    const facts = await get('/feed?types=promise,position&politician=oceane-bruyevre&limit=50');
    const { items: hits } = await get('/search?q=port&type=content,speech');
    const { items: ballots } = await get('/ballots?voted=ADR:for,UDC:against&limit=5');
    const says: Json = { promise: 'election', position: 'stance' };
    const lists = {
      slugs: items.map(({ slug }: Json) => slug),
      roles: profile.affiliations.map(({ role }: Json) => role),
      facts: facts.items.map((item: Json) => ({ type: item.type, says: item[says[item.type]] })),
      hits: hits.map(({ type, title }: Json) => `${type}: ${title}`),
      ballots: ballots.map(({ scrutin_id: id, totals }: Json) => ({ id, against: totals.against })),
    };
    for (const [name, list] of Object.entries(lists)) expect(list, name).not.to.deep.equal([]);
    expect(lists.facts.map(({ type }: Json) => type)).to.include.members(['promise', 'position']);
    const missing = { status: 404, detail: 'No ballot of the chamber Senat has that identifier.' };
    return { ...lists, total, name: profile.full_name, born: profile.birth_date, missing };
  }
});
