import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { orNull } from '../../errors.ts';
import { ageMs } from '../../model/moment.ts';
import { isLocked } from '../../store/lock.ts';
import { type Mirror, mirrorVersion } from '../../store/mirror.ts';
import { countMessages, messageStates, oldestWaitingAt } from '../../store/outbox.ts';
import { lastFilledAt, listGaps, readContents } from '../../store/records/contents.ts';
import { lastRun } from '../../store/syncs/runs.ts';
import { readSnapshot } from '../../store/transaction.ts';
import { readWatchBook, type WatchBook } from '../../store/watch-book.ts';
import type { ObservedResponse } from '../response-observers.ts';

/** Metrics of the responses of one process, with their Prometheus text. */
export type ResponseCounter = ReturnType<typeof createResponseCounter>;

const methods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Creates counters of responses by route, not by URL, to bound the number of series. */
export function createResponseCounter() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges with the suffix of counters: `promtool check metrics` reports them.
  for (const each of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${each}_total`);
  const answers = new Counter({
    name: 'hemicycle_http_answers_total',
    help: 'Responses by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const cacheHits = new Counter({
    name: 'hemicycle_http_cached_answers_total',
    help: 'Responses from the response cache, by route.',
    labelNames: ['route'],
    registers,
  });
  const durations = new Histogram({
    name: 'hemicycle_http_answer_seconds',
    help: 'Time from the request to the end of the response.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  return {
    observe({ route, method, status, ms, isCached }: ObservedResponse) {
      const path = route ?? 'none';
      if (isCached) cacheHits.inc({ route: path });
      answers.inc({ route: path, method: methods.has(method) ? method : 'other', status });
      durations.observe({ route: path }, ms / 1000);
    },
    text: () => registry.metrics(),
    registry,
  };
}

/** Creates the counters of a worker, which the primary process aggregates. */
export function createWorkerCounter(): ResponseCounter {
  const counter = createResponseCounter();
  AggregatorRegistry.setRegistries([counter.registry]);
  new AggregatorRegistry(); // adds the listener that answers the primary process
  return counter;
}

/** Returns a function that collects the metrics of all workers as text; for the primary process. */
export function createWorkerMetricsReader(): () => Promise<string> {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}

/** Returns a function that reads the mirror's gauges as text; NaN, or no series, while the mirror is unreadable. */
export function createMirrorGauges(current: () => Mirror, clock: () => number): () => Promise<string> {
  const registry = new Registry();
  /** A gauge of one figure, or of one for each value of `label`. */
  const gauge = (
    name: string,
    help: string,
    read: (mirror: Mirror) => number | null | Record<string, number>,
    label?: string,
  ) =>
    new Gauge({
      name: `hemicycle_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      collect() {
        this.reset();
        const mirror = orNull(current);
        const measurement = mirror && readSnapshot(mirror, () => read(mirror));
        if (label === undefined) this.set((measurement as number | null) ?? Number.NaN);
        else for (const [value, count] of Object.entries(measurement ?? {})) this.set({ [label]: value }, count);
      },
    });
  const secondsSince = (moment: string) => Math.max(0, clock() - Date.parse(moment)) / 1000;
  gauge('mirror_age_seconds', 'Time since the mirror was last filled.', (mirror) => {
    const filledAt = lastFilledAt(mirror);
    const age = filledAt === null ? null : ageMs(filledAt, clock());
    return age === null ? null : age / 1000;
  });
  gauge('last_sync_exit', 'Exit code of the last sync that ended.', (mirror) => lastRun(mirror)?.exit ?? null);
  gauge('last_sync_age_seconds', 'Time since the last sync ended.', (mirror) => {
    const endedAt = lastRun(mirror)?.ended_at;
    return endedAt ? secondsSince(endedAt) : null;
  });
  const messagesHelp = 'Stored watch messages by state: delivered, waiting, dead.';
  const countStates = (book: WatchBook) =>
    Object.fromEntries(messageStates.map((state) => [state, countMessages(book, state)]));
  gauge('watch_messages', messagesHelp, (mirror) => readWatchBook(mirror.path, countStates), 'state');
  gauge('watch_oldest_waiting_seconds', 'Age of the oldest undelivered message; 0 if none.', (mirror) => {
    const createdAt = readWatchBook(mirror.path, oldestWaitingAt);
    return createdAt === null ? 0 : secondsSince(createdAt);
  });
  gauge('mirror_version', 'Increases with every change of a record.', (mirror) => mirrorVersion(mirror));
  const countGaps = (mirror: Mirror) => listGaps(mirror).length;
  gauge('mirror_gaps', 'Number of periods of the moderation log that no sync received.', countGaps);
  gauge('sync_running', '1 while a sync or import writes to the mirror.', (mirror) => {
    const isRunning = isLocked(mirror.path);
    return isRunning === null ? null : Number(isRunning);
  });
  const countKinds = (mirror: Mirror) => readContents(mirror).map(({ kind, records }) => [kind, records]);
  gauge('mirror_records', 'Records by kind.', (mirror) => Object.fromEntries(countKinds(mirror)), 'kind');
  return () => registry.metrics();
}

/** Adds `/metrics`, which concatenates these texts. */
export function addMetricsRoute(app: FastifyInstance, texts: (() => Promise<string>)[]): void {
  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
    return (await Promise.all(texts.map((text) => text()))).map((text) => `${text.trimEnd()}\n`).join('');
  });
}
