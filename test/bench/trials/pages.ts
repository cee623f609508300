import { importedMirror } from '../imported-mirror.ts';
import { type RunningServer, startServer } from '../server.ts';
import { type Row, type Trial, worstRow } from '../trial.ts';
import { load } from '../wrk.ts';

/** Paths of an HTML page, and of the API responses and pictures with the same content. */
type View = {
  page: string;
  parts: string[];
  /** True if the page also has content that no response of the API has. */
  hasOtherContent?: boolean;
};

const warmUpRequests = 10;
const roundCount = 2;

/** Rate of each main page without cache, beside the rate of the API responses and pictures that it contains. */
export const pages: Trial = {
  name: 'pages',
  needsRealRecords: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const uncached = await startServer('hemicycle-server', mirror, 'uncached');
    const cached = await startServer('hemicycle-server', mirror);
    try {
      const views = await mainViews(cached);
      // Code is compiled before the first measurement.
      for (const { origin } of [uncached, cached])
        for (const { page, parts } of Object.values(views))
          for (const path of [page, ...parts])
            for (let n = 0; n < warmUpRequests; n += 1)
              await fetch(origin + path, { headers: { accept: 'text/html' } });
      const rows: Row[] = [];
      for (const [name, view] of Object.entries(views)) {
        rows.push(await viewRow(name, view, { server: uncached, folder: workspace.folder }));
      }
      return [worstRow(rows)];
    } finally {
      for (const { child } of [uncached, cached]) child.kill();
    }
  },
};

async function mainViews({ origin }: RunningServer): Promise<Record<string, View>> {
  const firstItem = async (path: string) => {
    const response = await fetch(`${origin}/api/v1${path}`);
    return ((await response.json()) as { items: Record<string, string>[] }).items[0]!;
  };
  const { slug } = await firstItem('/politicians?sort=freshness&limit=1');
  const { chamber, scrutin_id: ballot } = await firstItem('/ballots?chamber=AN&limit=1');
  const votes = await fetch(`${origin}/api/v1/votes/${ballot}?chamber=${chamber}`);
  const { party } = ((await votes.json()) as { votes_by_party: { party: string }[] }).votes_by_party[0]!;
  const kinds = 'politician,party,promise,position,quote,content,speech,ballot';
  return {
    politician: {
      page: `/politicians/${slug}`,
      parts: [
        `/api/v1/politicians/${slug}`,
        `/api/v1/feed?politician=${slug}&types=content&limit=5`,
        `/api/v1/changes?politician=${slug}&since=1970-01-01&limit=5`,
      ],
    },
    party: {
      page: `/parties/${party}`,
      parts: [`/api/v1/parties/${party}`, `/api/v1/ballots?group=${party}&nature=whole&limit=40`],
    },
    ballot: {
      page: `/votes/${chamber}/${ballot}`,
      parts: [`/api/v1/votes/${ballot}?chamber=${chamber}`, `/votes/${chamber}/${ballot}.svg`],
      hasOtherContent: true, // other ballots on the text, and a diagram of each group
    },
    'list of ballots': {
      page: '/votes',
      parts: ['/api/v1/ballots'],
      hasOtherContent: true, // a diagram and a sentence per ballot
    },
    search: {
      page: '/search?q=budget',
      parts: [`/api/v1/search?q=budget&type=${kinds}`],
      hasOtherContent: true, // suggested pages
    },
    changes: {
      page: '/changes?since=1970-01-01&limit=50',
      parts: ['/api/v1/changes?since=1970-01-01&limit=50'],
    },
    // Without `since`: a mirror that was only imported has no changes after its last run.
    'changes, empty': {
      page: '/changes',
      parts: ['/api/v1/changes'],
    },
    home: {
      page: '/',
      parts: ['/api/v1/feed?limit=10', '/api/v1/ballots?limit=6', '/api/v1/changes?limit=6'],
    },
  };
}

/** Rate of the page ÷ rate at which all its parts can be requested one after another. */
async function viewRow(
  name: string,
  { page, parts, hasOtherContent = false }: View,
  { server, folder }: { server: RunningServer; folder: string },
): Promise<Row> {
  const rateOf = async (path: string) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
    const options = { folder, headers, connections: 8, seconds: 1 };
    const { requestsPerSecond, errors } = await load(server.origin, [path], options);
    if (errors > 0) throw new Error(`${path}: ${errors} errors`);
    return requestsPerSecond;
  };
  // The best of two rounds: in the first one, code may still be compiled.
  const bestRates = new Map<string, number>();
  for (let round = 0; round < roundCount; round += 1)
    for (const path of [page, ...parts]) bestRates.set(path, Math.max(bestRates.get(path) ?? 0, await rateOf(path)));
  const pageRate = bestRates.get(page)!;
  const secondsOfParts = parts.reduce((sum, path) => sum + 1 / bestRates.get(path)!, 0);
  return {
    name: `serve: HTML page, ${name}, uncached`,
    result: `${Math.round(pageRate)} pages/s`,
    reference: `its API responses and pictures ${Math.round(1 / secondsOfParts)} sets/s`,
    ratio: pageRate * secondsOfParts,
    requiredRatio: { atLeast: hasOtherContent ? 0.25 : 0.6 },
    rssMb: null,
  };
}
