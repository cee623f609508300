import { ask, itemsOf, type Listing, type ListQuestion, type Question, type RecordQuestion } from '../../src/index.ts';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { openPast } from '../../src/store/history/past.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';
import { demoRecords, saveAll } from '../server/demo-server.ts';

/** How a question was refused: the exit code, the sentence, and what to try instead. */
export type Refusal = { exit: number; message: string; hint: string | null };

/** The items that a mirror answers a list question with. */
export const itemsAt = async (
  mirror: Mirror,
  question: ListQuestion,
  parameters: Record<string, unknown> = {},
): Promise<Document[]> => itemsOf(await ask(mirror, question, parameters));

/** The same, of each item only these fields. */
export const fieldsAt = async (
  mirror: Mirror,
  question: ListQuestion,
  fields: string[],
  parameters: Record<string, unknown> = {},
): Promise<unknown[][]> =>
  (await itemsAt(mirror, question, parameters)).map((item) => fields.map((field) => item[field]));

/** The pages of a list by its cursor, and what the first says of their number. */
export async function walkAt(
  mirror: Mirror,
  question: ListQuestion,
  parameters: Record<string, unknown>,
): Promise<{ pages: Document[][]; total: number | null }> {
  const pages: Document[][] = [];
  let total: number | null = null;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const listing: Listing = await ask(mirror, question, { ...parameters, cursor });
    if (cursor === undefined) total = listing.total;
    pages.push(await itemsOf(listing));
    cursor = listing.nextCursor;
  }
  return { pages, total };
}

/** How a question is refused; fails where it is answered. */
export async function refusalAt(
  mirror: Mirror,
  question: Question,
  parameters: Record<string, unknown> = {},
): Promise<Refusal> {
  const asking =
    question.answers === 'list'
      ? ask(mirror, question as ListQuestion, parameters)
      : ask(mirror, question as RecordQuestion, parameters);
  try {
    await asking;
  } catch (error) {
    const { exit, message, hint } = error as Refusal;
    return { exit, message, hint };
  }
  throw new Error(`${question.name} was answered`);
}

const firstNight = '2026-11-02T00:00:00.000Z';
const secondNight = '2026-11-05T06:00:00.000Z';

/** What the service says in the second night, beside what it said before. */
function saveSecondNight(mirror: Mirror): void {
  const at = secondNight;
  const [speaker] = demoRecords(kindOf('politician')).filter(({ slug }) => slug === 'oceane-bruyevre');
  const newAffiliation = { party: 'parti-du-verger', role: 'Membre', start: '2026-11-03', end: null };
  const previousAffiliations = documentsIn(speaker!.affiliations ?? null).map((each) =>
    each.end === null && each.party === speaker!.party ? { ...each, end: '2026-11-02' } : each,
  );
  const newcomer = { slug: 'zoe-nouvelle', full_name: 'Zoé Nouvelle', party: 'parti-neuf' };
  saveAll(
    mirror,
    'politician',
    [
      {
        ...speaker,
        party: newAffiliation.party,
        group: newAffiliation.party,
        affiliations: [...previousAffiliations, newAffiliation],
      },
      newcomer,
    ],
    at,
  );
  saveAll(mirror, 'party', [{ slug: 'parti-neuf', name: 'Parti neuf', short_name: 'PN' }], at);
  const line = (party: string, votesFor: number, against: number, abstention: number, position: string) => ({
    ...{ party, party_name: null, for: votesFor, against, abstention, non_voting: 0, position },
  });
  const ballot = {
    ...{
      scrutin_id: 'VAL1V99',
      chamber: 'AN',
      date: '2026-11-04',
      title: 'Sur les fanaux',
      result: 'adopté',
    },
    totals: { for: 14, against: 2, abstention: 17, non_voting: 0 },
    votes_by_party: [line('alliance-des-rivages', 2, 1, 17, 'abstention'), line('parti-du-verger', 12, 1, 0, 'pour')],
  };
  saveAll(mirror, 'ballot', [ballot], at);
  const entry = { id: 'audit-99999', role: 'moderator', entity_type: 'quote', action: 'verify' };
  saveAll(mirror, 'audit', [{ ...entry, date: '2026-11-04T08:00:00Z' }], at);
  const promises = demoRecords(kindOf('promise'))
    .filter(({ id }) => id !== 'promise-bruyevre-2025-003')
    .map((each) => (each.id === 'promise-bruyevre-2025-001' ? { ...each, topic: 'fanaux' } : each));
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf('promise'), { at });
    for (const promise of promises) saver.save(promise);
    saver.finish();
    withdrawMissing(mirror, kindOf('promise'), { seenNumbers: saver.seenNumbers, at });
  });
}

/**
 * The demo mirror after two nights, for a block that only reads: as it is now, and as it stood after the first. In the
 * second a politician changed sides, a politician, a party, a ballot and a moderation entry came, one promise changed its
 * topic and one was withdrawn.
 */
export function readTwoNights(): { readonly now: Mirror; readonly past: Mirror } {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  const opened = {} as { now: Mirror; past: Mirror };
  before(async () => {
    demo = await createDemoMirror();
    const writer = openWritableMirror(demo.db);
    saveSecondNight(writer);
    writer.close();
    opened.now = openMirror(demo.db);
    opened.past = openPast(demo.db, firstNight);
  });
  after(() => {
    opened.now.close();
    opened.past.close();
    demo.remove();
  });
  return opened;
}
