import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BadTargetError, ConfigurationError, NetworkError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import type { Environment } from '../postgres/address.ts';
import type { LakeStorage } from './storage.ts';

/** True for the address of a place in a bucket. */
export const isBucket = (place: string): boolean => place.startsWith('s3://');

const triesOfLost = 3;

/**
 * A lake in a bucket of S3 or what speaks like it: keys, region and endpoint from the environment, as AWS names them.
 * Throws a BadTargetError for one that ignores `If-None-Match`, where two runs at once would lose commits.
 */
export async function openBucket(shown: string, env: Environment): Promise<LakeStorage> {
  const [, bucket = '', folder = ''] = /^s3:\/\/([a-z0-9.-]+)\/?(.*?)\/*$/.exec(shown) ?? [];
  if (bucket === '')
    throw new ConfigurationError(say`${shown} names no bucket`, say`write s3://BUCKET/FOLDER`);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigurationError(
      say`the keys of ${shown} are not set`,
      say`set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL where it is not Amazon's`,
    );
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1';
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const base = endpoint
    ? `${endpoint.replace(/\/$/, '')}/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
  const sessionToken = env.AWS_SESSION_TOKEN;
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  const { AwsClient } = await import('aws4fetch');
  const client = new AwsClient({ ...keys, region, service: 's3' });
  const keyOf = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  /** Asks again where a connection was cut; throws for any answer that is not among `expected`. */
  async function ask(path: string, init: RequestInit, expected: number[] = []): Promise<Response> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const answer = await client.fetch(`${base}/${path}`, init);
        if (answer.ok || expected.includes(answer.status)) return answer;
        const [, reason = `HTTP ${answer.status}`] = /<Code>(.*?)<\/Code>/.exec(await answer.text()) ?? [];
        throw new BadTargetError(shown, reason, say`look at its keys, its region and its rights`);
      } catch (error) {
        if (error instanceof BadTargetError) throw error;
        const { message, cause } = error as Error;
        if (attempt === triesOfLost)
          throw new NetworkError(shown, (cause as Error | undefined)?.message ?? message, { cause: error });
        await delay(100 * attempt);
      }
  }
  const put = (path: string, body: string | Uint8Array, headers = {}, expected: number[] = []) =>
    ask(keyOf(path), { method: 'PUT', body: body as NonNullable<RequestInit['body']>, headers }, expected);
  const storage: Omit<LakeStorage, 'staging' | 'close'> = {
    shown,
    async list() {
      const files: Awaited<ReturnType<LakeStorage['list']>> = new Map();
      for (let token: string | null = ''; token !== null; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: keyOf(''), 'encoding-type': 'url' });
        if (token !== '') query.set('continuation-token', token);
        const text = await (await ask(`?${query}`, {})).text();
        for (const { key, ...written } of objectsIn(text)) {
          const path = key.slice(keyOf('').length);
          if (!path.startsWith('.hemicycle')) files.set(path, written);
        }
        token = tagOf(text, 'NextContinuationToken') || null;
      }
      return files;
    },
    read: async (path) => new Uint8Array(await (await ask(keyOf(path), {})).arrayBuffer()),
    create: async (path, content) => (await put(path, content, { 'if-none-match': '*' }, [409, 412])).ok,
    replace: async (path, content) => void (await put(path, content)),
    async take(staged, path) {
      await put(path, await readFile(staged));
      await rm(staged);
    },
    async remove(paths) {
      for (const path of paths) await ask(keyOf(path), { method: 'DELETE' }, [404]);
    },
  };
  await refuseUnconditional(storage);
  const staging = await mkdtemp(join(tmpdir(), 'hemicycle-lake-'));
  return { ...storage, staging, close: () => rm(staging, { recursive: true, force: true }) };
}

const tagOf = (xml: string, name: string) =>
  (new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '').replaceAll('&amp;', '&');

const objectsIn = (page: string) =>
  [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, each]) => ({
    key: decodeURIComponent(tagOf(each!, 'Key').replaceAll('+', ' ')),
    bytes: Number(tagOf(each!, 'Size')),
    writtenMs: Date.parse(tagOf(each!, 'LastModified')),
  }));

/** Throws a BadTargetError for a storage that writes over what must be new. */
async function refuseUnconditional(storage: Omit<LakeStorage, 'staging' | 'close'>): Promise<void> {
  const probe = `.hemicycle-probe-${crypto.randomUUID()}`;
  await storage.replace(probe, '');
  const isLost = await storage.create(probe, 'over it');
  await storage.remove([probe]);
  if (!isLost) return;
  throw new BadTargetError(
    storage.shown,
    say`it ignores If-None-Match, so that two runs at once would lose what one of them wrote`,
    say`take a storage that knows conditional writes, or a folder`,
  );
}
