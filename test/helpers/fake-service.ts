import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { csvFormat } from '../../src/format/csv.ts';
import { writeParquet } from '../../src/format/parquet/file.ts';
import { column } from '../../src/model/columns.ts';
import type { Document, Json } from '../../src/model/document.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/demo/', import.meta.url));

/** How a service may fill what the interface leaves open. */
export type Dialect = {
  name: string;
  /** Wraps a page of items; may set headers instead of naming the cursor in the body. */
  list: (items: Document[], next: string | null, url: URL, response: ServerResponse) => Json;
  one?: (document: Document) => Json;
  ballot?: (document: Document) => Document;
  dataset?: 'parquet' | 'csv' | 'semicolon' | 'tab' | 'html';
  /** True if every answer has an ETag and is answered 304 while it stays the same. */
  hasValidators?: boolean;
  /** `none` if only politicians, parties and ballots carry what identifies them, as the interface shows. */
  ids?: 'none';
  /** Order of the feed where it is not newest first; `by title` is that of no date. */
  feed?: 'ascending' | 'by title';
  /** `repeated` if moderation entries say no more than the interface shows, of which many are equal. */
  audit?: 'repeated';
  /** How `/politicians` is sorted by `updated_at`; the order of the file where it is not given. */
  updated?: 'newest first' | 'oldest first';
};

/** One page of the feed before a dialect writes it down. */
export type FeedPage = { items: Document[]; next: string | null };

/** How a service bends its answers; `nth` counts the requests that it was told to, from 1. */
export type Bent = {
  /** The requests that are answered so, by path and query. */
  path: RegExp;
  /** Changes what the service holds before it answers. */
  move?: (records: FakeService['records'], nth: number) => void;
  /** Another page of the feed in the place of the true one. */
  page?: (page: FeedPage, nth: number, records: FakeService['records']) => FeedPage;
  /** Other bytes in the place of the true answer, which came as these. */
  send?: (truth: Truth, response: ServerResponse, nth: number) => void;
};

/** An answer as it would be sent. */
export type Truth = { status: number; headers: Record<string, string>; body: Buffer };

/** The answer that a test puts in the place of the next one to a path. */
export type Fault = {
  path: RegExp;
  times?: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
};

export type FakeService = {
  baseUrl: string;
  dialect: Dialect;
  requests: { path: string; query: URLSearchParams; headers: IncomingMessage['headers'] }[];
  /** Requests that the interface does not know; a test ends by expecting none. */
  unexpected: string[];
  records: Record<string, Document[]>;
  faults: Fault[];
  /** What bends its answers for as long as it stands here. */
  bent: Bent | null;
  /** Told of every request before it is answered, with how many there were. */
  onRequest?: (count: number) => void;
  close(): Promise<void>;
};

/** The fictional records of a kind, as a service would hold them. */
export function demoRecords(plural: string): Document[] {
  const lines = readFileSync(`${fixtures}${plural}.ndjson`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The kinds that the service holds, as it names their datasets. */
export const plurals = [
  'politicians',
  'parties',
  'promises',
  'positions',
  'quotes',
  'sources',
  'content',
  'ballots',
  'audit',
];

/** A real server on a free port that plays the service over the fictional records, in one dialect. */
export async function startFakeService(dialect: Dialect): Promise<FakeService> {
  const service: FakeService = {
    baseUrl: '',
    dialect,
    requests: [],
    unexpected: [],
    records: Object.fromEntries(plurals.map((plural) => [plural, demoRecords(plural)])),
    faults: [],
    bent: null,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    void answer(service, dialect, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  return service;
}

async function answer(
  service: FakeService,
  dialect: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', service.baseUrl);
  const path = url.pathname.replace(/^\/api\/v1/, '');
  service.requests.push({ path, query: url.searchParams, headers: request.headers });
  service.onRequest?.(service.requests.length);
  const at = service.faults.findIndex((fault) => fault.path.test(path + url.search));
  const fault = service.faults[at];
  if (fault) {
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) service.faults.splice(at, 1);
    return fault.answer(request, response);
  }
  const bent = service.bent?.path.test(path + url.search) ? service.bent : null;
  const nth = bent ? (bendCounts.get(bent) ?? 0) + 1 : 0;
  if (bent) {
    bendCounts.set(bent, nth);
    bent.move?.(service.records, nth);
    if (bent.send) sendOtherwise(response, (truth) => bent.send!(truth, response, nth));
  }
  const bend = (page: FeedPage) => bent?.page?.(page, nth, service.records) ?? page;
  if (dialect.hasValidators) answerConditionally(request, response);
  if (path === '/export/dataset') return answerDataset(service, dialect, url, response);
  const body = bodyOf(service, dialect, { path, url, response, bend });
  if (body === undefined) return send(response, 404, { detail: 'no such thing' });
  send(response, 200, body);
}

/** How often each way of bending was met. */
const bendCounts = new WeakMap<Bent, number>();

/** Hands the answer that is about to be sent to `send`, which sends another. */
function sendOtherwise(response: ServerResponse, send: (truth: Truth) => void): void {
  const { end, writeHead } = response;
  let head: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
  response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
    head = { status, headers };
    return response;
  }) as typeof writeHead;
  response.end = ((body: string | Buffer) => {
    Object.assign(response, { end, writeHead });
    const own = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
    send({
      status: head.status,
      headers: { ...Object.fromEntries(own), ...head.headers },
      body: Buffer.from(body),
    });
    return response;
  }) as typeof end;
}

/** Gives an answer a validator made of its body, and no body to whoever holds that one. */
function answerConditionally(request: IncomingMessage, response: ServerResponse): void {
  const { end, writeHead } = response;
  let head: Parameters<typeof writeHead> = [200];
  response.writeHead = ((...headArguments: Parameters<typeof writeHead>) => {
    head = headArguments;
    return response;
  }) as typeof writeHead;
  response.end = ((body: string | Buffer) => {
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    response.setHeader('etag', etag);
    const isHeld = head[0] === 200 && request.headers['if-none-match'] === etag;
    writeHead.apply(response, isHeld ? [304] : head);
    return end.call(response, isHeld ? '' : body, 'utf8');
  }) as typeof end;
}

type Asked = { path: string; url: URL; response: ServerResponse; bend: (page: FeedPage) => FeedPage };

function bodyOf(service: FakeService, dialect: Dialect, serviceRequest: Asked): Json | undefined {
  const { path, url, response } = serviceRequest;
  const [, resource = '', id] = path.split('/').map(decodeURIComponent);
  const one = dialect.one ?? ((document: Document) => document);
  if (resource === 'feed') return feedPage(service, dialect, serviceRequest);
  if (resource === 'audit') {
    const type = url.searchParams.get('entity_type');
    const entries = shown(service, dialect, 'audit').filter(({ entity_type }) => type === null || type === entity_type);
    return dialect.list(newest(entries).slice(0, 200), null, url, response);
  }
  if (resource === 'votes' && id) {
    const chamber = url.searchParams.get('chamber') ?? 'AN';
    const ballot = service.records.ballots!.find((each) => each.scrutin_id === id && each.chamber === chamber);
    return ballot && one(dialect.ballot ? dialect.ballot(ballot) : ballot);
  }
  if ((resource === 'politicians' || resource === 'parties') && id) {
    const record = service.records[resource]!.find(({ slug }) => slug === id);
    return record && one(record);
  }
  if (resource === 'politicians' || resource === 'parties') {
    return dialect.list(listed(service.records[resource]!, dialect, url), null, url, response);
  }
  service.unexpected.push(path);
  return undefined;
}

function listed(records: Document[], { updated }: Dialect, url: URL): Document[] {
  const limit = Number(url.searchParams.get('limit') ?? 20);
  if (url.searchParams.get('sort') !== 'updated_at' || !updated) return records.slice(0, Math.min(limit, 100));
  const sorted = [...records].sort((a, b) => (String(a.updated_at) < String(b.updated_at) ? -1 : 1));
  return (updated === 'newest first' ? sorted.reverse() : sorted).slice(0, Math.min(limit, 100));
}

/** The records of a kind as the dialect shows them. */
export function shown({ records }: FakeService, { ids, audit }: Dialect, plural: string): Document[] {
  if (plural === 'audit' && audit === 'repeated')
    return records.audit!.map(({ role, entity_type, date }) => ({
      ...{ role: role!, entity_type: entity_type! },
      date: `${String(date).slice(0, 7)}-01`,
    }));
  return ids === 'none' ? records[plural]!.map(({ id: _, ...otherFields }) => otherFields) : records[plural]!;
}

function newest(records: Document[]): Document[] {
  const moment = ({ date }: Document) => String(date);
  // Of one day, those that came last stand first.
  return records.toReversed().sort((a, b) => (moment(a) === moment(b) ? 0 : moment(a) < moment(b) ? 1 : -1));
}

function feedPage(service: FakeService, dialect: Dialect, { url, response, bend }: Asked): Json {
  const items = newest(shown(service, dialect, 'content')).map((each): Document => ({ type: 'content', ...each }));
  if (dialect.feed === 'ascending') items.reverse();
  if (dialect.feed === 'by title') items.sort((a, b) => String(a.title).localeCompare(String(b.title)));
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const to = from + Math.min(50, Number(url.searchParams.get('limit') ?? 20));
  const page = bend({ items: items.slice(from, to), next: to < items.length ? String(to) : null });
  return dialect.list(page.items, page.next, url, response);
}

async function answerDataset(
  service: FakeService,
  dialect: Dialect,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  const { dataset = 'parquet' } = dialect;
  const entity = url.searchParams.get('entity') ?? '';
  if (!service.records[entity]) return send(response, 422, { detail: 'no such entity' });
  const rows = shown(service, dialect, entity);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const wantsParquet = url.searchParams.get('format') === 'parquet';
  if (wantsParquet && dataset === 'html') return send(response, 200, '<html><title>Oops</title></html>', 'text/html');
  if (wantsParquet && dataset !== 'parquet') return send(response, 500, { error: { message: 'no Parquet today' } });
  if (!wantsParquet) return send(response, 200, csvOf(rows, columns, dataset), 'text/csv');
  response.writeHead(200, { 'content-type': 'application/vnd.apache.parquet' }).end(await parquetOf(rows, columns));
}

/** Parquet of the same columns and rows, which most tests leave as they are, is written once. */
const parquetFiles = new Map<string, Promise<Buffer>>();

function parquetOf(rows: Document[], columns: string[]): Promise<Buffer> {
  const key = JSON.stringify([columns, rows]);
  const file = parquetFiles.get(key) ?? writtenParquet(rows, columns);
  parquetFiles.set(key, file);
  return file;
}

function typeIn(rows: Document[], name: string): 'json' | 'number' | 'boolean' | 'text' {
  const types = new Set(rows.flatMap((row) => ((row[name] ?? null) === null ? [] : [typeof row[name]])));
  const [type = 'string'] = types;
  if (types.size > 1 || type === 'object') return 'json';
  return type === 'number' || type === 'boolean' ? type : 'text';
}

async function writtenParquet(rows: Document[], columns: string[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await writeParquet(
    { rows: () => rows },
    { columns: columns.map((name) => column[typeIn(rows, name)](name, '')), metadata: {} },
    {
      closed: false,
      write: (chunk) => void chunks.push(chunk as Uint8Array),
      end: async () => {},
      abort: async () => {},
    },
  );
  return Buffer.concat(chunks);
}

function csvOf(rows: Document[], columns: string[], dataset: string): string {
  const format = csvFormat(columns);
  const text = [format.head(columns), ...rows.map((row) => format.row(row))].join('');
  if (dataset === 'semicolon') return `\ufeff${separated(rows, columns, ';').replaceAll('\n', '\r\n')}`;
  return dataset === 'tab' ? separated(rows, columns, '\t') : text;
}

/** Every cell quoted, so that any separator will do; null alone stays bare. */
function separated(rows: Document[], columns: string[], mark: string): string {
  const cell = (value: Json | undefined) => {
    if (value === null || value === undefined) return '';
    return `"${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`;
  };
  return [columns.join(mark), ...rows.map((row) => columns.map((column) => cell(row[column])).join(mark)), ''].join(
    '\n',
  );
}

function send(response: ServerResponse, status: number, body: Json, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}
