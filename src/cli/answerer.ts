import { setTimeout as sleep } from 'node:timers/promises';
import { BadMirrorError, StaleError, UsageError } from '../errors.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { kindOf } from '../model/kinds.ts';
import { ageMs, durationMs, momentOf, pastMoment } from '../model/moment.ts';
import {
  type Answerer,
  autoAnswers,
  mirrorAnswers,
  notOfService,
  serviceAnswers,
} from '../questions/answering.ts';
import type { Parameters, Values } from '../questions/parameter.ts';
import { createQueryModel, type QueryModel } from '../questions/query-vector.ts';
import type { Question, Reading } from '../questions/question.ts';
import type { ServiceClient } from '../service/client.ts';
import { openPast, refuseUnseen } from '../store/history/past.ts';
import { readMeta } from '../store/meta.ts';
import { type Mirror, unwritable } from '../store/mirror.ts';
import { isOlder } from '../store/mirror-file.ts';
import { openMirror, openScratchMirror, openWritableMirror } from '../store/open.ts';
import { lastFilled } from '../store/records/contents.ts';
import { otherService } from '../store/syncs/service.ts';
import { type Speech, say, type UserText } from '../words/speech.ts';
import type { CommonFlags } from './base-command.ts';
import { allowedRate } from './setting-forms.ts';
import type { Settings } from './settings.ts';

/** Flags that choose the source of an answer, and the moment it is for. */
export type SourceFlags = CommonFlags & {
  format?: string;
  source?: string;
  'max-age'?: string | undefined;
  'as-of'?: string | undefined;
};

/** Options of `openAnswerer`; each opened resource is registered with `closing`. */
export type Opening = {
  flags: SourceFlags;
  settings: Settings;
  closing<Opened extends { close(): void | Promise<void> }>(opened: Opened): Opened;
  /** Opens a client of the service in these settings, with interactive priority. */
  client(settings: Settings, attempts: number): Promise<ServiceClient>;
  stderr(line: UserText): void;
  /** Language and form of messages to the user. */
  speech: Speech;
  userAgent: string;
  trace: { trace?: (line: string) => void };
};

/** Opens the source that the flags choose, and the mirror that answers or caches the service's answers. */
export async function openAnswerer(
  question: Question,
  values: Values<Parameters>,
  opening: Opening,
): Promise<{ answerer: Answerer; mirror: Mirror }> {
  const { flags, settings, closing } = opening;
  const isOfService = flags.source === 'service';
  if (isOfService) refuseService(question, flags);
  if (flags['as-of'] !== undefined) return openPastAnswerer(question, values, opening);
  if (isOfService) {
    const client = await opening.client(settings, 2);
    const mirror = openToKeep(opening);
    return { answerer: serviceAnswers({ mirror, client }), mirror };
  }
  const mirror = closing(openMirror(settings.db));
  refuseStale(mirror, flags['max-age']);
  const known = question.ask ? knownService(settings, mirror) : null;
  const answerer = mirrorAnswers(mirror, reading(settings, null), queryModelOf(opening));
  if (flags.source === 'mirror' || known === null) return { answerer, mirror };
  const askService = async (why: UserText) => {
    if (isTold(flags)) opening.stderr(sanitiseLine(opening.speech.say`${why}; asking the service`));
    const client = await opening.client(known, 1);
    return serviceAnswers({ mirror: openToKeep(opening), client });
  };
  return { answerer: autoAnswers(answerer, askService), mirror };
}

/**
 * The mirror to cache the service's answers in. An in-memory copy takes its place if the file is read-only,
 * needs a migration, or belongs to another service: reading commands do not migrate.
 */
function openToKeep({ flags, settings, closing, stderr }: Opening): Mirror {
  const { db, baseUrl } = settings;
  let reason = say`was written by an older Hemicycle`;
  try {
    if (!isOlder(db)) {
      const mirror = openWritableMirror(db);
      const other = baseUrl === null ? null : otherService(mirror, baseUrl);
      if (other === null) return closing(mirror);
      mirror.close();
      reason = say`holds the records of ${other}`;
    }
  } catch (error) {
    if (!(error instanceof BadMirrorError) || unwritable(db) === null) throw error;
    reason = say`cannot be written`;
  }
  if (isTold(flags)) stderr(say`${sanitiseLine(db)} ${reason}: what is answered is not kept`);
  return closing(openScratchMirror(db));
}

function openPastAnswerer(
  question: Question,
  values: Values<Parameters>,
  opening: Opening,
): { answerer: Answerer; mirror: Mirror } {
  const { flags, settings, closing } = opening;
  const asOf = asOfMoment(flags['as-of']!);
  const mirror = question.looksBack
    ? closing(openMirror(settings.db))
    : closing(openPast(settings.db, asOf, question.reads(values).map(kindOf)));
  if (question.looksBack) refuseUnseen(mirror, asOf);
  refuseStale(mirror, flags['max-age']);
  return { answerer: mirrorAnswers(mirror, reading(settings, asOf), queryModelOf(opening)), mirror };
}

function reading({ semanticSearch, thesaurus }: Settings, asOf: string | null): Reading {
  return { searchesByMeaning: semanticSearch, thesaurus, asOf };
}

/**
 * The embedding model for query vectors, or null; with `--source mirror` it only says why it sends nothing.
 */
function queryModelOf({ flags, settings, userAgent, trace }: Opening): QueryModel | null {
  const { embeddings } = settings;
  if (embeddings === null) return null;
  const trouble = 'with --source mirror nobody is asked, the service of embeddings neither';
  if (flags.source === 'mirror') return { model: embeddings.model, vectorOf: async () => ({ trouble }) };
  return createQueryModel({ ...embeddings, userAgent, ...trace, now: Date.now, sleep: (ms) => sleep(ms) });
}

function refuseService(question: Question, flags: SourceFlags): void {
  if (!question.ask) throw notOfService(question);
  if (flags['as-of'] !== undefined)
    throw new UsageError(
      say`the service does not say what it said before`,
      say`--as-of answers from the mirror`,
    );
}

/** True if remarks may go to stderr. With JSON, stderr holds only errors, and the answer names its origin. */
export function isTold({ quiet, json, format }: SourceFlags): boolean {
  return !quiet && !json && format !== 'json';
}

/** Parses `--as-of` into an ISO 8601 moment; throws a UsageError for an invalid or future date. */
export function asOfMoment(text: string): string {
  const at = momentOf(text, Date.now(), 'end');
  if (at === null)
    throw new UsageError(
      say`--as-of "${text}" is not a date`,
      say`write 2026-11-01, 2026-11-01T08:00:00Z, or 7d`,
    );
  const past = pastMoment(at, Date.now());
  if (past === null) throw new UsageError(say`--as-of "${text}" is still to come`);
  return past;
}

/** Parses `--max-age` into milliseconds; throws a UsageError for an invalid duration. */
export function maxAgeMs(text: string): number {
  const ms = durationMs(text);
  if (ms === null)
    throw new UsageError(say`--max-age "${text}" is not a duration`, say`write 90s, 30m, 12h or 7d`);
  return ms;
}

/** Throws a StaleError if the mirror was last filled longer ago than the user allows. */
export function refuseStale(mirror: Mirror, maxAge: string | undefined): void {
  if (maxAge === undefined) return;
  const allowed = maxAgeMs(maxAge);
  const filled = lastFilled(mirror);
  if (filled === null) throw new StaleError(say`the mirror was never filled to the end`);
  const age = ageMs(filled, Date.now());
  if (age === null)
    throw new StaleError(
      say`the mirror says that it was last filled at ${filled}, which is still to come: a clock was wrong, and how old it is nobody knows`,
      say`if the clock of this machine is right, \`hemicycle sync --accept-clock\` mends the mirror`,
    );
  if (age > allowed)
    throw new StaleError(say`the mirror was last filled at ${filled}, longer ago than ${maxAge}`);
}

/**
 * The settings to ask the service with, or null where no address is known. An address that only the mirror
 * remembers gets no token: the file may come from anybody.
 */
export function knownService(settings: Settings, mirror: Mirror): Settings | null {
  if (settings.baseUrl !== null) return settings;
  const baseUrl = readMeta(mirror, 'base_url');
  return baseUrl === null ? null : { ...settings, baseUrl, token: null, rate: allowedRate(null) };
}
