import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { csvFormat } from '../../../src/format/csv.ts';
import type { Document } from '../../../src/model/document.ts';
import { keyOf } from '../../../src/model/facets.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { collectItems, createServiceAnswerer } from '../../../src/questions/answering.ts';
import { audit } from '../../../src/questions/audit.ts';
import { readValues } from '../../../src/questions/parameter.ts';
import { createApp } from '../../../src/server/app.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import { saveDetail } from '../../../src/store/saving/detail.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { findImportFiles, importFiles } from '../../../src/sync/import.ts';
import { dialects } from '../../helpers/dialects.ts';
import { startFakeService } from '../../helpers/fake-service.ts';
import { listeningServers } from '../../helpers/loopback-servers.ts';
import { askProgram } from '../../helpers/program.ts';
import { createImpatientClient, createTemporaryMirror, syncOnce } from '../../helpers/sync-run.ts';

const appOf = (mirror: Mirror) =>
  createApp({
    mirror,
    settings: { citation: { name: 'Test', siteUrl: null }, rateLimit: false, semantic: false },
    assetsFolder: fileURLToPath(new URL('../../../dist/assets', import.meta.url)),
  });

type Own = ReturnType<typeof createTemporaryMirror>;

const kind = kindOf('audit');
const at = '2026-11-01T06:00:00.000Z';

/** What people put where it does not belong: names, logins, mail, telephone and network addresses, streets. */
const seeds: Document[] = [
  { role: 'Jean Ondoyer' },
  { role: 'ONDOYER' },
  { action: 'edit by Jean Ondoyer' },
  { action: 'ondoyer' },
  { entity_type: 'j.ondoyer@valombre.example' },
  { type: 'Ondoyer, Jean' },
  { kind: 'ondoyer' },
  { chamber: '12 rue Ondoyer' },
  { id: 'jean.ondoyer' },
  { id: '0612345678' },
  { id: '2001:db8::77' },
  { id: 'audit-ondoyer' },
  { entity_id: 'ondoyer/jean' },
  { entity_slug: 'jean-ondoyer' },
  { record_id: '06.12.34.56.78' },
  { target_id: '192.0.2.77' },
  { entity: { type: 'Ondoyer', id: 7 } },
  { target: { type: 'quote', id: 'jean.ondoyer' } },
  { record: { record: { name: 'Jean Ondoyer' } } },
  { reason: 'jean_ondoyer' },
  { status: 'ondoyer' },
  { field: 'ondoyer' },
  { fields: ['title', 'ondoyer'] },
  { changed_fields: ['jean_ondoyer'] },
  { version: '0612345678' },
  { version: 612345678 },
  { count: 33612345678 },
  { created_at: '2026-10-01T08:00:00Z Ondoyer' },
  { timestamp: 612345678 },
  { language: 'ondoyer' },
  { moderator: { name: 'Jean Ondoyer', mail: 'j.ondoyer@valombre.example' } },
  { meta: { request: [{ ip: '192.0.2.77', at: '12 rue Ondoyer' }] } },
  { politician: 'jean-ondoyer' },
  { jean_ondoyer: true },
  { constructor: 'Ondoyer' },
];

const hostile = seeds.map(
  (fields, n): Document => ({
    id: `audit-${n}`,
    role: 'moderator',
    entity_type: 'quote',
    action: 'update',
    date: `2026-10-01T08:${String(n).padStart(2, '0')}:00Z`,
    ...fields,
  }),
);

const seeded = /ondoyer|612345678|06\.12\.34|192\.0\.2\.77|2001:db8/i;

/** The entries as a table of texts, with every field of any of them as a column. */
const fields = [...new Set(hostile.flatMap((entry) => Object.keys(entry)))];
const texts = hostile.map((entry) =>
  Object.fromEntries(
    Object.entries(entry).map(([field, value]) => [field, typeof value === 'string' ? value : JSON.stringify(value)]),
  ),
);

/** An entry whose name JSON.parse does not see: the later of two fields counts. */
const doubled = '{"id":"audit-90","role":"Jean Ondoyer","role":"editor","date":"2026-10-02T08:00:00Z"}';

describe('the moderation log is anonymous', () => {
  let own: Own;
  const servers = listeningServers();
  const opened: { close: () => unknown }[] = [];
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
    servers.closeAll();
    own.remove();
  });

  async function serviceOf(entries: Document[]) {
    const service = await startFakeService(dialects[0]!);
    opened.push(service);
    service.records.audit = entries;
    return service;
  }

  async function importing(name: string, bytes: string | Uint8Array): Promise<unknown> {
    const folder = join(own.folder, 'in');
    mkdirSync(folder);
    writeFileSync(join(folder, name), bytes);
    const [result] = await importFiles(own.mirror, findImportFiles(folder), { at });
    expect(result!.error).to.equal(null);
    return [...result!.omittedCounts];
  }

  /** Puts the entries into a mirror as they are, as an older program kept them: rows, details, versions and all. */
  function asFormerlyKept(mirror: Mirror): void {
    transaction(mirror, () => {
      const saver = createSaver(mirror, kind, { at });
      for (const [n] of hostile.entries()) saver.save({ id: `audit-${n}` });
      saver.finish();
      const replace = mirror.sql(
        `UPDATE record SET key = ?, row = ?, detail = ?, detail_hash = 'x', detail_at = $at, detail_since = $at,
         politician = ?, name = ? WHERE kind = 'audit' AND key = ?`.replaceAll('$at', `'${at}'`),
      );
      for (const [n, entry] of hostile.entries()) {
        const json = JSON.stringify(entry);
        const isDetailOnly = n % 5 === 4;
        replace.run(
          ...[keyOf(kind, entry), isDetailOnly ? null : json, isDetailOnly || n % 2 === 0 ? json : null],
          ...['jean-ondoyer', 'Ondoyer', `audit-${n}`],
        );
      }
      mirror.sql("UPDATE record SET detail = row, row = NULL WHERE kind = 'audit' AND key = 'audit-0'").run();
      mirror
        .sql(
          `INSERT INTO version SELECT id, 'row', coalesce(row, detail), 'Ondoyer', first_seen, last_seen, 'edited'
           FROM record WHERE kind = 'audit'`,
        )
        .run();
      const columns = JSON.stringify(['id', 'jean_ondoyer']);
      mirror
        .sql('UPDATE kind_state SET columns = ?, file_columns = ?, retrieved_at = ? WHERE kind = ?')
        .run(columns, columns, at, 'audit');
      mirror.sql('INSERT OR REPLACE INTO retrieval VALUES (?, ?, ?)').run('audit', at, columns);
      mirror.sql('INSERT INTO gap VALUES (?, ?, ?, ?)').run('audit', 'jean.ondoyer', '0612345678', at);
    });
  }

  const shape = (name: string) => `{"name":"${name}"}`;

  const ways: [way: string, come: () => Promise<unknown>][] = [
    ['a sync', async () => syncOnce(own, (await serviceOf(hostile)).baseUrl)],
    [
      'an answer of the service that is kept',
      async () => {
        const client = await createImpatientClient((await serviceOf(hostile)).baseUrl);
        opened.push(client);
        const values = { ...readValues(audit.parameters, {}).values, limit: 200 };
        const { items } = await createServiceAnswerer({ mirror: own.mirror, client }).list(audit, values);
        return collectItems({ items });
      },
    ],
    [
      'an import of NDJSON',
      () => importing('audit.ndjson', `${[...hostile.map((each) => JSON.stringify(each)), doubled].join('\n')}\n`),
    ],
    [
      'an import of compressed NDJSON',
      () => importing('audit.ndjson.gz', gzipSync(hostile.map((each) => JSON.stringify(each)).join('\n'))),
    ],
    [
      'an import of CSV',
      () => {
        const format = csvFormat(fields);
        return importing('audit.csv', format.head(fields) + texts.map((row) => format.row(row)).join(''));
      },
    ],
    [
      'an import of Parquet',
      async () => {
        const columnData = fields.map((name) => ({
          name,
          data: texts.map((row) => (Object.hasOwn(row, name) ? row[name]! : null)),
          type: 'STRING' as const,
        }));
        return importing('audit.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
      },
    ],
    [
      'a document of its own beside an entry',
      async () => {
        transaction(own.mirror, () => {
          for (const entry of hostile) saveDetail(own.mirror, kind, entry, { at });
        });
      },
    ],
    [
      'the mirror that is followed',
      async () => {
        const source = createTemporaryMirror();
        opened.push({ close: source.remove });
        asFormerlyKept(source.mirror);
        const reader = openMirror(source.mirror.path);
        const app = await appOf(reader);
        opened.push(reader, app);
        expect((await app.inject({ url: '/api/v1/mirror' })).body).to.match(seeded);
        const { report, error } = await syncOnce(own, `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`);
        expect([error, report.exit]).to.deep.equal([null, 0]);
        return report;
      },
    ],
    [
      'a mirror of an older program',
      async () => {
        asFormerlyKept(own.mirror);
        own.mirror
          .sql(`INSERT OR REPLACE INTO shape (subject, usual, seen_at) VALUES ('/audit', ?, ?)`)
          .run(shape('Ondoyer'), at);
        own.mirror.sql("UPDATE meta SET value = '1' WHERE key = 'anonymous_log'").run();
        own.mirror.close();
        const before = await answersText();
        own.mirror = openWritableMirror(own.mirror.path);
        return before;
      },
    ],
  ];

  /** All that leaves a mirror over HTTP and by commands. */
  async function answersText(): Promise<string> {
    const reader = openMirror(own.mirror.path);
    const app = await appOf(reader);
    const keys = reader.column<string>("SELECT key FROM record WHERE kind = 'audit' ORDER BY id").all();
    const paths = [
      ...['/api/v1/audit?limit=200', '/api/v1/records/audit?limit=100', '/api/v1/mirror?kinds=audit'],
      ...[
        '/api/v1/mirror?whole=true',
        '/api/v1/changes?since=2020-01-01&limit=100',
        '/audit',
        '/audit.csv',
        '/records/audit',
      ],
      ...['/statusz', '/catalog'],
      ...keys.flatMap((key) =>
        ['records', 'history'].map((path) => `/api/v1/${path}/audit/${encodeURIComponent(key)}`),
      ),
    ];
    const answers: string[] = [];
    for (const url of paths) {
      const { statusCode, body } = await app.inject({ url });
      expect([url, statusCode]).to.deep.equal([url, 200]);
      answers.push(body);
    }
    await app.close();
    reader.close();
    const env = { HEMICYCLE_DB: own.mirror.path, HOME: own.folder };
    const out = join(own.folder, `out-${readdirSync(own.folder).length}`);
    const bag = `${out}.zip`;
    const commands = [
      ['show', 'audit', keys[0]!],
      ['history', 'audit', keys[1]!, '--json'],
      ['export', 'audit', '-o', `${out}/`, '--format', 'csv'],
      ['evidence', ...keys.slice(0, 5).map((key) => `audit:${key}`), '-o', bag],
      ['status', '--json'],
      ['doctor', '--offline', '--json'],
    ];
    await Promise.all(
      commands.map(async (argv) => {
        const { stdout, stderr, exit } = await askProgram(argv, { env });
        expect([argv[0], exit, exit === 0 ? '' : stderr]).to.deep.equal([argv[0], 0, '']);
        answers.push(stdout, stderr);
      }),
    );
    const files = [...readdirSync(out).map((name) => join(out, name)), bag];
    return [...answers, ...files.map((path) => readFileSync(path, 'latin1'))].join('\n');
  }

  for (const [what, body] of [
    ['a list of texts', '{"items":["Jean Ondoyer"]}'],
    ['no JSON', 'Jean Ondoyer'],
    ['an entry that is too deep', `{"items":[{"id":"jean.ondoyer","ondoyer":${'['.repeat(200)}${']'.repeat(200)}}]}`],
  ])
    it(`keeps and reports nothing of ${what} in the place of the log`, async () => {
      const service = await serviceOf([]);
      service.bent = { path: /^\/audit/, send: (_truth, response) => void response.writeHead(200).end(body) };
      const { report, notes } = await syncOnce(own, service.baseUrl);
      expect(JSON.stringify([report, notes])).to.not.match(seeded);
      expect(report.errors.length + report.excess.length).to.equal(1);
      own.mirror.close();
      expect(readFileSync(own.mirror.path, 'latin1')).to.not.match(seeded);
      own.mirror = openWritableMirror(own.mirror.path);
    });

  for (const [source, come] of ways)
    it(`whatever ${source} brings: every entry is kept, and nothing that tells of a person`, async () => {
      const report = await come();
      const count = own.mirror.column<number>("SELECT count(*) FROM record WHERE kind = 'audit'").get()!;
      expect(count).to.be.oneOf([hostile.length, hostile.length + 1]);
      expect(JSON.stringify(report ?? '')).to.not.match(seeded);
      own.mirror.close();
      try {
        expect(await answersText())
          .to.include('"entity_type":"quote"')
          .and.not.match(seeded);
        for (const name of readdirSync(own.folder).filter((each) => each.startsWith('mirror.db')))
          expect(readFileSync(join(own.folder, name), 'latin1'), name).to.not.match(seeded);
      } finally {
        own.mirror = openWritableMirror(own.mirror.path);
      }
    });
});
