import { join } from 'node:path';
import Database from 'better-sqlite3';
import { wallSecondsOf } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { median, type Row, type Trial } from '../trial.ts';

const roundCount = 21;

/** Wall time of whole processes of the built program, beside a node process that runs nothing. */
export const startUp: Trial = {
  name: 'start-up',
  isQuick: true,
  needsRealRecords: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const program = join(workspace.root, 'bin/run.js');
    const env = { HOME: workspace.folder };
    const row = (name: string, argv: string[], ratioAtMost: number) =>
      processRow(`${name}, whole process`, [program, ...argv], { env, ratioAtMost });
    const db = ['--db', mirror];
    return [
      await row('hemicycle --help', ['--help'], 3),
      await row('hemicycle search', ['search', 'retraites', ...db], 3.9),
      await row('hemicycle politicians', ['politicians', ...db], 2.8),
      await row('hemicycle vote', ['vote', latestBallot(mirror), ...db], 2.8),
    ];
  },
};

function latestBallot(mirrorPath: string): string {
  const database = new Database(mirrorPath, { readonly: true });
  try {
    return database.prepare<[], string>('SELECT scrutin_id FROM ballots ORDER BY date DESC LIMIT 1').pluck().get()!;
  } finally {
    database.close();
  }
}

async function processRow(
  name: string,
  argv: string[],
  { env, ratioAtMost }: { env: Record<string, string>; ratioAtMost: number },
): Promise<Row> {
  // Not counted: it fills the cache of compiled code.
  await wallSecondsOf(process.execPath, argv, { env });
  const programSeconds: number[] = [];
  const bareNodeSeconds: number[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    programSeconds.push(await wallSecondsOf(process.execPath, argv, { env }));
    bareNodeSeconds.push(await wallSecondsOf(process.execPath, ['-e', '0'], { env }));
  }
  return {
    name,
    result: `${Math.round(median(programSeconds) * 1000)} ms`,
    reference: `bare node ${Math.round(median(bareNodeSeconds) * 1000)} ms`,
    ratio: median(programSeconds.map((seconds, round) => seconds / bareNodeSeconds[round]!)),
    requiredRatio: { atMost: ratioAtMost },
    rssMb: null,
  };
}
