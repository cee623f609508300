import { performance } from 'node:perf_hooks';
import { openMirror } from '../../../src/store/open.ts';
import { type BallotFilter, listBallots } from '../../../src/store/records/ballots.ts';
import { report } from '../child.ts';

const mirror = openMirror(process.argv[2]!);
const all: BallotFilter = { voted: [], sort: 'date', limit: 20 };
const voted = (group: number, stance: 'for' | 'against' | 'abstention') => ({
  requestedName: `group-${group}`,
  groups: [`group-${group}`],
  stance,
});

const questions: Record<string, BallotFilter> = {
  'the first question': all,
  'the newest': all,
  'two groups for and a third against': {
    ...all,
    voted: [voted(0, 'for'), voted(1, 'for'), voted(2, 'against')],
  },
  'six positions at once': {
    ...all,
    voted: [0, 1, 2, 3, 4, 5].map((group) => voted(group, group % 2 ? 'against' : 'for')),
  },
  'closest first': { ...all, sort: 'margin' },
  'by words, days and result': {
    ...all,
    q: 'lighthouses',
    since: '2000-01-01',
    until: '2010-12-31',
    result: 'adopté',
  },
  'by dissent': { ...all, dissent: { groups: null, share: 0.05 } },
};

const figures: Record<string, number> = {};
for (const [name, filter] of Object.entries(questions)) {
  const times = Array.from({ length: name === 'the first question' ? 1 : 40 }, () => {
    const begin = performance.now();
    listBallots(mirror, filter);
    return performance.now() - begin;
  });
  figures[name] = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
}
mirror.close();
report(figures);
