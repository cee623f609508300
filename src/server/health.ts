import type { FastifyInstance as App } from 'fastify';
import type { RefusalStatus } from '../errors.ts';
import { kinds } from '../model/kinds.ts';
import { ageMs } from '../model/moment.ts';
import { readEditionMark } from '../store/edition-mark.ts';
import { isLocked } from '../store/lock.ts';
import { mirrorVersion } from '../store/mirror.ts';
import { lastFilledAt, listGaps, readContents } from '../store/records/contents.ts';
import { countRows } from '../store/rows.ts';
import { lastRun } from '../store/syncs/runs.ts';
import { countWithheld } from '../store/tombstones.ts';
import { readSnapshot } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { objectSchema, problemResponses } from './answer-schemas.ts';
import { unlimitedRoutes } from './limits.ts';
import { RefusedForNowError } from './problem.ts';
import type { ServerContext } from './serving.ts';

const retrySeconds = 10; // until a mirror that is being filled may have its first records

/** Adds `/healthz` (process), `/readyz` (mirror with records) and `/statusz` (state of the mirror). */
export function addHealthRoutes(app: App, context: ServerContext): void {
  const { mirror } = context;
  const addRoute = (path: string, operationId: string, summary: string, respond: () => object) => {
    const refusals: RefusalStatus[] = unlimitedRoutes.test(path) ? [503] : [401, 403, 429, 503];
    const response = { 200: objectSchema(summary), ...problemResponses(...refusals) };
    app.get(path, { schema: { tags: ['server'], operationId, summary, response } }, respond);
  };
  addRoute('/healthz', 'getHealth', 'The process is alive.', () => ({ status: 'alive' }));
  addRoute('/readyz', 'getReadiness', 'A mirror with records is loaded (503 if not).', () => {
    const current = mirror.current();
    const isFilled = readSnapshot(current, () => kinds.some((kind) => countRows(current, kind) > 0));
    if (!isFilled) throw new RefusedForNowError(503, say`The mirror holds no records yet.`, retrySeconds);
    return { status: 'ready' };
  });
  addRoute('/statusz', 'getStatus', 'Age, record counts and gaps of the mirror.', () =>
    readSnapshot(mirror.current(), () => statusOf(context)),
  );
}

/** Returns the body of `/statusz`; ages are null if unknown, or if the time is in the future. */
function statusOf({ mirror: servedMirror, clock }: ServerContext) {
  const mirror = servedMirror.current();
  const filledAt = lastFilledAt(mirror);
  const run = lastRun(mirror);
  const edition = readEditionMark(mirror.path);
  const editionAgeMs = edition === null ? null : ageMs(edition.made_at, clock());
  const secondsOf = (ageInMs: number | null) => (ageInMs === null ? null : Math.round(ageInMs / 1000));
  return {
    mirror_version: mirrorVersion(mirror),
    last_synced: filledAt,
    age_seconds: secondsOf(filledAt === null ? null : ageMs(filledAt, clock())),
    last_sync: run ? { started_at: run.started_at, ended_at: run.ended_at, exit: run.exit } : null,
    // `location`, the URL of the bucket, is not published.
    edition: edition && { tag: edition.tag, made_at: edition.made_at, age_seconds: secondsOf(editionAgeMs) },
    sync_running: run !== undefined && run.ended_at === null && isLocked(mirror.path),
    // The origin may be a path on this machine.
    kinds: readContents(mirror).map(({ origin: _origin, ...kind }) => kind),
    withheld: countWithheld(mirror, []),
    gaps: listGaps(mirror).map(({ kind, noticed_at }) => ({ kind, noticed_at })),
  };
}
