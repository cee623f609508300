import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { textsOfFile } from '../../src/export/file-texts.ts';
import { readTable } from '../../src/export/lake/delta-log.ts';
import { createFileReader } from '../../src/export/lake/storage.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { withhold } from '../../src/store/saving/withhold.ts';
import { createTombstone } from '../../src/store/tombstones.ts';
import { transaction } from '../../src/store/transaction.ts';
import { type BucketServer, startBucketServer } from '../helpers/bucket-server.ts';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { askProgram } from '../helpers/program.ts';

const person = { slug: 'zenobie-quillevere', full_name: 'Zénobie Quillévéré' };
const kinds = ['promise', 'position', 'quote', 'speech', 'content'] as const;

/** Twenty records: a person with fifteen of her own, which go along, and four of somebody else. */
const owned = (at: number) => (at < 15 ? person.slug : 'oceane-bruyevre');
const seeded = Array.from({ length: 19 }, (_, at) => ({
  kind: kinds[at % kinds.length] as KindName,
  document: {
    id: `seeded-${at}`,
    politician: owned(at),
    title: `Zqtitle${at}xw sur les digues du littoral`,
    text: `Zqseed${at}xw une phrase que personne d’autre n’a jamais dite à Valombre`,
    date: '2026-10-01',
  } as Document,
}));

/** What no copy may hold. */
const forbidden = /zqtitle|zqseed|quill[eé]v[eé]r|seeded-\d/i;

describe('copies of withheld records', () => {
  const servers = listeningServers();
  const demo = demoMirrorForEach();
  let bucket: BucketServer;
  let env: Record<string, string>;
  const run = (...argv: string[]) => askProgram(argv, { env });
  const out = (name: string) => join(demo.folder, 'copies', name);

  beforeEach(async () => {
    const started = await startBucketServer(servers);
    bucket = started.bucketServer;
    env = { ...demo.env, ...started.env };
    const mirror = openWritableMirror(demo.db);
    const bio = 'Elle a dirigé trente ans durant le phare des Zqseedbio avant de siéger.';
    const documents: Partial<Record<KindName, Document[]>> = { politician: [{ ...person, bio }] };
    for (const { kind, document } of seeded) documents[kind] = [...(documents[kind] ?? []), document];
    transaction(mirror, () => {
      for (const [kind, list] of Object.entries(documents)) {
        const saver = createSaver(mirror, kindOf(kind as KindName), {
          at: '2026-11-02T06:00:00.000Z',
          isPartial: true,
        });
        for (const document of list) saver.save(document);
        saver.finish();
      }
    });
    mirror.close();
  });
  afterEach(() => servers.closeAll());

  /** The command that writes each copy; `place` is what `withhold --check` calls it. */
  const writers: { name: string; place: () => string; words: () => string[] }[] = [
    { name: 'site', words: () => ['site', '-o', out('site'), '--url', 'https://site.example'] },
    { name: 'package', words: () => ['export', '--all', '-o', out('package/')] },
    { name: 'parquet', words: () => ['export', '--all', '--format', 'parquet', '-o', out('parquet/')] },
    { name: 'releases', words: () => ['export', '--all', '--releases', '-o', out('releases/')] },
    { name: 'lake', words: () => ['export', '--all', '--lake', out('lake')] },
    { name: 'data.sqlite', words: () => ['export', '--all', '--sqlite', out('data.sqlite')] },
    { name: 'promises.parquet', words: () => ['export', 'promises', '-o', out('promises.parquet')] },
    { name: 'data.xlsx', words: () => ['export', '--all', '--format', 'xlsx', '-o', out('data.xlsx')] },
  ].map((each) => ({ ...each, place: () => out(each.name) }));
  const inBucket = ['package', 'lake', 'site'].map((name) => ({
    name: `bucket ${name}`,
    place: () => `s3://open-data/${name}`,
    words: () =>
      name === 'site'
        ? ['site', '-o', 's3://open-data/site']
        : ['export', '--all', name === 'lake' ? '--lake' : '-o', `s3://open-data/${name}`],
  }));
  const all = [...writers, ...inBucket];

  const withholdAll = () => {
    const mirror = openWritableMirror(demo.db);
    const stones = seeded.slice(15).map(({ kind, document }) => ({ kind, key: String(document.id) }));
    withhold(
      mirror,
      [{ kind: 'politician' as const, key: person.slug }, ...stones].map((each) =>
        createTombstone(mirror, { ...each, reason: 'objection' }),
      ),
    );
    mirror.close();
  };

  /** Files and objects with forbidden bytes, unpacked. */
  async function holding(): Promise<string[]> {
    const folder = out('');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(folder, path)).isFile(),
    );
    const held: string[] = [];
    for (const path of files) {
      let text = readFileSync(join(folder, path), 'utf8') + path;
      for await (const part of textsOfFile(join(folder, path))) text += part;
      if (forbidden.test(text)) held.push(path);
    }
    for (const [name, bytes] of bucket.objects) if (forbidden.test(bytes.toString('utf8') + name)) held.push(name);
    return held;
  }

  const checked = async () => {
    const { stdout, exit } = await run('withhold', '--check', '--json');
    const states = new Map<string, string>(
      JSON.parse(stdout).copies.map((each: { copy: string; state: string }) => [each.copy, each.state]),
    );
    return { exit, states: all.map(({ name, place }) => `${name}: ${states.get(place())}`) };
  };
  const every = (state: string) => all.map(({ name }) => `${name}: ${state}`);

  it('are named by the check until each is written again, and then hold no byte of them', async () => {
    for (const { words } of all) expect(await run(...words())).to.include({ exit: 0 });
    expect(await checked()).to.deep.equal({ exit: 0, states: every('followed') });
    withholdAll();
    expect(await checked()).to.deep.equal({ exit: 12, states: every('holds') });
    for (const { words } of all) expect(await run(...words())).to.include({ exit: 0 });
    expect(await holding()).to.deep.equal([]);
    expect(await checked()).to.deep.equal({ exit: 0, states: every('followed') });
  });

  it('hold no byte of them after a run that failed behind its first step', async () => {
    for (const { words } of all) expect(await run(...words())).to.include({ exit: 0 });
    withholdAll();
    // A folder and an object that the site cannot replace; the tables of exports are refused as too old.
    rmSync(join(out('site'), 'data/votes.csv'));
    mkdirSync(join(out('site'), 'data/votes.csv'));
    const account = 'open-data/site/.hemicycle-objects.json';
    const { files, links } = JSON.parse(bucket.objects.get(account)!.toString());
    delete files['about.html'];
    bucket.objects.set(account, Buffer.from(JSON.stringify({ files, links })));
    // A lake without its account is refused for any other file.
    rmSync(join(out('lake'), 'versions.json'));
    writeFileSync(join(out('lake'), 'note.txt'), '');
    bucket.objects.delete('open-data/lake/versions.json');
    bucket.objects.set('open-data/lake/note.txt', Buffer.from(''));
    for (const { name, words } of all) {
      const isStale = !/site|lake/.test(name);
      const { exit } = await run(...words(), ...(isStale ? ['--max-age', '1s'] : []));
      expect([name, exit]).to.deep.equal([name, isStale ? 8 : 10]);
    }
    expect(await holding()).to.deep.equal([]);
    // Readers of the lake look for no file that was removed.
    const storage = createFileReader(out('lake'));
    const paths = await storage.list();
    for (const name of readdirSync(out('lake')).filter((each) => /^[a-z_]+$/.test(each))) {
      const { files } = await readTable(storage, name, paths.keys());
      for (const path of files.keys()) expect(paths.has(`${name}/${path}`), path).to.equal(true);
    }
    rmdirSync(join(out('site'), 'data/votes.csv'));
    rmSync(join(out('lake'), 'note.txt'));
    for (const name of ['site/about.html', 'lake/note.txt']) bucket.objects.delete(`open-data/${name}`);
    for (const { words } of all) expect(await run(...words())).to.include({ exit: 0 });
    expect(await checked()).to.deep.equal({ exit: 0, states: every('followed') });
  });

  it('are all that is deleted: files of others stay, in a copy and where no copy was written yet', async () => {
    const text = `${person.full_name}, Zqseed1xw une phrase que personne d’autre n’a jamais dite à Valombre`;
    const own = (folder: string) =>
      ['notes.csv', 'analysis/data/interviews.csv', '.hemicycle-tmp/notes.csv'].map((name) => join(out(folder), name));
    for (const folder of ['site', 'package', 'fresh']) {
      if (folder === 'site') expect(await run('site', '-o', out('site'))).to.include({ exit: 0 });
      if (folder === 'package') expect(await run('export', 'quotes', '-o', out('package/'))).to.include({ exit: 0 });
      for (const path of own(folder)) {
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, text);
      }
    }
    withholdAll();
    await run('site', '-o', out('site'));
    await run('export', 'quotes', '-o', out('package/'));
    for (const target of [out('fresh'), join(out('fresh'), 'notes.csv')])
      await run('export', 'promises', 'quotes', '-o', target, '--max-age', '1s');
    await run('site', '-o', out('fresh'));
    await run('export', '--all', '--sqlite', demo.db);
    for (const path of [...own('site'), ...own('package'), ...own('fresh')])
      expect(existsSync(path) && readFileSync(path, 'utf8'), path).to.equal(text);
    expect(existsSync(demo.db)).to.equal(true);
  });
});
