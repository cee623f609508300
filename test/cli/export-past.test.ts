import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { parquetMetadataAsync } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { dialects } from '../helpers/dialects.ts';
import { startFakeService } from '../helpers/fake-service.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

const [content, again, later] = [
  '2026-10-01T06:00:00.000Z',
  '2026-10-05T06:00:00.000Z',
  '2026-10-20T06:00:00.000Z',
] as const;
const between = '2026-10-10T00:00:00.000Z';

const before = 'slug,full_name,bio,nickname\nana-brume,Ana Brume,,\nleo-vasque,Léo Vasque,,\n';
const after = `slug,full_name,bio,nickname,website
ana-brume,Ana Brume,,,https://ana.example
leo-vasque,Léo Vasque,,,
zoe-rive,Zoé Rive,,,
`;

describe('an export of the past', () => {
  let mirror: ReturnType<typeof createTemporaryMirror>;
  let db: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    mirror = createTemporaryMirror();
    db = join(mirror.folder, 'mirror.db');
    env = { HOME: mirror.folder, HEMICYCLE_DB: db };
    for (const [at, text] of [
      [content, before],
      [again, before],
      [later, after],
    ] as const)
      await importText(at, 'politicians.csv', text);
  });
  afterEach(() => mirror.remove());

  async function importText(at: string, name: string, text: string) {
    const folder = join(mirror.folder, 'in');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    await importFiles(mirror.mirror, findImportFiles(join(folder, name)), { at });
  }
  const exported = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await askProgram(['export', ...argv], { env });
    expect({ exit, stderr: exit === 0 ? '' : stderr }).to.deep.equal({ exit: 0, stderr: '' });
    return stdout;
  };
  const json = (...path: string[]) => JSON.parse(readFileSync(join(mirror.folder, ...path), 'utf8'));
  const past = ['--as-of', between];

  it('has the columns of that time, also those in which nothing stood', async () => {
    expect(await exported('politicians', ...past)).to.equal(before);
    expect(await exported('politicians', ...past, '--format', 'ndjson')).to.equal(
      '{"slug":"ana-brume","full_name":"Ana Brume","bio":null,"nickname":null}\n' +
        '{"slug":"leo-vasque","full_name":"Léo Vasque","bio":null,"nickname":null}\n',
    );
    expect((await exported('politicians')).split('\n')[0]).to.equal('slug,full_name,bio,nickname,website');
  });

  it('has the columns that went since, and those of kinds that the service exports no file of', async () => {
    await importText('2026-10-21T06:00:00.000Z', 'politicians.csv', 'slug,full_name\nana-brume,Ana Brume\n');
    await importText(content, 'content.ndjson', '{"id":"c1","title":"Un","lieu":"Valombre"}\n');
    await importText(
      later,
      'content.ndjson',
      '{"id":"c1","title":"Un","lieu":"Valombre","duree":null}\n{"id":"c2","duree":3}\n',
    );
    const header = (text: string) => text.split('\n')[0];
    expect(header(await exported('politicians'))).to.equal('slug,full_name');
    expect(header(await exported('politicians', '--as-of', later))).to.equal(header(after));
    expect(header(await exported('content', ...past))).to.match(/,lieu$/);
    expect(header(await exported('content'))).to.match(/,duree,lieu$/);
  });

  it('says so, and when that state was retrieved, wherever it says whom to cite', async () => {
    const facts = { as_of: between, retrieved_at: again };
    const sentence = `a past state as of ${between}, retrieved 2026-10-05; Open Database License`;

    await exported('politicians', ...past, '-o', join(mirror.folder, 'p.csv'));
    const meta = json('p.csv.meta.json');
    expect(meta.attribution).to.include(facts);
    expect(meta.attribution.text).to.include(sentence);
    expect(meta.created).to.equal(again);

    await exported('politicians', ...past, '-o', join(mirror.folder, 'out/'));
    const { resources, ...about } = json('out/datapackage.json');
    expect(about).to.include({ as_of: between, created: again });
    expect(about.description).to.include(sentence);
    expect(resources[0]).to.include({ name: 'politicians', retrieved_at: again });
    expect(readFileSync(join(mirror.folder, 'out/ATTRIBUTION.txt'), 'utf8')).to.include(sentence);

    const parquet = join(mirror.folder, 'p.parquet');
    await exported('politicians', ...past, '-o', parquet);
    const fileMetadata = (await parquetMetadataAsync(await asyncBufferFromFile(parquet))).key_value_metadata ?? [];
    expect(Object.fromEntries(fileMetadata.map(({ key, value }) => [key, value]))).to.include(facts);

    const plain = join(mirror.folder, 'plain.db');
    await exported('politicians', ...past, '--sqlite', plain);
    const database = new Database(plain, { readonly: true });
    const aboutRows = database.prepare('SELECT key, value FROM about').raw().all() as [string, string][];
    database.close();
    expect(Object.fromEntries(aboutRows)).to.include(facts);
    expect(Object.fromEntries(aboutRows).attribution).to.include(sentence);
  });

  it('is told apart with --if-changed from one of now that has the same rows', async () => {
    const out = join(mirror.folder, 'out/');
    const file = join(mirror.folder, 'p.csv');
    for (const target of [out, file]) {
      await exported('politicians', '-o', target);
      await exported('politicians', '--as-of', later, '-o', target, '--if-changed');
    }
    expect(json('out/datapackage.json').as_of).to.equal(later);
    expect(json('p.csv.meta.json').attribution.as_of).to.equal(later);
    for (const target of [out, file]) await exported('politicians', '-o', target, '--if-changed');
    expect(json('out/datapackage.json')).not.to.have.property('as_of');
    expect(json('p.csv.meta.json').attribution).to.not.have.property('as_of');
  });

  it('of a mirror that kept no log tells columns and moment by what its records tell', async () => {
    makeOlder(mirror.mirror.database, 4);
    mirror.mirror.database.exec('DROP TABLE retrieval');
    await exported('politicians', ...past, '-o', join(mirror.folder, 'p.csv'));
    const meta = json('p.csv.meta.json');
    expect(meta.attribution.retrieved_at).to.equal(content);
    expect(meta.columns.map(({ name }: { name: string }) => name)).to.deep.equal(['slug', 'full_name', 'bio']);
    openWritableMirror(db).close();
    await exported('politicians', '-o', join(mirror.folder, 'p.csv'));
    expect(json('p.csv.meta.json').attribution.retrieved_at).to.equal(later);
  });

  it('of what was synced states when each of its tables was retrieved', async () => {
    const service = await startFakeService(dialects[0]!);
    const synced = createTemporaryMirror();
    try {
      await syncOnce(synced, service.baseUrl, { now: () => Date.parse(content) });
      service.faults.push({ path: /\/feed/, answer: (_request, response) => response.writeHead(500).end() });
      const second = await syncOnce(synced, service.baseUrl, { now: () => Date.parse(again) });
      expect(second.report.exit).to.equal(5);
      await syncOnce(synced, service.baseUrl, { now: () => Date.parse(later) });
      const out = join(mirror.folder, 'synced/');
      await exported('--all', '--db', join(synced.folder, 'mirror.db'), ...past, '-o', out);
      const moments = json('synced/datapackage.json').resources.map(
        ({ name, retrieved_at }: Record<string, string>) => [name, retrieved_at],
      );
      expect(Object.fromEntries(moments)).to.include({
        politicians: again,
        audit: again,
        votes: again,
        content: content,
      });
    } finally {
      synced.remove();
      await service.close();
    }
  });
});
