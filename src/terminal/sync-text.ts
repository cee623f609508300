import { errorTable } from '../errors.ts';
import type { KindComparison } from '../store/records/mirror-comparison.ts';
import type { KindTally, StageUnit } from '../sync/context.ts';
import type { Plan } from '../sync/stages.ts';
import type { SyncReport } from '../sync/sync.ts';
import type { Noun } from '../words/nouns.ts';
import { amount, dataSize, instant, type Phrase, type Speech, say, saying, wordPhrase } from '../words/speech.ts';
import type { Progress } from './progress.ts';
import { joinLines } from './view.ts';

/** Renders a plan: a line per stage, sum and duration at `rate` requests per minute, disk space, assumed counts. */
export function planText(plan: Plan & { room: { needed: number; free: number } }, rate: number, speech: Speech) {
  const lines = plan.stages.map((stage) =>
    planLine(speech.word(stage.stage), costText(stage, speech), speech.word(stage.what)),
  );
  const worstCase =
    plan.most === null
      ? ''
      : say`; up to ${speech.number(plan.most)}, ${minutesText(plan.mostMinutes ?? 0)}, if profiles differ from the datasets`;
  const sum = speech.say`${minutesText(plan.expectedMinutes)} at ${rate} requests a minute${worstCase}`;
  const { needed, free } = plan.room;
  const roomText = speech.say`on the disk, of ${speech.bytes(free)} that are free`;
  lines.push(planLine(speech.say`all`, costText(plan, speech), sum));
  lines.push(planLine(speech.say`space`, speech.bytes(needed), roomText));
  // `formatCount` wrote these counts, such as `1,200 ballots`.
  const assumptions = plan.assumed.map((count) => {
    const { number = '', noun = '' } = /^(?<number>\S+) (?<noun>.*)$/.exec(count)?.groups ?? {};
    return `${speech.number(Number(number.replaceAll(',', '')))} ${speech.word(noun)}`;
  });
  if (assumptions.length > 0) lines.push(speech.say`assumed until a sync lists it: ${assumptions.join(', ')}`);
  return joinLines(lines);
}

const planLine = (name: string, count: string, text: string) => `${name.padEnd(20)}${count.padStart(12)}  ${text}`;

function costText({ requests, atLeast, expected }: Pick<Plan, 'requests' | 'atLeast' | 'expected'>, speech: Speech) {
  if (expected > requests) return speech.say`about ${speech.number(expected)}`;
  return atLeast ? `>= ${speech.number(requests)}` : speech.number(requests);
}

function minutesText(minutes: number): Phrase {
  return minutes === 0 ? say`less than a minute` : say`about ${amount(minutes, 'minute')}`;
}

const tallyNouns: [keyof KindTally, Noun][] = [
  ['added', 'added'],
  ['edited', 'edited'],
  ['returned', 'returned'],
  ['withdrawn', 'withdrawn'],
  ['unseen', 'missing'],
  ['same', 'unchanged'],
  ['details', 'profile'],
  ['composed', 'composed'],
];

/** Renders a sync report: a line per kind, then its cost; `mirrorPath` is null if there is no mirror. */
export function reportText(report: SyncReport, mirrorPath: string | null, speech: Speech): string {
  const lines = Object.entries(report.records).map(([kind, tally]) => {
    const tallyTexts = tallyNouns.flatMap(([field, noun]) =>
      tally[field] ? speech.render(amount(tally[field], noun)) : [],
    );
    return `${kind.padEnd(12)}${tallyTexts.join(', ') || speech.say`nothing new`}`;
  });
  const gapLines = report.gaps > 0 ? [speech.say`${speech.count(report.gaps, 'gap')} in the moderation log`] : [];
  const partial = report.partial.map(({ kind, reason }) => speech.say`${kind.padEnd(12)}partial: ${reason}`);
  const excess = report.excess.map(
    ({ record, field, reason }) => speech.say`ignored     "${field}" of ${record}: ${reason}`,
  );
  const failedLines = failureLines(report.failures).map(speech.render);
  const changeLines = [...quarantineLines(report.quarantine), ...driftLines(report.drift)].map(speech.render);
  const cost = speech.say`${amount(report.requests, 'request')} in ${report.duration_s} s (${report.waited_s} s waiting), ${dataSize(report.bytes)}; ${mirrorPath === null ? say`nothing was saved` : say`the mirror is ${mirrorPath}`}`;
  return `${[...lines, ...gapLines, ...partial, ...excess, ...failedLines, ...changeLines, cost].join('\n')}\n`;
}

/** Returns a line for each quarantined list, with the command that accepts it. */
export function quarantineLines(quarantine: SyncReport['quarantine']): Phrase[] {
  return quarantine.map(
    ({ plural, since }) =>
      say`quarantine  ${plural}, since ${instant(since)}; if the service intends it, accept it with \`hemicycle sync --accept ${plural}\``,
  );
}

/** Returns a line that counts changes in the format of the service's responses; an empty list if there are none. */
export function driftLines(drift: SyncReport['drift']): Phrase[] {
  if (drift.length === 0) return [];
  const fields = drift.slice(0, 3).map(({ subject, field }) => `${subject} ${field}`);
  return [
    say`changed     response formats changed in ${drift.length} points: ${fields.join(', ')}${drift.length > 3 ? '…' : ''}; see \`hemicycle doctor\``,
  ];
}

const maxFailures = 10;

/** Returns a line per failed URL, the earliest retry first, and the number of further ones. */
export function failureLines(allFailures: SyncReport['failures']): Phrase[] {
  // Quarantined lists have their own lines.
  const failures = allFailures.filter(({ code }) => code !== errorTable.quarantined.code);
  const lines = failures.slice(0, maxFailures).map(({ url, code, status, count, next_at }) => {
    const often = count === 1 ? say`once` : say`${count} times in a row`;
    return say`failed      ${url}: ${status ?? code}, ${often}; retried by the first sync after ${next_at.slice(0, 16).replace('T', ' ')} UTC`;
  });
  const surplus = failures.length - maxFailures;
  return surplus > 0 ? [...lines, say`failed      ${surplus} more addresses (\`status --json\` lists them)`] : lines;
}

const logEveryMs = 30_000; // interval of progress lines in a pipe

/** Returns a SyncProgress that shows count, rate and remaining time; `rate` is the budget in requests per minute. */
export function syncProgress(
  progress: Progress,
  { isTTY, rate, now }: { isTTY: boolean; rate: number; now: () => number },
) {
  const noStage = { name: '', total: null as number | null, unit: 'requests' as StageUnit };
  let stage = { ...noStage, budget: rate, done: 0, startedMs: 0 };
  let loggedMs = 0;

  function endStage(): void {
    if (isTTY && stage.done > 0) progress.done(stageSummary(stage.name, stage.done, now() - stage.startedMs));
    stage = { ...stage, done: 0 };
  }

  function progressLine(): Phrase {
    const { name, total, unit, budget, done, startedMs } = stage;
    const elapsedMs = now() - startedMs;
    const perMinute = elapsedMs > 2000 ? Math.round((done * 60_000) / elapsedMs) : null;
    const remainingTime = total === null ? null : minutesLeft(total - done, Math.min(budget, perMinute || budget));
    const label = wordPhrase(name);
    const countText = total === null ? say`${label}: ${done}` : say`${label}: ${done} of ${total}`;
    const noun = unit === 'requests' ? 'request' : 'record';
    const rateText = perMinute === null ? '' : say`${amount(perMinute, noun)}/min`;
    const parts = [countText, rateText, remainingTime ?? ''];
    return saying(({ render }) => parts.map(render).filter(Boolean).join(', '));
  }

  return {
    stage(name: string, total: number | null, unit: StageUnit = 'requests') {
      endStage();
      const budget = unit === 'requests' ? rate : Number.POSITIVE_INFINITY;
      stage = { name, total, unit, budget, done: 0, startedMs: now() };
      loggedMs = now();
      if (total === 0) return;
      const remainingTime = total === null ? null : minutesLeft(total, budget);
      const label = wordPhrase(name);
      if (total === null) progress.stage(label);
      else progress.stage(remainingTime === null ? say`${label}: ${total}` : say`${label}: ${total}, ${remainingTime}`);
    },
    advance(done: number, detail: string, total = stage.total) {
      stage = { ...stage, done, total };
      if (isTTY) return progress.update(say`${progressLine()}  ${detail}`);
      if (now() - loggedMs < logEveryMs) return;
      loggedMs = now();
      progress.done(progressLine());
    },
    note: (text: Phrase) => progress.note(text),
    wait(ms: number, reason: Phrase) {
      const text = say`waiting ${durationText(ms)} for ${reason}`;
      if (isTTY) progress.update(say`${progressLine()}, ${text}`);
      // In a pipe, long waits are printed, except the expected ones for the rate limit.
      else if (ms > 5000 && `${reason}` !== 'the rate limit') progress.note(say`${wordPhrase(stage.name)}: ${text}`);
    },
    endStage,
  };
}

const stageSummary = (name: string, done: number, ms: number): Phrase =>
  saying(({ word, say }) => say`${word(name).padEnd(20)}${done} in ${durationText(ms)}`);

function minutesLeft(requests: number, perMinute: number): Phrase | null {
  return requests / perMinute > 1 ? say`about ${Math.ceil(requests / perMinute)} min left` : null;
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Renders a comparison with a fresh mirror: a line per kind. */
export function comparisonText(kinds: Omit<KindComparison, 'examples'>[], speech: Speech): string {
  const lines = kinds.map(({ kind, held, fresh, missing, extra, different, hash, agrees }) => {
    const resultText = agrees
      ? speech.say`agrees  ${hash.slice(0, 16)}`
      : speech.say`differs: ${missing} missing, ${extra} too many, ${different} otherwise`;
    return speech.say`${kind.padEnd(12)}${String(held).padStart(8)} held ${String(fresh).padStart(8)} fresh  ${resultText}`;
  });
  return `${lines.join('\n')}\n`;
}
