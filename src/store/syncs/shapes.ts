import { changesBetween, type Extent, isGrave, type ShapeChange } from '../../model/drift.ts';
import { findKind, type KindName, kinds } from '../../model/kinds.ts';
import { mergeShapes, type Shape } from '../../model/shape.ts';
import type { Mirror } from '../mirror.ts';
import { pluralKindIn } from './failures.ts';

/** A saved shape change: `subject` is a path or dataset, `since` when a sync first detected it, ISO 8601. */
export type Drift = ShapeChange & { subject: string; since: string };

/** `usual`: baseline merged from earlier responses; `recent`: newer shape not merged yet; `drift`: its changes. */
type ShapeRow = { subject: string; usual: string; recent: string | null; drift: string; seen_at: string };

/** Minimum records of a shape that is merged; smaller ones are compared together with those of the next run. */
const minRecordsToMerge = 20;
const isSmall = ({ records }: Shape): boolean => records < minRecordsToMerge;

const minComparedRecords = 3;

/** True if a shape has enough records to compare. */
export const hasEnoughRecords = ({ records }: Shape): boolean => records >= minComparedRecords;

/** The shape of the responses of one subject (path or dataset); `hadUnchanged` if one was a 304, which has no shape. */
export type ObservedShape = { subject: string; kind: KindName; extent: Extent; shape: Shape; hadUnchanged?: boolean };

/** In a transaction: stores a first or accepted shape as the baseline; merges others into it, or saves their drift. */
export function saveShape(
  mirror: Mirror,
  { subject, kind, extent, shape, hadUnchanged = false }: ObservedShape,
  { at, isAccepted }: { at: string; isAccepted: boolean },
): void {
  const stored = readShapeRow(mirror, subject);
  if (stored !== null && hadUnchanged && !hasEnoughRecords(shape)) {
    if (stored.drift !== '[]') endDrift(mirror, stored, at); // 304 Not Modified confirms the present shape
    return;
  }
  if (shape.records === 0 && shape.envelope === null) return;
  if (stored === null || isAccepted) {
    saveShapeRow(mirror, { subject, usual: shape, recent: null, drift: [], at });
    return;
  }
  const usual: Shape = JSON.parse(stored.usual);
  const knownDrifts: Drift[] = JSON.parse(stored.drift);
  // Few records can neither confirm that fields are missing nor end a grave drift: ignore them.
  if (!hasEnoughRecords(shape) && (knownDrifts.some(isGrave) || lacksUsualFields(mirror, { subject, shape }))) return;
  // A shape without the earlier drift ends it: do not combine it with the deviating shapes before.
  const hasRecovered =
    knownDrifts.length > 0 && hasEnoughRecords(shape) && changesIn(usual, { shapes: [shape], extent }).length === 0;
  const recent = hasRecovered ? shape : combineWithPrevious(stored, shape);
  // A combined shape is compared, and so is the present one alone.
  const allChanges = changesIn(usual, { shapes: recent === shape ? [shape] : [shape, recent], extent });
  // The newest page of a list has few of a field's values: one that is stored, or of a rare field, is not new.
  const isFamiliarValue = ({ change, field, now }: ShapeChange) =>
    change === 'value' && extent === 'newest' && !isNewValue(mirror, { kind, field, now, at: stored.seen_at });
  const changes = allChanges.filter((change) => !isFamiliarValue(change));
  const firstSeenAt = (change: ShapeChange) => knownDrifts.find((each) => isSameChange(each, change))?.since ?? at;
  const drift = changes.map((change): Drift => ({ ...change, subject, since: firstSeenAt(change) }));
  const save = (nextUsual: Shape, pendingShape: Shape | null) =>
    saveShapeRow(mirror, { subject, usual: nextUsual, recent: pendingShape, drift, at });
  if (drift.length > 0) save(usual, recent);
  else if (extent === 'whole' || !isSmall(recent)) save(mergeShapes(usual, recent), null);
  // Too few records to merge: `recent` awaits those of the next run. Its envelope is certain after one response.
  else save({ ...usual, envelope: recent.envelope ?? usual.envelope }, recent);
}

/** The shape, merged with the previous one if that is not in the baseline yet and both are small. */
function combineWithPrevious({ recent }: ShapeRow, shape: Shape): Shape {
  const previousShape: Shape | null = recent === null ? null : JSON.parse(recent);
  return previousShape && isSmall(previousShape) && isSmall(shape) ? mergeShapes(previousShape, shape) : shape;
}

const usualShare = 0.98; // a field in at least this share of the records is usual

/** Number of records that must have a field before one of its values counts as new. */
const minRecordsWithField = 100;

/** True if many stored records have the field, but none this value. */
function isNewValue(mirror: Mirror, value: { kind: KindName; field: string; now: string | null; at: string }): boolean {
  const sql = `SELECT count(*) AS total, coalesce(sum(row ->> $field = $now), 0) AS same FROM record
    WHERE kind = $kind AND last_changed <= $at AND row ->> $field IS NOT NULL`;
  const { total, same } = mirror.sql<{ total: number; same: number }>(sql).get(value)!;
  return total >= minRecordsWithField && same === 0;
}

/** Ends the drift after a 304: the recent shape becomes the baseline, or is dropped if its drift was grave. */
function endDrift(mirror: Mirror, { subject, usual, recent, drift }: ShapeRow, at: string): void {
  const next: Shape = JSON.parse(recent === null || (JSON.parse(drift) as Drift[]).some(isGrave) ? usual : recent);
  saveShapeRow(mirror, { subject, usual: next, recent: null, drift: [], at });
}

const isSameChange = (one: ShapeChange, other: ShapeChange) =>
  one.change === other.change && one.field === other.field && (one.change !== 'value' || one.now === other.now);

function changesIn(usual: Shape, { shapes, extent }: { shapes: Shape[]; extent: Extent }): ShapeChange[] {
  const changes = shapes.flatMap((shape) => changesBetween(usual, shape, { extent, namingFields }));
  return changes.filter((change, at) => changes.findIndex((each) => isSameChange(each, change)) === at);
}

const keyFields = kinds.map(({ keyField }): string => keyField);
const references = kinds.flatMap(({ columns }) => columns.filter(({ isReference }) => isReference));
/** Fields whose values are keys or names: a new value is no change, unlike a missing field or another type. */
const namingFields = [...keyFields, ...references.map(({ name }) => name), 'group', 'publisher'];

/** Changes from the usual shape of a subject to this shape, which is not saved; null without a usual shape. */
export function driftOf(mirror: Mirror, { subject, extent, shape }: ObservedShape): ShapeChange[] | null {
  const stored = readShapeRow(mirror, subject);
  return stored && changesIn(JSON.parse(stored.usual), { shapes: [shape], extent });
}

/** True if responses lack more than a third of the top-level fields that are usual; one record suffices. */
export function lacksUsualFields(mirror: Mirror, { subject, shape }: Pick<ObservedShape, 'subject' | 'shape'>) {
  const stored = readShapeRow(mirror, subject);
  const usual: Shape | null = stored && JSON.parse(stored.usual);
  if (usual === null || !hasEnoughRecords(usual) || shape.records === 0) return false;
  const usualFields = Object.entries(usual.fields).filter(
    ([path, { present }]) => !/[.[]/.test(path) && present >= usual.records * usualShare,
  );
  return usualFields.filter(([path]) => !Object.hasOwn(shape.fields, path)).length > usualFields.length / 3;
}

/** Saved drift of all subjects. */
export function listDrifts(mirror: Mirror): Drift[] {
  const texts = mirror.column<string>('SELECT drift FROM shape ORDER BY subject').all();
  return texts.flatMap((text): Drift[] => JSON.parse(text));
}

/** Subjects with a saved shape, and when each shape was saved, ISO 8601. */
export function listShapeSubjects(mirror: Mirror): { subject: string; seen_at: string }[] {
  return mirror.sql<{ subject: string; seen_at: string }>('SELECT subject, seen_at FROM shape ORDER BY subject').all();
}

/** Makes the recent shapes of some kinds the baseline, and ends their drift. */
export function acceptDrift(mirror: Mirror, acceptedKinds: readonly KindName[]): void {
  const isAccepted = ({ subject }: Drift) => acceptedKinds.includes(findKind(pluralKindIn(subject))!.name);
  const sql = "UPDATE shape SET usual = coalesce(recent, usual), recent = NULL, drift = '[]' WHERE subject = ?";
  for (const { subject } of listDrifts(mirror).filter(isAccepted)) mirror.sql(sql).run(subject);
}

function readShapeRow(mirror: Mirror, subject: string): ShapeRow | null {
  return mirror.sql<ShapeRow>('SELECT * FROM shape WHERE subject = ?').get(subject) ?? null;
}

type ShapeUpdate = { subject: string; usual: Shape; recent: Shape | null; drift: Drift[]; at: string };

function saveShapeRow(mirror: Mirror, { subject, usual, recent, drift, at }: ShapeUpdate): void {
  const sql = 'INSERT OR REPLACE INTO shape (subject, usual, recent, drift, seen_at) VALUES (?, ?, ?, ?, ?)';
  mirror.sql(sql).run(subject, JSON.stringify(usual), recent && JSON.stringify(recent), JSON.stringify(drift), at);
}
