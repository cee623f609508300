import { type Document, isDocument, type Json, textOf } from './document.ts';
import type { Kind } from './kinds.ts';
import { isVolatile } from './normal-form.ts';

/**
 * So many profiles are fetched before the others are composed: they have to agree with what the mirror composes. Those of
 * parties are fewer, and have fewer parts.
 */
export const sampleSizes = { politician: 20, party: 12 };

/** So few profiles are simply fetched: that takes a minute. */
export const maxFetchedAnyway = 60;

/** How many composed profiles are fetched each day, to find out whether they still are what the service says. */
export function dailyChecks(composed: number): number {
  return Math.min(sampleSizes.politician, Math.ceil(composed / 100));
}

/**
 * The first field in which a profile that was fetched says something else than the composed one, or null. A field that
 * says null is another than one that is missing; moments that move by themselves, and the order of sets, say nothing.
 */
export function profileDifference(kind: Kind, composed: Document, fetched: Document): string | null {
  const fields = new Set([...Object.keys(fetched), ...Object.keys(composed)]);
  for (const field of fields) {
    if (isVolatile(field)) continue;
    const isSet = kind.sets.includes(field);
    if (exactForm(composed[field], isSet) !== exactForm(fetched[field], isSet)) return field;
  }
  return null;
}

/** True if a profile was touched later than its row by its own account: then they need not agree. */
export function isNewerThan(row: Document, profile: Document): boolean {
  const [stated, later] = [row, profile].map((each) =>
    Date.parse(textOf(each, 'updated_at', 'updatedAt') ?? ''),
  );
  return later! > stated!;
}

/** A value as one text that is equal for equal values, null and all; undefined for one that is missing. */
function exactForm(value: Json | undefined, isSet: boolean): string | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => exactForm(item, false)!);
    return `[${(isSet ? items.sort() : items).join()}]`;
  }
  if (!isDocument(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .filter((field) => !isVolatile(field))
    .sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${exactForm(value[field], false)}`).join()}}`;
}
