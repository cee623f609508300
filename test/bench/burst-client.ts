import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KnownKeys } from '../helpers/route-table.ts';
import type { RequestBurst } from './children/worst-case-requests.ts';

/** A process that sends bursts; its own process, so that reading the responses does not delay the measuring client. */
export function startBurstClient(origin: string) {
  const file = fileURLToPath(new URL('./children/worst-case-requests.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, origin], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Resolves when all responses of the burst have ended. */
    async send(burst: RequestBurst): Promise<void> {
      child.stdin.write(`${JSON.stringify(burst)}\n`);
      await lines.next();
    },
    stop: () => child.stdin.end(),
  };
}

/** Keys of existing records, for the parameters of routes. */
export async function sampleKeys(origin: string): Promise<KnownKeys> {
  const firstItem = async (path: string) => {
    const response = await fetch(`${origin}/api/v1${path}`);
    return ((await response.json()) as { items: Record<string, string>[] }).items[0]!;
  };
  const { slug: politician } = await firstItem('/politicians?sort=freshness&limit=1');
  const { slug: party } = await firstItem('/parties');
  const { chamber, scrutin_id: ballot } = await firstItem('/ballots?limit=1');
  return { politician: politician!, party: party!, chamber: chamber!, ballot: ballot!, groups: 'RN,LFI-NFP' };
}
