import { HemicycleError, NotFoundError, orNull } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { type Document, isDocument } from '../model/document.ts';
import { findKind } from '../model/kinds.ts';
import { fieldChanges } from '../model/normal-form.ts';
import { type ReportedChange, readNews } from '../questions/brief.ts';
import { type ChangeValues, changeFilter, changeFilterParameters } from '../questions/changes.ts';
import { resolveNames } from '../questions/names.ts';
import { flagName, isSetValue } from '../questions/parameter.ts';
import type { PlaceOptions } from '../questions/places.ts';
import { listChanges } from '../store/history/changes.ts';
import { journalName } from '../store/journal.ts';
import { type Mirror, readMeta } from '../store/mirror.ts';
import { createMessages, saveChanges } from '../store/outbox.ts';
import { readRecord } from '../store/record.ts';
import { lastFilledAt } from '../store/records/contents.ts';
import { recordFacts } from '../store/records/record-context.ts';
import { findSubject } from '../store/subjects.ts';
import { finalUntil } from '../store/syncs/runs.ts';
import { readAdmissionFilter } from '../store/tombstones.ts';
import { asyncReadSnapshot } from '../store/transaction.ts';
import { bookTransaction, transactionWithoutFsync, type WatchBook } from '../store/watch-book.ts';
import {
  addWatch,
  type BaselineRow,
  baselineHashes,
  contentOf,
  type NewWatch,
  readWatch,
  saveCheckResult,
  type Watch,
  type WatchMark,
} from '../store/watches.ts';
import { say, speechOf } from '../words/speech.ts';
import type { ChannelKind } from './channel.ts';
import { maxListedChanges } from './message.ts';
import { type AnswerContext, type Row, rowHash, rowsOf } from './rows.ts';
import { expandWords, parseWatch, type WatchedQuestion, watchedSubjects } from './watched-question.ts';

/** Options of a check; `onFailure` is called with the name of a watch whose question cannot be answered. */
export type CheckOptions = Omit<AnswerContext, 'speech'> & {
  onFailure?: (watch: string, error: HemicycleError) => void;
};

/** Adds a watch with a baseline of now or `from`; returns its row count, null for changes, undefined if it exists. */
export async function createWatch(
  book: WatchBook,
  mirror: Mirror,
  newWatch: NewWatch,
  { from, ...options }: CheckOptions & { from: { mirror: Mirror; at: string } | null },
): Promise<number | null | undefined> {
  const source = from?.mirror ?? mirror;
  const at = new Date(options.nowMs).toISOString();
  const watch = { ...newWatch, words: expandWords(newWatch.words) };
  const watched = parseWatch(watch.words);
  const { mark, changedRows, words } = await asyncReadSnapshot(source, async () => {
    const mark = from ? { ...markOf(source, watched), state: null, at: from.at } : markOf(source, watched);
    if (watched.asks === 'changes') {
      return { mark, changedRows: null, words: wordsWithSlugs(source, watch.words, watched.values) };
    }
    const firstCheck = { ...options, watch: { ...watch, id: 0 }, takesBaseline: true }; // no stored watch has id 0
    const { changedRows } = await compare(book, source, watched, firstCheck);
    return { mark, changedRows, words: watch.words };
  });
  return bookTransaction(book, () => {
    const id = addWatch(book, { ...watch, words });
    if (id === null) return undefined;
    saveCheckResult(book, id, at, { mark, trouble: null, changedRows: changedRows ?? [], deletedKeys: [] });
    return changedRows?.length ?? null;
  });
}

/** Checks a watch, and saves changes, messages and baseline in one transaction; returns the number of changes. */
export async function checkWatch(
  book: WatchBook,
  mirror: Mirror,
  watch: Watch,
  { kinds, onFailure, ...options }: CheckOptions & { kinds: readonly ChannelKind[] },
): Promise<number> {
  const at = new Date(options.nowMs).toISOString();
  const check = () => checkQuestion(book, mirror, watch, options);
  const checkResult = await asyncReadSnapshot(mirror, check).catch((error: unknown) => {
    if (!(error instanceof HemicycleError)) throw error;
    onFailure?.(watch.name, error);
    return { noticed: [], mark: watch.mark, changedRows: [], deletedKeys: [], trouble: error.phrase };
  });
  const noticed = checkResult?.noticed ?? [];
  const runTransaction = noticed.length > 0 ? bookTransaction : transactionWithoutFsync;
  return runTransaction(book, () => {
    const currentWatch = readWatch(book, watch.id);
    // Another process may have removed the watch meanwhile.
    if (!currentWatch) return 0;
    saveChanges(book, watch.id, at, noticed);
    if (checkResult) saveCheckResult(book, watch.id, at, checkResult);
    bundleChanges(book, currentWatch, { at, kinds });
    return noticed.reduce((sum, { count }) => sum + count, 0);
  });
}

/** Bundles changes into messages; those for channels of a kind not in `kinds` wait for a version that supports it. */
export function bundleChanges(
  book: WatchBook,
  watch: Watch,
  { at, kinds }: { at: string; kinds: readonly ChannelKind[] },
): void {
  const messageKinds = kinds.filter((each) => each.delivers === 'messages');
  const maxPerMessage = new Map(messageKinds.map(({ name, maxChanges = maxListedChanges }) => [name, maxChanges]));
  createMessages(book, watch, { at, maxPerMessage });
}

/** The mark of a check that starts now: state of the mirror, and `answers`: version and subjects of the question. */
function markOf(mirror: Mirror, watchedQuestion: WatchedQuestion): WatchMark & { at: string } {
  const at = finalUntil(mirror) ?? new Date(0).toISOString();
  const { question, values } = watchedQuestion.asks === 'question' ? watchedQuestion : {};
  // A list with `q` has version 3: since then, an author's name in `q` selects the author's records.
  const version = question?.version ?? (values?.q ? 3 : undefined);
  const subjects = watchedSubjects(watchedQuestion).map((name) => findSubject(mirror, name));
  const answers = subjects.length > 0 ? JSON.stringify([version, subjects]) : version;
  return { journal: journalName(mirror), state: readMeta(mirror, 'state'), at, ...(answers && { answers }) };
}

/** Result of a check: changes since the last one, new state and baseline; null if nothing can have changed. */
async function checkQuestion(book: WatchBook, mirror: Mirror, watch: Watch, options: CheckOptions) {
  const watched = parseWatch(watch.words);
  const mark = markOf(mirror, watched);
  const isBaselineValid = mark.answers === watch.mark.answers;
  const isUnchanged =
    isBaselineValid && mark.state !== null && watch.mark.state === mark.state && watch.mark.at === mark.at;
  if (isUnchanged && !watched.isTimeDependent && watch.trouble === null) return null;
  if (watched.asks === 'changes') {
    return { changedRows: [], deletedKeys: [], ...readChangesSince(mirror, watched, { ...options, watch, mark }) };
  }
  // If the question's version or a subject's rules changed, only take a new baseline.
  const comparison = await compare(book, mirror, watched, { ...options, watch, takesBaseline: !isBaselineValid });
  return { ...comparison, mark, trouble: null };
}

type ComparisonOptions = CheckOptions & {
  watch: Pick<Watch, 'id' | 'changeTypes' | 'language' | 'words'>;
  takesBaseline: boolean; // true for a new watch or a void baseline
};

/** Compares the answer with the baseline rows; with `takesBaseline`, reports no changes. */
async function compare(
  book: WatchBook,
  mirror: Mirror,
  watchedQuestion: WatchedQuestion,
  { watch, takesBaseline, ...options }: ComparisonOptions,
) {
  const speech = speechOf(watch.language);
  const hashesByKey = baselineHashes(book, watch.id);
  const changedRows: (BaselineRow & { json: string })[] = [];
  const changes: (() => Document)[] = []; // functions, as only stored changes need documents
  const visitedIds = new Set<string>();
  const isReportedType = (changeType: string) => watch.changeTypes?.includes(changeType) ?? true;
  const filledAt = watchedQuestion.asks === 'question' ? lastFilledAt(mirror) : null;
  const context = { mirror, at: filledAt ?? new Date(options.nowMs).toISOString() };
  for await (const row of readCurrentRows(mirror, watchedQuestion, { ...options, speech, takesBaseline })) {
    if (visitedIds.has(row.id)) continue;
    visitedIds.add(row.id);
    const hash = rowHash(row);
    const former = hashesByKey.get(row.id); // hash at the last check; undefined for a new row
    if (hash === former) continue;
    changedRows.push({ key: row.id, hash, json: JSON.stringify({ ...row, id: undefined }) });
    const changeType = former !== undefined ? 'edited' : row.kind === 'silence' ? 'silent' : 'new';
    if (isReportedType(changeType))
      changes.push(() => createReport(row, changeType, former === undefined ? null : contentOf(book, former), context));
  }
  const deletedKeys = [...hashesByKey.keys()].filter((id) => !visitedIds.has(id));
  for (const id of deletedKeys) {
    const storedJson = contentOf(book, hashesByKey.get(id)!);
    if (storedJson === null) continue;
    const row: Row = { id, ...JSON.parse(storedJson) };
    const kind = findKind(row.kind);
    // A row left the answer: its record was withdrawn, or only matches no longer.
    const departureType = kind && readRecord(mirror, kind, row.key) === undefined ? 'withdrawn' : 'gone';
    const changeType = row.kind === 'silence' ? 'over' : departureType;
    const isReported = isReportedType(changeType) || (changeType === 'withdrawn' && isReportedType('gone'));
    if (isReported) changes.push(() => createReport(row, changeType, null, context));
  }
  return { noticed: takesBaseline ? [] : limitedChanges(changes, context.at), changedRows, deletedKeys };
}

/** Rows of the answer; if the watched record does not exist, none, or an error with `takesBaseline`. */
async function* readCurrentRows(
  mirror: Mirror,
  watchedQuestion: WatchedQuestion,
  { takesBaseline, ...context }: AnswerContext & { takesBaseline: boolean },
): AsyncGenerator<Row> {
  try {
    yield* rowsOf(mirror, watchedQuestion, context);
  } catch (error) {
    const isOfRecord = watchedQuestion.asks === 'question' && watchedQuestion.question.answers === 'record';
    if (takesBaseline || !isOfRecord || !(error instanceof NotFoundError)) throw error;
  }
}

/** The document of a change of a row; `formerJson` is its baseline row, null for none. */
function createReport(
  row: Row,
  changeType: string,
  formerJson: string | null,
  { mirror, at }: { mirror: Mirror; at: string },
): Document {
  const kind = findKind(row.kind);
  const before = formerJson === null ? null : (JSON.parse(formerJson) as Row).document;
  const fields = before && isDocument(before) ? fieldChanges(kind ?? { sets: [] }, before, row.document) : [];
  return {
    seen_at: at,
    change: changeType,
    kind: row.kind,
    key: row.key,
    politician: row.politician,
    title: row.title,
    fields,
    ...recordFacts(mirror, row.kind, row.key),
    ...(row.voted === undefined ? {} : { voted: row.voted }),
    ...(kind ? { show: historyCommand(row) } : {}),
  };
}

const historyCommand = ({ kind, key }: { kind: string; key: string }) => shellLine(['hemicycle', 'history', kind, key]);

/** Maximum stored changes per run; further ones are only counted, at most `maxCountedChanges`. */
const maxStoredChanges = 20_000;
const maxCountedChanges = 100_000;

type ChangesRequest = PlaceOptions & { watch: Pick<Watch, 'mark' | 'changeTypes'>; mark: WatchMark & { at: string } };

/** Changes since a watch's last check, oldest first (`brief`: its order), with the new mark; `trouble` if unknown. */
function readChangesSince(
  mirror: Mirror,
  { question, values: changeValues }: Extract<WatchedQuestion, { asks: 'changes' }>,
  { watch, mark, ...options }: ChangesRequest,
) {
  const { journal, at: since } = watch.mark;
  // Withholding may have erased the newest records, which makes the mirror older than the mark: keep the mark's time.
  if (journal === mark.journal && since !== null && since > mark.at && readAdmissionFilter(mirror))
    return { noticed: [], mark: { ...mark, at: since }, trouble: null };
  if (journal !== mark.journal || since === null || since > mark.at) {
    const trouble = say`the mirror was replaced or recreated: earlier changes are unknown, later ones will be reported`;
    return { noticed: [], mark, trouble: since === null ? null : trouble };
  }
  const filter = { since, until: mark.at, ...changeFilter(mirror, resolveSlugs(mirror, changeValues), options) };
  const isBrief = question.name === 'brief'; // its order is kept: `limitedChanges` reverses it again
  const all: Iterable<ReportedChange> = isBrief ? readNews(mirror, filter).toReversed() : listChanges(mirror, filter);
  const changes = Iterator.from(all)
    .filter(({ change }) => watch.changeTypes?.includes(change) ?? true)
    .map((each) => () => ({ ...each, ...recordFacts(mirror, each.kind, each.key), show: historyCommand(each) }));
  return { noticed: limitedChanges(changes, mark.at), mark, trouble: null };
}

/** The words of a watch of changes, its politician's name as a slug: names of withdrawn records cannot be resolved. */
function wordsWithSlugs(mirror: Mirror, words: string[], changeValues: ChangeValues): string[] {
  const { politician } = resolveNames(mirror, changeFilterParameters, changeValues);
  if (politician === changeValues.politician) return words;
  const definedFilters = Object.entries({ ...changeValues, politician }).filter(([, value]) => isSetValue(value));
  const flag = (name: string) => `--${flagName(name, changeFilterParameters[name as keyof ChangeValues])}`;
  const flags = definedFilters.flatMap(([name, value]) => [flag(name), ...(value === true ? [] : [String(value)])]);
  return ['changes', ...flags];
}

/** Replaces names by slugs; a name that cannot be resolved stays, so that the return of its record is noticed. */
const resolveSlugs = (mirror: Mirror, changeValues: ChangeValues): ChangeValues =>
  orNull(() => resolveNames(mirror, changeFilterParameters, changeValues), NotFoundError) ?? changeValues;

/** Reverses changes into documents to store; changes beyond the maximum are counted in one document, the first. */
function limitedChanges(changes: Iterable<() => Document>, at: string) {
  const noticed: { change: Document; count: number }[] = [];
  let otherCount = 0;
  for (const describe of changes) {
    if (noticed.length < maxStoredChanges) noticed.push({ change: describe(), count: 1 });
    else otherCount += 1;
    if (otherCount === maxCountedChanges) break;
  }
  if (otherCount > 0) {
    const more = { seen_at: at, change: 'more', kind: 'change', key: 'more', politician: null, title: '', fields: [] };
    noticed.push({ change: { ...more, at_least: otherCount === maxCountedChanges }, count: otherCount });
  }
  return noticed.reverse();
}
