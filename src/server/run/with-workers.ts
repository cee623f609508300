import { followMirrorFile } from '../../store/followed-mirror.ts';
import { openServedMirror } from './alone.ts';
import { openAdmissions } from './limit-store.ts';
import {
  announce,
  closeGracefully,
  createServer,
  graceMs,
  keepFresh,
  listen,
  openLog,
  type ServeRun,
  showMetrics,
} from './parts.ts';
import { endOfWorker, logOfFirst, startWorkers, tellAddress } from './worker-pool.ts';

/** Serves as a worker, with rate limits counted in the primary process; resolves when that ends it. */
export async function serveAsWorker(run: ServeRun): Promise<void> {
  const mirror = run.openMirror();
  const { log, onFailure } = await openLog(run);
  const counted = run.flags['metrics-port'] === undefined ? null : await countForFirst();
  const app = await createServer(run, {
    mirror,
    onFailure,
    observers: [log, counted].flatMap((each) => each?.answered ?? []),
    admissions: logOfFirst(),
  });
  const told = endOfWorker();
  tellAddress(await listen(app, { ...run.flags, socket: run.socket }));
  await told;
  await closeGracefully(app, graceMs);
}

/** Starts workers, counts their requests and syncs the mirror until a signal; returns the exit code. */
export async function serveWithWorkers(run: ServeRun): Promise<number> {
  const mirror = openServedMirror(run);
  const { flags, sinks } = run;
  const telling = await openLog(run);
  const { log, onFailure } = telling;
  const workers = await startWorkers(flags.workers, {
    admissions: await openAdmissions(run, telling),
    graceMs,
    onEnd: (reason) => sinks.stderr(reason),
  });
  // The worker has printed the reason.
  if ('exit' in workers) return workers.exit;
  // Before the address is printed: its reader may send a signal at once.
  const ended = run.ended();
  const port = flags['metrics-port'];
  if (port !== undefined) {
    const { gaugeMirror, joinPages, textOfWorkers } = await import('./metrics.ts');
    const page = joinPages([
      textOfWorkers(),
      gaugeMirror(run.closing(followMirrorFile(mirror)).current, Date.now),
    ]);
    await showMetrics(run, page, { port, onFailure });
  }
  await announce(run, { mirror, address: workers.address });
  const schedule = await keepFresh(run, { mirror, log });
  const exit = await ended;
  await Promise.all([workers.stop(), schedule?.stop()]);
  return exit;
}

async function countForFirst() {
  const { countAnswers, tellFirst } = await import('./metrics.ts');
  const counted = countAnswers();
  tellFirst(counted);
  return counted;
}
