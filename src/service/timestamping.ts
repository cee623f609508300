import { HemicycleError, ServiceAnswerError, UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { ServiceClientOptions } from './options.ts';
import { openPosting } from './retry.ts';

/** A time-stamp response takes a few kilobytes. */
const limits = {
  maxJsonBytes: 2 ** 20,
  totalJsonMs: 30_000,
  maxWaitMs: 10_000,
  attempts: 2,
};

/** The authority's URL and the injected dependencies. */
export type TimestampingOptions = Pick<
  ServiceClientOptions,
  'userAgent' | 'now' | 'sleep' | 'trace' | 'signal'
> & {
  url: string;
  limits?: Partial<typeof limits>;
};

/**
 * Posts a request to a time-stamping authority (RFC 3161, section 3.4) and returns its response. Only a hash is sent, which
 * reveals nothing of the evidence.
 */
export async function askTimestamp(request: Uint8Array, options: TimestampingOptions): Promise<Uint8Array> {
  const { url } = options;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError(
      say`--tsa "${url.slice(url.lastIndexOf('@') + 1)}" is not a web address`,
      say`it should look like https://tsa.example/tsr`,
    );
  const chosen = { ...limits, ...options.limits };
  const { post, close } = await openPosting({ ...options, token: null, authHeader: '', limits: chosen });
  try {
    return await post({ type: 'application/timestamp-query', body: request }, (bytes, type) => {
      if (/^application\/timestamp-reply\b/i.test(type)) return bytes;
      const sent = type === '' ? say`without a type` : type;
      throw new ServiceAnswerError(url, say`answers ${sent}, not application/timestamp-reply`);
    });
  } catch (error) {
    if (error instanceof HemicycleError) error.hint = notStamped;
    throw error;
  } finally {
    await close();
  }
}

/** Hint for a missing time stamp. */
export const notStamped = say`nothing was written; check --tsa, or leave it out for evidence without a time stamp`;
