import { exitCodes } from './exit-codes.ts';

/** An error that Hemicycle foresees: what happened, to what, and what to do about it. */
export class HemicycleError extends Error {
  readonly code: string;
  readonly exit: number;
  readonly hint: string | null;

  constructor(
    entry: { code: string; exit: number },
    message: string,
    hint: string | null = null,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = entry.code;
    this.exit = entry.exit;
    this.hint = hint;
  }

  /** The same error, told in other words. */
  retold(inOtherWords: (text: string) => string): this {
    this.message = inOtherWords(this.message);
    return this;
  }
}

/** Every foreseen error: stable code, exit status, and when it is met (the README lists the same). */
export const errorTable = {
  usage: {
    code: 'USAGE',
    exit: exitCodes.usage,
    when: 'an argument or flag is missing, unknown or out of range',
  },
  notFound: { code: 'NOT_FOUND', exit: exitCodes.notFound, when: 'no record has that slug, name or id' },
  authentication: {
    code: 'AUTHENTICATION',
    exit: exitCodes.authentication,
    when: 'the service refused the token (401 or 403)',
  },
  serviceAnswer: {
    code: 'SERVICE_ANSWER',
    exit: exitCodes.service,
    when: 'the service answered an error, or what cannot be understood',
  },
  badInput: {
    code: 'BAD_INPUT',
    exit: exitCodes.service,
    when: 'a file to import cannot be read as records',
  },
  network: {
    code: 'NETWORK',
    exit: exitCodes.network,
    when: 'the service cannot be reached, or takes too long',
  },
  rateLimited: {
    code: 'RATE_LIMITED',
    exit: exitCodes.rateLimited,
    when: 'the service still refused after the waits it asked for',
  },
  stale: {
    code: 'STALE',
    exit: exitCodes.stale,
    when: 'the mirror is older than --max-age, or younger than --as-of',
  },
  locked: { code: 'LOCKED', exit: exitCodes.locked, when: 'another run is writing to the mirror' },
  configuration: {
    code: 'CONFIGURATION',
    exit: exitCodes.configuration,
    when: 'a setting is missing or makes no sense',
  },
  noMirror: { code: 'NO_MIRROR', exit: exitCodes.configuration, when: 'there is no mirror yet' },
  noDownload: {
    code: 'NO_DOWNLOAD',
    exit: exitCodes.configuration,
    when: 'the mirror holds no download of a dataset',
  },
  badMirror: {
    code: 'BAD_MIRROR',
    exit: exitCodes.configuration,
    when: 'the mirror is damaged, foreign, newer than the program, or cannot be written',
  },
  badTarget: {
    code: 'BAD_TARGET',
    exit: exitCodes.configuration,
    when: 'an output file or folder cannot be written',
  },
  ambiguous: { code: 'AMBIGUOUS', exit: exitCodes.ambiguous, when: 'several records match a name' },
  verification: {
    code: 'VERIFICATION',
    exit: exitCodes.verification,
    when: 'what was checked is not what it should be',
  },
  interrupted: {
    code: 'INTERRUPTED',
    exit: exitCodes.interrupted,
    when: 'a signal ended the run (130 for SIGINT, 143 for SIGTERM)',
  },
} as const;

export class UsageError extends HemicycleError {
  constructor(message: string, hint: string | null = null) {
    super(errorTable.usage, message, hint);
  }
}

export class NotFoundError extends HemicycleError {
  readonly suggestions: { key: string; name: string }[];

  constructor(
    message: string,
    suggestions: { key: string; name: string }[] = [],
    hint: string | null = null,
  ) {
    const near = suggestions.map(({ key, name }) => `${key} (${name})`).join(', ');
    super(errorTable.notFound, message, near ? `did you mean: ${near}?` : hint);
    this.suggestions = suggestions;
  }

  /** The same error, with one more thing to know. */
  withHint(remark: string): NotFoundError {
    return new NotFoundError(
      this.message,
      [],
      [this.hint, remark].filter((part) => part !== null).join('\n'),
    );
  }
}

export class AmbiguousNameError extends HemicycleError {
  readonly candidates: { key: string; name: string }[];

  constructor(name: string, candidates: { key: string; name: string }[]) {
    const list = candidates.map((candidate) => `  ${candidate.key}  ${candidate.name}`).join('\n');
    super(
      errorTable.ambiguous,
      `several records match "${name}"; nothing was chosen`,
      `name one by its slug:\n${list}`,
    );
    this.candidates = candidates;
  }
}

export class AuthenticationError extends HemicycleError {
  constructor(url: string, status: number) {
    super(
      errorTable.authentication,
      `the service refused the request (${status}) for ${url}`,
      'check HEMICYCLE_TOKEN and HEMICYCLE_AUTH_HEADER; without a token the service answers 60 requests a minute',
    );
  }
}

/** The service answered an error or nonsense; `status` is null when the answer came but could not be read. */
export class ServiceAnswerError extends HemicycleError {
  readonly status: number | null;

  constructor(
    url: string,
    reason: string,
    { status = null, hint = null }: { status?: number | null; hint?: string | null } = {},
  ) {
    super(
      errorTable.serviceAnswer,
      `${url}: ${reason}`,
      hint ?? 'everything saved before stays; try again later, or check HEMICYCLE_BASE_URL',
    );
    this.status = status;
  }
}

/** A walk met a cursor or a page again: what was met before it cannot be trusted to be all there is. */
export class RepeatedPageError extends ServiceAnswerError {}

/** A dataset came whole and lost more than its service is likely to mean. */
export class RefusedDatasetError extends ServiceAnswerError {}

export class BadInputError extends HemicycleError {
  constructor(place: string, reason: string) {
    super(
      errorTable.badInput,
      `${place}: ${reason}`,
      'nothing of that file was imported; mend the line and import again',
    );
  }
}

export class NetworkError extends HemicycleError {
  constructor(url: string, reason: string, cause?: unknown) {
    super(
      errorTable.network,
      `${url}: ${reason}`,
      'check the address and the network; everything saved before stays',
      cause,
    );
  }
}

export class RateLimitedError extends HemicycleError {
  readonly retryAfterMs: number;

  constructor(url: string, retryAfterMs: number) {
    super(
      errorTable.rateLimited,
      `${url}: the service was asked too often and refuses for now`,
      `the service asks to come back in ${Math.ceil(retryAfterMs / 1000)} s; what was saved stays`,
    );
    this.retryAfterMs = retryAfterMs;
  }
}

export class StaleError extends HemicycleError {
  constructor(message: string, hint = 'run `hemicycle sync`, or allow a larger --max-age') {
    super(errorTable.stale, message, hint);
  }
}

export class LockedError extends HemicycleError {
  constructor(path: string) {
    super(errorTable.locked, `another run is writing to ${path}`, 'wait for it, or use --wait-lock 5m');
  }
}

export class ConfigurationError extends HemicycleError {
  constructor(message: string, hint: string | null = null) {
    super(errorTable.configuration, message, hint);
  }
}

export class NoMirrorError extends HemicycleError {
  constructor(path: string) {
    super(
      errorTable.noMirror,
      `there is no mirror at ${path}`,
      'make one with `hemicycle sync --from URL` or `hemicycle import FOLDER`; `hemicycle demo` shows it on fictional data',
    );
  }
}

/** What is asked for as the service sent it was never downloaded; `datasets` by their plural names. */
export class NoDownloadError extends HemicycleError {
  constructor(datasets: string[]) {
    super(
      errorTable.noDownload,
      `this mirror holds no download of ${datasets.join(', ')}`,
      '`hemicycle sync` downloads every dataset; what was imported from files was not sent by the service',
    );
  }
}

export class BadMirrorError extends HemicycleError {
  constructor(path: string, reason: string, hint: string | null = null, cause?: unknown) {
    super(
      errorTable.badMirror,
      `${path}: ${reason}`,
      hint ?? 'nothing was written; point --db or HEMICYCLE_DB at a mirror',
      cause,
    );
  }
}

/** A disk that is full, whoever noticed it. */
export const diskFull = {
  reason: 'the disk is full; what was saved before stays',
  hint: 'make room and run the same command again: it goes on from there',
};

export class BadTargetError extends HemicycleError {
  constructor(
    path: string,
    reason: string,
    hint = 'nothing was written there; choose another target with -o',
  ) {
    super(errorTable.badTarget, `${path}: ${reason}`, hint);
  }
}

/** A signal ended the run; what came of it, and what to type to go on, differ from run to run. */
export class InterruptedError extends HemicycleError {
  constructor(exit: 130 | 143, message: string, hint: string) {
    super({ code: errorTable.interrupted.code, exit }, message, hint);
  }
}

export class VerificationError extends HemicycleError {
  constructor(message: string, hint: string | null = null) {
    super(errorTable.verification, message, hint);
  }
}
