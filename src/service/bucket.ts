import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { BadTargetError, RequestError } from '../errors.ts';
import { say, verbatim } from '../words/speech.ts';
import { collectBytes, limitBody, writeBody } from './body.ts';
import type { ServiceClientOptions } from './options.ts';
import { openConnection } from './retry.ts';

/** Location and keys of a bucket: its name and URL, and the folder to which the paths of objects are relative. */
export type BucketLocation = {
  displayName: string; // the location for messages: s3://BUCKET/FOLDER
  name: string;
  baseUrl: string;
  folder: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
};

/** An object of a bucket; the tag changes with the content. */
export type StoredObject = { bytes: number; writtenMs: number; tag: string };

/** The content of an object, or the path and size of a file with it. */
type Content = string | Uint8Array | { file: string; bytes: number };

/** The objects of one folder of a bucket, by their paths in it. */
export type Bucket = Awaited<ReturnType<typeof openBucket>>;

/** Options of bucket requests; clock and sleep are injected. */
export type BucketOptions = Pick<ServiceClientOptions, 'userAgent' | 'now' | 'sleep' | 'trace' | 'onWait'>;

/** Opens an S3-compatible bucket; requests are signed, retried, and use the proxy of the environment. */
export async function openBucket(location: BucketLocation, options: BucketOptions) {
  const { displayName, name, baseUrl, folder } = location;
  const { ask, close } = await createSignedClient(location, options);
  const prefix = folder === '' ? '' : `${folder}/`;
  const encodePath = (path: string) => `${prefix}${path}`.split('/').map(encodeURIComponent).join('/');
  const urlOf = (path: string) => `${baseUrl}/${encodePath(path)}`;
  const headersOf = async (path: string) => (await ask(urlOf(path), { method: 'HEAD' }, [404])).headers;
  return {
    displayName,
    close,
    /** Size, time and tag of all objects, by path. */
    async list() {
      const objects = new Map<string, StoredObject>();
      for (let token: string | null = ''; token !== null; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix, 'encoding-type': 'url' });
        if (token !== '') query.set('continuation-token', token);
        const text = (await ask(`${baseUrl}/?${query}`)).bytes.toString('utf8');
        for (const [, each] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          objects.set(decodeURIComponent(textOfTag(each!, 'Key').replaceAll('+', ' ')).slice(prefix.length), {
            bytes: Number(textOfTag(each!, 'Size')),
            writtenMs: Date.parse(textOfTag(each!, 'LastModified')),
            tag: textOfTag(each!, 'ETag'),
          });
        }
        token = textOfTag(text, 'NextContinuationToken') || null;
      }
      return objects;
    },
    read: async (path: string): Promise<Uint8Array> => (await ask(urlOf(path))).bytes,
    /** The tag of an object; null if it is missing. */
    tagOf: async (path: string): Promise<string | null> => (await headersOf(path)).get('etag'),
    /** Downloads an object to a local file and returns its tag; null if it still has `oldTag`. */
    async download(path: string, file: string, oldTag = ''): Promise<string | null> {
      const headers: Record<string, string> = oldTag === '' ? {} : { 'if-none-match': oldTag };
      const { status, bytes, headers: responseHeaders } = await ask(urlOf(path), { headers, file }, [304, 404]);
      if (status === 404) throw refusalError(`${displayName}/${path}`, bytes, status);
      return status === 304 ? null : (responseHeaders.get('etag') ?? '');
    },
    /** Writes an object; returns false if it no longer has `formerTag`, or exists although `formerTag` is null. */
    async put(path: string, body: Content, formerTag?: string | null): Promise<boolean> {
      const headers: Record<string, string> = { [idHeader]: randomUUID() };
      if (formerTag === null) headers['if-none-match'] = '*';
      else if (formerTag !== undefined) headers['if-match'] = formerTag;
      // Amazon answers 404 for `If-Match` on an object that was removed.
      const refusals = typeof formerTag === 'string' ? [404, 409, 412] : [409, 412];
      const { status } = await ask(urlOf(path), { method: 'PUT', headers, body }, refusals);
      if (status < 300) return true;
      const current = await headersOf(path);
      // The response to an earlier attempt of the same request may have been lost.
      if (current.get(idHeader) === headers[idHeader]) return true;
      // radosgw 16 compares the quoted `If-Match` with the bare tag: if the tag is current, retry without quotes.
      const hasCurrentTag = formerTag?.startsWith('"') === true && current.get('etag') === formerTag;
      return hasCurrentTag ? this.put(path, body, formerTag!.slice(1, -1)) : false;
    },
    async copy(from: string, path: string): Promise<void> {
      const headers = { 'x-amz-copy-source': `/${name}/${encodePath(from)}` };
      const { bytes } = await ask(urlOf(path), { method: 'PUT', headers });
      // A copy may fail despite a success status.
      if (bytes.includes('<Error>')) throw refusalError(displayName, bytes, 200);
    },
    remove: async (path: string) => void (await ask(urlOf(path), { method: 'DELETE' }, [404])),
  };
}

/** Metadata of an object: the id of the request that wrote it. */
const idHeader = 'x-amz-meta-run';

/** A request about an object; the bytes of a response are written to `file`, if that is set. */
type ObjectRequest = { method?: string; headers?: Record<string, string>; body?: Content; file?: string };

/** Returns `ask`: signs a request, retries it even after a cut response; throws a BadTargetError for other statuses. */
async function createSignedClient({ displayName, baseUrl, ...signing }: BucketLocation, options: BucketOptions) {
  const { AwsV4Signer } = await import('aws4fetch');
  const { limits, tally, retryWithin, close } = await openConnection({
    ...options,
    baseUrl,
    token: null,
    pace: { waitForSlot: async () => {}, pause: () => {} },
    // The response to a large file begins only after the whole file has arrived.
    limits: { headersTimeoutMs: 10 * 60_000, maxWaitMs: 60_000, maxFileBytes: 5 * 2 ** 30 },
  });
  const retry = retryWithin(limits.attempts);
  async function ask(url: string, objectRequest: ObjectRequest = {}, acceptedStatuses: number[] = []) {
    const { method = 'GET', headers = {}, body = null, file } = objectRequest;
    const prepare = async (address: string) => {
      const signer = new AwsV4Signer({ ...signing, service: 's3', url: address, method, headers });
      const signedHeaders = Object.fromEntries((await signer.sign()).headers);
      if (body === null || typeof body === 'string' || body instanceof Uint8Array)
        return { method, headers: signedHeaders, body };
      const length = { 'content-length': String(body.bytes) };
      return { method, headers: { ...signedHeaders, ...length }, body: createReadStream(body.file) };
    };
    const request = { url, validator: null, totalMs: limits.totalFileMs, prepare };
    const answer = await retry(request, async (response) => {
      const { status, headers: received } = response;
      const responseBody = limitBody(response, { url, maxBytes: limits.maxFileBytes, tally });
      const isFile = file !== undefined && status < 300;
      if (isFile) await writeBody(responseBody, file);
      return { status, headers: received, bytes: isFile ? Buffer.alloc(0) : await collectBytes(responseBody) };
    }).catch((error: unknown) => {
      if (error instanceof RequestError)
        error.advice =
          method === 'GET' || method === 'HEAD'
            ? say`check the address of the storage, the proxy and the network`
            : say`check the address of the storage, the proxy and the network, and run it again: sent files are kept`;
      throw error;
    });
    const { status, bytes } = answer!;
    if ((status >= 200 && status < 300) || acceptedStatuses.includes(status)) return answer!;
    throw refusalError(displayName, bytes, status);
  }
  return { ask, close };
}

/** The error of a refused request, with the error code in its XML. */
const refusalError = (displayName: string, answer: Buffer, status: number) =>
  new BadTargetError(
    displayName,
    verbatim(textOfTag(answer.toString('utf8'), 'Code') || `HTTP ${status}`),
    say`check its keys, region and permissions`,
  );

/** The text of the first XML element of that name; empty if there is none. */
const textOfTag = (xml: string, name: string) =>
  (new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '').replaceAll('&amp;', '&').replaceAll('&quot;', '"');
