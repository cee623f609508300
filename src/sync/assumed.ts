/**
 * How much a service of this field is likely to hold, for the plan of a first sync: that of a country with two chambers.
 * Only plans rest on it, and they say so.
 */
export const assumed = { politician: 3400, party: 140, content: 20_000, ballot: 130 };

/** So many of something, for people. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}`;
}
