import { ServiceAnswerError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import { keyOf } from '../model/facets.ts';
import { anonymise, anonymousOmission } from '../model/identity-guard.ts';
import { kindOf, kinds } from '../model/kinds.ts';
import type { QueryParameters } from '../service/client.ts';
import { getPageIfChanged, type ServicePage } from '../service/pages.ts';
import { acceptedWords, withheldFields } from '../store/anonymous-log.ts';
import { saveKindState } from '../store/kind-state.ts';
import { saveGap } from '../store/records/contents.ts';
import { countRows, distinctValues, newestDate } from '../store/rows.ts';
import { createSaver } from '../store/saving/save.ts';
import { readProgress, saveProgress } from '../store/syncs/progress.ts';
import { saveResponse } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { addOutcomes, findValidator, markUnchanged, type Stage, type SyncContext } from './context.ts';
import { countNew } from './poll-overlap.ts';
import { refuseDrift } from './quarantine.ts';

/** Page size of the log, which has no further pages. */
const windowSize = 200;

/** Watermark: the date of the newest entry that the last sync saw. */
type AuditState = { reached: string | null };

/** The sync stage that updates the moderation log. */
export const auditStage: Stage = {
  name: 'audit',
  list: '/audit',
  kinds: ['audit'],
  plan: () => ({ requests: 1, atLeast: false, what: 'the latest 200 entries' }),
  run: syncAudit,
};

/** Saves the newest entries; unless they reach the watermark, also those of each record type, and any remaining gap. */
async function syncAudit(context: SyncContext): Promise<void> {
  const { mirror, client } = context;
  const watermark = readProgress<AuditState>(mirror, client.baseUrl, 'audit')?.reached ?? newestDate(mirror, 'audit');
  const visitedKeys = new Set<string>();
  context.progress.stage('audit', 1);
  const logWindow = await saveWindow(context, {}, visitedKeys);
  context.progress.advance(1, '');
  if (logWindow === null) return;
  let hasGap = false; // true if a record type has more new entries than its window
  const { length } = logWindow.items;
  // The log is truncated if its window is short without the watermark, and no window of a record type contains it.
  let isTruncated = length > 0 && length < windowSize && !containsWatermark(logWindow, watermark);
  if (isTruncated || !reachesWatermark(logWindow, watermark)) {
    const types = new Set([...distinctValues(mirror, 'audit', 'entity_type'), ...kinds.map(({ name }) => name)]);
    for (const entityType of types) {
      context.signal.throwIfAborted();
      const window = await saveWindow(context, { entity_type: entityType }, visitedKeys);
      if (window === null) continue;
      hasGap ||= !reachesWatermark(window, watermark);
      isTruncated &&= !containsWatermark(window, watermark);
      transaction(mirror, () => saveResponse(mirror, window));
    }
  }
  hasGap ||= isTruncated;
  // Saved last, so that the next sync repeats an interrupted one.
  transaction(mirror, () => {
    const gap = { kind: 'audit', after_key: watermark, before_key: oldestOf(logWindow), noticed_at: logWindow.at };
    if (hasGap) saveGap(mirror, gap);
    saveResponse(mirror, logWindow);
    const next: AuditState = { reached: datesOf(logWindow).at(-1) ?? watermark };
    saveProgress(mirror, { origin: client.baseUrl, stage: 'audit', at: logWindow.at }, next);
  });
  for (const { field } of withheldFields(mirror))
    context.progress.note(say`audit: omitted because it may identify a person: ${field}`);
  if (!hasGap) return;
  context.tally.gaps += 1;
  context.progress.note(
    isTruncated
      ? say`audit: the log lists fewer than ${windowSize} entries, and none up to ${watermark}; some may be missing`
      : say`audit: the log received more than ${windowSize} entries since ${watermark}; some are missing`,
  );
}

/** The newest entries of the log, or of one record type; `previousEntries` were stored before this sync. */
type LogWindow = ServicePage & { previousEntries: Document[] };

/** True if a window reaches back to the watermark, or is too short to be one page of a longer log. */
function reachesWatermark(window: LogWindow, watermark: string | null): boolean {
  return watermark === null || window.items.length < windowSize || containsWatermark(window, watermark);
}

/** True if a window has an entry older than the watermark, or one of its date that was stored before this sync. */
function containsWatermark(window: LogWindow, watermark: string | null): boolean {
  if (watermark === null) return true;
  const watermarkMs = Date.parse(watermark);
  if (Date.parse(oldestOf(window) ?? '') < watermarkMs) return true;
  // Dates may lack the time: an entry of the watermark's day, or without a date, counts only if it was stored before.
  // Stored entries newer than the watermark are of an import or an interrupted sync, and prove nothing.
  return window.previousEntries.some(({ date }) => typeof date !== 'string' || Date.parse(date) <= watermarkMs);
}

const datesOf = ({ items }: ServicePage) => items.flatMap(({ date }) => (typeof date === 'string' ? date : [])).sort();

const oldestOf = (window: ServicePage): string | null => datesOf(window)[0] ?? null;

/** Requests and saves one page of the log, anonymised; null for 304 Not Modified. */
async function saveWindow(context: SyncContext, query: QueryParameters, visitedKeys: Set<string>) {
  const { mirror, client } = context;
  const kind = kindOf('audit');
  const request = { path: '/audit', query: { ...query, limit: windowSize }, names: ['audit', 'entries', 'log'] };
  const { excess } = client.tally;
  const excessBefore = excess.length;
  const validator = findValidator(context, request.path, request.query);
  const page = await getPageIfChanged(client, request, validator).catch((error) => {
    if (!(error instanceof ServiceAnswerError) || error.status !== null) throw error;
    // The response is not quoted: errors are stored, and it may identify a person.
    throw new ServiceAnswerError(error.url, say`the response is not a list of moderation entries`);
  });
  refuseDrift(context, kind, { subject: request.path, url: client.address(request.path) });
  // Replace the omitted fields of this request: the run report stores them, so they must not identify a person.
  excess.push(...excess.splice(excessBefore).map(anonymousOmission));
  if (page === null) {
    transaction(mirror, () => markUnchanged(context, request.path, request.query));
    return null;
  }
  // The watermark is stored too, so it must come from anonymised entries.
  const items = page.items.map((entry) => anonymise(entry, acceptedWords(mirror)).entry);
  const keys = items.map((entry) => keyOf(kind, entry));
  // Entries above the previous poll's are saved as new even if equal to stored ones. None are (`newCount` 0) if the
  // polls do not overlap, or if the number of rows shows that something else, such as an import, changed the log.
  const isWholeLog = query.entity_type === undefined;
  const previousPoll = readProgress<{ keys: string[]; stored: number }>(mirror, client.baseUrl, 'audit poll');
  const isComparable = isWholeLog && previousPoll?.stored === countRows(mirror, kind);
  const newCount = isComparable ? (countNew(previousPoll.keys, keys) ?? 0) : 0;
  const previousEntries = transaction(mirror, () => {
    const saver = createSaver(mirror, kind, { at: page.at, newCount });
    // The saver anonymises the entries itself: it also saves the names of the fields that it withholds.
    const wasStored = page.items.map((entry) => saver.save(entry) !== 'added');
    saver.finish();
    saveKindState(mirror, kind, { origin: client.baseUrl });
    addOutcomes(context, kind.name, saver.outcomes);
    const nextPoll = { keys, stored: countRows(mirror, kind) };
    if (isWholeLog) saveProgress(mirror, { origin: client.baseUrl, stage: 'audit poll', at: page.at }, nextPoll);
    return items.filter((_, at) => wasStored[at] && !visitedKeys.has(keys[at]!));
  });
  for (const key of keys) visitedKeys.add(key);
  return { ...page, items, previousEntries };
}
