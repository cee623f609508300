import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { saveKindState } from '../../src/store/kind-state.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { refreshIndexes } from '../../src/store/saving/indexes.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import type { Random } from './random.ts';
import { withdrawMissing } from './withdraw-missing.ts';

/** The moment of the nth night. */
export const nightAt = (n: number): string => new Date(Date.UTC(2026, 2, 1 + n, 6)).toISOString();

/** Fictional records of a night, in which everything may come, go, return and say something else. */
function recordsOf(random: Random): [KindName, Document[]][] {
  const chosen = (all: string[]) => all.filter(() => !random.isOneIn(3));
  const one = (all: string[]) => random.pick(all);
  const parties = chosen(['adr', 'pdv', 'udc']);
  const people = chosen(['ada', 'bert', 'cleo', 'dora', 'emil']);
  return [
    [
      'party',
      parties.map((slug) => ({
        slug,
        name: `Parti ${slug} ${one(['A', 'B'])}`,
        ...(random.isOneIn(3) ? { members: chosen(people) } : {}),
      })),
    ],
    [
      'politician',
      people.map((slug) => ({
        slug,
        full_name: slug,
        party: one([...parties, 'nobody']),
        current_role: one(['Députée', 'Sénatrice']),
        affiliations: chosen(['adr', 'udc']).map((party) => ({
          party,
          role: null,
          start: one(['2020-01-01', 'en 2021']),
          end: null,
        })),
        source_ids: chosen(['s1', 's2']),
      })),
    ],
    [
      'quote',
      chosen(['q1', 'q2', 'q3']).map((id) => ({
        id,
        politician: one(['ada', 'bert']),
        text: one(['oui', 'non']),
        source_ids: chosen(['s1']),
      })),
    ],
    [
      'ballot',
      chosen(['1', '2', '3']).map((id) => ({
        scrutin_id: id,
        chamber: 'AN',
        date: `2026-01-0${id}`,
        title: one(['Loi', 'Loi rectifiée']),
        totals: { for: random.integer(3), against: null },
        votes_by_party: chosen(['adr', 'udc']).map((party) => ({ party, for: random.integer(2) })),
      })),
    ],
  ];
}

type Night = { at: string; random: Random; only?: KindName };

/** Takes a night's records into a mirror, of one kind or all: what is not among them is withdrawn. */
export function takeNight(mirror: Mirror, { at, random, only }: Night): void {
  for (const [name, records] of recordsOf(random)) {
    if (only !== undefined && name !== only) continue;
    const kind = kindOf(name);
    transaction(mirror, () => {
      const saver = createSaver(mirror, kind, { at });
      for (const record of records) saver.save(record);
      saver.finish();
      withdrawMissing(mirror, kind, { seenNumbers: saver.seenNumbers, at });
      saveKindState(mirror, kind, { retrievedAt: at });
      for (const record of records)
        if (random.isOneIn(5)) saveDetail(mirror, kind, { ...record, bio: random.isOneIn(2) ? 'A' : 'B' }, { at });
    });
  }
  transaction(mirror, () => refreshIndexes(mirror));
}
