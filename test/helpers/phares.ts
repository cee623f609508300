import type { Document } from '../../src/model/document.ts';

/** A seat in the group of the fictional Parti des Phares. */
export const seat: Document = { party: 'phares-an1', role: 'Membre du', start: '2024-07-19', end: null };
/** A membership of that party. */
export const joined: Document = { party: 'parti-des-phares', role: 'Membre', start: '2012-05-01', end: null };
/** A financial attachment to it that the source states as membership. */
export const declared: Document = { ...joined, start: '2025-12-03' };
const undated: Document = { ...joined, role: 'rattachement financier', start: null };

const person = (slug: string, affiliations: Document[], more: Document = {}): Document => ({
  ...{ slug, full_name: slug, party: 'parti-des-phares', current_role: null, affiliations },
  ...more,
});
const inSeat = { current_role: 'Députée', group: 'phares-an1', chamber: 'AN' };

/** The party and its group. */
export const phares: Document[] = [
  { slug: 'parti-des-phares', name: 'Parti des Phares', short_name: 'PDP', kind: 'parti', member_count: 208 },
  { slug: 'phares-an1', name: 'Phares', short_name: 'PHA', kind: 'groupe-an', chamber: 'AN', member_count: 321 },
];
/** Politicians who state the party: members, attached ones, and others who left or died. */
export const pharesPeople: Document[] = [
  person('ada-jetee', [seat, joined], inSeat),
  person('bea-digue', [seat, declared], inSeat),
  person('cleo-mole', [seat, undated], inSeat),
  person('dora-quai', [{ ...seat, end: '2017-06-20' }, undated]),
  person('ella-bac', [{ ...seat, end: '2026-03-30' }, declared]),
  person('fay-cale', [joined], { death_date: '2026-01-02' }),
  person('gil-port', []),
];
