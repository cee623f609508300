import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AmbiguousNameError, HemicycleError, NotFoundError, type RefusalStatus, refusalTable } from '../errors.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { SeenVersion } from '../store/history/history.ts';
import type { WithdrawnRecord } from '../store/records/reference.ts';
import { capitalise, type Phrase, type ShownText, type Speech, say, saying, wordPhrase } from '../words/speech.ts';

/** Further members of a problem document. */
export type ProblemExtras = {
  errors?: { parameter: string; message: string }[];
  suggestions?: Record<string, string | null>[];
  /** Last content of a withdrawn record and all its versions, the newest first. */
  withdrawn?: WithdrawnRecord & { history: SeenVersion[] };
};

/** A refused request: HTTP status, a sentence for people, and `extras` for programs. */
export class RefusedRequestError extends Error {
  readonly status: RefusalStatus;
  readonly extras: ProblemExtras;
  readonly userText: Phrase;
  /** Next step for the command line, or null. */
  advice: Phrase | null = null;
  /** True if several records match a name: a page lists them to choose from. */
  isAmbiguousName = false;

  constructor(status: RefusalStatus, detail: Phrase, extras: ProblemExtras = {}) {
    super(`${detail}`);
    this.userText = detail;
    this.name = 'RefusedRequestError';
    this.status = status;
    this.extras = extras;
  }
}

/** A temporary refusal, whose response has a Retry-After header. */
export class RefusedForNowError extends RefusedRequestError {
  readonly retryAfterSeconds: number;

  constructor(status: 429 | 503, detail: Phrase, retryAfterSeconds: number) {
    super(status, detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the error (422) for bad parameters, with one entry for each in `errors`. */
export function badParametersError(errors: { parameter: string; userText: ShownText }[]): RefusedRequestError {
  const sentencesIn = (speech: Speech) =>
    errors.map(({ parameter, userText }) => sanitiseLine(speech.say`The parameter ${parameter} ${userText}.`));
  const detail = saying((speech) => sentencesIn(speech).join(' '));
  const publicErrors = errors.map(({ parameter, userText }) => ({ parameter, message: sanitiseLine(`${userText}`) }));
  return new RefusedRequestError(422, detail, { errors: publicErrors });
}

/** Returns the text of a problem document (RFC 9457). */
export function problemText(status: number, detail: string, extras: ProblemExtras & { instance?: string } = {}) {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, ...extras });
}

/** Sends a problem document, which must not be cached. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: RefusedRequestError): FastifyReply {
  const { status, message, extras } = refusal;
  const instance = request.originalUrl.split('?', 1)[0]!.slice(0, 500);
  const text = problemText(status, message, { instance, ...extras });
  return prepareRefusal(reply, refusal).header('content-type', 'application/problem+json; charset=utf-8').send(text);
}

/** Sets status and Retry-After, and removes the headers of a successful response. */
export function prepareRefusal(reply: FastifyReply, refusal: RefusedRequestError): FastifyReply {
  if (refusal instanceof RefusedForNowError) reply.header('retry-after', String(refusal.retryAfterSeconds));
  // Withdrawn records can be read, but not found through search engines.
  if (refusal.status === 410) reply.header('x-robots-tag', 'noindex');
  for (const name of successHeaders) reply.removeHeader(name);
  return reply.code(refusal.status).header('cache-control', 'no-store');
}

const successHeaders = ['etag', 'last-modified', 'memento-datetime', 'content-disposition', 'content-encoding'];

/** As `refusalOf`, and reports the full error of a server fault to `onFailure`. */
export function reportedRefusal(error: unknown, onFailure: (error: unknown) => void): RefusedRequestError {
  const refusal = refusalOf(error);
  const { status } = refusal;
  if (status >= 500 && status !== 501 && !(refusal instanceof RefusedForNowError)) onFailure(error);
  return refusal;
}

/** Returns the refusal that a caller sees for an error, without internals. */
export function refusalOf(error: unknown): RefusedRequestError {
  if (error instanceof RefusedRequestError) return error;
  if (error instanceof HemicycleError) {
    const refusal = refusalOfExpectedError(error);
    refusal.isAmbiguousName = error instanceof AmbiguousNameError;
    return refusal;
  }
  const { statusCode = 500 } = error as Partial<FastifyError>;
  const status = statusCode < 500 && statusCode in refusalTable ? (statusCode as RefusalStatus) : 500;
  return new RefusedRequestError(status, wordPhrase(refusalTable[status]));
}

/** Returns the refusal for an expected error: its message, or a general one (503) if the server is at fault. */
function refusalOfExpectedError(error: HemicycleError): RefusedRequestError {
  const { httpStatus, fault } = error;
  if (httpStatus >= 500)
    return new RefusedRequestError(503, say`The mirror cannot be read at the moment; try again later.`);
  const candidates =
    error instanceof NotFoundError ? error.suggestions : error instanceof AmbiguousNameError ? error.candidates : [];
  const suggestions = candidates.map(
    ({ key, name }): Record<string, string | null> =>
      fault ? { parameter: fault.parameter, value: key, name } : { key, name },
  );
  const extras = candidates.length > 0 ? { suggestions } : {};
  if (fault) {
    const { userText, extras: faultExtras } = badParametersError([fault]);
    return new RefusedRequestError(422, userText, { ...faultExtras, ...extras });
  }
  const sentence = saying((speech) => `${capitalise(sanitiseLine(error.describe(speech).message))}.`);
  const refusal = new RefusedRequestError(httpStatus as RefusalStatus, sentence, extras);
  refusal.advice = error.advice;
  return refusal;
}

/** Returns the error (404) for a path that this server does not have. */
export const unknownPathError = () =>
  new RefusedRequestError(404, say`There is nothing at this address; /openapi.json lists what there is.`);

/** `Allow` header for a method that Node's HTTP parser does not know; the path is unknown then. */
const readOnlyMethods = 'GET, HEAD, OPTIONS';

/** Status by the error code of Node's HTTP parser; other codes are answered with 400. */
const statusByParserError: Record<string, RefusalStatus> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** True for the first line of a request whose method Node does not know (RFC 9110, section 9.1: any token). */
const hasUnknownMethod = (line: string) => /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]$/.test(line);

function parserDetail(status: RefusalStatus, { code, line }: { code: string; line: string }): string {
  if (status !== 400) return refusalTable[status];
  return code === 'HPE_INVALID_URL' || /^[A-Z]+ \S+ .+ HTTP\//.test(line)
    ? 'The address must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space.'
    : 'The request is not valid HTTP.';
}

/** Writes a problem document for a request that Node's HTTP parser refused, and closes the connection. */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  headers: Record<string, string> = {},
): void {
  const { code = '', rawPacket } = error;
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const line = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1').split('\r\n', 1)[0]! : '';
  const status = code === 'HPE_INVALID_METHOD' && hasUnknownMethod(line) ? 405 : (statusByParserError[code] ?? 400);
  const text = problemText(status, parserDetail(status, { code, line }));
  const headerLines = Object.entries({
    ...headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: readOnlyMethods } : {}),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) {
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines.join('')}\r\n`;
    socket.write(line.startsWith('HEAD ') ? head : head + text);
  }
  socket.destroySoon();
}
