import { followMirrorFile } from '../../store/followed-mirror.ts';
import type { Mirror } from '../../store/mirror.ts';
import { openWritableMirror } from '../../store/open.ts';
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

/** Serves from this process until a signal ends it; returns the exit code. */
export async function serveAlone(run: ServeRun): Promise<number> {
  const mirror = openServedMirror(run);
  const telling = await openLog(run);
  const { log, onFailure } = telling;
  const counted = await openMetrics(run, { mirror, onFailure });
  const app = await createServer(run, {
    mirror,
    onFailure,
    admissions: await openAdmissions(run, telling),
    observers: [log, counted].flatMap((each) => each?.answered ?? []),
  });
  const address = await listen(app, { ...run.flags, socket: run.socket });
  // Before the address is printed: its reader may send a signal at once.
  const ended = run.ended();
  await announce(run, { mirror, address });
  const schedule = await keepFresh(run, { mirror, log });
  const exit = await ended;
  await Promise.all([closeGracefully(app, graceMs), schedule?.stop()]);
  return exit;
}

/** Opens the mirror to serve; a server that syncs first creates it or migrates its schema. */
export function openServedMirror({ settings, everyMs, openMirror }: ServeRun): Mirror {
  if (everyMs !== null) openWritableMirror(settings.db).close();
  return openMirror();
}

async function openMetrics(
  run: ServeRun,
  { mirror, onFailure }: { mirror: Mirror; onFailure: (error: unknown) => void },
) {
  const port = run.flags['metrics-port'];
  if (port === undefined) return null;
  const { countAnswers, gaugeMirror, joinPages } = await import('./metrics.ts');
  const counted = countAnswers();
  const page = joinPages([
    counted.text,
    gaugeMirror(run.closing(followMirrorFile(mirror)).current, Date.now),
  ]);
  await showMetrics(run, page, { port, onFailure });
  return counted;
}
