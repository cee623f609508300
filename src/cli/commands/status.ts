import { statSync } from 'node:fs';
import { UsageError } from '../../errors.ts';
import { type Attribution, attributionOf, unlinkedText } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import { ageMs } from '../../model/moment.ts';
import { isLocked } from '../../store/lock.ts';
import { mirrorVersion } from '../../store/meta.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf, isAddressAssumed } from '../../store/records/citation.ts';
import { contents, gaps, lastFilled } from '../../store/records/contents.ts';
import { partialKinds } from '../../store/syncs/completeness.ts';
import { failures } from '../../store/syncs/failures.ts';
import { lastRun, progressOf } from '../../store/syncs/runs.ts';
import { compositionsOf } from '../../sync/composing.ts';
import { attributionLine, writeAnswer } from '../../terminal/list.ts';
import { budgetText, type MirrorStatus, statusPage } from '../../terminal/status-view.ts';
import { failureLines } from '../../terminal/sync-text.ts';
import { styleOf } from '../../terminal/terminal.ts';
import { figure, instant, type Phrase, say, saying, type UserText, wordPhrase } from '../../words/speech.ts';
import { knownService, refuseStale } from '../answerer.ts';
import { budgetLeft } from '../budget-left.ts';
import { examples } from '../oclif.ts';
import { ReadingCommand } from '../reading-command.ts';
import type { Settings } from '../settings.ts';

export default class Status extends ReadingCommand {
  static override summary = 'what the mirror holds, how old it is, and what is left of the budget';
  static override examples = examples(
    ['A look', 'status'],
    ['For a monitor: exit 8 if the mirror is older than a day', 'status --json --max-age 1d'],
  );

  async run(): Promise<void> {
    const { flags } = await this.parse(Status);
    if (flags['as-of'] !== undefined)
      throw new UsageError(say`the state of the mirror is that of now`, say`leave --as-of out`);
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    refuseStale(mirror, flags['max-age']);
    const filled = lastFilled(mirror);
    const held = contents(mirror);
    const items = held;
    const extra = await summaryOf(mirror, settings);
    const attribution = attributionOf(citationOf(settings, mirror), { retrievedAt: filled });
    const notes = notesOf(extra, attribution);
    const more = [
      ...unseenNotes(held),
      ...partialNotes(mirror),
      ...composedNotes(mirror),
      ...failureLines(failures(mirror)),
    ];
    const options = this.outputOptions(flags);
    if (options.terminal.isTTY && options.format === 'table' && !options.columns) {
      const page = statusPage(
        {
          path: mirror.path,
          bytes: Number(extra.bytes),
          filled: filled ? filledAt(filled) : say`never filled to the end`,
          lastSync: extra.last_sync as MirrorStatus['lastSync'],
          budget: extra.budget as MirrorStatus['budget'],
          held,
          remarks: [...notes.troubles, ...notes.blocked, ...more],
        },
        options.terminal,
        Date.now(),
      );
      const line = attributionLine(attribution, options.terminal.speech);
      return this.sinks().stdout.write(`${page}\n${styleOf(options.terminal).dim(line)}\n`);
    }
    await writeAnswer(
      {
        items,
        columns: ['kind', 'records', 'details', 'withdrawn', 'completeness', 'retrieved_at', 'origin'],
        allColumns: [
          'kind',
          'records',
          'withdrawn',
          'unseen',
          'unseen_since',
          'details',
          'composed',
          'origin',
          'retrieved_at',
          'enumerated_at',
          'completeness',
        ],
        total: items.length,
        nextCursor: null,
        origin: { from: 'mirror', as_of: filled },
        extra,
        notes: flags.quiet
          ? []
          : [notes.mirror, ...notes.troubles, ...notes.budget, ...notes.blocked, ...more],
        attribution,
      },
      options,
      this.sinks(),
    );
  }
}

/** Facts about the mirror as a whole, for JSON and for people alike. */
async function summaryOf(mirror: Mirror, settings: Settings): Promise<Document> {
  const run = lastRun(mirror);
  const isRunning = isLocked(mirror.path);
  return {
    mirror: mirror.path,
    bytes: statSync(mirror.path).size,
    version: mirrorVersion(mirror),
    sync_running: isRunning,
    sync_progress: isRunning && run ? progressOf(mirror, run) : null,
    last_sync: run
      ? { origin: run.origin, started_at: run.started_at, ended_at: run.ended_at, exit: run.exit }
      : null,
    gaps: gaps(mirror),
    failures: failures(mirror),
    site_url_assumed: isAddressAssumed(settings, mirror),
    budget: await budgetLeft(knownService(settings, mirror)),
  };
}

const ago = (moment: string) => saying((speech) => speech.ago(Date.now() - Date.parse(moment)));

function filledText(filled: string): Phrase {
  if (ageMs(filled, Date.now()) !== null) return say`filled ${ago(filled)}`;
  return say`filled at ${filled}, which is still to come: \`hemicycle doctor\` says what to do`;
}

/** How long ago it was filled, and when that was. */
function filledAt(filled: string): Phrase {
  if (ageMs(filled, Date.now()) === null) return filledText(filled);
  return say`${filledText(filled)} (${saying((speech) => speech.moment(filled))})`;
}

/** Notes on the mirror as a whole, in the sections of the dashboard. */
function notesOf(
  extra: Document,
  { url, retrieved_at: filled }: Attribution,
): { mirror: UserText; troubles: UserText[]; budget: UserText[]; blocked: UserText[] } {
  const budget = extra.budget as {
    left: number | null;
    limit: number;
    blocked_until: string | null;
  } | null;
  const run = extra.last_sync as { exit: number | null; started_at: string } | null;
  const missed = (extra.gaps as unknown[]).length;
  return {
    mirror: say`mirror: ${String(extra.mirror)}, ${figure(Number(extra.bytes))} bytes, ${filled ? filledText(filled) : say`never filled to the end`}`,
    troubles: [
      ...(extra.sync_running ? [runningText(extra.sync_progress as ReturnType<typeof progressOf>)] : []),
      ...(run && run.exit !== 0 && !extra.sync_running
        ? [
            say`the last sync (${instant(run.started_at)}) did not end well: exit ${run.exit ?? say`unknown, it was killed`}; \`hemicycle sync\` goes on from there`,
          ]
        : []),
      ...(missed > 0
        ? [
            saying(({ plural }) =>
              plural(
                missed,
                say`${missed} gap in the moderation log`,
                say`${missed} gaps in the moderation log`,
              ),
            ),
          ]
        : []),
      ...(extra.site_url_assumed
        ? [
            say`attribution links ${url}, which is assumed: hemicycle config set site-url URL states the address`,
          ]
        : []),
      ...(url === null ? [unlinkedText] : []),
    ],
    budget: budget ? [say`budget: ${budgetText(budget)}`] : [],
    blocked: budget?.blocked_until
      ? [say`the service asked to be left alone until ${instant(budget.blocked_until)}`]
      : [],
  };
}

/** Notes on records missing from the last enumeration of their kind; they are not withdrawn yet. */
function unseenNotes(held: ReturnType<typeof contents>): UserText[] {
  return held
    .filter(({ unseen }) => unseen > 0)
    .map(
      ({ kind, unseen, unseen_since: since }) =>
        say`${kind}: ${unseen} not seen since ${since === null ? '' : instant(since)}; withdrawn only if the next complete list lacks them too`,
    );
}

/** Why some kinds are held in part. */
function partialNotes(mirror: Mirror): UserText[] {
  return partialKinds(mirror).map(({ kind, reason }) => say`${kind}: partial, ${wordPhrase(reason)}`);
}

/** Which profiles are composed, and which could not be. */
function composedNotes(mirror: Mirror): UserText[] {
  return compositionsOf(mirror).map(({ kind, composed, reason }) =>
    reason === null
      ? say`${kind}: ${figure(composed)} profiles are composed of the datasets; those fetched so far say the same`
      : say`${kind}: profiles are fetched one by one: ${reason}`,
  );
}

function runningText(progress: ReturnType<typeof progressOf>): Phrase {
  if (progress === null) return say`a sync or import is running`;
  const { stage, done, total, requests } = progress;
  return total === null
    ? say`a sync is running: ${stage}, ${done}; ${requests} requests so far`
    : say`a sync is running: ${stage}, ${done} of ${total}; ${requests} requests so far`;
}
