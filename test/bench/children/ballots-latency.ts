import { performance } from 'node:perf_hooks';
import { openMirror } from '../../../src/store/open.ts';
import { type BallotFilter, listBallots } from '../../../src/store/records/ballots.ts';
import { report } from '../child.ts';

// Prints the p95 wall time of each query of ballots, in ms. Each query runs 40 times, except for the first one, which
// runs once.
const mirror = openMirror(process.argv[2]!);
const noFilter: BallotFilter = { voted: [], sort: 'date', limit: 20 };
const groupPosition = (group: number, stance: 'for' | 'against' | 'abstention') => ({
  requestedName: `group-${group}`,
  groups: [`group-${group}`],
  stance,
});

const firstQuery = 'first query of the process';
const filters: Record<string, BallotFilter> = {
  [firstQuery]: noFilter,
  'newest first': noFilter,
  'two groups for, a third against': {
    ...noFilter,
    voted: [groupPosition(0, 'for'), groupPosition(1, 'for'), groupPosition(2, 'against')],
  },
  'positions of six groups': {
    ...noFilter,
    voted: [0, 1, 2, 3, 4, 5].map((group) => groupPosition(group, group % 2 ? 'against' : 'for')),
  },
  'smallest margin first': { ...noFilter, sort: 'margin' },
  'by word, dates and result': {
    ...noFilter,
    q: 'lighthouses',
    since: '2000-01-01',
    until: '2010-12-31',
    result: 'adopté',
  },
  'by dissent within groups': { ...noFilter, dissent: { groups: null, share: 0.05 } },
};

const figures: Record<string, number> = {};
for (const [name, filter] of Object.entries(filters)) {
  const timesMs = Array.from({ length: name === firstQuery ? 1 : 40 }, () => {
    const startedAt = performance.now();
    listBallots(mirror, filter);
    return performance.now() - startedAt;
  });
  figures[name] = timesMs.sort((a, b) => a - b)[Math.floor(timesMs.length * 0.95)]!;
}
mirror.close();
report(figures);
