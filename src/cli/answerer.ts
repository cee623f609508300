import { BadMirrorError, StaleError, UsageError } from '../errors.ts';
import type { Origin } from '../format/json.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { attributionOf } from '../model/attribution.ts';
import { kindOf } from '../model/kinds.ts';
import { ageMs } from '../model/moment.ts';
import {
  type Answerer,
  coverageNotes,
  createAutoAnswerer,
  createMirrorAnswerer,
  createServiceAnswerer,
} from '../questions/answering.ts';
import { unsupportedByService } from '../questions/from-service.ts';
import type { Parameters, Values } from '../questions/parameter.ts';
import { createQueryModel, type QueryModel } from '../questions/query-vector.ts';
import type { Question, ReadOptions } from '../questions/question.ts';
import { splitColumns } from '../questions/sql.ts';
import { openPast, refuseBeforeFirstRecord } from '../store/history/past.ts';
import { type Mirror, readMeta } from '../store/mirror.ts';
import { whyUnwritable } from '../store/mirror-errors.ts';
import { needsMigration } from '../store/mirror-file.ts';
import { openScratchMirror, openWritableMirror } from '../store/open.ts';
import { citationOf, lastFilledAt } from '../store/records/contents.ts';
import { otherServiceAddress } from '../store/syncs/service.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import type { CommonFlags } from './common-flags.ts';
import { parseDurationFlag, parsePastFlag } from './flag-values.ts';
import { readerProgram } from './process.ts';
import { allowedRate } from './setting-table.ts';
import type { Settings } from './settings.ts';

/** Flags that choose the source and the moment of an answer. */
export type SourceFlags = CommonFlags & {
  format?: string;
  source?: string;
  'max-age'?: string | undefined;
  'as-of'?: string | undefined;
};

type SourceRequest = {
  command: HemicycleCommand;
  question: Question;
  values: Values<Parameters>;
  flags: SourceFlags;
  settings: Settings;
};

/** Opens the answerer that the flags select (mirror, service, past state) and its mirror; `attribution` cites them. */
export async function openAnswerer(request: Omit<SourceRequest, 'settings'>) {
  const settings = request.command.settingsWith();
  const { answerer, mirror } = await openSource({ ...request, settings });
  return {
    answerer,
    mirror,
    attribution: ({ from, as_of }: Origin) =>
      attributionOf(citationOf(settings, mirror, from), {
        // The origin of a past state has the requested moment, not that of the retrieval.
        retrievedAt: mirror.asOf === null ? as_of : lastFilledAt(mirror),
        asOf: mirror.asOf,
      }),
  };
}

async function openSource(request: SourceRequest) {
  const { command, question, flags, settings } = request;
  const readsServiceOnly = flags.source === 'service';
  const readsPastState = flags['as-of'] !== undefined;
  if (readsServiceOnly && !question.requestFromService) throw unsupportedByService(question.name);
  if (readsServiceOnly && readsPastState)
    throw new UsageError(say`the service does not provide past states`, say`--as-of works with the mirror only`);
  if (readsPastState) return openPastAnswerer(request);
  // One retry if the user chose the service; none for the fallback below, as the record may not exist at all.
  if (readsServiceOnly) return openService(request, settings, 2);
  const mirror = command.mirror(settings);
  refuseStale(mirror, flags['max-age']);
  const serviceSettings = question.requestFromService ? serviceSettingsOf(settings, mirror) : null;
  const answerer = createMirrorAnswerer(mirror, readOptionsOf(settings, null), queryModelOf(request));
  if (flags.source === 'mirror' || serviceSettings === null) return { answerer, mirror };
  const askService = async (reason: Phrase) => {
    if (showsRemarks(flags))
      command.sinks().stderr(sanitiseLine(command.speech.say`${reason}; requesting it from the service`));
    return (await openService(request, serviceSettings, 1)).answerer;
  };
  return { answerer: createAutoAnswerer(answerer, askService), mirror };
}

/** Opens the service for an interactive request: it precedes sync requests, and waits are reported. */
async function openService(request: SourceRequest, serviceSettings: Settings, attempts: number) {
  const { command, flags } = request;
  const { onWait } = command.network;
  const waitOptions = showsRemarks(flags) && onWait ? { onWait } : {};
  const client = await command.client(serviceSettings, { limits: { attempts }, isUrgent: true, ...waitOptions });
  const mirror = openCache(request);
  return { answerer: createServiceAnswerer({ mirror, client }), mirror };
}

/** The mirror that caches responses; an in-memory copy if the file is read-only, outdated or of another service. */
function openCache({ command, flags, settings: { db, baseUrl } }: SourceRequest): Mirror {
  let whyNotCached: Phrase;
  try {
    if (needsMigration(db)) whyNotCached = say`was written by an older Hemicycle`;
    else {
      const mirror = openWritableMirror(db);
      const otherService = baseUrl === null ? null : otherServiceAddress(mirror, baseUrl);
      if (otherService === null) return command.closeAtEnd(mirror);
      mirror.close();
      whyNotCached = say`contains the records of ${otherService}`;
    }
  } catch (error) {
    if (!(error instanceof BadMirrorError) || whyUnwritable(db) === null) throw error;
    whyNotCached = say`cannot be written`;
  }
  if (showsRemarks(flags)) command.sinks().stderr(say`${sanitiseLine(db)} ${whyNotCached}: the response is not cached`);
  return command.closeAtEnd(openScratchMirror(db));
}

/** Answers from the state of `--as-of`; a question with `looksBack` reads the history in the current mirror. */
function openPastAnswerer(request: SourceRequest) {
  const { command, question, values, flags, settings } = request;
  const asOf = parsePastFlag('--as-of', flags['as-of']!, 'end');
  const mirror = question.looksBack
    ? command.mirror(settings)
    : command.closeAtEnd(openPast(settings.db, asOf, question.kindsRead(values).map(kindOf)));
  if (question.looksBack) refuseBeforeFirstRecord(mirror, asOf);
  refuseStale(mirror, flags['max-age']);
  return { answerer: createMirrorAnswerer(mirror, readOptionsOf(settings, asOf), queryModelOf(request)), mirror };
}

function readOptionsOf({ semanticSearch, questions, places }: Settings, asOf: string | null): ReadOptions {
  return { searchesByMeaning: semanticSearch, asOf, questions, places };
}

/** The embedding model for query vectors, or null; with `--source mirror`, one that returns why it sends nothing. */
function queryModelOf({ command, flags, settings: { embeddings } }: SourceRequest): QueryModel | null {
  if (embeddings === null) return null;
  const trouble = '--source mirror sends no requests, not even to the embeddings service';
  if (flags.source === 'mirror') return { model: embeddings.model, vectorOf: async () => ({ trouble }) };
  return createQueryModel({ ...embeddings, ...command.network, onWait: undefined });
}

/** Answers SQL statements in a separate process, killed after a time limit, since SQLite queries never yield. */
export async function createSqlAnswerer(command: HemicycleCommand, mirror: Mirror, timeout: string): Promise<Answerer> {
  const { ReaderPool } = await import('../server/reader-pool.ts');
  const { RefusedRequestError } = await import('../server/problem.ts');
  // Longer timers overflow a 32-bit integer and would fire at once.
  const limitMs = Math.min(parseDurationFlag('--timeout', timeout) || 1, 2 ** 31 - 1);
  const poolLimits = { edition: () => 0, readers: 1, readersPerCaller: 1, readMs: limitMs, readWallMs: limitMs };
  const program = readerProgram(command.config.root);
  const pool = command.closeAtEnd(new ReaderPool({ program, mirrorPath: mirror.path, ...poolLimits }));
  const { asOf } = mirror;
  const { questions } = command.settingsWith();
  return {
    async list({ name }, values) {
      const request = { question: name, values, reading: { searchesByMeaning: false, asOf, questions } };
      const { text } = await pool.read(request, { key: '' }).catch((error) => {
        if (!(error instanceof RefusedRequestError)) throw error;
        const timeoutAdvice = error.status === 503 ? say`\`--timeout 30m\` allows more time` : null;
        throw new UsageError(error.userText, error.advice ?? timeoutAdvice);
      });
      const { items, total, next_cursor, columns, ...extra } = JSON.parse(text);
      const maxRows: number | null = extra.cut_after;
      return {
        items,
        total,
        nextCursor: next_cursor,
        extra: { columns, ...extra },
        columns: splitColumns(columns, items[0]),
        origin: { from: 'mirror', as_of: asOf ?? lastFilledAt(mirror) },
        coverage: extra.coverage,
        notes: () => [
          ...coverageNotes({ items, coverage: extra.coverage }),
          ...(maxRows === null ? [] : [say`truncated after ${figure(maxRows)} rows; --limit sets the maximum`]),
        ],
      };
    },
    record: () => Promise.reject(new Error('a statement returns rows, not a record')),
  };
}

/** True if remarks may go to stderr. With JSON, stderr has only errors, and the answer names its origin. */
export const showsRemarks = ({ quiet, json, format }: SourceFlags): boolean => !quiet && !json && format !== 'json';

/** Throws a StaleError if the mirror was last filled longer ago than `maxAge`. */
export function refuseStale(mirror: Mirror, maxAge: string | undefined): void {
  if (maxAge === undefined) return;
  const maxAgeMs = parseDurationFlag('--max-age', maxAge);
  const filledAt = lastFilledAt(mirror);
  if (filledAt === null) throw new StaleError(say`the mirror was never synced completely`);
  const age = ageMs(filledAt, Date.now());
  if (age === null)
    throw new StaleError(
      say`the mirror was last updated at ${filledAt}, which is in the future: a clock was wrong, and its age is unknown`,
      say`set the clock of this machine, or remove --max-age`,
    );
  if (age > maxAgeMs) throw new StaleError(say`the mirror was last updated at ${filledAt}, more than ${maxAge} ago`);
}

/** Settings for requests to the service, or null; an address known only from the mirror gets no token. */
export function serviceSettingsOf(settings: Settings, mirror: Mirror): Settings | null {
  if (settings.baseUrl !== null) return settings;
  const baseUrl = readMeta(mirror, 'base_url');
  return baseUrl === null ? null : { ...settings, baseUrl, token: null, rate: allowedRate(null) };
}
