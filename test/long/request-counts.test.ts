import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { countRows } from '../../src/store/rows.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createRandom, isLong } from '../helpers/random.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

/** A service for a country with two chambers in a long run, a tenth of it else. */
const scale = isLong ? 1 : 0.1;
const sizes = { politicians: 3400 * scale, parties: 140, content: 20_000 * scale, ballots: 130 };
const day = 86_400_000;
const start = Date.parse('2026-11-01T03:00:00Z');

/** Which part of a sync a request belongs to. */
const parts: [part: string, path: RegExp][] = [
  ['datasets', /^\/export/],
  ['log', /^\/audit/],
  ['feed', /^\/feed/],
  ['ballots', /^\/votes/],
  ['updated', /^\/politicians$/],
  ['profiles', /^\/(politicians|parties)\/./],
];

for (const [dataset, dialect] of [
  ['parquet', dialects[0]!],
  ['csv', dialects[1]!],
] as const)
  describe(`the requests of nights with ${dataset}`, () => {
    let own: ReturnType<typeof createTemporaryMirror>;
    let service: FakeService;
    before(async () => {
      own = createTemporaryMirror();
      service = await startFakeService({ ...dialect, one: profileOf });
      const { records } = service;
      for (const [plural, size] of Object.entries(sizes)) records[plural] = manyOf(records[plural]!, size);
      for (const [at, fact] of records.positions!.entries())
        fact.scrutin_id = records.ballots![at % sizes.ballots]!.scrutin_id!;
    });
    after(async () => {
      own.remove();
      await service.close();
    });

    const manyOf = (records: Document[], size: number): Document[] =>
      Array.from({ length: size }, (_, at) => {
        const record = records[at % records.length]!;
        const name = ['slug', 'scrutin_id', 'id'].find((field) => field in record)!;
        return at < records.length ? record : { ...record, [name]: `${record[name]}-${at}` };
      });
    function profileOf(document: Document): Document {
      if (!('full_name' in document)) return document;
      const about = (plural: string) =>
        service.records[plural]!.filter(({ politician }) => politician === document.slug);
      const ids = (document.source_ids ?? []) as string[];
      const sources = service.records.sources!.filter(({ id }) => ids.includes(String(id)));
      const facts = { positions: about('positions'), promises: about('promises'), quotes: about('quotes') };
      return { ...document, ...facts, sources };
    }

    it('are few, datasets come first, and on a night without news all but samples are at most twelve', async () => {
      const { integer } = createRandom(20261125);
      const counts: Record<string, number>[] = [];
      for (let night = 0; night < 8; night += 1) {
        service.requests.length = 0;
        const { report } = await syncOnce(own, service.baseUrl, {
          now: () => start + night * day,
          random: () => integer(2 ** 20) / 2 ** 20,
          limits: { maxFileBytes: 2 ** 26 },
        });
        expect(report.exit, JSON.stringify(report.errors)).to.equal(0);
        const order = service.requests.map(({ path }) => parts.find(([, each]) => each.test(path))![0]);
        if (night === 0) expect([...new Set(order)]).to.deep.equal(['datasets', 'log', 'feed', 'ballots', 'profiles']);
        counts.push(Object.fromEntries(parts.map(([part]) => [part, order.filter((each) => each === part).length])));
      }
      for (const night of [1, 2, 3, 8]) {
        const positiveCounts = Object.entries(counts[night - 1]!).filter(([, count]) => count > 0);
        const all = positiveCounts.reduce((sum, [, count]) => sum + count, 0);
        console.log(
          `      night ${night}: ${all} requests (${positiveCounts.map((each) => each.join(' ')).join(', ')})`,
        );
      }
      expect(countRows(own.mirror, kindOf('politician'))).to.equal(sizes.politicians);
      const [first, second, third] = counts as [Record<string, number>, Record<string, number>, Record<string, number>];
      expect(first.profiles).to.be.at.most(60);
      for (const night of [second, third]) {
        const { ballots = 0, profiles = 0, ...news } = night;
        expect(Object.values(news).reduce((sum, count) => sum + count, 0)).to.be.at.most(12);
        expect(ballots).to.be.at.most(15);
        expect(profiles).to.be.at.most(40);
      }
    });
  });
