import type { Progress } from './progress.ts';

type Stage = { stage: string; requests: number; atLeast: boolean; what: string; expected: number };
type PlanFigures = {
  stages: Stage[];
  requests: number;
  atLeast: boolean;
  expected: number;
  expectedMinutes: number;
  most: number | null;
  mostMinutes: number | null;
  assumed: string[];
};
type ReportFigures = {
  requests: number;
  waited_s: number;
  duration_s: number;
  bytes: number;
  records: Record<string, Record<string, number> | undefined>;
  gaps: number;
  partial: { kind: string; reason: string }[];
  failures: FailureFigures[];
  excess: { record: string; field: string; reason: string }[];
};

/** A plan for people: a line a stage, then the sum, how long that takes, and what it rests on. */
export function planText(plan: PlanFigures, rate: number): string {
  const lines = plan.stages.map((stage) => lineOf(stage.stage, amount(stage), stage.what));
  const most =
    plan.most === null
      ? ''
      : `; up to ${numberText(plan.most)}, ${minutesText(plan.mostMinutes ?? 0)}, if profiles differ from the datasets`;
  const sum = `${minutesText(plan.expectedMinutes)} at ${rate} requests a minute${most}`;
  const basis =
    plan.assumed.length === 0 ? [] : [`assumed until a sync has listed it: ${plan.assumed.join(', ')}`];
  return `${[...lines, lineOf('all', amount(plan), sum), ...basis].join('\n')}\n`;
}

const lineOf = (name: string, count: string, text: string) =>
  `${name.padEnd(20)}${count.padStart(12)}  ${text}`;

/** `about` where what is expected is more than is sure. */
function amount({ requests, atLeast, expected }: Pick<Stage, 'requests' | 'atLeast' | 'expected'>): string {
  if (expected > requests) return `about ${numberText(expected)}`;
  return atLeast ? `>= ${numberText(requests)}` : numberText(requests);
}

const numberText = (count: number) => count.toLocaleString('en');

function minutesText(minutes: number): string {
  if (minutes === 0) return 'less than a minute';
  return `about ${minutes} minute${minutes === 1 ? '' : 's'}`;
}

const outcomes: [string, string][] = [
  ['added', 'added'],
  ['edited', 'edited'],
  ['returned', 'returned'],
  ['withdrawn', 'withdrawn'],
  ['unseen', 'not seen this time'],
  ['same', 'unchanged'],
  ['details', 'profiles'],
  ['composed', 'profiles composed'],
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
  const partial = report.partial.map(({ kind, reason }) => `${kind.padEnd(12)}partial: ${reason}`);
  const excess = report.excess.map(
    ({ record, field, reason }) => `left out    "${field}" of ${record}: ${reason}`,
  );
  const cost = `${report.requests} requests in ${report.duration_s} s (${report.waited_s} s waiting), ${report.bytes} bytes; the mirror is ${mirrorPath}`;
  return `${[...lines, ...gaps, ...partial, ...excess, ...failureLines(report.failures), cost].join('\n')}\n`;
}

type FailureFigures = {
  url: string;
  stage: string;
  code: string;
  status: number | null;
  count: number;
  next_at: string;
};

/** So many failures are told one by one. */
const mostFailures = 10;

/** The addresses that failed, for people: a line each, the next to be asked first; where they are many, some of them. */
export function failureLines(failures: FailureFigures[]): string[] {
  const lines = failures
    .slice(0, mostFailures)
    .map(
      ({ url, stage, code, status, count, next_at }) =>
        `failed      ${url}: ${status ?? code}, ${count === 1 ? 'once' : `${count} times in a row`}${stage === 'formats' ? ' (another format is taken)' : ''}; asked again by the first sync after ${next_at.slice(0, 16).replace('T', ' ')} UTC`,
    );
  const more = failures.length - mostFailures;
  return more > 0 ? [...lines, `failed      ${more} more addresses (\`status --json\` lists them)`] : lines;
}

type ProgressOptions = {
  isTTY: boolean;
  /** Requests a minute that the budget allows. */
  rate: number;
  now: () => number;
};

/** A log gets a line no more often than that. */
const logEveryMs = 30_000;

/** Turns the steps of a sync into progress for people: count, rate, and the time that the budget still needs. */
export function syncProgress(progress: Progress, { isTTY, rate, now }: ProgressOptions) {
  let stage = { name: '', total: null as number | null, done: 0, startedMs: 0 };
  let loggedMs = 0;

  function ended(): void {
    if (isTTY && stage.done > 0)
      progress.done(`${stage.name.padEnd(20)}${stage.done} in ${durationText(now() - stage.startedMs)}`);
    stage = { ...stage, done: 0 };
  }

  function line(): string {
    const { name, total, done, startedMs } = stage;
    const elapsedMs = now() - startedMs;
    const perMinute = elapsedMs > 2000 ? Math.round((done * 60_000) / elapsedMs) : null;
    const left = total === null ? '' : minutesLeft(total - done, Math.min(rate, perMinute || rate));
    return [
      `${name}: ${done}${total === null ? '' : ` of ${total}`}`,
      perMinute === null ? '' : `${perMinute}/min`,
      left,
    ]
      .filter((part) => part !== '')
      .join(', ');
  }

  return {
    stage(name: string, total: number | null) {
      ended();
      stage = { name, total, done: 0, startedMs: now() };
      loggedMs = now();
      if (total === 0) return;
      const left = total === null ? '' : minutesLeft(total, rate);
      progress.stage(`${name}${total === null ? '' : `: ${total}`}${left && `, ${left}`}`);
    },
    advance(done: number, detail: string) {
      stage.done = done;
      if (isTTY) return progress.update(`${line()}  ${detail}`);
      if (now() - loggedMs < logEveryMs) return;
      loggedMs = now();
      progress.done(line());
    },
    note: (text: string) => progress.note(text),
    wait(ms: number, awaited: string) {
      const text = `waiting ${durationText(ms)} for ${awaited}`;
      if (isTTY) progress.update(`${line()}, ${text}`);
      else if (ms > 5000 && awaited !== 'the rate limit') progress.note(`${stage.name}: ${text}`);
    },
    ended,
  };
}

/** The time that so many requests still take, where it is worth telling. */
function minutesLeft(requests: number, perMinute: number): string {
  const minutes = Math.ceil(requests / perMinute);
  return requests / perMinute > 1 ? `about ${minutes} min left` : '';
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

type ComparedKind = {
  kind: string;
  held: number;
  fresh: number;
  missing: number;
  extra: number;
  different: number;
  hash: string;
  agrees: boolean;
};

/** How a mirror compares with a fresh one, for people: a line a kind. */
export function comparisonText(kinds: ComparedKind[]): string {
  const lines = kinds.map(({ kind, held, fresh, missing, extra, different, hash, agrees }) => {
    const said = agrees
      ? `agrees  ${hash.slice(0, 16)}`
      : `differs: ${missing} missing, ${extra} too many, ${different} otherwise`;
    return `${kind.padEnd(12)}${String(held).padStart(8)} held ${String(fresh).padStart(8)} fresh  ${said}`;
  });
  return `${lines.join('\n')}\n`;
}
