import type { Progress } from './progress.ts';

type Stage = { stage: string; requests: number; atLeast: boolean; what: string };
type PlanFigures = { stages: Stage[]; requests: number; atLeast: boolean; minutes: number };
type ReportFigures = {
  requests: number;
  waited_s: number;
  duration_s: number;
  bytes: number;
  records: Record<string, Record<string, number> | undefined>;
  gaps: number;
};

/** A plan for people: a line a stage, then the sum and the least time that the budget allows. */
export function planText({ stages, requests, atLeast, minutes }: PlanFigures, rate: number): string {
  const lines = stages.map(
    (stage) => `${stage.stage.padEnd(20)}${amount(stage).padStart(10)}  ${stage.what}`,
  );
  const sum = `${'all'.padEnd(20)}${amount({ requests, atLeast }).padStart(10)}  at least ${minutes} minute${minutes === 1 ? '' : 's'} at ${rate} requests a minute`;
  return `${[...lines, sum].join('\n')}\n`;
}

function amount({ requests, atLeast }: { requests: number; atLeast: boolean }): string {
  return atLeast ? `>= ${requests}` : String(requests);
}

const outcomes: [string, string][] = [
  ['added', 'added'],
  ['edited', 'edited'],
  ['returned', 'returned'],
  ['withdrawn', 'withdrawn'],
  ['same', 'unchanged'],
  ['details', 'profiles'],
];

/** What a sync did, for people: a line a kind, then its cost. */
export function reportText(report: ReportFigures, mirrorPath: string): string {
  const lines = Object.entries(report.records).map(([kind, tally = {}]) => {
    const said = outcomes
      .filter(([field]) => (tally[field] ?? 0) > 0)
      .map(([field, word]) => `${tally[field]} ${word}`);
    return `${kind.padEnd(12)}${said.join(', ') || 'nothing new'}`;
  });
  const gaps = report.gaps > 0 ? [`${report.gaps} gap in the moderation log`] : [];
  const cost = `${report.requests} requests in ${report.duration_s} s (${report.waited_s} s waiting), ${report.bytes} bytes; the mirror is ${mirrorPath}`;
  return `${[...lines, ...gaps, cost].join('\n')}\n`;
}

/** Turns the steps of a sync into progress for people: the count, and the time that the budget still needs. */
export function syncProgress(progress: Progress, { isTTY, rate }: { isTTY: boolean; rate: number }) {
  let name = '';
  let total: number | null = null;
  let lastShown = 0;
  return {
    stage(stage: string, count: number | null) {
      [name, total, lastShown] = [stage, count, 0];
      if (count !== 0)
        progress.stage(count === null ? stage : `${stage}: ${count}${minutesLeft(count, rate)}`);
    },
    advance(done: number, detail: string) {
      if (isTTY)
        progress.update(
          `${name}: ${done}${total === null ? '' : ` of ${total}${minutesLeft(total - done, rate)}`}  ${detail}`,
        );
      else if (done - lastShown >= 500) {
        lastShown = done;
        progress.done(`${name}: ${done}${total === null ? '' : ` of ${total}`}`);
      }
    },
    note: (line: string) => progress.note(line),
    wait(ms: number) {
      if (isTTY || ms > 5000)
        progress.update(`${name}: waiting ${Math.ceil(ms / 1000)} s for the rate limit`);
    },
  };
}

function minutesLeft(requests: number, rate: number): string {
  const minutes = Math.floor(requests / rate);
  return minutes >= 1 ? `, at least ${minutes} min at ${rate} a minute` : '';
}
