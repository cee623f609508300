import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { withdraw } from '../../src/store/saving/withdrawals.ts';
import { transaction } from '../../src/store/transaction.ts';
import { demoRecords, saveAll } from '../server/demo-server.ts';
import { createDemoMirror } from './demo-mirror.ts';

/** The moment of the second import. */
export const morning = '2026-11-02T06:00:00.000Z';

const votesOf = (party: string, members: number | null, votesFor: number, against: number): Document => ({
  ...{ party, party_name: `Groupe ${party}`, members, for: votesFor, against, abstention: 0, non_voting: 0 },
  position: votesFor > against ? 'pour' : 'contre',
});

/** A new ballot on a whole text of the fictional Assemblée, with other fields if given. */
export const newBallot = (id: string, more: Document = {}): Document => ({
  ...{ scrutin_id: id, chamber: 'AN', date: '2026-11-01', type: 'scrutin public ordinaire', result: 'adopté' },
  title: "l'ensemble de la proposition de loi relative aux phares (première lecture).",
  totals: { for: 22, against: 3, abstention: 0, non_voting: 0 },
  votes_by_party: [votesOf('rivages', 28, 20, 1), votesOf('verger', null, 2, 2)],
  ...more,
});

/** The demo mirror after a second import: what it brought is what a brief tells. */
export async function createDemoMorning(): ReturnType<typeof createDemoMirror> {
  const demo = await createDemoMirror();
  const mirror = openWritableMirror(demo.db);
  const amendment = newBallot('VAL1V91', {
    title: "l'amendement n° 3 de Mme Cœurdevent à l'article 2 (première lecture).",
  });
  const former = demoRecords(kindOf('ballot')).find(({ scrutin_id: id }) => id === 'VAL1V1')!;
  const edited = { ...former, totals: { ...(former.totals as Document), for: 59 } };
  saveAll(mirror, 'ballot', [newBallot('VAL1V90'), amendment, edited], morning);
  const [quote] = demoRecords(kindOf('quote'));
  saveAll(mirror, 'quote', [{ ...quote, id: 'quote-new', text: 'Nous rallumerons le phare.' }], morning);
  const id = mirror.column<number>("SELECT id FROM record WHERE key = 'promise-bruyevre-2025-003'").get()!;
  transaction(mirror, () => withdraw(mirror, id, morning));
  saveMeta(mirror, 'synced_at', morning);
  mirror.close();
  return demo;
}
