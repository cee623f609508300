import { BadTargetError, ConfigurationError, diskFull, tooManyFiles } from '../errors.ts';
import { type Phrase, say, type UserText } from '../words/speech.ts';

/** Messages for error codes of Node, undici or zlib that concern the host or the network. */
const hostFailures: Record<string, UserText> = {
  ECONNREFUSED: say`the connection was refused`,
  ENOTFOUND: say`there is no such host`,
  EAI_AGAIN: say`the host name cannot be looked up now`,
  ENETUNREACH: say`the network cannot be reached`,
  EHOSTUNREACH: say`the host cannot be reached`,
  ETIMEDOUT: say`connecting took too long`,
  UND_ERR_CONNECT_TIMEOUT: say`connecting took too long`,
};

const addressFailures: Record<string, UserText> = {
  ECONNRESET: say`the connection was cut`,
  EPIPE: say`the connection was cut`,
  UND_ERR_HEADERS_TIMEOUT: say`the answer took too long`,
  UND_ERR_BODY_TIMEOUT: say`the answer stopped coming`,
  UND_ERR_SOCKET: say`the connection was cut`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: say`the answer ended too early`,
  TIMEOUT: say`the whole answer took too long`,
  Z_BUF_ERROR: say`the compressed answer ended too early`,
};

/** Messages for families of codes of what is no answer, and whether a retry may help. */
const nonsenseFamilies: { codes: RegExp; reason: UserText; isPassing: boolean }[] = [
  {
    codes: /^(Z_|ZSTD_|ERR_BROTLI|ERR__?ERROR_)/,
    reason: say`the compressed answer is damaged`,
    isPassing: true,
  },
  { codes: /^UND_ERR_HEADERS_OVERFLOW$/, reason: say`its headers are too long`, isPassing: false },
  { codes: /^HPE_/, reason: say`the answer is not valid HTTP`, isPassing: false },
];

/** The address that a redirect led to could not be asked. */
export class RedirectFailure extends Error {}

type ErrorLike = { code?: unknown; name?: string; message?: string; cause?: ErrorLike };

/**
 * Why a request failed, whether a retry may help (never for certificates or bad URLs), whether what came is no answer, and
 * whether only this URL is concerned: so it is unless the network or the whole service is known to have failed.
 */
export function failureOf(error: unknown) {
  const code = codeOf(error as ErrorLike);
  const cause = (error as ErrorLike).cause ?? (error as ErrorLike);
  const known = hostFailures[code] ?? addressFailures[code];
  const family = known ? undefined : nonsenseFamilies.find(({ codes }) => codes.test(code));
  const distrust = certificateReason(code);
  const reason: UserText = known ?? family?.reason ?? distrust ?? cause.message ?? String(error);
  const isElsewhere = error instanceof RedirectFailure;
  return {
    reason: isElsewhere ? say`redirects to ${error.message}: ${reason}` : reason,
    isPassing: known !== undefined || family?.isPassing === true,
    isNonsense: family !== undefined,
    // What is not known to be of the network or the service is of the address: others may answer.
    isOfAddress: isElsewhere || !(code in hostFailures || distrust !== null),
  };
}

function codeOf(error: ErrorLike): string {
  if (error.name === 'TimeoutError' || error.cause?.name === 'TimeoutError') return 'TIMEOUT';
  // undici's parser leaves its code out.
  if ([error.name, error.cause?.name].includes('HTTPParserError')) return 'HPE_INVALID';
  const codes = [error.cause?.cause?.code, error.cause?.code, error.code];
  const code = codes.find((each) => typeof each === 'string');
  if (typeof code === 'string') return code;
  // undici reports a cut stream only by this message.
  return error.message === 'terminated' ? 'UND_ERR_SOCKET' : '';
}

function certificateReason(code: string): Phrase | null {
  if (!/CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS/.test(code)) return null;
  return say`its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS=FILE adds an authority`;
}

/** True if the network of this machine is at fault: nothing was learnt of the service. */
export function isOfThisMachine(error: unknown): boolean {
  return ['EAI_AGAIN', 'ENETUNREACH'].includes(codeOf(error as ErrorLike));
}

/** A ConfigurationError if this process or machine may not open another file or connection, else null. */
export function fileLimitError(error: unknown): ConfigurationError | null {
  const isLimit = /^E[MN]FILE$/.test(codeOf(error as ErrorLike));
  return isLimit ? new ConfigurationError(tooManyFiles.reason, tooManyFiles.hint) : null;
}

/** A BadTargetError for an error of the local disk, else null. */
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
  return (text) => [...forms].reduce((told, form) => told.replaceAll(form, '[token]'), text);
}
