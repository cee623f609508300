import type { FastifyInstance as App, FastifyReply } from 'fastify';
import { kinds } from '../model/kinds.ts';
import { ageMs } from '../model/moment.ts';
import { isLocked } from '../store/lock.ts';
import { mirrorVersion } from '../store/meta.ts';
import { contents, gaps, lastFilled } from '../store/records/contents.ts';
import { countRows } from '../store/rows.ts';
import { lastRun, progressOf } from '../store/syncs/runs.ts';
import { inOneView } from '../store/transaction.ts';
import { objectSchema, problemResponses } from './answer-schemas.ts';
import { RefusedRequestError } from './problem.ts';
import type { Serving } from './serving.ts';

const about = (operationId: string, summary: string) => ({
  tags: ['server'],
  operationId,
  summary,
  response: { 200: objectSchema(summary), ...problemResponses(503) },
});

/** Adds `/healthz`, `/readyz` and `/statusz`, without rate limits and caching. */
export function healthRoutes(app: App, serving: Serving): void {
  const { mirror } = serving;
  app.get('/healthz', { schema: about('getHealth', 'The process is alive.') }, (_request, reply) =>
    sendState(reply, { status: 'alive' }),
  );
  app.get(
    '/readyz',
    { schema: about('getReadiness', 'A mirror with records is loaded (503 if not).') },
    (_request, reply) => {
      const isFilled = inOneView(mirror.current(), () =>
        kinds.some((kind) => countRows(mirror.current(), kind) > 0),
      );
      if (!isFilled) throw new RefusedRequestError(503, 'The mirror holds no records yet.');
      return sendState(reply, { status: 'ready' });
    },
  );
  app.get(
    '/statusz',
    { schema: about('getStatus', 'Age, counts and gaps of the mirror.') },
    (_request, reply) =>
      sendState(
        reply,
        inOneView(mirror.current(), () => statusOf(serving)),
      ),
  );
}

function statusOf({ mirror: served, clock }: Serving) {
  const mirror = served.current();
  const filledAt = lastFilled(mirror);
  const ms = filledAt === null ? null : ageMs(filledAt, clock());
  const age = ms === null ? null : Math.round(ms / 1000);
  const run = lastRun(mirror);
  const isRunning = run !== undefined && run.ended_at === null && isLocked(mirror.path);
  return {
    mirror_version: mirrorVersion(mirror),
    last_synced: filledAt,
    age_seconds: age,
    last_sync: run ? { started_at: run.started_at, ended_at: run.ended_at, exit: run.exit } : null,
    sync_running: isRunning,
    sync_progress: isRunning ? progressOf(mirror, run) : null,
    // The origin may be a path on this machine.
    kinds: contents(mirror).map(({ origin: _origin, ...kind }) => kind),
    gaps: gaps(mirror).map(({ kind, noticed_at }) => ({ kind, noticed_at })),
  };
}

function sendState(reply: FastifyReply, state: object): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(state));
}
