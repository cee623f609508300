import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kinds } from '../../src/model/kinds.ts';
import { questions } from '../../src/questions/table.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { rowHash, rowsOf } from '../../src/watches/rows.ts';
import { parseWatch, watchableWords } from '../../src/watches/watched-question.ts';
import { speechOf } from '../../src/words/speech.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { saveAll } from '../server/demo-server.ts';

/** Words that some records contain, that none contains together, in another form, and with slips. */
const words = [
  'gardiens',
  'gardiens xylophage',
  'gardeins',
  'voter',
  'retrait des gardiens',
  'Bruyevra',
  'loi Zorglub',
];

/** What each question is asked of; a question without a row is watched by its name alone. */
const asked: Record<string, string[]> = {
  record: ['promise', 'promise-bruyevre-2025-003'],
  records: ['promise'],
  vote: ['VAL1V4'],
  history: ['politician', 'oceane-bruyevre'],
  text: ['retraites'],
  compare: ['ADR', 'PDV'],
  check: ['gardiens de phare'],
};

const names = watchableWords().filter((name) =>
  questions.some((each) => each.name === name && !/^(asks?|changes|politician|party|sql)$/.test(name)),
);

/** The watches of a question: as it is, or with words if it takes any. */
const watchesOf = (name: string): string[][] => {
  const { parameters } = questions.find((each) => each.name === name)!;
  const own = [name, ...(asked[name] ?? [])];
  return 'q' in parameters && name !== 'check' ? words.map((q) => [...own, '-q', q]) : [own];
};

/** A record of each kind about nothing that is watched, which contains one word of several watches. */
const unrelated = (n: number): [KindName, Document][] => {
  const text = `Un xylophage sans rapport, un Zorglub, le bateau ${n}.`;
  const common = { id: `unrelated-${n}`, title: text, text, topic: 'sans-rapport', date: `2026-05-${10 + n}` };
  const own: Partial<Record<KindName, Document>> = {
    source: { ...common, url: `https://example.org/${n}`, publisher: 'Le Bateau' },
    politician: { slug: `ida-inconnue-${n}`, full_name: `Ida Inconnue ${n}` },
    party: { slug: `parti-inconnu-${n}`, name: `Parti inconnu ${n}` },
    ballot: {
      ...{
        scrutin_id: `UNRELATED${n}`,
        chamber: 'AN',
        title: `sur le Zorglub xylophage ${n}`,
        date: `2026-05-${10 + n}`,
      },
      ...{ result: 'adopté', totals: { for: 2, against: 1, abstention: 0, non_voting: 0 }, votes_by_party: [] },
    },
    audit: { id: `unrelated-${n}`, role: 'moderator', entity_type: 'quote', date: `2026-05-${10 + n}T08:00:00Z` },
  };
  return kinds.map(({ name }) => [name, own[name] ?? common]);
};

describe('a watch of any question', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    mirror = openWritableMirror(demo.db);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });

  /** The rows of each watch, with a hash of what is compared. */
  async function look(): Promise<Map<string, Map<string, string>>> {
    const results = new Map<string, Map<string, string>>();
    for (const watch of names.flatMap(watchesOf)) {
      const rows = new Map<string, string>();
      const context = { nowMs: Date.parse('2026-06-01T00:00:00Z'), speech: speechOf('en') };
      for await (const row of rowsOf(mirror, parseWatch(watch), context)) rows.set(row.id, rowHash(row));
      results.set(watch.join(' '), rows);
    }
    return results;
  }

  it('loses and changes no row when unrelated records come, and with words gets none', async () => {
    const before = await look();
    for (const n of Array(12).keys()) for (const [kind, record] of unrelated(n)) saveAll(mirror, kind, [record]);
    const after = await look();
    for (const [watch, rows] of before) {
      const now = after.get(watch)!;
      expect(
        [...rows].filter(([id, hash]) => now.get(id) !== hash),
        `${watch}: gone or edited`,
      ).to.deep.equal([]);
      if (watch.includes(' -q ')) expect([...now.keys()], `${watch}: new`).to.deep.equal([...rows.keys()]);
    }
  });

  it('keeps its rows when more records match its words, however few did before', async () => {
    const before = await look();
    const text = words.join(' ');
    for (const n of Array(24).keys()) {
      const record = { id: `related-${n}`, title: `${text} ${n}`, text, date: '2026-05-30' };
      for (const kind of ['content', 'promise', 'speech'] as const) saveAll(mirror, kind, [record]);
      const ballot = { scrutin_id: `RELATED${n}`, chamber: 'AN', title: text, date: '2026-05-30', votes_by_party: [] };
      saveAll(mirror, 'ballot', [ballot]);
    }
    const after = await look();
    for (const [watch, rows] of before)
      if (watch.includes(' -q ') && !/^(compare|cohesion)/.test(watch))
        expect([...after.get(watch)!.keys()], watch).to.include.members([...rows.keys()]);
  });
});
