import { BadTargetError, ConfigurationError, diskFull, tooManyFiles } from '../errors.ts';
import { type Phrase, say, verbatim } from '../words/speech.ts';

/** Failures by error codes of Node, undici or zlib: what they concern, the reason, and if a retry is useless. */
const failures: { codes: RegExp; scope: 'host' | 'address' | 'answer'; reason: Phrase; isFinal?: true }[] = [
  { codes: /^ECONNREFUSED$/, scope: 'host', reason: say`the connection was refused` },
  { codes: /^ENOTFOUND$/, scope: 'host', reason: say`there is no such host` },
  { codes: /^EAI_AGAIN$/, scope: 'host', reason: say`the host name cannot be looked up now` },
  { codes: /^ENETUNREACH$/, scope: 'host', reason: say`the network cannot be reached` },
  { codes: /^EHOSTUNREACH$/, scope: 'host', reason: say`the host cannot be reached` },
  { codes: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, scope: 'host', reason: say`connecting took too long` },
  { codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, scope: 'address', reason: say`the connection was cut` },
  { codes: /^UND_ERR_HEADERS_TIMEOUT$/, scope: 'address', reason: say`the answer took too long` },
  { codes: /^UND_ERR_BODY_TIMEOUT$/, scope: 'address', reason: say`the answer stopped coming` },
  { codes: /^UND_ERR_RES_CONTENT/, scope: 'address', reason: say`the answer ended too early` },
  { codes: /^TIMEOUT$/, scope: 'address', reason: say`the whole answer took too long` },
  { codes: /^Z_BUF_ERROR$/, scope: 'address', reason: say`the compressed answer ended too early` },
  { codes: /^(Z_|ZSTD_|ERR_BROTLI|ERR__?ERROR_)/, scope: 'answer', reason: say`the compressed answer is damaged` },
  { codes: /^UND_ERR_HEADERS_OVERFLOW$/, scope: 'answer', reason: say`its headers are too long`, isFinal: true },
  { codes: /^HPE_/, scope: 'answer', reason: say`the answer is not valid HTTP`, isFinal: true },
];

/** The failure of a request to a redirect target, whose address is the message. */
export class RedirectFailure extends Error {}

type ErrorLike = { code?: unknown; name?: string; message?: string; cause?: ErrorLike };

/** The reason of a failure; `isTransient` if a retry may help, `isOfAddress` if other URLs of the host may work. */
export function failureOf(error: unknown) {
  const code = codeOf(error as ErrorLike);
  const cause = (error as ErrorLike).cause ?? (error as ErrorLike);
  const knownFailure = failures.find(({ codes }) => codes.test(code));
  const isUntrusted = /CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS/.test(code);
  const unknownReason = isUntrusted
    ? say`its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS=FILE adds an authority`
    : verbatim(cause.message ?? String(error));
  const reason: Phrase = knownFailure?.reason ?? unknownReason;
  const isRedirected = error instanceof RedirectFailure;
  return {
    reason: isRedirected ? say`redirects to ${error.message}: ${reason}` : reason,
    isTransient: knownFailure !== undefined && !knownFailure.isFinal,
    isInvalidAnswer: knownFailure?.scope === 'answer', // the response itself is damaged or not HTTP
    isOfAddress: isRedirected || (knownFailure?.scope !== 'host' && !isUntrusted),
  };
}

/** The error code of a failure or its causes; empty if there is none. */
function codeOf(error: ErrorLike): string {
  if (error.name === 'TimeoutError' || error.cause?.name === 'TimeoutError') return 'TIMEOUT';
  // undici's parser omits its code.
  if ([error.name, error.cause?.name].includes('HTTPParserError')) return 'HPE_INVALID';
  const code = [error.cause?.cause?.code, error.cause?.code, error.code].find((each) => typeof each === 'string');
  if (code !== undefined) return code;
  // undici reports a cut stream only by this message.
  return error.message === 'terminated' ? 'UND_ERR_SOCKET' : '';
}

/** True if the network of this machine failed, so that nothing is known about the service. */
export function isLocalFailure(error: unknown): boolean {
  return ['EAI_AGAIN', 'ENETUNREACH'].includes(codeOf(error as ErrorLike));
}

/** A ConfigurationError if this process or machine may not open another file or connection; null otherwise. */
export function fileLimitError(error: unknown): ConfigurationError | null {
  const isLimit = /^E[MN]FILE$/.test(codeOf(error as ErrorLike));
  return isLimit ? new ConfigurationError(tooManyFiles.reason, tooManyFiles.hint) : null;
}

/** A BadTargetError for an error of the local disk; null otherwise. */
export function diskError(file: string, error: unknown): BadTargetError | null {
  const code = String((error as ErrorLike).code ?? '');
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BadTargetError(file, diskFull.reason, diskFull.hint);
  if (['EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG', 'EMFILE', 'ENOENT'].includes(code))
    return new BadTargetError(file, say`cannot be written (${code})`, say`choose another disk with --db`);
  return null;
}

/** Creates a function that redacts the token from a text: a service may echo it. */
export function createRedactor(token: string | null): (text: string) => string {
  // A short token is no secret, and would match inside other words.
  if (token === null || token.length < 8) return (text) => text;
  const forms = new Set([token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)]);
  return (text) => [...forms].reduce((redactedText, form) => redactedText.replaceAll(form, '[token]'), text);
}
