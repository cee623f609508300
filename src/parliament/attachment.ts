import { type Document, textOf } from '../model/document.ts';

/** How an affiliation with an organisation is to be read. */
export type AffiliationKind = 'membership' | 'financial attachment';

/**
 * Reads an affiliation as a membership or as a financial attachment (rattachement financier): a declaration of members
 * of parliament for the public funding of parties, made every November and published in the first days of December.
 *
 * Stated by the role, or derived from the first day for organisations without a chamber. Membership of a group is never
 * an attachment.
 */
export function affiliationKindOf(affiliation: Document, chamber: string | null): AffiliationKind {
  if (/rattachement\s+financier/iu.test(textOf(affiliation, 'role') ?? '')) return 'financial attachment';
  if (chamber !== null) return 'membership';
  return /^\d{4}-12-0\d$/u.test(textOf(affiliation, 'start') ?? '') ? 'financial attachment' : 'membership';
}

/** Distinct affiliations of a record: equal party, role and days are one. */
export function distinctAffiliations(affiliations: readonly Document[]): Document[] {
  const key = (each: Document) =>
    JSON.stringify([each.party ?? null, each.role ?? null, each.start ?? null, each.end ?? null]);
  return [...new Map(affiliations.map((each) => [key(each), each])).values()];
}
