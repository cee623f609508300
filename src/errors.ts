import rows from './errors.json' with { type: 'json' };
import { clauses, instant, type Phrase, type ShownText, type Speech, say, saying, wordPhrase } from './words/speech.ts';

/** Exit codes of the program, which must not change; see docs/reference. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notFound: 3,
  authentication: 4,
  service: 5,
  network: 6,
  rateLimited: 7,
  stale: 8,
  locked: 9,
  configuration: 10,
  ambiguous: 11,
  verification: 12,
  changesFound: 20,
  hungUp: 129, // 128 + number of the signal: SIGHUP
  interrupted: 130, // SIGINT
  terminated: 143, // SIGTERM
} as const;

type ErrorEntry = {
  code: string;
  exit: number;
  status: number;
  /** When the error occurs, as printed in the reference and the API description. */
  when: string;
};

/** Code, exit code, HTTP status and occasion of every expected error, from `errors.json`. */
export const errorTable = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [name, { ...row, exit: exitCodes[row.exit as keyof typeof exitCodes] }]),
) as Record<keyof typeof rows, ErrorEntry>;

/** Messages of refusals that only a server sends, by HTTP status; its API description contains them. */
export const refusalTable = {
  400: 'The address is not percent-encoded UTF-8, or the request is not valid HTTP.',
  401: 'The token is not valid on this server.',
  403: 'Pages of other origins must not request this path.',
  404: 'No such record.',
  405: 'The method is not GET, HEAD or OPTIONS.',
  408: 'The request took too long to arrive.',
  409: 'This mirror never had the requested state.',
  410: 'The record was withdrawn, or is withheld from this copy.',
  413: 'The request body is too large.',
  414: 'The address, or a part of its path, is too long.',
  415: 'The media type of the request body is not supported.',
  416: 'The file does not have this range; `Content-Range` states its size.',
  421: 'The server does not accept this host name.',
  422: 'A parameter is missing or invalid.',
  429: 'Rate limit exceeded; `Retry-After` states the seconds to wait.',
  431: 'The URL and the headers are too long.',
  500: 'Something went wrong on the server.',
  501: 'This format is not available.',
  503: 'Temporarily unavailable: the mirror cannot be read, or is overloaded; see `Retry-After`.',
} as const;

export type RefusalStatus = keyof typeof refusalTable;

/** An expected error: message, hint on what to do next, stable code, exit code and HTTP status. */
export class HemicycleError extends Error {
  readonly code: string;
  readonly exit: number;
  readonly httpStatus: number;
  /** The parameter that caused the error and the reason; null if no parameter did. */
  fault: { parameter: string; message: string; userText: Phrase } | null = null;
  /** The message, which each language renders. */
  phrase: Phrase;
  /** The hint on what to do next. */
  advice: Phrase | null;
  /** Tiers of suggested command lines (each a list of words), the likeliest tier first. */
  readonly proposals: string[][][] = [];

  constructor(entry: Omit<ErrorEntry, 'when'>, message: Phrase, hint: Phrase | null = null, cause?: unknown) {
    super(`${message}`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = entry.code;
    this.exit = entry.exit;
    this.httpStatus = entry.status;
    this.phrase = message;
    this.advice = hint;
  }

  get hint(): string | null {
    return this.advice === null ? null : `${this.advice}`;
  }

  describe(speech: Speech): { message: string; hint: string | null } {
    return { message: speech.render(this.phrase), hint: this.advice === null ? null : speech.render(this.advice) };
  }

  /** Records the parameter that caused the error and the reason; returns the same error. */
  withFault(parameter: string, userText: Phrase): this {
    this.fault = { parameter, message: `${userText}`, userText };
    return this;
  }

  /** Prepends a line to the hint; returns the same error. */
  withRemark(remark: Phrase): this {
    const parts = [remark, this.advice].filter((part) => part !== null);
    this.advice = saying((speech) => parts.map(speech.render).join('\n'));
    return this;
  }

  /** Appends tiers of suggested command lines; returns the same error. */
  propose(...tiers: string[][][]): this {
    this.proposals.push(...tiers);
    return this;
  }

  /** Rewrites message and hint with `rewrite`, in every language; returns the same error. */
  reword(rewrite: (text: string) => string): this {
    const { phrase, advice } = this;
    this.phrase = saying((speech) => rewrite(speech.render(phrase)));
    this.message = rewrite(this.message);
    if (advice !== null) this.advice = saying((speech) => rewrite(speech.render(advice)));
    return this;
  }
}

/** A "did you mean" hint; null if there is no near miss. */
export function nearMissHint(nearMisses: readonly string[]): Phrase | null {
  return nearMisses.length > 0 ? say`did you mean: ${nearMisses.join(', ')}?` : null;
}

export class UsageError extends HemicycleError {
  constructor(message: Phrase, hint: Phrase | null = null) {
    super(errorTable.usage, message, hint);
  }
}

export class NotFoundError extends HemicycleError {
  readonly suggestions: { key: string; name: string }[];

  constructor(message: Phrase, hint: Phrase | null = null, suggestions: { key: string; name: string }[] = []) {
    const nearMisses = suggestions.map(({ key, name }) => (key === name ? key : `${key} (${name})`));
    super(errorTable.notFound, message, nearMissHint(nearMisses) ?? hint);
    this.suggestions = suggestions;
  }
}

/** The mirror withholds the record: its content is erased and its key is not repeated. */
export class WithheldError extends HemicycleError {
  /** `of` is the followed mirror that withholds the record; null if this mirror does. */
  constructor(kind: string, { day, reason, of }: { day: string; reason: string; of: string | null }) {
    const message = say`this ${wordPhrase(kind)} has been withheld since ${day}: ${reason}`;
    super(errorTable.withheld, message, of === null ? null : say`withheld by ${of}, which this mirror follows`);
  }
}

/** The mirror stored the record until it was withdrawn; the service is not requested again. */
export class WithdrawnError extends NotFoundError {
  readonly key: string;

  constructor(key: string, { message, hint }: { message: Phrase; hint: Phrase }) {
    super(message, hint);
    this.key = key;
  }
}

export class AmbiguousNameError extends HemicycleError {
  readonly candidates: { key: string; name: string }[];

  /** `about` distinguishes candidates with the same name; the hint asks for their `keyName`. */
  constructor(name: string, candidates: { key: string; name: string; about?: string }[], keyName: ShownText = 'slug') {
    const list = candidates.map(({ key, name, about }) => `  ${key}  ${name}${about ? `  (${about})` : ''}`).join('\n');
    const hint = say`choose one by its ${keyName}:\n${list}`;
    super(errorTable.ambiguous, say`several records match "${name}"; none was chosen`, hint);
    this.candidates = candidates;
  }
}

/** A failed request to a URL of the service. */
export abstract class RequestError extends HemicycleError {
  readonly url: string;
  /** True if only this URL failed; false if the whole service or the network did. */
  readonly isOfAddress: boolean;
  readonly status: number | null; // of the response; null without a readable one

  constructor(
    entry: Omit<ErrorEntry, 'when'>,
    { url, isOfAddress = true, status = null }: { url: string; isOfAddress?: boolean; status?: number | null },
    { message, hint, cause }: { message: Phrase; hint: Phrase; cause?: unknown },
  ) {
    super(entry, message, hint, cause);
    this.url = url;
    this.isOfAddress = isOfAddress;
    this.status = status;
  }
}

export class AuthenticationError extends RequestError {
  constructor(url: string, status: number) {
    const message = say`the service refused the request (${status}) for ${url}`;
    const hint = say`check HEMICYCLE_TOKEN and HEMICYCLE_AUTH_HEADER; without a token the service allows 60 requests per minute`;
    super(errorTable.authentication, { url, status }, { message, hint });
  }
}

const retryHint = say`try again later, or check HEMICYCLE_BASE_URL`;

/** The service sent an error or an invalid body; `status` is null if the response could not be read. */
export class ServiceAnswerError extends RequestError {
  constructor(
    url: string,
    reason: Phrase,
    { status = null, hint = retryHint }: { status?: number | null; hint?: Phrase } = {},
  ) {
    super(errorTable.serviceAnswer, { url, status }, { message: say`${url}: ${reason}`, hint });
  }

  /** True if the status means that the record does not exist. */
  get meansAbsent(): boolean {
    return this.status !== null && absentStatuses.includes(this.status);
  }
}

/** HTTP statuses that services send for a missing record; the API description specifies none. */
const absentStatuses = [400, 404, 410, 422];

/** Paging repeated a cursor or a page: earlier pages may be incomplete. */
export class RepeatedPageError extends ServiceAnswerError {}

/** A complete response lost or changed too much: it is quarantined until it recovers or is accepted. */
export class QuarantineError extends ServiceAnswerError {
  override readonly code = errorTable.quarantined.code;
  /** True if the content is at fault; false if the same dataset may be valid in another file format. */
  readonly isOfContent: boolean;

  constructor(url: string, reason: Phrase, { plural, isOfContent = true }: { plural: string; isOfContent?: boolean }) {
    const hint = say`see what changed with \`hemicycle doctor\`; if the service intends it, accept it with \`hemicycle sync --accept ${plural}\`; otherwise wait, as every sync retries`;
    super(url, reason, { hint });
    this.isOfContent = isOfContent;
  }
}

export class NetworkError extends RequestError {
  constructor(
    url: string,
    reason: Phrase,
    { cause, isOfAddress = false }: { cause?: unknown; isOfAddress?: boolean } = {},
  ) {
    const hint = isOfAddress
      ? say`only this URL failed; the next run retries it`
      : say`check the address and the network`;
    super(errorTable.network, { url, isOfAddress }, { message: say`${url}: ${reason}`, hint, cause });
  }
}

/** The service has not responded for a month and is not requested now. */
export class GoneServiceError extends HemicycleError {
  constructor(since: string, nextAt: string) {
    const message = say`the service has not responded since ${instant(since)}; no request was sent, and the mirror contains the last known state`;
    const hint = say`the next attempt is after ${instant(nextAt)}, then weekly; to retry now: \`hemicycle sync --full\`; if it shut down permanently: \`hemicycle config set service-gone DATE\``;
    super(errorTable.network, message, hint);
  }
}

type RateLimit = { waitMs: number; nowMs: number; answered?: number | null; isOfAddress?: boolean };

/** The service asks to wait; `answered`, the response status, is null if it did so in an earlier run. */
export class RateLimitedError extends RequestError {
  readonly retryAfterMs: number;

  constructor(url: string, { waitMs, nowMs, answered = null, isOfAddress = false }: RateLimit) {
    const isOtherStatus = answered !== null && answered !== 429;
    const message = isOtherStatus
      ? say`${url}: responded with ${answered} and asks to wait`
      : say`${url}: too many requests, the service refuses for now`;
    const hint = saying((speech) => {
      const waitNote = speech.say`the service asks to retry in ${waitText(waitMs)}, not before ${isoSeconds(nowMs + waitMs)}`;
      return waitMs < longWaitMs ? waitNote : `${waitNote}\n${speech.render(liftText)}`;
    });
    super(errorTable.rateLimited, { url, isOfAddress, status: answered }, { message, hint });
    this.retryAfterMs = waitMs;
  }
}

/** From this Retry-After on, which may be a mistake of the service, the hint says how to lift the block. */
const longWaitMs = 3_600_000;

/** Advice on ending a block by the service early. */
export const liftText = say`requests resume after one day at the latest; \`hemicycle sync --lift-block\` retries now, if you know that this is allowed`;

/** Returns a time in ms as ISO 8601 without fractions; 8.64e15 is the latest time of a Date. */
const isoSeconds = (ms: number) => `${new Date(Math.min(ms, 8.64e15)).toISOString().slice(0, 19)}Z`;

function waitText(ms: number): Phrase {
  const seconds = Math.ceil(ms / 1000);
  const hours = Math.round(ms / 3_600_000);
  if (seconds < 7200) return say`${seconds} s`;
  return hours < 48 ? say`${hours} hours` : say`${Math.round(hours / 24)} days`;
}

const maxListedFailures = 3;

/** Parts of a sync failed and all others were saved; it has the code of the failures if they share one. */
export class PartialSyncError extends HemicycleError {
  constructor(failures: HemicycleError[]) {
    const unlistedCount = failures.length - maxListedFailures;
    const failureList = saying((speech) => {
      const messages = failures.slice(0, maxListedFailures).map((error) => error.describe(speech).message);
      return speech.render(clauses([...messages, unlistedCount > 0 ? say`and ${unlistedCount} more` : '']));
    });
    const { code, exit, httpStatus: status } = failures[0]!;
    const isTransient = (each: HemicycleError) => each instanceof RateLimitedError || each instanceof NetworkError;
    const failuresWithHint = failures.filter(
      (each) => !isTransient(each) && each.hint !== null && each.hint !== `${retryHint}`,
    );
    const hint = saying((speech) => {
      const hintTexts = failuresWithHint.map((error) => error.describe(speech).hint ?? '');
      const statusHint = speech.say`\`hemicycle status\` lists the failures and their next retry`;
      return [...new Set([...hintTexts, statusHint])].join('\n');
    });
    const entry = failures.every((error) => error.code === code) ? { code, exit, status } : errorTable.serviceAnswer;
    super(entry, say`${failures.length} parts could not be read, the rest was saved: ${failureList}`, hint);
  }
}

export class StaleError extends HemicycleError {
  constructor(message: Phrase, hint: Phrase = say`run \`hemicycle sync\`, or allow a larger --max-age`) {
    super(errorTable.stale, message, hint);
  }
}

export class LockedError extends HemicycleError {
  constructor(
    path: string,
    message: Phrase = say`another run is writing to ${path}`,
    hint: Phrase = say`wait until it ends, then run this again`,
  ) {
    super(errorTable.locked, message, hint);
  }
}

/** Other sessions of an export's database kept tables locked for too long. */
export class LockTimeoutError extends LockedError {
  override readonly code = errorTable.lockTimeout.code;
}

export class ConfigurationError extends HemicycleError {
  constructor(message: Phrase, hint: Phrase | null = null) {
    super(errorTable.configuration, message, hint);
  }
}

/** The clock of this machine, of the service or of the machine that filled the mirror is wrong. */
export class ClockError extends ConfigurationError {}

/** The state file in which all processes of a user count requests cannot be written. */
export class NoStateError extends ConfigurationError {
  constructor(path: string, reason: Phrase, hint: Phrase | null = null) {
    const defaultHint = say`set XDG_STATE_HOME to a folder that this user can write to; no request was sent to the service`;
    super(say`${path}, where requests to the service are counted, cannot be written (${reason})`, hint ?? defaultHint);
  }
}

export class NoMirrorError extends HemicycleError {
  readonly path: string;

  constructor(path: string) {
    const hint = say`create one with \`hemicycle init URL\` or \`hemicycle import FOLDER\`; \`hemicycle demo\` uses fictional data`;
    super(errorTable.noMirror, say`there is no mirror at ${path}`, hint);
    this.path = path;
  }
}

export class BadMirrorError extends HemicycleError {
  constructor(path: string, reason: Phrase, hint: Phrase | null = null, cause?: unknown) {
    const advice = hint ?? say`nothing was written; set --db or HEMICYCLE_DB to a mirror`;
    super(errorTable.badMirror, say`${path}: ${reason}`, advice, cause);
  }
}

/** Reason and hint for a full disk. */
export const diskFull = {
  reason: say`the disk is full; data saved before is kept`,
  hint: say`free some space and run the same command again: it continues from there`,
};

/** Reason and hint for the open-file limit of the system or the user. */
export const tooManyFiles = {
  reason: say`the limit on open files is reached`,
  hint: say`raise it, for example with \`ulimit -n 1024\`, and run the same command again`,
};

export class BadInputError extends HemicycleError {
  constructor(
    location: ShownText,
    reason: Phrase,
    hint: Phrase = say`nothing of this file was imported; fix the line and import it again`,
  ) {
    super(errorTable.badInput, say`${location}: ${reason}`, hint);
  }
}

/** Returns the hint for an output target that the user chose with `flag`. */
const otherTargetHint = (flag: string) => say`nothing was written there; choose another target with ${flag}`;

export class BadTargetError extends HemicycleError {
  constructor(path: ShownText, reason: Phrase, hint: Phrase = otherTargetHint('-o')) {
    super(errorTable.badTarget, say`${path}: ${reason}`, hint);
  }
}

/** Returns a rejection handler that names the flag of the target in the advice of a BadTargetError, and rethrows. */
export const adviseOtherTarget =
  (flag: string) =>
  (error: unknown): never => {
    if (error instanceof BadTargetError) error.advice = otherTargetHint(flag);
    throw error;
  };

/** A static site was written, except pages of records that failed to render. */
export class PartialSiteError extends HemicycleError {
  constructor(folder: string, failedCount: number) {
    const message = say`${folder}: ${failedCount} pages could not be written; all others were written`;
    const hint = say`see the record with \`hemicycle show REF\`; have it fixed at the service, or report a bug in Hemicycle`;
    super(errorTable.partialSite, message, hint);
  }
}

/** A receiver did not accept a notification of a watch. */
export class DeliveryError extends HemicycleError {
  isFinal = false; // true if retries are pointless
  retryAfterMs = 0; // minimum wait that the receiver requested; 0 if none
  /** True if the host did not respond: other receivers on it will fail too. */
  isUnanswered = false;

  constructor(
    receiver: ShownText,
    reason: Phrase,
    hint: Phrase = say`it is kept, and a later \`hemicycle watch run\` retries it`,
  ) {
    super(errorTable.delivery, say`${receiver}: ${reason}`, hint);
  }
}

/** A file of the program is missing or damaged. */
export class BrokenInstallError extends ConfigurationError {
  constructor(defect: Phrase, cause?: unknown) {
    const hint = say`install it again, with its packages (\`npm ci\` in a clone)`;
    super(say`the installation of Hemicycle is incomplete: ${defect}`, hint);
    this.cause = cause;
  }
}

/** A signal ended the run; the command supplies message and hint. */
export class InterruptedError extends HemicycleError {
  constructor(exit: 129 | 130 | 143, message: Phrase, hint: Phrase) {
    super({ ...errorTable.interrupted, exit }, message, hint);
  }
}

export class VerificationError extends HemicycleError {
  constructor(message: Phrase, hint: Phrase | null = null) {
    super(errorTable.verification, message, hint);
  }
}

/** Since the last export, a table was lost, or one of its columns, or more of its rows than is plausible. */
export class RefusedTableError extends VerificationError {
  constructor(table: string, reason: Phrase) {
    const hint = say`the last good export is kept; if this is intended, run again with --accept-shrink`;
    super(say`${table}: ${reason}`, hint);
  }
}

/** Returns the result of `get`; null if it throws an error of `classes`, or any error if none are given. */
export function orNull<Result>(get: () => Result, ...classes: (abstract new (...input: never[]) => Error)[]) {
  try {
    return get();
  } catch (error) {
    if (classes.length > 0 && !classes.some((each) => error instanceof each)) throw error;
    return null;
  }
}
