import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { keyOf } from '../../src/model/facets.ts';
import { historyPath, type Kind, kindOf, kinds, recordPath } from '../../src/model/kinds.ts';
import { questions } from '../../src/questions/table.ts';
import { dialects } from '../helpers/dialects.ts';
import { startFakeService } from '../helpers/fake-service.ts';
import { type HostileRecord, hostileRecords } from '../helpers/hostile-fields.ts';
import { runAtTerminal, runProgram } from '../helpers/program.ts';
import { isLong } from '../helpers/random.ts';
import { createTemporaryMirror, hashesOf, syncOnce } from '../helpers/sync-run.ts';
import { views } from '../helpers/views.ts';
import { type DemoServer, demoRecords, startDemoServer } from '../server/demo-server.ts';
import { routesOf } from '../server/routes.ts';

const manifest = fileURLToPath(new URL('../../oclif.manifest.json', import.meta.url));

/** What a caller may put into an address. */
const hostileWords = ['a\ud800', 'a\0', '%ff', 'http://localhost/votes/AN/%25ff', '{"q":{"query":"\\ud800"}}'];

const all: HostileRecord[] = kinds.flatMap(hostileRecords);

/**
 * Lines for each command, some with exit codes other than 0; a text says why a command is not run. `@` is an innocent politician, and `~`
 * marks a line of the long form.
 */
const commands: Record<string, string | (string | [line: string, ...exits: number[]])[]> = {
  affiliations: ['affiliations --all', '~affiliations @'],
  ask: ['ask changed-group', '~ask', '~ask amendments-by-group'],
  audit: ['audit --all'],
  backup: ['backup -o copy.tar.gz'],
  ballots: ['ballots --all', '~ballots -q phare', '~ballots --dissent 0.1', '~ballots --sort margin'],
  brief: ['brief --since 2000-01-01 --limit 500'],
  changes: ['changes --since 2020 --all'],
  check: [['check "C’est peu au regard de l’ensemble des retraites"', 0, 3]],
  cite: ['cite @', '~cite @ --style bibtex'],
  cohesion: ['cohesion', '~cohesion --by month'],
  compare: [
    'compare alliance-des-rivages parti-du-verger',
    '~compare adr pdv --card pair.html',
    '~compare adr pdv --by topic',
  ],
  completion: 'reads no record',
  'config:get': 'reads no record',
  'config:list': 'reads no record',
  'config:set': 'reads no record',
  'config:unset': 'reads no record',
  contradictions: ['contradictions --limit 5000'],
  demo: 'has a mirror of its own',
  doctor: [['doctor --offline', 0, 12]],
  dossier: ['dossier @ -o dossier.html', '~dossier @ -o dossier.md'],
  evidence: ['evidence politician:@ -o evidence.zip'],
  'evidence:verify': ['evidence verify evidence.zip'],
  export: [
    ...['export --all -o csv/', 'export --all --sqlite all.db', 'export --all --lake lake/'],
    ...['export --all --format parquet -o parquet/', '~export --all --format ndjson -o ndjson/'],
    ...['export --all -o all.xlsx', '~export --all --releases -o releases/'],
    ...['~export --all --changed-since last -o changed/', '~export votes-wide -o wide.csv'],
    '~export politicians --politician @ -o one.csv',
  ],
  'export:verify': ['export verify csv/', '~export verify releases/', '~export verify lake/'],
  feed: ['feed --all', '~feed -q phare', '~feed --politician @'],
  help: 'reads no record',
  history: ['history politician @', '~history party alliance-des-rivages'],
  import: 'fills the mirror of every test here',
  init: 'begins with a sync',
  match: ['match names.csv --column name'],
  mcp: 'is a route as well',
  open: ['open @ --print'],
  parties: ['parties', '~parties alliance-des-rivages'],
  politicians: ['politicians --all', '~politicians @', '~politicians --sort freshness', '~politicians -q rouvre'],
  records: ['records quote --all', ...kinds.map(({ name }) => `~records ${name} --all`)],
  restore: ['restore copy.tar.gz --db restored.db'],
  'schedule:print': 'reads no record',
  search: ['search phare', '~search "Le même"', '~search phrae', '~search --semantic retraites'],
  serve: 'has its routes tried',
  show: [
    'show @',
    ...kinds.map(({ name }): [string, ...number[]] => [`~show ${name} x-all-control`, 0, 3]),
    ...kinds.map(({ name }): [string, ...number[]] => [`~show ${name} x-all-prototype`, 0, 3]),
  ],
  site: 'has records of its own',
  sql: ['sql "SELECT * FROM politicians"', ...kinds.map(({ plural }) => `~sql "SELECT * FROM ${plural}"`)],
  status: ['status'],
  'subject:add': ['subject add all phare --person @'],
  'subject:edit': ['subject edit all retraites'],
  'subject:list': ['subject list'],
  'subject:show': ['subject show all --why'],
  'subject:remove': ['subject remove all'],
  sync: 'fills a mirror of its own',
  text: [['text phare', 0, 11]],
  'token:create': 'reads no record',
  'token:list': 'reads no record',
  'token:revoke': 'reads no record',
  topics: ['topics', '~topics --limit 5000'],
  version: 'reads no record',
  vote: [
    'vote --latest',
    '~vote VAL1V1 --svg vote.svg',
    '~vote VAL1V1 --png vote.png',
    '~vote VAL1V1 --card vote.html',
  ],
  'watch:add': ['watch add all changes --file all.atom'],
  'watch:edit': ['watch edit all --rename whole'],
  'watch:list': ['watch list'],
  'watch:log': ['watch log whole'],
  'watch:pause': ['watch pause whole', 'watch pause whole --resume'],
  'watch:redeliver': 'needs a message that failed',
  'watch:run': ['watch run'],
  'watch:test': ['watch test whole'],
  'watch:remove': ['watch remove whole'],
  'watch:rotate-secret': 'needs a webhook',
  withhold: ['withhold politician x-all-nul --reason test'],
};

/** Lists of a kind as JSON, each of which holds every innocent record. */
const lists: [line: string, kind: Kind][] = [
  ['politicians --all', kindOf('politician')],
  ['parties', kindOf('party')],
  ['ballots --all', kindOf('ballot')],
  ['audit --all', kindOf('audit')],
  ...kinds.map((kind): [string, Kind] => [`records ${kind.name} --all`, kind]),
];

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain!).replace('@', 'aicha-dunevive'));

/** Writes the demo's records and these into files, and imports them as a user does. */
async function createMirror(folder: string, records: readonly HostileRecord[]): Promise<string> {
  const files = join(folder, 'in');
  mkdirSync(files, { recursive: true });
  for (const kind of kinds) {
    const lines = [...demoRecords(kind).map((each) => JSON.stringify(each)), ...linesOf(kind, records)];
    writeFileSync(join(files, `${kind.plural}.ndjson`), lines.map((line) => `${line}\n`).join(''));
  }
  writeFileSync(join(folder, 'names.csv'), 'name\nAïcha Dunevive\nNé\n');
  const db = join(folder, 'mirror.db');
  const { exit, stderr } = await runProgram(['import', files, '--db', db], {
    cwd: folder,
    env: { HOME: folder },
  });
  expect(exit, stderr.slice(-300)).to.equal(0);
  return db;
}

const linesOf = (kind: Kind, records: readonly HostileRecord[]) =>
  records.filter((each) => each.kind === kind).map(({ line }) => line);

type Failure = (db: string, folder: string) => Promise<string | null>;

/** What fails in a mirror of the demo's records and these, or null. */
async function failureWith(records: readonly HostileRecord[], failure: Failure): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-culprit-'));
  try {
    return await failure(await createMirror(folder, records), folder);
  } catch (error) {
    return String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The records that make something fail, as `kind field value: message`, three at most; found by halves. */
async function culprits(records: readonly HostileRecord[], failure: Failure): Promise<string[]> {
  const message = await failureWith(records, failure);
  if (message === null) return [];
  const [first] = records;
  if (records.length <= 1)
    return [`${first ? `${first.kind.name} ${first.field} ${first.value}` : 'no hostile record'}: ${message}`];
  const middle = records.length >> 1;
  const some = await culprits(records.slice(0, middle), failure);
  if (some.length < 3) some.push(...(await culprits(records.slice(middle), failure)));
  return some.length > 0 ? some.slice(0, 3) : [`${records.length} records together: ${message}`];
}

const escapeMark = '\u001b';
/** What the program itself sends to a screen: colours, positions, links. No program of ours lets a text blink. */
const ownSequences = new RegExp(
  `${escapeMark}(\\[(?!5m)[\\d;?]*[A-Za-z]|\\]8;[^${escapeMark}]*?(\\u0007|${escapeMark}\\\\))`,
  'g',
);

/** The first character that steers a screen and is not the program's own, with what stands before it; null if there is none. */
function steering(screen: string): string | null {
  const text = screen.replace(ownSequences, '').replace(/\r*\n|\t/g, ' ');
  const [found = null] = /.{0,40}(?:\p{Cc}|[\u202a-\u202e\u2066-\u2069])/u.exec(text) ?? [];
  return found === null ? null : JSON.stringify(found);
}

/** Records whose pages make a site: in the short form one for each value. */
const canBeSite = ({ kind, field }: HostileRecord) => isLong || field === 'all' || field === kind.keyField;

describe('one mirror with a hostile value in each field of each kind', () => {
  let folder: string;
  let db: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-hostile-'));
    db = await createMirror(folder, all);
  });
  after(() => rmSync(folder, { recursive: true }));

  const typed = (words: string[], mirror: string) => (words.includes('--db') ? words : [...words, '--db', mirror]);
  const reported = async (failure: Failure, records: readonly HostileRecord[] = all, at = { db, folder }) => {
    const message = await failure(at.db, at.folder);
    if (message === null) return;
    // What fails without any of them, such as a line that reads a file of another, is no fault of a record.
    const [without] = await culprits([], failure);
    expect.fail([message, ...(without ? [without] : await culprits(records, failure))].join('\n'));
  };

  it('is tried by every command there is', () => {
    const { commands: known } = JSON.parse(readFileSync(manifest, 'utf8'));
    expect(Object.keys(commands).sort()).to.deep.equal(Object.keys(known).sort());
  });

  it('has each failure told by the record that causes it', async () => {
    const first = all[3]!;
    const second = all[9]!;
    const failure: Failure = async (_db, home) => {
      const text = kinds.map(({ plural }) => readFileSync(join(home, 'in', `${plural}.ndjson`), 'utf8')).join('');
      return [first, second].some(({ line }) => text.includes(line)) ? 'is there' : null;
    };
    expect(await culprits(all.slice(0, 12), failure)).to.deep.equal(
      [first, second].map(({ kind, field, value }) => `${kind.name} ${field} ${value}: is there`),
    );
    expect(await culprits([], async () => 'always')).to.deep.equal(['no hostile record: always']);
  });

  it('is answered on every route without a failure, whatever a caller puts into the address', async () => {
    await reported(async (mirror) => {
      const server = await startDemoServer({ db: mirror, assistants: { version: '1' } });
      try {
        const failed: string[] = [];
        for (const url of addressesOf(server)) {
          const accept = url.startsWith('/api/') ? 'application/json' : 'text/html';
          const { statusCode } = await server.app.inject({ url, headers: { accept, host: 'localhost' } });
          // 501 is the format that oEmbed lacks.
          if (statusCode >= 500 && statusCode !== 501) failed.push(`${statusCode} ${url.slice(0, 200)}`);
        }
        return failed[0] ?? server.failures.map(String)[0] ?? null;
      } finally {
        await server.close();
      }
    });
  });

  it('keeps no innocent record from the lists of a server', async () => {
    const server = await startDemoServer({ db });
    for (const [path, name] of [
      ['politicians', 'politician'],
      ['ballots', 'ballot'],
      ['audit', 'audit'],
    ] as const) {
      const kind = kindOf(name);
      const keys = new Set();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const { body } = await server.app.inject({ url: `/api/v1/${path}?${query}` });
        const page: { items: Document[]; next_cursor: string | null } = JSON.parse(body);
        for (const item of page.items) keys.add(item[kind.keyField]);
        cursor = page.next_cursor;
      }
      expect(
        demoRecords(kind).filter((record) => !keys.has(record[kind.keyField])),
        path,
      ).to.deep.equal([]);
    }
    await server.close();
  });

  for (const [line, kind] of lists)
    it(`keeps no innocent record from ${line}`, async () => {
      const argv = [...typed(wordsOf(line), db), '--json'];
      const { stdout } = await runProgram(argv, { cwd: folder, env: { HOME: folder } });
      const keys = new Set((JSON.parse(stdout).items as Document[]).map((item) => item[kind.keyField]));
      expect(demoRecords(kind).filter((record) => !keys.has(record[kind.keyField]))).to.deep.equal([]);
    });

  it('becomes the files of a site', async () => {
    const records = all.filter(canBeSite);
    const own = join(folder, 'of-site');
    const failure = async (mirror: string, home: string) => {
      const argv = ['site', '-o', 'site/', '--url', 'https://site.example/', '--db', mirror];
      const { exit, stderr } = await runProgram(argv, { cwd: home, env: { HOME: home } });
      return exit === 0 ? null : `exit ${exit}, ${stderr.slice(0, 300)}`;
    };
    await reported(failure, records, { db: await createMirror(own, records), folder: own });
  });

  for (const tried of Object.values(commands).filter((each) => typeof each !== 'string'))
    for (const each of tried) {
      const [marked, ...exits] = typeof each === 'string' ? [each, 0] : each;
      if (marked.startsWith('~') && !isLong) continue;
      const line = marked.replace('~', '');
      it(`ends no run of ${line}, and steers no screen`, async () => {
        await reported(async (mirror, home) => {
          const { exit, stdout } = await runAtTerminal(typed(wordsOf(line), mirror), {
            cwd: home,
            env: { HOME: home },
          });
          if (!exits.includes(exit!)) return `${line}: exit ${exit}, ${stdout.slice(-300)}`;
          const seen = steering(stdout);
          return seen === null ? null : `${line}: sends ${seen} to the screen`;
        });
      });
    }
});

describe('a service with a hostile value in each field of each kind', () => {
  it('is mirrored with every innocent record', async () => {
    const service = await startFakeService(dialects[0]!);
    const innocent = { ...service.records };
    for (const plural of Object.keys(innocent)) {
      const kind = kinds.find((each) => each.plural === plural)!;
      // The fake service sorts by dates, and would not survive an object without a text.
      const hostile = hostileRecords(kind).filter(
        ({ field, value }) => (field === 'all' || field === kind.keyField) && value !== 'prototype',
      );
      service.records[plural] = [...innocent[plural]!, ...hostile.map(({ line }) => JSON.parse(line))];
    }
    const own = createTemporaryMirror();
    try {
      const limits = { maxJsonBytes: 50_000_000, maxFileBytes: 500_000_000, totalJsonMs: 5000 };
      const { report, error } = await syncOnce(own, service.baseUrl, { limits });
      expect(report.exit, String(error)).to.equal(0);
      // A service lists no ballots: those that records name are fetched.
      for (const kind of kinds.filter(({ name }) => name !== 'ballot')) {
        const keys = new Set(Object.keys(hashesOf(own.mirror, kind.name)));
        const missing = (innocent[kind.plural] ?? []).filter((record) => !keys.has(keyOf(kind, record)));
        expect(missing, kind.plural).to.deep.equal([]);
      }
    } finally {
      own.remove();
      await service.close();
    }
  });
});

/** Every route with keys of records, each record at one address or, in the long form, at all, and hostile words in each place. */
function addressesOf({ app, writer }: DemoServer): string[] {
  const records = writer.sql<{ kind: string; key: string }>('SELECT kind, key FROM record ORDER BY id').all();
  const forms: ((kind: string, key: string) => string)[] = [
    (kind, key) => `/api/v1/records/${kind}/${encodeURIComponent(key)}`,
    recordPath,
    historyPath,
    (kind, key) => `${recordPath(kind, key)}.json`,
    (kind, key) => `/api/v1/history/${kind}/${encodeURIComponent(key)}`,
  ];
  // In the short form every other record, each at another of its addresses.
  const ofRecords = records.flatMap(({ kind, key }, at) =>
    forms.filter((_, place) => isLong || 2 * place === at % (2 * forms.length)).map((form) => form(kind, key)),
  );
  const keysOf = (kind: string) =>
    records.flatMap((each) => (each.kind === kind && /x-all-|\0|\ufffd/.test(each.key) ? [each.key] : []));
  const keysFor = (route: string): string[] =>
    route.includes(':scrutin_id')
      ? keysOf('ballot').map((key) => key.slice('AN:'.length))
      : keysOf(/parties|:kind/.test(route) ? 'party' : route.includes('sources') ? 'source' : 'politician');
  const ofRoutes = routesOf(app)
    .filter((route) => !/.\/$/.test(route))
    .flatMap((route) => {
      const path = route.replace(':chamber', 'AN').replace(':kind', 'party');
      const keys = path.includes(':') ? [...keysFor(route), ...hostileWords].map(written) : ['x'];
      const paths = keys.map((key) => path.replace(/:\w+/, key));
      const queries = parametersOf(route).flatMap((name) =>
        hostileWords.map((text) => `${paths[0]!}?${name}=${written(text)}`),
      );
      return [...paths, ...queries];
    });
  return [...ofRoutes, ...ofRecords];
}

/** Names of the query parameters of a route. */
function parametersOf(route: string): string[] {
  const path = route
    .replace('/api/v1', '')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\.\w+$/, '');
  const question = [...(route.startsWith('/api') ? questions : views)].find((each) => each.path === path);
  if (!question) return ['queries', 'extend', 'prefix', 'id', 'entity'];
  return Object.keys(question.parameters).filter((name) => !path.includes(`{${name}}`));
}

/** A text in an address; one that holds escapes already as it is, and a lone surrogate as its three bytes. */
function written(text: string): string {
  if (text.includes('%')) return text;
  return [...text]
    .map((each) =>
      each.isWellFormed()
        ? encodeURIComponent(each)
        : [0xe0 | (each.charCodeAt(0) >> 12), 0x80 | ((each.charCodeAt(0) >> 6) & 63), 0x80 | (each.charCodeAt(0) & 63)]
            .map((byte) => `%${byte.toString(16)}`)
            .join(''),
    )
    .join('');
}
