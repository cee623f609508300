import { emptyField, type FieldShape, ownValue, possibleCount, type Shape, weighField } from './shape.ts';

/** One change in the shape of responses; `before` and `now` are texts for display, null if there is nothing. */
export type ShapeChange = {
  change:
    | ('gone' | 'new' | 'renamed' | 'type' | 'nulls' | 'form' | 'value')
    | ('envelope' | 'total' | 'cursor' | 'delimiter');
  field: string;
  before: string | null;
  now: string | null;
};

/** True for a change that may lose or misread records. */
export function isGrave({ change }: ShapeChange): boolean {
  return !['new', 'nulls', 'value', 'total', 'cursor', 'delimiter'].includes(change);
}

/** Which records a shape covers: all, selected ones, or the newest, which may differ from older ones. */
export type Extent = 'whole' | 'some' | 'newest';

export type DriftOptions = {
  extent: Extent;
  /** Fields whose values are keys or names, so no enumeration. */
  namingFields: readonly string[];
};

/** Significant changes between two shapes: fields, types, forms, more nulls, new enumeration values. */
export function changesBetween(before: Shape, now: Shape, options: DriftOptions): ShapeChange[] {
  // Significant means four standard errors between two shares; optional fields may come and go.
  const paths = [...new Set([...Object.keys(before.fields), ...Object.keys(now.fields)])].sort(
    (one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1),
  );
  const changes: ShapeChange[] = [];
  for (const path of paths) {
    if (changes.some(({ change, field }) => change !== 'nulls' && isWithin(path, field))) continue;
    changes.push(...changesOfField(path, { before, now, options }));
  }
  return [...envelopeChanges(before, now), ...joinRenames(changes, { before, now })];
}

const depthOf = (path: string) => path.split(/[.[]/).length;
const isWithin = (path: string, outer: string) => path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`);

/** Statistics of a field and how many values it could have; the items of a list in one record together count once. */
function perRecord(shape: Shape, path: string): [field: FieldShape, maxCount: number] {
  const field = ownValue(shape.fields, path) ?? emptyField();
  const maxCount = possibleCount(shape, path);
  const weight = maxCount > shape.records ? shape.records / maxCount : 1;
  return [{ ...weighField(field, weight), values: field.values }, maxCount * weight];
}

type ShapePair = { before: Shape; now: Shape; options: DriftOptions };

function changesOfField(path: string, { before, now, options }: ShapePair): ShapeChange[] {
  const [oldField, maxCount] = perRecord(before, path);
  const [newField, maxCountNow] = perRecord(now, path);
  if (maxCount === 0 || maxCountNow === 0) return [];
  const isWhole = options.extent === 'whole';
  const share = oldField.present / maxCount;
  const shareNow = newField.present / maxCountNow;
  const isPresenceChanged = differs([oldField.present, maxCount], [newField.present, maxCountNow]);
  const change = (name: ShapeChange['change'], valueBefore: string | null, valueNow: string | null): ShapeChange[] => [
    { change: name, field: path, before: valueBefore, now: valueNow },
  ];
  // In part of the records, only a field of nearly all can be gone, and only one of half can be new.
  if (oldField.present > 0 && newField.present === 0)
    return isPresenceChanged && (isWhole || share >= 0.95) ? change('gone', percent(share), null) : [];
  if (oldField.present === 0)
    return isPresenceChanged && shareNow >= (isWhole ? 0.2 : 0.5) ? change('new', null, percent(shareNow)) : [];
  const filledShare = oldField.filled / maxCount;
  const filledShareNow = newField.filled / maxCountNow;
  // Records fetched because they changed may have more empty fields than others.
  const isEmptied = isWhole
    ? filledShare - filledShareNow >= 0.3
    : (maxCountNow >= minSample || filledShareNow === 0) && filledShare >= 0.95 && filledShareNow <= 0.6;
  if (isEmptied && differs([oldField.filled, maxCount], [newField.filled, maxCountNow]))
    return change('nulls', percent(1 - filledShare), percent(1 - filledShareNow));
  const typeOrFormChange = typeChange(oldField, newField) ?? formChange(oldField, newField);
  if (typeOrFormChange) return change(typeOrFormChange.by, typeOrFormChange.before, typeOrFormChange.now);
  return newValues(path, oldField, newField, options).flatMap((value) => change('value', null, value));
}

/** The first type whose share grew by at least 0.2 and significantly, with the most frequent one before; or null. */
function typeChange(oldField: FieldShape, newField: FieldShape) {
  const total = oldField.filled;
  const allNow = newField.filled;
  for (const [type, times] of Object.entries(newField.types)) {
    const before = oldField.types[type] ?? 0;
    if (total === 0 || times / allNow - before / total < 0.2 || !differs([before, total], [times, allNow])) continue;
    return { by: 'type' as const, before: mostFrequent(oldField.types)!.name, now: type };
  }
  return null;
}

/** Shares at which the form of a field's texts counts as settled, and the sample size for the lower share. */
const settledShare = 0.98;
const likelyShare = 0.9;
const minSample = 20;

/** The most frequent form of texts before and now, if it was settled and changed significantly; else null. */
function formChange(oldField: FieldShape, newField: FieldShape) {
  const oldForm = mostFrequent(oldField.forms);
  const newForm = mostFrequent(newField.forms);
  if (!oldForm || !newForm || oldForm.name === newForm.name) return null;
  const isSettled = oldForm.share >= settledShare || (oldForm.share >= likelyShare && newForm.all >= minSample);
  const hasLeftForm = differs([oldForm.times, oldForm.all], [newField.forms[oldForm.name] ?? 0, newForm.all]);
  // Single words look like slugs, and some texts of words like any form.
  const isSignificant = oldForm.name !== 'words' || (newForm.name !== 'slug' && newForm.share >= likelyShare);
  if (!isSettled || !hasLeftForm || !isSignificant) return null;
  return { by: 'form' as const, before: oldForm.name, now: newForm.name };
}

/** The most frequent name with its count (`times`) and share, and the sum of all counts; null without counts. */
function mostFrequent(counts: Record<string, number>) {
  const all = Object.values(counts).reduce((sum, times) => sum + times, 0);
  const [first] = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return first ? { name: first[0], times: first[1], all, share: first[1] / all } : null;
}

/** Most values of an enumeration, fewest records with each, and fewest records in all (or in part of the dataset). */
const maxEnumerationValues = 8;
const minRepeats = 2;
const minRecordsWhole = 30;
const minRecordsPart = 200;

/** Values new to a field that was an enumeration: few values, each of which occurred repeatedly; else none. */
function newValues(path: string, oldField: FieldShape, newField: FieldShape, { namingFields, extent }: DriftOptions) {
  const previousValues = Object.entries(oldField.values ?? {});
  const leafName = path.split(/[.[\]]+/).findLast((part) => part !== '')!;
  const isEnumeration =
    previousValues.length > 0 &&
    previousValues.length <= maxEnumerationValues &&
    oldField.filled >= (extent === 'whole' ? minRecordsWhole : minRecordsPart) &&
    previousValues.every(([, times]) => times >= minRepeats);
  if (!isEnumeration || namingFields.includes(leafName) || /(^|_)(id|ids|slug|name|title)$/.test(leafName)) return [];
  return Object.entries(newField.values ?? {})
    .filter(([value, times]) => times >= minRepeats && ownValue(oldField.values!, value) === undefined)
    .map(([value]) => value);
}

/** Replaces `gone` and `new` fields of one parent, type and form by `renamed`, if no other field fits either. */
function joinRenames(changes: ShapeChange[], { before, now }: Pick<ShapePair, 'before' | 'now'>): ShapeChange[] {
  const changesOfType = (type: ShapeChange['change']) => changes.filter(({ change }) => change === type);
  const formOf = ({ types, forms }: FieldShape) => `${mostFrequent(types)?.name} ${mostFrequent(forms)?.name}`;
  const renameCandidates = changesOfType('gone').flatMap((former) =>
    changesOfType('new')
      .filter(({ field }) => outerOf(field) === outerOf(former.field))
      .filter(({ field }) => formOf(before.fields[former.field]!) === formOf(now.fields[field]!))
      .map((latter) => ({ former, latter })),
  );
  const pairs = renameCandidates.filter(({ former, latter }) => {
    return renameCandidates.filter((each) => each.former === former || each.latter === latter).length === 1;
  });
  const renamedChanges = new Set(pairs.flatMap(({ former, latter }) => [former, latter]));
  const renames = pairs.map(
    ({ former, latter }): ShapeChange => ({ ...former, change: 'renamed', before: former.field, now: latter.field }),
  );
  return [...changes.filter((change) => !renamedChanges.has(change)), ...renames];
}

const outerOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')));

function envelopeChanges({ envelope: oldEnvelope }: Shape, { envelope: newEnvelope }: Shape): ShapeChange[] {
  if (oldEnvelope === null || newEnvelope === null) return [];
  const envelopeChange = (change: ShapeChange['change'], before: string | null, now: string | null): ShapeChange[] =>
    before === null || before === now ? [] : [{ change, field: before, before, now }];
  return [
    ...envelopeChange('envelope', oldEnvelope.body, newEnvelope.body),
    ...envelopeChange('total', oldEnvelope.total, newEnvelope.total),
    ...(newEnvelope.cursor === null ? [] : envelopeChange('cursor', oldEnvelope.cursor, newEnvelope.cursor)),
    ...envelopeChange('delimiter', oldEnvelope.parted ?? null, newEnvelope.parted ?? null),
  ];
}

/** True if two shares (k of n) differ by more than four standard errors; false with fewer than 3 of either. */
function differs([some, all]: [number, number], [someNow, allNow]: [number, number]): boolean {
  if (all < 3 || allNow < 3) return false;
  // From all (sums of weighted counts may miss a fraction) to none, or the reverse, is significant in few records too.
  if ((some > all - 0.5 && someNow === 0) || (some === 0 && someNow === allNow)) return true;
  const share = (some + 0.5) / (all + 1);
  const shareNow = (someNow + 0.5) / (allNow + 1);
  const pooledShare = (some + someNow + 1) / (all + allNow + 2);
  const error = Math.sqrt(pooledShare * (1 - pooledShare) * (1 / (all + 1) + 1 / (allNow + 1)));
  return Math.abs(share - shareNow) > 4 * error;
}

const percent = (share: number) => `${Math.round(share * 100)}%`;
