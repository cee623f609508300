import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fold } from '../../src/language/fold.ts';

/** What a text is about, each a dimension: how many of its words are there is its number, so that anybody can count it. */
const subjects = [/forets?|bois|arbres?/g, /logements?|loyers?|toits?/g, /ecoles?|eleves?|classes?/g];

/** The vector of a text: how often it speaks of forests, of housing, of schools; and a little of everything. */
export function vectorByHand(input: string): number[] {
  return [...subjects.map((words) => fold(input).match(words)?.length ?? 0), 0.1];
}

/** A request that the server was sent. */
export type Embedded = { model: string; input: string[]; headers: IncomingHttpHeaders; url: string };

export type EmbeddingServer = {
  url: string;
  requests: Embedded[];
  /** Answers a request in the place of the true answer, where it returns true. */
  bent: ((request: Embedded, response: ServerResponse, nth: number) => boolean) | null;
  /** Turns a text into numbers, as its model does. */
  vectorOf: (text: string) => number[];
  close(): Promise<void>;
};

/** A service of embeddings as OpenAI describes it, on a port of this machine. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const server = createServer(async (request, response) => {
    const { model, input } = JSON.parse(await text(request));
    const embeddingRequest = { model, input, headers: request.headers, url: request.url! };
    started.requests.push(embeddingRequest);
    if (started.bent?.(embeddingRequest, response, started.requests.length)) return;
    const data = embeddingRequest.input.map((each: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: started.vectorOf(each),
    }));
    // The order is free: each says which text it is of.
    sendJson(response, 200, { object: 'list', model, data: data.reverse() });
  });
  const started: EmbeddingServer = {
    url: '',
    requests: [],
    bent: null,
    vectorOf: vectorByHand,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  started.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return started;
}

/** Sends JSON as an answer. */
export function sendJson(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}
