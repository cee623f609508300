import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { listeningServers } from './loopback-servers.ts';

/** What a small S3 holds, and how it errs. */
export type BucketServer = {
  /** Bytes by `BUCKET/KEY`. */
  objects: Map<string, Buffer>;
  /** The request that wrote an object, as its metadata says. */
  runs: Map<string, string>;
  /** True for one that writes over what `If-None-Match: *` or `If-Match` protects, as s3rver does. */
  ignoresConditions: boolean;
  /** True for one that compares `If-Match` on PUT with the tag without its quotes, as radosgw 16 does. */
  keepsQuotes?: boolean;
  /** So many of the next requests lose their connection before the answer. */
  cuts: number;
  /** So many of the next objects end after their first byte. */
  halves?: number;
  requests: string[];
  /** Awaited before the answer to each object that is written. */
  beforeAnswer?: () => Promise<void>;
  /** Called after the answer about an object that is not read. */
  afterHead?: () => void;
  /** When all objects were written, ISO 8601. */
  at?: string;
};

/** Starts an empty bucket server: what it holds, and the environment that leads to it with keys that it takes. */
export async function startBucketServer({ listen }: Pick<ReturnType<typeof listeningServers>, 'listen'>) {
  const bucketServer: BucketServer = {
    objects: new Map(),
    runs: new Map(),
    ignoresConditions: false,
    cuts: 0,
    requests: [],
  };
  const port = await listen(createServer(bucketListener(bucketServer, 'known')));
  const env: Record<string, string> = {
    AWS_ACCESS_KEY_ID: 'known',
    AWS_SECRET_ACCESS_KEY: 'never shown',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  };
  return { bucketServer, env };
}

/** The tag of an object, as in its `ETag`. */
export const tagOfObject = (object: Buffer) => `"${createHash('md5').update(object).digest('hex')}"`;

/** A small S3 of path-style addresses: ListObjectsV2 by pages of three, HEAD, GET, PUT, with conditions, copies, DELETE. */
function bucketListener(state: BucketServer, keyId: string): RequestListener {
  const comparedTag = (object: Buffer) =>
    state.keepsQuotes ? tagOfObject(object).replaceAll('"', '') : tagOfObject(object);
  const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://bucket.example');
    const name = decodeURIComponent(pathname.slice(1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      state.requests.push(`${request.method} ${name}`);
      if (!request.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${keyId}/`))
        return response.writeHead(403).end(error('InvalidAccessKeyId'));
      const object = state.objects.get(name);
      if (request.method === 'PUT') {
        const formerTag = request.headers['if-match'];
        const isRefused =
          (object && request.headers['if-none-match'] === '*') ||
          (formerTag !== undefined && (!object || comparedTag(object) !== formerTag));
        if (isRefused && !state.ignoresConditions) return response.writeHead(412).end(error('PreconditionFailed'));
        state.runs.set(name, String(request.headers['x-amz-meta-run'] ?? ''));
        const source = request.headers['x-amz-copy-source'];
        if (source === undefined) state.objects.set(name, Buffer.concat(chunks));
        else state.objects.set(name, state.objects.get(decodeURIComponent(String(source).slice(1)))!);
        await state.beforeAnswer?.();
      } else if (request.method === 'DELETE') state.objects.delete(name);
      if (state.cuts > 0) {
        state.cuts -= 1;
        return request.socket.destroy();
      }
      if (request.method === 'GET' && searchParams.has('list-type')) {
        const bucket = name.replace(/\/$/, '');
        const prefix = searchParams.get('prefix') ?? '';
        const after = searchParams.get('continuation-token') ?? '';
        const keys = [...state.objects.keys()]
          .map((each) => each.slice(bucket.length + 1))
          .filter((key) => key.startsWith(prefix) && key > after)
          .sort();
        const page = keys.slice(0, 3).map((key) => {
          const object = state.objects.get(`${bucket}/${key}`)!;
          return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${state.at ?? '2026-03-01T06:00:00.000Z'}</LastModified><ETag>${tagOfObject(object).replaceAll('"', '&quot;')}</ETag><Size>${object.length}</Size></Contents>`;
        });
        const next = keys.length > 3 ? `<NextContinuationToken>${keys[2]}</NextContinuationToken>` : '';
        return response.end(`<ListBucketResult>${page.join('')}${next}</ListBucketResult>`);
      }
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && !object) return response.writeHead(404).end(error('NoSuchKey'));
      if (isRead) {
        response.setHeader('etag', tagOfObject(object!)).setHeader('x-amz-meta-run', state.runs.get(name) ?? '');
        if (request.headers['if-none-match'] === tagOfObject(object!)) return response.writeHead(304).end();
      }
      if (request.method === 'GET' && (state.halves ?? 0) > 0) {
        state.halves! -= 1;
        response.writeHead(200, { 'content-length': object!.length });
        return response.write(object!.subarray(0, 1), () => request.socket.destroy());
      }
      response.end(request.method === 'GET' ? object : '');
      if (request.method === 'HEAD') state.afterHead?.();
      return response;
    });
  };
}
