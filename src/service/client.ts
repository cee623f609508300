import { ServiceAnswerError } from '../errors.ts';
import type { Excess } from '../model/bounds.ts';
import type { Json } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { bounded, bytesOf, readJson, saveBody } from './body.ts';
import { concealing } from './failure.ts';
import { type BodyEnd, bodyEndOf, mirrorHeader, type Validator, validatorOf } from './headers.ts';
import { type ClientOptions, defaultLimits, type Limits, type Tally } from './options.ts';
import { createAgent, createTransport } from './transport.ts';

export type Query = Record<string, string | number | undefined>;

/** An answer that was understood as JSON; `at` is when it came, ISO 8601. */
export type JsonAnswer = {
  /** What was asked for; `url` is where the answer came from, after redirects. */
  address: string;
  url: string;
  body: Json;
  link: string | null;
  at: string;
  validator: Validator | null;
  /** Told of the fields that its records are taken without. */
  excess: Excess[];
};

/** A file that was downloaded whole; `bytes` after decompression. */
export type Download = {
  address: string;
  url: string;
  bytes: number;
  sha256: string;
  contentType: string | null;
  /** How it is known that nothing of it is missing. */
  end: BodyEnd;
  /** True where another Hemicycle sent it, which can be followed. */
  isOfHemicycle: boolean;
  at: string;
  validator: Validator | null;
};

export type Client = {
  baseUrl: string;
  /** The whole address of a path with its query: what an answer is known by. */
  address(path: string, query?: Query): string;
  /** The JSON at a path of the service, or at an address within its origin. */
  getJson(path: string, query?: Query): Promise<JsonAnswer>;
  /** The same, or null if the service says that it is still what that validator stands for. */
  getJsonIfChanged(path: string, query: Query, known: Validator | null): Promise<JsonAnswer | null>;
  /** Saves the body at a path of the service into a file; null, and no file, if it did not change. */
  download(
    path: string,
    query: Query,
    to: { file: string; known: Validator | null },
  ): Promise<Download | null>;
  /** The same client, which asks an address so many times at most before its failure stands. */
  trying(attempts: number): Client;
  /** What was asked so far. */
  tally: Tally;
  close(): Promise<void>;
};

/** A client of the service: paced, patient with refusals, and strict about what it takes for an answer. */
export async function createClient(options: ClientOptions): Promise<Client> {
  const limits = { ...defaultLimits, ...options.limits };
  const agent = await createAgent(limits);
  const tally: Tally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0, excess: [] };
  const { baseUrl, now, random = Math.random } = options;
  const conceal = concealing(options.token);
  const trace = (line: string) => options.trace?.(conceal(line));
  const follow = await createTransport({ ...options, trace, agent, tally, limits });
  const moment = () => new Date(now()).toISOString();
  const answeredIn = (attempts: number) =>
    createAttempts({ ...options, random, trace, follow, limits: { ...limits, attempts }, tally });
  // Nothing is under way any more: to wait for what nobody reads would be for ever.
  const close = () => agent.destroy();
  const trying = (attempts: number): Client =>
    clientOf({ baseUrl, limits, tally, moment, answered: answeredIn(attempts), trying, close });
  return trying(limits.attempts);
}

type Parts = Pick<Client, 'baseUrl' | 'tally' | 'trying' | 'close'> & {
  limits: Limits;
  answered: Attempts;
  /** Now, ISO 8601. */
  moment: () => string;
};

function clientOf({ baseUrl, limits, tally, moment, answered, trying, close }: Parts): Client {
  function getJsonIfChanged(path: string, query: Query, known: Validator | null): Promise<JsonAnswer | null> {
    const asked = { url: addressOf(baseUrl, path, query), known, totalMs: limits.totalJsonMs };
    return answered(asked, async (response, url) => {
      const { headers } = response;
      const bytes = await bytesOf(bounded(response, { url, maxBytes: limits.maxJsonBytes, tally }));
      const body = readJson(url, bytes, headers.get('content-type'));
      return {
        address: asked.url,
        url,
        body,
        link: headers.get('link'),
        at: moment(),
        validator: validatorOf(headers),
        excess: tally.excess,
      };
    });
  }

  return {
    baseUrl,
    tally,
    address: (path, query = {}) => addressOf(baseUrl, path, query),
    getJsonIfChanged,
    async getJson(path, query = {}) {
      return (await getJsonIfChanged(path, query, null)) as JsonAnswer;
    },
    download(path, query, { file, known }) {
      const asked = { url: addressOf(baseUrl, path, query), known, totalMs: limits.totalFileMs };
      return answered(asked, async (response, url) => {
        const { bytes, sha256 } = await saveBody(
          bounded(response, { url, maxBytes: limits.maxFileBytes, tally }),
          file,
        );
        if (bytes === 0) throw new ServiceAnswerError(url, say`the answer is empty`);
        const { headers } = response;
        return {
          address: asked.url,
          url,
          bytes,
          sha256,
          contentType: headers.get('content-type'),
          end: bodyEndOf(headers),
          isOfHemicycle: headers.has(mirrorHeader),
          at: moment(),
          validator: validatorOf(headers),
        };
      });
    },
    trying: (attempts) => trying(Math.min(attempts, limits.attempts)),
    close,
  };
}

/** The whole address of a path of the service, or of an address, with its query. */
export function addressOf(baseUrl: string, path: string, query: Query): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
