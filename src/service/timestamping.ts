import { HemicycleError, ServiceAnswerError, UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { collectBytes, limitBody } from './body.ts';
import { defaultLimits, type RequestTally, type ServiceClientOptions } from './options.ts';
import { createRetry } from './retry.ts';
import { createAgent, createTransport } from './transport.ts';

/** A time-stamp response takes a few kilobytes. */
const limits = {
  ...defaultLimits,
  maxJsonBytes: 2 ** 20,
  totalJsonMs: 30_000,
  maxWaitMs: 10_000,
  attempts: 2,
};

const unpaced = { turn: async () => {}, pause: () => {} };

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
  const agent = await createAgent(chosen);
  const tally: RequestTally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0, excess: [] };
  const { trace = () => {} } = options;
  const known = { token: null, authHeader: '', pace: unpaced, random: Math.random };
  const asking = { ...options, ...known, trace, limits: chosen, tally };
  const retry = createRetry({
    ...asking,
    follow: await createTransport({ ...asking, baseUrl: url, agent }),
  });
  const posted = { type: 'application/timestamp-query', body: request };
  try {
    const answer = await retry(
      { url, known: null, totalMs: chosen.totalJsonMs, posted },
      async (response) => {
        const type = response.headers.get('content-type') ?? '';
        if (!/^application\/timestamp-reply\b/i.test(type))
          throw new ServiceAnswerError(
            url,
            say`answers ${type === '' ? say`without a type` : type}, not application/timestamp-reply`,
          );
        return collectBytes(limitBody(response, { url, maxBytes: chosen.maxJsonBytes, tally }));
      },
    );
    return answer!;
  } catch (error) {
    if (error instanceof HemicycleError) error.hint = notStamped;
    throw error;
  } finally {
    await agent.close();
  }
}

/** Hint for a missing time stamp. */
export const notStamped = say`nothing was written; check --tsa, or leave it out for evidence without a time stamp`;
