import { importedMirror } from '../imported-mirror.ts';
import { type RunningServer, startServer } from '../server.ts';
import { type Row, type Trial, worstOf } from '../trial.ts';
import { load } from '../wrk.ts';

/** A page beside the answers of the interface, and the pictures, that stand on it. */
type Shown = { page: string; answers: string[] };

/** Requests a second for every main view, beside those for what it shows, read anew each time. */
export const pages: Trial = {
  name: 'pages',
  isOfReal: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const uncached = await startServer('server-ours', mirror, 'uncached');
    const cached = await startServer('server-ours', mirror);
    try {
      const rows: Row[] = [];
      // What is measured first would be measured before it is compiled.
      for (const { origin } of [uncached, cached])
        for (const { page, answers } of Object.values(await mainViews(cached)))
          for (const path of [page, ...answers])
            for (let n = 0; n < 10; n += 1) await fetch(origin + path, { headers: { accept: 'text/html' } });
      for (const [view, shown] of Object.entries(await mainViews(cached))) {
        const { folder } = workspace;
        rows.push(await compared(`${view}, read anew`, shown, { server: uncached, folder, least: 0.6 }));
      }
      return [worstOf(rows)];
    } finally {
      for (const { child } of [uncached, cached]) child.kill();
    }
  },
};

async function mainViews({ origin }: RunningServer): Promise<Record<string, Shown>> {
  const firstOf = async (path: string) => {
    const answer = await fetch(`${origin}/api/v1${path}`);
    return ((await answer.json()) as { items: Record<string, string>[] }).items[0]!;
  };
  const { slug } = await firstOf('/politicians?sort=freshness&limit=1');
  const { slug: party } = await firstOf('/parties');
  const { chamber, scrutin_id: ballot } = await firstOf('/ballots?limit=1');
  const kinds = 'politician,party,promise,position,quote,content,speech,ballot';
  return {
    politician: {
      page: `/politicians/${slug}`,
      answers: [
        `/api/v1/politicians/${slug}`,
        `/api/v1/feed?politician=${slug}&types=content&limit=5`,
        `/api/v1/changes?politician=${slug}&since=1970-01-01&limit=5`,
      ],
    },
    party: { page: `/parties/${party}`, answers: [`/api/v1/parties/${party}`] },
    ballot: {
      page: `/votes/${chamber}/${ballot}`,
      answers: [`/api/v1/votes/${ballot}?chamber=${chamber}`, `/votes/${chamber}/${ballot}.svg`],
    },
    ballots: { page: '/votes', answers: ['/api/v1/ballots'] },
    search: { page: '/search?q=budget', answers: [`/api/v1/search?q=budget&type=${kinds}`] },
    changes: {
      page: '/changes?since=1970-01-01&limit=50',
      answers: ['/api/v1/changes?since=1970-01-01&limit=50'],
    },
    // Nothing changed since the last run of a mirror that was only imported: what a page costs that shows nothing.
    'changes, none': { page: '/changes', answers: ['/api/v1/changes'] },
    today: {
      page: '/',
      answers: ['/api/v1/feed?limit=10', '/api/v1/ballots?limit=6', '/api/v1/changes?limit=6'],
    },
  };
}

/** The rate of a page as a share of that at which all that it shows could be asked for. */
async function compared(
  view: string,
  { page, answers }: Shown,
  { server, folder, least }: { server: RunningServer; folder: string; least: number },
): Promise<Row> {
  const rateOf = async (path: string) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
    const { perSecond, errors } = await load(server.origin, [path], {
      folder,
      headers,
      connections: 8,
      seconds: 1,
    });
    if (errors > 0) throw new Error(`${path}: ${errors} errors`);
    return perSecond;
  };
  const best = new Map<string, number>();
  // What is asked first is asked before it is compiled: the second turn tells what a server does that runs.
  for (let round = 0; round < 2; round += 1)
    for (const path of [page, ...answers]) best.set(path, Math.max(best.get(path) ?? 0, await rateOf(path)));
  const own = best.get(page)!;
  const seconds = answers.reduce((sum, answer) => sum + 1 / best.get(answer)!, 0);
  return {
    name: `page: ${view}`,
    ours: `${Math.round(own)} requests/s`,
    peer: `what it shows ${Math.round(1 / seconds)} requests/s`,
    ratio: own * seconds,
    must: { least },
    rssMb: null,
  };
}
