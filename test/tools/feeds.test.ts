import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { kindOf, kinds } from '../../src/model/kinds.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { views } from '../helpers/views.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from '../server/demo-server.ts';

const python = '/usr/bin/python3';
const hasModule = (name: string) => spawnSync(python, ['-c', `import ${name}`]).status === 0;

/** What a program says that runs beside the server in this process. */
async function run(program: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(program, args, { env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env } });
  const [output, complaint, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(exit, complaint).to.equal(0);
  return output;
}

/** Every feed of the server, lists with a filter among them. */
const feeds = [
  ...views
    .filter(({ forms }) => 'atom' in forms)
    .map(({ path, example }) => `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example[name]!)}.atom`),
  '/search.atom?q=port',
  '/changes.atom?kind=promise&lang=fr',
  '/votes.atom?voted=ADR:for&limit=5',
];

const readByFeedparser = `
import feedparser, json, sys
out = []
for address in sys.argv[1:]:
    feed = feedparser.parse(address)
    out.append({
        "address": address, "status": feed.get("status"), "bozo": bool(feed.bozo), "why": str(feed.get("bozo_exception", "")),
        "version": feed.version, "id": feed.feed.get("id"), "author": feed.feed.get("author"), "rights": feed.feed.get("rights"),
        "updated": feed.feed.get("updated_parsed") is not None,
        "entries": [{"id": e.id, "title": e.title, "link": e.link, "moved": e.get("updated_parsed") is not None,
                     "author": e.get("author"), "html": e.content[0].value} for e in feed.entries],
    })
print(json.dumps(out))
`;

type Read = {
  address: string;
  status: number;
  bozo: boolean;
  why: string;
  version: string;
  id: string;
  author: string;
  rights: string;
  updated: boolean;
  entries: { id: string; title: string; link: string; moved: boolean; html: string }[];
};

describe('feeds and catalogs, read by the programs of others', () => {
  let server: DemoServer;
  let folder: string;
  before(async () => {
    server = await startDemoServer();
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-feeds-'));
    const [first, ...otherPromises] = demoRecords(kindOf('promise'));
    const edited = { ...first, text: `${first!.text} <b>& "demain"</b> ]]>` };
    saveAll(server.writer, 'promise', [edited, ...otherPromises], '2026-03-02T06:00:00.000Z');
    saveMeta(server.writer, 'synced_at', '2026-03-02T06:00:00.000Z');
  });
  after(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  it('are well formed to feedparser, with entries that lead to pages', async function () {
    if (!hasModule('feedparser')) this.skip();
    const feedsRead: Read[] = JSON.parse(
      await run(python, ['-c', readByFeedparser, ...feeds.map((path) => server.url + path)]),
    );
    for (const { address, bozo, why, version, author, rights, entries, ...feed } of feedsRead) {
      expect(bozo, `${address} ${why}`).to.equal(false);
      expect(version, address).to.equal('atom10');
      expect(feed, address).to.include({ status: 200, updated: true });
      expect(author, address).to.match(/^Transparence Valombre/);
      expect(rights, address).to.match(/^Source: Transparence Valombre/);
      expect(new Set(entries.map(({ id }) => id)).size, address).to.equal(entries.length);
      expect(
        entries.every(({ moved }) => moved),
        address,
      ).to.equal(true);
    }
    expect(new Set(feedsRead.map(({ id }) => id)).size).to.equal(feedsRead.length);
    const links = feedsRead.flatMap(({ entries }) => entries.slice(0, 3).map(({ link }) => link));
    expect(links.length).to.be.greaterThan(20);
    for (const link of links) expect((await fetch(link)).status, link).to.equal(200);
    const changed = feedsRead.find(({ address }) => address.includes('/changes.atom?'))!;
    expect(changed.entries[0]!.html).to.include('<ins>').and.include('&lt;b&gt;&amp;');
  });

  it('are read by newsboat, which shows nothing twice when it looks again', async function () {
    if (spawnSync('newsboat', ['--version']).status !== 0) this.skip();
    const [urls, cache, config] = ['urls', 'cache.db', 'config'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const feedPaths = ['/changes.atom?kind=promise', '/votes.atom?voted=ADR:for', '/politicians/oceane-bruyevre.atom'];
    writeFileSync(urls, feedPaths.map((path) => `${server.url}${path}\n`).join(''));
    writeFileSync(config, 'max-items 0\n');
    const reload = () => run('newsboat', ['-u', urls, '-c', cache, '-C', config, '-x', 'reload'], { HOME: folder });
    await reload();
    const read = () => {
      const database = new Database(cache, { readonly: true });
      const items = database.prepare('SELECT feedurl, guid, title, url, content FROM rss_item').all() as Record<
        string,
        string
      >[];
      database.close();
      return items;
    };
    const first = read();
    for (const path of feedPaths)
      expect(
        first.filter(({ feedurl }) => feedurl === server.url + path),
        path,
      ).not.to.have.length(0);
    expect(first.some(({ content }) => content!.includes('<ins>'))).to.equal(true);
    await reload();
    expect(read()).to.have.length(first.length);
  });

  it('are linked data to rdflib, with a licence on the exports alone', async function () {
    if (!hasModule('rdflib')) this.skip();
    const pages = ['/catalog.jsonld', '/politicians/oceane-bruyevre.jsonld', '/parties/alliance-des-rivages.jsonld'];
    const files = await Promise.all(
      pages.map(async (path, at) => {
        const file = join(folder, `${at}.jsonld`);
        writeFileSync(file, await (await server.get(path)).text());
        return file;
      }),
    );
    const program = `
import json, sys
from rdflib import Graph, Namespace, RDF
schema, dcat, dct = Namespace("https://schema.org/"), Namespace("http://www.w3.org/ns/dcat#"), Namespace("http://purl.org/dc/terms/")
graph = Graph()
for file in sys.argv[1:]:
    graph.parse(file, format="json-ld")
print(json.dumps({
    "triples": len(graph),
    "datasets": sorted(str(graph.value(each, schema.identifier)) for each in graph.subjects(RDF.type, dcat.Dataset)),
    "catalogs": len(list(graph.subjects(RDF.type, dcat.Catalog))),
    "licensed": sorted(str(graph.value(each, schema.identifier)) for each in graph.subjects(dct.license, None) if (each, RDF.type, dcat.Dataset) in graph),
    "files": len(list(graph.subjects(RDF.type, dcat.Distribution))),
    "people": [str(name) for each in graph.subjects(RDF.type, schema.Person) for name in graph.objects(each, schema.name)],
    "organizations": len(list(graph.subjects(RDF.type, schema.Organization))),
}))`;
    const catalogue = JSON.parse(await run(python, ['-c', program, ...files]));
    expect(catalogue.datasets).to.deep.equal(kinds.map(({ plural }) => plural).sort());
    expect(catalogue.licensed).to.deep.equal(
      kinds
        .filter(({ dataset }) => dataset)
        .map(({ plural }) => plural)
        .sort(),
    );
    expect(catalogue).to.include({ catalogs: 1 });
    expect(catalogue.people).to.deep.equal(['Océane Bruyèvre']);
    expect(catalogue.organizations).to.be.greaterThan(1);
    const catalog = JSON.parse(readFileSync(files[0]!, 'utf8'));
    const addresses = catalog['@graph'].flatMap(({ distribution = [] }: { distribution?: { contentUrl: string }[] }) =>
      distribution.map(({ contentUrl }) => contentUrl),
    );
    expect(addresses).to.have.length(catalogue.files);
    for (const address of addresses) {
      const response = await fetch(address);
      expect(response.status, address).to.equal(200);
      // An export that is not read to its end counts among those under way.
      await response.arrayBuffer();
    }
  });
});
