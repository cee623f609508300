import { statSync } from 'node:fs';
import { liftText, UsageError } from '../../errors.ts';
import { type Attribution, attributionOf, lastStatePhrase, unlinkedText } from '../../model/attribution.ts';
import { datasets, kinds } from '../../model/kinds.ts';
import { ageMs } from '../../model/moment.ts';
import { withheldFields } from '../../store/anonymous-log.ts';
import { isLocked } from '../../store/lock.ts';
import { type Mirror, mirrorVersion, readMeta } from '../../store/mirror.ts';
import { citationOf, isAddressAssumed, lastFilledAt, listGaps, readContents } from '../../store/records/contents.ts';
import { readContradictionCount } from '../../store/records/contradictions.ts';
import { listMissing } from '../../store/saving/missing-records.ts';
import { partialKinds } from '../../store/syncs/completeness.ts';
import { listFailures, listQuarantines } from '../../store/syncs/failures.ts';
import { lastRun } from '../../store/syncs/runs.ts';
import { listDrifts } from '../../store/syncs/shapes.ts';
import { countTombstones } from '../../store/tombstones.ts';
import { compositionsOf } from '../../sync/profile-composition.ts';
import { attributionLine, writeAnswer } from '../../terminal/list.ts';
import { budgetText, statusPage, tombstoneText, withheldText } from '../../terminal/status-view.ts';
import { driftLines, failureLines, quarantineLines } from '../../terminal/sync-text.ts';
import { styleOf } from '../../terminal/terminal.ts';
import { amount, dataSize, figure, instant, type Phrase, say, saying, wordPhrase } from '../../words/speech.ts';
import { refuseStale, serviceSettingsOf } from '../answerer.ts';
import { readBudgetLeft } from '../budget-left.ts';
import { ReadingCommand } from '../reading-command.ts';
import type { Settings } from '../settings.ts';

export default class Status extends ReadingCommand {
  async run(): Promise<void> {
    const { flags } = await this.parse(Status);
    if (flags['as-of'] !== undefined)
      throw new UsageError(say`status shows the current state of the mirror only`, say`remove --as-of`);
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    refuseStale(mirror, flags['max-age']);
    const filledAt = lastFilledAt(mirror);
    const contentRows = readContents(mirror);
    const summary = await readSummary(mirror, settings);
    const attribution = attributionOf(citationOf(settings, mirror), { retrievedAt: filledAt });
    const budget = summary.budget ? [say`budget: ${budgetText(summary.budget)}`] : [];
    const { gone_since: goneSince } = attribution;
    const problemTexts = [
      ...(goneSince ? [say`${lastStatePhrase(goneSince)}; the last line here cites it`] : []),
      ...quarantineLines(summary.quarantine),
      ...driftLines(summary.drift),
      ...summaryProblems(summary, attribution),
    ];
    const remarks = remarksOf(summary, kindNotes(mirror, contentRows));
    const output = this.outputOptions(flags);
    if (output.terminal.isTTY && output.format === 'table' && !output.columns) {
      const statusTexts = { ageText: filledText(filledAt, { isDated: true }), remarks: [...problemTexts, ...remarks] };
      const line = attributionLine(attribution, output.terminal.speech);
      const page = statusPage({ ...summary, ...statusTexts, contentRows }, output.terminal, Date.now());
      return this.sinks().stdout.write(`${page}\n${styleOf(output.terminal).dim(line)}\n`);
    }
    const summaryLine = say`mirror: ${mirror.path}, ${dataSize(summary.bytes)}, ${filledText(filledAt)}`;
    await writeAnswer(
      {
        items: contentRows,
        columns: ['kind', 'records', 'details', 'withdrawn', 'completeness', 'retrieved_at', 'origin'],
        allColumns: [...countColumns, ...originColumns],
        wordColumns: ['kind', 'completeness'],
        total: contentRows.length,
        nextCursor: null,
        origin: { from: 'mirror', as_of: filledAt },
        extra: summary,
        notes: flags.quiet ? [] : [summaryLine, ...problemTexts, ...budget, ...remarks],
        attribution,
      },
      output,
      this.sinks(),
    );
  }
}

const countColumns = ['kind', 'records', 'withdrawn', 'unseen', 'unseen_since', 'details', 'composed'];
const originColumns = ['origin', 'retrieved_at', 'enumerated_at', 'completeness'];

async function readSummary(mirror: Mirror, settings: Settings) {
  const run = lastRun(mirror);
  return {
    mirror: mirror.path,
    bytes: statSync(mirror.path).size,
    version: mirrorVersion(mirror),
    sync_running: isLocked(mirror.path),
    last_sync: run ? { origin: run.origin, started_at: run.started_at, ended_at: run.ended_at, exit: run.exit } : null,
    gaps: listGaps(mirror),
    missing: listMissing(mirror, kinds),
    quarantine: listQuarantines(mirror),
    drift: listDrifts(mirror),
    failures: listFailures(mirror),
    withheld: withheldFields(mirror),
    tombstones: countTombstones(mirror),
    contradictions: readContradictionCount(mirror),
    site_url_assumed: isAddressAssumed(settings, mirror),
    budget: await readBudgetLeft(serviceSettingsOf(settings, mirror)),
  };
}

type Summary = Awaited<ReturnType<typeof readSummary>>;

function remarksOf({ budget, withheld, tombstones, contradictions, failures }: Summary, kindRemarks: Phrase[]) {
  const blockedUntil = budget?.blocked_until;
  return [
    ...(blockedUntil ? [say`the service refuses requests until ${instant(blockedUntil)}; ${liftText}`] : []),
    ...kindRemarks,
    ...(withheld.length > 0 ? [withheldText(withheld)] : []),
    ...tombstones.map(tombstoneText),
    ...(contradictions
      ? [say`${amount(contradictions, 'contradiction')} in the data: see \`hemicycle contradictions\``]
      : []),
    ...failureLines(failures),
  ];
}

function filledText(filledAt: string | null, { isDated = false } = {}): Phrase {
  if (filledAt === null) return say`never synced completely`;
  const age = ageMs(filledAt, Date.now());
  if (age === null) return say`updated at ${filledAt}, which is in the future: see \`hemicycle doctor\``;
  const text = say`updated ${saying((speech) => speech.ago(age))}`;
  return isDated ? say`${text} (${saying((speech) => speech.moment(filledAt))})` : text;
}

function summaryProblems({ sync_running, last_sync: run, gaps, site_url_assumed }: Summary, { url }: Attribution) {
  const failedRun = !sync_running && run && run.exit !== 0 ? run : null;
  return [
    sync_running && say`a sync or import is running`,
    failedRun &&
      say`the last sync (${instant(failedRun.started_at)}) failed: exit ${failedRun.exit ?? say`unknown, it was killed`}; \`hemicycle sync\` continues from there`,
    gaps.length > 0 && say`${amount(gaps.length, 'gap')} in the moderation log`,
    site_url_assumed &&
      say`attribution links to ${url}, which is assumed; set the address with: hemicycle config set site-url URL`,
    url === null && unlinkedText,
  ].filter((trouble) => trouble !== false && trouble !== null);
}

/** Notes on missing records, which are not withdrawn yet, repeated keys, partial kinds and composed profiles. */
function kindNotes(mirror: Mirror, contentRows: ReturnType<typeof readContents>): Phrase[] {
  const rowsWithMissing = contentRows.filter(({ unseen }) => unseen > 0);
  return [
    ...rowsWithMissing.map(
      ({ kind, unseen, unseen_since: since }) =>
        say`${kind}: ${unseen} missing since ${since === null ? '' : instant(since)}; they count as withdrawn only after verification`,
    ),
    ...datasets.flatMap(({ name, plural }) => {
      const repeatedRowCount = Number(readMeta(mirror, `repeated_${name}`) ?? 0);
      if (repeatedRowCount === 0) return [];
      return say`${plural}: ${repeatedRowCount} rows repeat a key and were ignored; the stored row is kept, otherwise the first`;
    }),
    ...partialKinds(mirror).map(({ kind, reason }) => say`${kind}: partial, ${wordPhrase(reason)}`),
    ...compositionsOf(mirror).map(({ kind, state, composed, reason }) => {
      if (state === 'differs') return say`${kind}: profiles are fetched one by one: ${reason}`;
      const count = figure(composed);
      return reason === null
        ? say`${kind}: ${count} profiles are composed from the datasets; the fetched ones agree`
        : say`${kind}: ${count} profiles are composed from the datasets; those with ${reason} are fetched`;
    }),
  ];
}
