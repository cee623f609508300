import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { limitCallers } from '../limits.ts';
import { answerError } from '../problem.ts';
import { acquire, Semaphore } from '../semaphore.ts';
import type { Serving } from '../serving.ts';
import { createAssistant, mostSubscriptions } from './assistant.ts';
import { mostBytes, type RpcError, readMessage, rpcErrors } from './lines.ts';

/** Path of the MCP endpoint. */
export const mcpPath = '/mcp';

/** Concurrent MCP requests, in all and per caller. */
const atATime = { most: 32, mostOfOne: 8 };

/** Adds the MCP endpoint, counted against the API limits. */
export async function mcpRoute(app: App, serving: Serving, { version }: { version: string }): Promise<void> {
  const { onFailure } = serving;
  const createFor = (key: string) => createAssistant({ ...serving, caller: { key } }, { version, onFailure });
  const handler = createMcpHandler(({ authInfo }) => createFor(authInfo!.clientId), {
    maxSubscriptions: mostSubscriptions,
    maxRequestBodySize: mostBytes,
  });
  app.addHook('preClose', () => handler.close());
  const semaphore = new Semaphore(atATime);
  await app.register(async (scope) => {
    limitCallers(scope as App, serving);
    scope.removeAllContentTypeParsers();
    const asBytes = { parseAs: 'buffer', bodyLimit: mostBytes } as const;
    scope.addContentTypeParser('*', asBytes, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) =>
      (error as { statusCode?: number }).statusCode === 413
        ? refuse(reply, 413, rpcErrors.tooLong)
        : answerError(error, request, reply, onFailure),
    );
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: mcpPath,
      schema: { hide: true },
      config: { takesPosts: true },
      async handler(request, reply) {
        const read =
          request.method === 'POST'
            ? readMessage((request.body as Buffer | undefined) ?? Buffer.alloc(0))
            : null;
        if (read && 'error' in read) return refuse(reply, 400, read.error, read.id);
        const { key } = request.caller!;
        reply.raw.once('close', acquire(semaphore, key, 'answers to assistants'));
        const made = await handler.fetch(webRequest(request), {
          authInfo: { token: '', clientId: key, scopes: [] },
          ...(read ? { parsedBody: read.message } : {}),
        });
        return send(reply, made);
      },
    });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a read-only route that accepts POST. */
    takesPosts?: boolean;
  }
}

function webRequest({ method, headers }: FastifyRequest): Request {
  const told = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && /^(accept|content-type|mcp-[a-z-]+)$/.test(name) ? [[name, value]] : [],
  );
  return new Request(`http://localhost${mcpPath}`, { method, headers: told as [string, string][] });
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  reply.code(status);
  // `connection` is hop-by-hop; Node sets it.
  for (const [name, value] of headers) if (name !== 'connection') reply.header(name, value);
  return reply.send(body === null ? '' : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]));
}

function refuse(
  reply: FastifyReply,
  status: number,
  error: RpcError,
  id: string | number | null = null,
): FastifyReply {
  const text = JSON.stringify({ jsonrpc: '2.0', id, error });
  return reply.code(status).header('content-type', 'application/json').send(text);
}
