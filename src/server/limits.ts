import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, createCallerReader, quotas } from './callers.ts';
import { RefusedRequestError } from './problem.ts';
import type { App, Serving } from './serving.ts';
import { SlidingLog } from './sliding-log.ts';
import { openViewerTokens } from './viewer-tokens.ts';

const windowMs = 60_000;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/**
 * Counts every request to `api`, unknown paths included, and refuses those over the caller's quota (429) and
 * those with a token that is not ours (401), which cost an anonymous caller's budget.
 */
export async function limitCallers(api: App, { settings, clock, onFailure }: Serving): Promise<void> {
  const { viewerTokenFile } = settings;
  const tokens = viewerTokenFile === undefined ? null : openViewerTokens(viewerTokenFile, onFailure);
  const readCaller = createCallerReader(tokens);
  const count = settings.rateLimit ? await createCounter(api, clock) : null;
  api.decorateRequest('caller', null);
  api.addHook('onRequest', async (request, reply) => {
    request.caller = readCaller(request);
    if (count) await count(request, reply);
    if (request.caller.isRefused) {
      reply.header('www-authenticate', 'Bearer realm="viewer"');
      throw new RefusedRequestError(
        401,
        'The token is not one of this server; leave it out to ask anonymously.',
      );
    }
  });
}

async function createCounter(api: App, clock: () => number) {
  class ClockedLog extends SlidingLog {
    constructor() {
      super(clock);
    }
  }
  await api.register(rateLimit, {
    global: false,
    timeWindow: windowMs,
    max: (request) => quotas[request.caller!.profile],
    keyGenerator: (request) => request.caller!.key,
    store: ClockedLog,
  });
  const check = api.createRateLimit();
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const state = await check(request);
    if (state.isAllowed) return;
    const { profile } = request.caller!;
    const seconds = Math.ceil(state.ttl / 1000);
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    reply.header('ratelimit-policy', `"${profile}";q=${state.max};w=${windowMs / 1000}`);
    reply.header('ratelimit', `"${profile}";r=${state.remaining};t=${seconds}`);
    if (!state.isExceeded) return;
    reply.header('retry-after', String(seconds));
    throw new RefusedRequestError(
      429,
      `More than ${state.max} requests in a minute; the next one is possible in ${seconds} s.`,
    );
  };
}
