import { QuarantineError, ServiceAnswerError } from '../errors.ts';
import { isGrave, type ShapeChange } from '../model/drift.ts';
import type { Kind } from '../model/kinds.ts';
import { deleteMeta, readMeta, saveMeta } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { deleteFailure } from '../store/syncs/failures.ts';
import { driftOf, hasEnoughRecords, lacksUsualFields, listDrifts } from '../store/syncs/shapes.ts';
import { transaction } from '../store/transaction.ts';
import { type Phrase, say } from '../words/speech.ts';
import type { SyncContext } from './context.ts';

/** True if the user accepts all changes of a kind. */
export function isAccepted({ accepted = [] }: SyncContext, { name }: Kind): boolean {
  return accepted.includes(name);
}

/** Which changes a second day must confirm: none if the service moved or the user accepts the kind. */
export function changesToConfirm(context: SyncContext, kind: Kind): 'all' | 'none' {
  return context.hasMoved || isAccepted(context, kind) ? 'none' : 'all';
}

/** Returns the share of records (0 to 1) that a kind may lose; 1 if the user accepts the kind. */
export function maxShrinkOf(context: SyncContext, kind: Kind): number {
  return isAccepted(context, kind) ? 1 : context.maxShrink;
}

/** Returns the error that refuses an answer; `isOfContent` is false if another format of it may pass. */
export function quarantineError(kind: Kind, url: string, sentence: Phrase, isOfContent = true): QuarantineError {
  return new QuarantineError(url, say`${sentence} and was refused; the last good data is kept`, {
    plural: kind.plural,
    isOfContent,
  });
}

/** True for a grave change of fields; an answer with a changed envelope is either parsed or refused elsewhere. */
const losesRecords = (change: ShapeChange) => isGrave(change) && change.change !== 'envelope';

/** The subject of a shape, and the URL of its answers; `formExemptField`: a field whose form may change (its key). */
type JudgedSubject = { subject: string; url: string; formExemptField?: string | null };

/** Throws a QuarantineError if answers of a subject look so different that records would be lost or misread. */
export function refuseDrift(context: SyncContext, kind: Kind, judgedSubject: JudgedSubject): void {
  const { mirror, shapeLog } = context;
  const { subject, url, formExemptField } = judgedSubject;
  const observedShape = shapeLog?.get(subject);
  if (!observedShape || isAccepted(context, kind)) return;
  const graveChanges = (driftOf(mirror, observedShape) ?? [])
    .filter(losesRecords)
    .filter(({ change, field }) => change !== 'form' || field !== formExemptField);
  if (graveChanges.length === 0) return;
  const fields = graveChanges.slice(0, 5).map(({ field, now }) => (now === null ? field : `${field} (${now})`));
  throw quarantineError(kind, url, say`the response format changed: ${fields.join(', ')}`);
}

/** Answers with fewer records are not checked, since similar edits may be chance. */
const minAnswerRecords = 20;

/** Edits of a field in at most this many records, or this share, are normal in one answer. */
const maxNormalEdits = 3;
const maxNormalEditShare = 0.05;

/** Share of a kind in which answers of thirty days may edit a field; answers with normal edits do not count. */
const maxCumulativeEditShare = 0.2;
const cumulativeEditWindowMs = 30 * 86_400_000;

/** Answers within this time, such as pages of a feed, belong to one sync and are not added up. */
const sameSyncMs = 3_600_000;

type EditCheck = { edits: ReadonlyMap<string, number>; recordCount: number; share: number; url: string };

/** Throws a QuarantineError if over `share` of `recordCount` records are edited in one field, or many in 30 days. */
export function refuseBulkEdits(context: SyncContext, kind: Kind, editCheck: EditCheck): void {
  const { edits, recordCount, share, url } = editCheck;
  const { mirror, now } = context;
  const key = `edits_${kind.name}` as const;
  const isExpected = isAccepted(context, kind) || context.hasMoved;
  if (isExpected) deleteMeta(mirror, key);
  const storedEdits: { at: number; field: string; share: number }[] = JSON.parse(readMeta(mirror, key) ?? '[]');
  const recentEdits = storedEdits.filter((each) => now() - each.at < cumulativeEditWindowMs);
  for (const [field, count] of edits) {
    const isNormal = count <= Math.max(maxNormalEdits, recordCount * maxNormalEditShare);
    if (isExpected || recordCount < minAnswerRecords || isNormal) continue;
    const sentence = say`the answer edits "${field}" of ${count} of ${recordCount} ${kind.plural}`;
    if (count > recordCount * share) throw quarantineError(kind, url, say`${sentence} at once`);
    const earlierEdits = recentEdits.filter((each) => each.field === field && now() - each.at >= sameSyncMs);
    const earlierShare = earlierEdits.reduce((sum, each) => sum + each.share, 0);
    if (earlierShare > 0 && earlierShare + count / recordCount > maxCumulativeEditShare)
      throw quarantineError(kind, url, say`${sentence}, after others within 30 days`);
    recentEdits.push({ at: now(), field, share: count / countRows(mirror, kind) });
    saveMeta(mirror, key, JSON.stringify(recentEdits));
  }
}

/** A check that `createShapeCheck` returns. */
export type ShapeCheck = ReturnType<typeof createShapeCheck>;

/** Answers within this time share a transaction, since servers of the mirror reload after each commit. */
const batchMs = 500;

/** Returns a check that buffers answers until their shape can be judged; then saves all or throws a QuarantineError. */
export function createShapeCheck(context: SyncContext, kind: Kind, { subject, url }: JudgedSubject) {
  const { shapeLog, mirror, now } = context;
  const queue: (() => void)[] = [];
  // Answers are buffered until `isJudged`; `end` drops the buffer if the last answer was refused.
  let isLastRefused = false;
  let isJudged = false;
  let lastSaveMs = Number.NEGATIVE_INFINITY;
  function save(): void {
    const saves = isJudged ? queue.splice(0) : [];
    if (saves.length === 0) return;
    lastSaveMs = now();
    transaction(mirror, () => {
      for (const each of saves) each();
    });
  }
  return {
    /** Throws a QuarantineError if the shape changed, a ServiceAnswerError if the answer lacks most fields. */
    check(): void {
      refuseDrift(context, kind, { subject, url });
      const observedShape = shapeLog?.get(subject);
      if (observedShape && lacksUsualFields(mirror, observedShape))
        throw new ServiceAnswerError(url, say`the answer lacks most of its fields`);
    },
    /** Buffers an answer and saves what is judged; throws a QuarantineError if the shape has changed. */
    addAnswer(saveOne: () => void): void {
      isLastRefused = true; // stays true if the next line throws
      refuseDrift(context, kind, { subject, url });
      isLastRefused = false;
      queue.push(saveOne);
      const observedShape = shapeLog?.get(subject);
      isJudged ||= !observedShape || hasEnoughRecords(observedShape.shape) || driftOf(mirror, observedShape) === null;
      if (now() - lastSaveMs >= batchMs) save();
    },
    /** Saves answers that are judged and not saved yet; callers of `addAnswer` call it last, also after an error. */
    save,
    /** Saves the buffered answers; drops them after a shape change, and throws if they lack most of their fields. */
    end(): void {
      const hasSavedDrift = listDrifts(mirror).some((each) => each.subject === subject && losesRecords(each));
      const observedShape = shapeLog?.get(subject);
      const isComparable = observedShape && (observedShape.hadUnchanged || hasEnoughRecords(observedShape.shape));
      // Too few answers neither confirm nor refute a change that an earlier sync saved.
      const lacksFields = observedShape !== undefined && lacksUsualFields(mirror, observedShape);
      if (isLastRefused || (hasSavedDrift && !isComparable)) queue.length = 0;
      else if (queue.length > 0 && lacksFields && !isAccepted(context, kind)) {
        queue.length = 0;
        throw quarantineError(kind, url, say`the answer lacks most of its fields`);
      } else if (observedShape) deleteFailure(mirror, url);
      isJudged = true;
      save();
    },
  };
}
