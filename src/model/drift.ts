import { chancesOf, emptyField, type FieldShape, own, type Shape, weighed } from './shape.ts';

/** One change in the shape of responses; `before` and `now` are for display. */
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

/** How shapes are compared. */
export type DriftOptions = {
  extent: Extent;
  /** Fields that reference other records; their values are no enumeration. */
  names: readonly string[];
};

/** Significant changes between two shapes: fields, types, forms, more nulls, new enumeration values. */
export function changesBetween(before: Shape, now: Shape, comparing: DriftOptions): ShapeChange[] {
  // Significant means four standard errors between two shares; optional fields may come and go.
  const paths = [...new Set([...Object.keys(before.fields), ...Object.keys(now.fields)])].sort(
    (one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1),
  );
  const changes: ShapeChange[] = [];
  for (const path of paths) {
    if (changes.some(({ change, field }) => change !== 'nulls' && isWithin(path, field))) continue;
    changes.push(...changesOf(path, { before, now, comparing }));
  }
  return [...envelopeChanges(before, now), ...joinRenames(changes, { before, now })];
}

const depthOf = (path: string) => path.split(/[.[]/).length;
const isWithin = (path: string, outer: string) => path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`);
/** Statistics of a field and its chances, weighted so that the lines of one record together count once. */
function perRecord(shape: Shape, path: string): [field: FieldShape, chances: number] {
  const field = own(shape.fields, path) ?? emptyField();
  const chances = chancesOf(shape, path);
  const weight = chances > shape.records ? shape.records / chances : 1;
  return [{ ...weighed(field, weight), values: field.values }, chances * weight];
}

type ShapePair = { before: Shape; now: Shape; comparing: DriftOptions };

function changesOf(path: string, { before, now, comparing }: ShapePair): ShapeChange[] {
  const [was, chances] = perRecord(before, path);
  const [is, chancesNow] = perRecord(now, path);
  if (chances === 0 || chancesNow === 0) return [];
  const isWhole = comparing.extent === 'whole';
  const share = was.present / chances;
  const shareNow = is.present / chancesNow;
  const isOther = differs([was.present, chances], [is.present, chancesNow]);
  const change = (name: ShapeChange['change'], valueBefore: string | null, valueNow: string | null): ShapeChange[] => [
    { change: name, field: path, before: valueBefore, now: valueNow },
  ];
  if (was.present > 0 && is.present === 0)
    return isOther && (isWhole || share >= 0.95) ? change('gone', percent(share), null) : [];
  if (was.present === 0)
    return isOther && shareNow >= (isWhole ? 0.2 : 0.5) ? change('new', null, percent(shareNow)) : [];
  const filled = was.filled / chances;
  const filledNow = is.filled / chancesNow;
  // Records fetched because they changed may have more empty fields than others.
  const isEmptied = isWhole
    ? filled - filledNow >= 0.3
    : (chancesNow >= several || filledNow === 0) && filled >= 0.95 && filledNow <= 0.6;
  if (isEmptied && differs([was.filled, chances], [is.filled, chancesNow]))
    return change('nulls', percent(1 - filled), percent(1 - filledNow));
  const other = typeChange(was, is) ?? formChange(was, is);
  if (other) return change(other.by, other.before, other.now);
  return newWords(path, was, is, comparing).flatMap((word) => change('value', null, word));
}

function typeChange(was: FieldShape, is: FieldShape) {
  const all = was.filled;
  const allNow = is.filled;
  for (const [type, times] of Object.entries(is.types)) {
    const before = was.types[type] ?? 0;
    if (all === 0 || times / allNow - before / all < 0.2 || !differs([before, all], [times, allNow])) continue;
    return { by: 'type' as const, before: mostFrequent(was.types)!.name, now: type };
  }
  return null;
}

/** Shares at which a form counts as settled, and the sample size for the lower share. */
const sure = 0.98;
const likely = 0.9;
const several = 20;

function formChange(was: FieldShape, is: FieldShape) {
  const first = mostFrequent(was.forms);
  const firstNow = mostFrequent(is.forms);
  if (!first || !firstNow || first.name === firstNow.name) return null;
  const isSettled = first.share >= sure || (first.share >= likely && firstNow.all >= several);
  const isLeft = differs([first.times, first.all], [is.forms[first.name] ?? 0, firstNow.all]);
  // Single words look like slugs, which is no change of form.
  const isSignificant = first.name !== 'words' || (firstNow.name !== 'slug' && firstNow.share >= likely);
  if (!isSettled || !isLeft || !isSignificant) return null;
  return { by: 'form' as const, before: first.name, now: firstNow.name };
}

function mostFrequent(counts: Record<string, number>) {
  const all = Object.values(counts).reduce((sum, times) => sum + times, 0);
  const [first] = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return first ? { name: first[0], times: first[1], all, share: first[1] / all } : null;
}

/** An enumeration has at most this many values, each in at least two records, of at least so many records. */
const maxWords = 8;
const minRepeats = 2;
const minRecordsWhole = 30;
const minRecordsPart = 200;

/** New values of an enumeration: a field with few values, each of which occurs repeatedly. */
function newWords(path: string, was: FieldShape, is: FieldShape, { names, extent }: DriftOptions): string[] {
  const previousValues = Object.entries(was.values ?? {});
  const last = path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .at(-1)!;
  const isList =
    previousValues.length > 0 &&
    previousValues.length <= maxWords &&
    was.filled >= (extent === 'whole' ? minRecordsWhole : minRecordsPart) &&
    previousValues.every(([, times]) => times >= minRepeats);
  if (!isList || names.includes(last) || /(^|_)(id|ids|slug|name|title)$/.test(last)) return [];
  return Object.entries(is.values ?? {})
    .filter(([word, times]) => times >= minRepeats && own(was.values!, word) === undefined)
    .map(([word]) => word);
}

function joinRenames(changes: ShapeChange[], { before, now }: Pick<ShapePair, 'before' | 'now'>): ShapeChange[] {
  const of = (sort: ShapeChange['change']) => changes.filter(({ change }) => change === sort);
  const fitting = of('gone').flatMap((former) =>
    of('new')
      .filter(({ field }) => outerOf(field) === outerOf(former.field))
      .filter(({ field }) => isLike(before.fields[former.field]!, now.fields[field]!))
      .map((latter) => ({ former, latter })),
  );
  const pairs = fitting.filter(({ former, latter }) => {
    const rivals = fitting.filter((each) => each.former === former || each.latter === latter);
    return rivals.length === 1;
  });
  const renamedChanges = new Set(pairs.flatMap(({ former, latter }) => [former, latter]));
  return [
    ...changes.filter((change) => !renamedChanges.has(change)),
    ...pairs.map(({ former, latter }) => ({
      change: 'renamed' as const,
      field: former.field,
      before: former.field,
      now: latter.field,
    })),
  ];
}

const outerOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')));

function isLike(was: FieldShape, is: FieldShape): boolean {
  const kinds = [was, is].map(({ types, forms }) => `${mostFrequent(types)?.name} ${mostFrequent(forms)?.name}`);
  return kinds[0] === kinds[1];
}

function envelopeChanges({ envelope: was }: Shape, { envelope: is }: Shape): ShapeChange[] {
  if (was === null || is === null) return [];
  const moved = (change: ShapeChange['change'], before: string | null, now: string | null): ShapeChange[] =>
    before === null || before === now ? [] : [{ change, field: before, before, now }];
  return [
    ...moved('envelope', was.body, is.body),
    ...moved('total', was.total, is.total),
    ...(is.cursor === null ? [] : moved('cursor', was.cursor, is.cursor)),
    ...moved('delimiter', was.parted ?? null, is.parted ?? null),
  ];
}

/** True if two shares (k of n) differ significantly. */
function differs([some, all]: [number, number], [someNow, allNow]: [number, number]): boolean {
  if (all < 3 || allNow < 3) return false;
  // A change from all to none, or the reverse, is significant even in few records.
  if ((some > all - 0.5 && someNow === 0) || (some === 0 && someNow === allNow)) return true;
  const share = (some + 0.5) / (all + 1);
  const shareNow = (someNow + 0.5) / (allNow + 1);
  const pooled = (some + someNow + 1) / (all + allNow + 2);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / (all + 1) + 1 / (allNow + 1)));
  return Math.abs(share - shareNow) > 4 * error;
}

const percent = (share: number) => `${Math.round(share * 100)}%`;
