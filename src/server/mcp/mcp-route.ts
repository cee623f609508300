import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance as App } from 'fastify';
import { isTextTooDeep } from '../../model/bounds.ts';
import { say } from '../../words/speech.ts';
import { RefusedRequestError } from '../problem.ts';
import { acquire, Semaphore } from '../semaphore.ts';
import type { ServerContext } from '../serving.ts';
import { createAssistant, maxMessageBytes, maxSubscriptions } from './assistant.ts';

/** Adds the MCP endpoint (POST), whose requests count against the API's rate limits (`limits.ts`). */
export async function addMcpRoute(app: App, context: ServerContext, { version }: { version: string }): Promise<void> {
  const { onFailure } = context;
  const createAssistantFor = (key: string) => createAssistant({ ...context, caller: { key } }, { version, onFailure });
  const handler = createMcpHandler(({ authInfo }) => createAssistantFor(authInfo!.clientId), {
    maxSubscriptions,
    maxRequestBodySize: maxMessageBytes,
  });
  app.addHook('preClose', () => handler.close());
  const semaphore = new Semaphore({ maxTotal: 32, maxPerCaller: 8 }); // responses being sent
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const parserOptions = { parseAs: 'buffer', bodyLimit: maxMessageBytes } as const;
    scope.addContentTypeParser('*', parserOptions, (_request, body, done) => done(null, body));
    scope.post('/mcp', async (request, reply) => {
      const body = (request.body as Buffer | undefined)?.toString() ?? '';
      if (/^\s*\[/.test(body))
        throw new RefusedRequestError(400, say`Send one message at a time: batches are not supported.`);
      if (isTextTooDeep(body)) throw new RefusedRequestError(400, say`The message is nested too deep.`);
      const { key } = request.caller!;
      reply.raw.once('close', acquire(semaphore, key, 'answers to assistants'));
      const authInfo = { token: '', clientId: key, scopes: [] }; // carries the caller's key to `createMcpHandler`
      const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && /^(accept|content-type|mcp-[a-z-]+)$/.test(name) ? [[name, value]] : [],
      );
      const webRequest = new Request('http://localhost/mcp', { method: 'POST', headers, body });
      const response = await handler.fetch(webRequest, { authInfo });
      response.headers.delete('connection'); // Node sets this hop-by-hop header itself.
      return reply.send(response);
    });
  });
}
