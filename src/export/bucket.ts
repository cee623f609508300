import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, LockedError, UsageError } from '../errors.ts';
import { createTemporaryPath, discard, guardTarget, removeAbandonedFiles } from '../format/atomic-file.ts';
import { readSection } from '../format/foreign-file.ts';
import type { Bucket, BucketLocation, BucketOptions } from '../service/bucket.ts';
import { createFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';
import type { Environment } from './postgres/address.ts';

/** True for the address of a bucket. */
export const isBucketAddress = (address: string): boolean => address.startsWith('s3://');

/** The environment variables, which may hold the keys of buckets, and the options of requests to buckets. */
export type BucketAccess = { env: Environment; network: BucketOptions };

/** An object of a bucket, by its name relative to the bucket's folder. */
export type BucketObject = { bucket: Bucket; name: string };

type Work<Target, Result> = (target: Target) => Promise<Result>;

/** Runs `work` on the bucket at a location, and closes it. */
export async function withBucket<Result>(location: string, access: BucketAccess, work: Work<Bucket, Result>) {
  const { openBucket } = await import('../service/bucket.ts');
  const bucket = await openBucket(bucketLocation(location, access.env), access.network);
  return work(bucket).finally(bucket.close);
}

/** Runs `work` on the object at `s3://BUCKET/KEY`; throws a UsageError for another location. */
export async function withObject<Result>(location: string, access: BucketAccess, work: Work<BucketObject, Result>) {
  const [, folder, name] = /^(s3:\/\/[^/]+(?:\/.+)?)\/([^/]+)$/.exec(location) ?? [];
  if (!folder || !name) throw new UsageError(say`${location} names no object of a bucket`, say`write s3://BUCKET/KEY`);
  return withBucket(folder, access, (bucket) => work({ bucket, name }));
}

/** The location `s3://BUCKET/FOLDER` with keys from the environment or AWS's files; throws a ConfigurationError. */
export function bucketLocation(displayName: string, env: Environment): BucketLocation {
  const [, name = '', folder = ''] = /^s3:\/\/([a-z0-9.-]+)\/?(.*?)\/*$/.exec(displayName) ?? [];
  if (name === '')
    throw new ConfigurationError(
      say`${displayName} contains no bucket name`,
      say`write s3://BUCKET/FOLDER; the name of a bucket has only a to z, 0 to 9, "." and "-"`,
    );
  const { AWS_PROFILE: profile = 'default', AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  const awsFolder = join(env.HOME ?? homedir(), '.aws');
  const configFile = env.AWS_CONFIG_FILE ?? join(awsFolder, 'config');
  const credentialsFile = env.AWS_SHARED_CREDENTIALS_FILE ?? join(awsFolder, 'credentials');
  const profileSettings = {
    ...readSection(configFile, profile === 'default' ? profile : `profile ${profile}`),
    ...readSection(credentialsFile, profile),
  };
  const [accessKeyId, secretAccessKey, sessionToken] =
    AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
      ? [AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN]
      : [profileSettings.aws_access_key_id, profileSettings.aws_secret_access_key, profileSettings.aws_session_token];
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigurationError(
      say`no keys for ${displayName}: neither AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY nor the profile ${profile} of ${credentialsFile} are set`,
      say`set both, or write aws_access_key_id and aws_secret_access_key below [${profile}]; AWS_ENDPOINT_URL where it is not Amazon's`,
    );
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? profileSettings.region ?? 'us-east-1';
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? profileSettings.endpoint_url;
  if (endpoint && !/^https?:\/\/[^@]+$/.test(endpoint))
    throw new ConfigurationError(
      say`the endpoint of ${displayName} is no web address, or holds a password`,
      say`write AWS_ENDPOINT_URL=https://s3.example`,
    );
  const baseUrl = endpoint ? `${endpoint.replace(/\/+$/, '')}/${name}` : `https://${name}.s3.${region}.amazonaws.com`;
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  return { ...keys, displayName: displayName.replace(/\/+$/, ''), name, folder, baseUrl, region };
}

const lockName = '.hemicycle-lock';
const maxLockAgeMs = 6 * 60 * 60_000; // An older lock belongs to a killed run, and is removed.

/** Runs `work` on a folder in a new temporary one, which is deleted afterwards; also deletes those of killed runs. */
export async function withStaging<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await removeAbandonedFiles(tmpdir());
  const stagingPath = createTemporaryPath(tmpdir());
  await guardTarget(tmpdir(), () => mkdir(stagingPath, { mode: 0o700 }));
  await using _ = { [Symbol.asyncDispose]: () => discard(stagingPath) };
  const folder = join(stagingPath, 'folder');
  createFolder(folder);
  return await work(folder);
}

/** Runs `work` under the lock of a folder in a bucket; throws a LockedError while another run has it. */
export async function withBucketLock<Result>(bucket: Bucket, now: () => number, work: () => Promise<Result>) {
  while (!(await bucket.put(lockName, '', null))) {
    const writtenMs = (await bucket.list()).get(lockName)?.writtenMs;
    if (writtenMs === undefined) continue; // The other run has released it meanwhile.
    if (now() - writtenMs < maxLockAgeMs)
      throw new LockedError(
        bucket.displayName,
        undefined,
        say`wait for it and run this again; if it was killed, remove ${bucket.displayName}/${lockName}, which expires after six hours`,
      );
    await bucket.remove(lockName);
  }
  // An error of `work` matters more than a lock that could not be removed.
  return work().finally(() => bucket.remove(lockName).catch(() => {}));
}
