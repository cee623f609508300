import { join } from 'node:path';
import Database from 'better-sqlite3';
import { timed } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { median, type Row, type Trial } from '../trial.ts';

/** Whole processes against a Node that does nothing. */
export const startUp: Trial = {
  name: 'start-up',
  isQuick: true,
  isOfReal: true,
  async run(workspace) {
    const { folder, root } = workspace;
    const mirror = await importedMirror(workspace);
    const program = join(root, 'bin/run.js');
    const env = { HOME: folder };
    const whole = (argv: string[], most: number) =>
      compared(`hemicycle ${argv[0]}, whole process`, [program, ...argv, '--db', mirror], { env, most });
    return [
      await compared('hemicycle --help', [program, '--help'], { env, most: 3 }),
      await whole(['search', 'retraites'], 3.9),
      await whole(['politicians'], 2.8),
      await whole(['vote', aBallot(mirror)], 2.8),
    ];
  },
};

function aBallot(mirror: string): string {
  const database = new Database(mirror, { readonly: true });
  try {
    return database.prepare<[], string>('SELECT scrutin_id FROM ballots ORDER BY date DESC LIMIT 1').pluck().get()!;
  } finally {
    database.close();
  }
}

async function compared(
  name: string,
  argv: string[],
  { env, most }: { env: Record<string, string>; most: number },
): Promise<Row> {
  await timed(process.execPath, argv, { env });
  const ours: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    ours.push(await timed(process.execPath, argv, { env }));
    bare.push(await timed(process.execPath, ['-e', '0'], { env }));
  }
  return {
    name,
    ours: `${Math.round(median(ours) * 1000)} ms`,
    peer: `bare node ${Math.round(median(bare) * 1000)} ms`,
    ratio: median(ours.map((seconds, n) => seconds / bare[n]!)),
    must: { most },
    rssMb: null,
  };
}
