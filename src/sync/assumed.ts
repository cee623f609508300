/** Typical sizes of a service for a country with two chambers; only the plan of a first sync uses them, and says so. */
export const assumed = { politician: 3400, party: 140, content: 20_000, ballot: 130 };

/** A count with its noun, for a plan. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}`;
}
