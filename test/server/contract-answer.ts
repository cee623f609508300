import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { Pool } from 'undici';
import type { Operation, Promises } from './contract-document.ts';
import { type Expected, mostItems, type Question } from './contract-question.ts';

export type Answer = { status: number; headers: Record<string, string>; bytes: Buffer };

/** Asks one server over connections that stay open; an address goes out as it is written. */
export type Asker = {
  ask(address: string, init?: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> }): Promise<Answer>;
  /** How often it has asked. */
  requestCount(): number;
  close(): Promise<void>;
};

export function createAsker(url: string): Asker {
  const pool = new Pool(url, { connections: 8 });
  let count = 0;
  return {
    requestCount: () => count,
    close: () => pool.close(),
    async ask(path, { method = 'GET', headers = {} } = {}) {
      count += 1;
      const answer = await pool.request({ path, method, headers });
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
        bytes: Buffer.from(await answer.body.arrayBuffer()),
      };
    },
  };
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

type Page = { items: unknown[]; total: number | null; relaxed?: string | null };
type Problem = { status: number; detail: string; errors?: { parameter: string; message: string }[] };

/** Fails unless an answer keeps what the document promises of it and is the one that was expected. */
export function checkAnswer(
  promises: Promises,
  question: Question,
  { answer, wanted }: { answer: Answer; wanted: Expected },
): void {
  const { operation } = question;
  const { status, headers } = answer;
  expect(status, 'status').to.be.oneOf(wanted.statuses);
  const declared = operation.responses[status];
  expect(declared, `status ${status}`).to.be.an('object');
  checkHeaders(operation, answer);
  if (status === 304) {
    expect([headers['content-type'], answer.bytes.length]).to.deep.equal([undefined, 0]);
    return;
  }
  const type = headers['content-type']!.split(';')[0]!;
  expect(Object.keys(declared!.content!), 'media types').to.include(type);
  const body = bodyOf(answer, type);
  expect(promises.faultOfBody(operation, { status, type }, body), 'body').to.equal(null);
  if (status >= 400) checkProblem(answer, body as Problem, wanted.faults);
  else if (Array.isArray((body as Partial<Page>).items)) checkPage(question, body as Page);
}

function checkPage(question: Question, { items, total, relaxed = null }: Page): void {
  // Hits of a relaxed search only resemble the query, and are no part of the total.
  const most = relaxed === null ? (total ?? Infinity) : Infinity;
  expect(items.length, 'items').to.be.at.most(Math.min(mostItems(question), most));
  expect(new Set(items.map((item) => JSON.stringify(item))).size, 'different items').to.equal(items.length);
}

function bodyOf({ headers, bytes }: Answer, type: string): unknown {
  const plain = decoders[headers['content-encoding'] ?? '']?.(bytes) ?? bytes;
  return type.endsWith('json') && !type.endsWith('ndjson') ? JSON.parse(plain.toString()) : plain.toString();
}

function checkProblem({ status }: Answer, problem: Problem, faults: string[] | null): void {
  expect(problem.status).to.equal(status);
  expect(problem.detail)
    .to.match(/^[A-Z].*\.$/s)
    .and.not.match(/SQL|\.ts\b|node_modules|\n/);
  const faultyParameters = [...new Set((problem.errors ?? []).map(({ parameter }) => parameter))];
  if (faults === null) return;
  if (faults.length < 2) expect(faultyParameters).to.deep.equal(faults);
  else expect(faults, 'faults').to.include.members(faultyParameters).and.not.deep.equal([]);
  if (status === 422) expect(faultyParameters).not.to.deep.equal([]);
}

/** What section 6 of the contract says of every answer; validators where the document declares 304. */
function checkHeaders({ responses, path }: Operation, { status, headers }: Answer): void {
  // Too long for the server's parser: there is no answer of the application.
  if (status === 431) return;
  const readable = headers['access-control-expose-headers']?.split(', ') ?? [];
  const sent = readable.filter((name) => headers[name.toLowerCase()] !== undefined);
  expect(Object.keys(responses[status]!.headers ?? {}), 'described headers').to.include.members(sent);
  expect(headers.link).to.include('rel="via"');
  // The service states a licence for its dataset exports alone.
  const isExport = path === '/api/v1/export/dataset' && (status === 200 || status === 304);
  expect(headers.link!.includes('rel="license"'), 'license').to.equal(isExport);
  expect(headers.vary).to.include('Accept-Encoding').and.include('Authorization');
  // For programs: pages of other origins may not ask.
  const isForPages = !['/statusz', '/api/v1/mirror'].includes(path);
  expect(headers['access-control-allow-origin']).to.equal(isForPages ? '*' : undefined);
  expect(headers['access-control-expose-headers'] !== undefined, 'exposed headers').to.equal(isForPages);
  expect(headers['x-content-type-options']).to.equal('nosniff');
  const isKept = (status === 200 || status === 304) && responses[304] !== undefined;
  if (!isKept) {
    expect([headers['cache-control'], headers.etag]).to.deep.equal(['no-store', undefined]);
    return;
  }
  expect(headers.etag).to.match(/^"[\w-]+"$/);
  expect(headers['cache-control']).to.equal('public, max-age=60, must-revalidate');
  if (path.startsWith('/api/')) expect(new Date(headers['last-modified']!).getTime()).to.be.greaterThan(0);
}

const shared = ['etag', 'last-modified', 'cache-control', 'vary', 'link', 'content-type', 'content-disposition'];

/** Fails unless HEAD gives what GET gave without its body, and who has an answer gets nothing again. */
export async function checkAgain(
  asker: Asker,
  address: string,
  { answer, headers }: { answer: Answer; headers: Record<string, string> },
): Promise<void> {
  const head = await asker.ask(address, { method: 'HEAD', headers });
  expect([head.status, head.bytes.length], 'HEAD').to.deep.equal([answer.status, 0]);
  for (const name of shared) expect(head.headers[name], `HEAD ${name}`).to.equal(answer.headers[name]);
  expect(head.headers['content-length'] ?? String(answer.bytes.length)).to.equal(String(answer.bytes.length));
  const { etag } = answer.headers;
  if (etag === undefined) return;
  const again = await asker.ask(address, { headers: { ...headers, 'if-none-match': etag } });
  expect([again.status, again.bytes.length, again.headers.etag], 'If-None-Match').to.deep.equal([304, 0, etag]);
  const other = await asker.ask(address, { headers: { ...headers, 'if-none-match': '"another"' } });
  expect([other.status, other.headers.etag]).to.deep.equal([answer.status, etag]);
}
