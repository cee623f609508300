import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Document, isDocument, type Json } from '../../src/model/document.ts';
import { type Kind, kinds } from '../../src/model/kinds.ts';
import { questions } from '../../src/questions/table.ts';
import { views } from '../../src/server/pages/table.ts';
import { writeSite } from '../../src/server/site/site.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { runProgram } from '../helpers/program.ts';
import { type DemoServer, demoRecords, filledAt, startDemoServer } from '../server/demo-server.ts';
import { routesOf } from '../server/routes.ts';

const hostileTexts = {
  surrogate: 'a\ud800b',
  'half a pair at the end': 'fin \ud83d',
  nul: 'a\0b',
  control: '\u001b[31m\u0007\u009b\r\n\u202e',
  slashes: '//evil.example/../%ff?#',
  long: 'é\u2019'.repeat(5000),
  same: 'Le même',
  list: ' a, b ',
} as const;

/** What a caller may put into an address. */
const asked = ['a\ud800', 'a\0', '%ff', 'http://localhost/votes/AN/%25ff', '{"q":{"query":"\\ud800"}}'];

const keyFields = new Set(['id', 'slug', 'scrutin_id']);

/** The value with that text in place of every text inside, and in its names too where it is an object. */
function spoilt(value: Json, text: string): Json {
  if (Array.isArray(value)) return value.map((each) => spoilt(each, text));
  if (!isDocument(value)) return text;
  const inner = Object.entries(value).map(([name, each]) => [name, spoilt(each, text)]);
  return { ...Object.fromEntries(inner), [text]: text };
}

/** Records of a kind with that text in each field in turn, as the name of one, in all of them, and in the key. */
function spoiltRecords(kind: Kind, word: string, text: string): Document[] {
  const known = demoRecords(kind);
  const whole: Document = Object.assign({}, ...known.slice(0, 40));
  const keyed = (end: string) =>
    Object.fromEntries(
      Object.keys(whole)
        .filter((name) => keyFields.has(name))
        .map((name) => [name, `${word}-${end}`]),
    );
  const fields = Object.keys(whole).filter((name) => !keyFields.has(name));
  const all = Object.fromEntries(fields.map((name) => [name, spoilt(whole[name]!, text)]));
  const keys = Object.fromEntries(Object.keys(keyed('')).map((name) => [name, text]));
  const chamber: Document = kind.name === 'ballot' ? { chamber: 'AN' } : {};
  return [
    ...fields.map((name, at) => ({ ...whole, ...keyed(`f${at}`), [name]: spoilt(whole[name]!, text) })),
    { ...whole, ...keyed('name'), [text]: text },
    { ...whole, ...all, ...keyed('all'), ...chamber },
    { ...whole, ...keys },
    { ...whole, ...all, ...keyed('again'), ...chamber },
  ];
}

describe('texts that are malformed, or the same, in every field and name of every kind', () => {
  let folder: string;
  let db: string;
  let server: DemoServer;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-malformed-'));
    mkdirSync(join(folder, 'in'));
    for (const kind of kinds) {
      const records = Object.entries(hostileTexts).flatMap(([word, text]) =>
        spoiltRecords(kind, `${kind.name}-${word.replaceAll(' ', '-')}`, text),
      );
      const lines = [...demoRecords(kind), ...records].map((each) => `${JSON.stringify(each)}\n`);
      writeFileSync(join(folder, 'in', `${kind.plural}.ndjson`), lines.join(''));
    }
    db = join(folder, 'mirror.db');
    const mirror = openWritableMirror(db);
    const results = await importFiles(mirror, findImportFiles(join(folder, 'in')), { at: filledAt });
    expect(results.map(({ error }) => error).filter(Boolean)).to.deep.equal([]);
    mirror.close();
    server = await startDemoServer({ db, assistants: { version: '1' } });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('are answered on every route without a failure, whatever a caller puts into the address', async () => {
    const keysOf = (kind: string) =>
      server.writer
        .column<string>(
          "SELECT key FROM record WHERE kind = ? AND (key GLOB '*-all' OR key NOT GLOB '[a-z]*-*')",
        )
        .all(kind);
    const keysFor = (route: string): string[] =>
      route.includes(':scrutin_id')
        ? keysOf('ballot').map((key) => key.slice('AN:'.length))
        : keysOf(/parties|:kind/.test(route) ? 'party' : route.includes('sources') ? 'source' : 'politician');
    const addresses = routesOf(server.app)
      .filter((route) => !/.\/$/.test(route))
      .flatMap((route) => {
        const path = route.replace(':chamber', 'AN').replace(':kind', 'party');
        const isOfOne = path.includes(':');
        const keys = isOfOne ? [...keysFor(route), ...asked].map(written) : ['x'];
        const paths = keys.map((key) => path.replace(/:\w+/, key));
        const parameters = parametersOf(route).flatMap((name) =>
          asked.map((text) => `${name}=${written(text)}`),
        );
        return [...paths, ...parameters.map((query) => `${paths[0]!}?${query}`)];
      });
    const failed: string[] = [];
    for (const url of addresses) {
      const accept = url.startsWith('/api/') ? 'application/json' : 'text/html';
      const { statusCode } = await server.app.inject({ url, headers: { accept, host: 'localhost' } });
      // 501 is meant: the format that oEmbed lacks.
      if (statusCode >= 500 && statusCode !== 501) failed.push(`${statusCode} ${url.slice(0, 200)}`);
    }
    expect(addresses.length).to.be.greaterThan(1000);
    expect(failed).to.deep.equal([]);
    expect(server.failures.map(String)).to.deep.equal([]);
  });

  it('become the files of a site', async () => {
    const mirror = openMirror(db);
    const assetsFolder = fileURLToPath(new URL('../../dist/assets', import.meta.url));
    const { files } = await writeSite(mirror, {
      folder: join(folder, 'site'),
      assetsFolder,
      citation: { name: 'Vitrine', siteUrl: null },
      language: 'fr',
      site: 'https://site.example/',
    });
    mirror.close();
    expect(files).to.be.greaterThan(500);
  });

  for (const words of [
    ['--format', 'csv', '-o', 'csv/'],
    ['--format', 'parquet', '-o', 'parquet/'],
    ['--format', 'ndjson', '-o', 'ndjson/'],
    ['--releases', '-o', 'releases/'],
    ['--changed-since', 'last', '-o', 'changes/'],
    ['--sqlite', 'all.db'],
    ['-o', 'all.xlsx'],
  ])
    it(`are exported by export --all ${words.join(' ')}`, async () => {
      const { exit, stderr } = await runProgram(['export', '--all', '--db', db, ...words], {
        cwd: folder,
        env: { HOME: folder },
      });
      expect(exit, stderr).to.equal(0);
    });
});

/** Names of the query parameters of a route. */
function parametersOf(route: string): string[] {
  const path = route
    .replace('/api/v1', '')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\.\w+$/, '');
  const known = [...(route.startsWith('/api') ? questions : views)].find((each) => each.path === path);
  if (!known) return ['queries', 'extend', 'prefix', 'id', 'entity'];
  return Object.keys(known.parameters).filter((name) => !path.includes(`{${name}}`));
}

/** A text in an address; one that holds escapes already as it is, and a lone surrogate as its three bytes. */
function written(text: string): string {
  if (text.includes('%')) return text;
  return [...text]
    .map((each) =>
      each.isWellFormed()
        ? encodeURIComponent(each)
        : [
            0xe0 | (each.charCodeAt(0) >> 12),
            0x80 | ((each.charCodeAt(0) >> 6) & 63),
            0x80 | (each.charCodeAt(0) & 63),
          ]
            .map((byte) => `%${byte.toString(16)}`)
            .join(''),
    )
    .join('');
}
