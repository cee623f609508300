import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { limitOf } from '../limit.ts';
import { type Row, type Trial, worstRow } from '../trial.ts';

const ballotCount = 100_000;
const limitMs = 20;

/** Wall time (p95) of seven queries of 100,000 generated ballots of twelve groups, against a limit. */
export const ballots: Trial = {
  name: 'ballots',
  isQuick: true,
  async run({ folder }) {
    const source = join(folder, 'ballots');
    mkdirSync(source);
    writeFileSync(join(source, 'ballots.ndjson'), generateBallots());
    const mirror = join(folder, 'ballots.db');
    await runChild('import-mirror', [source, mirror]);
    const { figures, rssMb } = await runChild('ballots-latency', [mirror]);
    const limit = limitOf(limitMs);
    const rows = Object.entries(figures).map(
      ([query, ms]): Row => ({
        name: `list of ballots, ${query}, ${ballotCount} generated ballots`,
        result: `p95 ${ms.toFixed(2)} ms`,
        reference: limit.reference,
        ratio: limit.ratioOf(ms),
        requiredRatio: { atMost: 1 },
        rssMb,
      }),
    );
    return [worstRow(rows)];
  },
};

/** NDJSON of ballots: one in 500 has a rare word in its title, and one in nine is of the Senate. */
function generateBallots(): string {
  const lines = Array.from({ length: ballotCount }, (_, n) => {
    const groups = Array.from({ length: 12 }, (_, group) => {
      const digit = (n * 7919 + group * 104_729) % 10;
      return {
        party: `group-${group}`,
        party_name: `Group ${group}`,
        members: 40,
        position: digit < 5 ? 'pour' : digit < 9 ? 'contre' : 'abstention',
        for: digit < 5 ? 30 : 3,
        against: digit < 5 ? 3 : 30,
        abstention: 0,
        non_voting: 4,
      };
    });
    const votesFor = groups.reduce((sum, group) => sum + group.for, 0);
    const against = groups.reduce((sum, group) => sum + group.against, 0);
    return JSON.stringify({
      scrutin_id: `G${n}`,
      chamber: n % 9 === 0 ? 'Senat' : 'AN',
      date: new Date(Date.UTC(1990, 0, 1) + (n % 13_000) * 86_400_000).toISOString().slice(0, 10),
      title: n % 500 === 0 ? 'A ballot on lighthouses' : `A ballot on article ${n % 97}`,
      type: 'scrutin public',
      result: votesFor > against ? 'adopté' : 'rejeté',
      required: Math.floor((votesFor + against) / 2) + 1,
      totals: { for: votesFor, against, abstention: 0, non_voting: 48 },
      votes_by_party: groups,
    });
  });
  return `${lines.join('\n')}\n`;
}
