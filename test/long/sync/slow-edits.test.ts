import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type HostileService, startHostileService } from '../../helpers/hostile-service.ts';
import { createRandom, isLong, seedOf } from '../../helpers/random.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;

type Kind = 'promise' | 'quote' | 'politician' | 'content';
const pluralOf = (kind: Kind) => (kind === 'content' ? kind : `${kind}s`);

/** Changes of form that no rule about equal content knows. */
const forms: [form: string, kind: Kind, field: string, change: (record: Document) => Document][] = [
  ['a suffix is added to each text', 'quote', 'text', (row) => ({ ...row, text: `${row.text} (source : presse)` })],
  ['titles are in capitals', 'promise', 'title', (row) => ({ ...row, title: String(row.title).toUpperCase() })],
  [
    'a field is renamed inside lists',
    'politician',
    'affiliations',
    (row) => ({
      ...row,
      affiliations: JSON.parse(JSON.stringify(row.affiliations).replaceAll('"role"', '"function"')),
    }),
  ],
  ['texts of the feed are quoted', 'content', 'text', (row) => ({ ...row, text: `« ${row.text} »` })],
];

describe('records that change alike, a part of them each night', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: HostileService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startHostileService({ ...dialects[0]!, dataset: 'csv' });
    await night(0);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const scope = { ...wholeScope, only: ['promise' as const, 'quote' as const], details: 'none' as const };
  const night = (n: number, options: Parameters<typeof syncOnce>[2] = {}) =>
    syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs, scope, ...options });
  const edits = () =>
    [...listChanges(own.mirror, { since: new Date(noon + 1).toISOString() })].filter(
      ({ change }) => change === 'edited',
    );
  /** Changes the next share of the records of a kind, spread over all of them. */
  const changePart = (kind: Kind, change: (record: Document) => Document, nth: number, parts = 7) => {
    const records = service.records[pluralOf(kind)]!;
    for (let at = nth; at < records.length; at += parts) records[at] = change(records[at]!);
  };
  const rename = (record: Document, n: number) => ({ ...record, context: `Entretien du ${n} novembre` });

  for (const [form, kind, field, change] of forms)
    it(`are quarantined before a fifth of them has changed, where ${form}, and true edits of others are saved`, async () => {
      const options = { scope: { ...wholeScope, full: true, details: 'none' as const } };
      const other = kind === 'promise' ? 'quotes' : 'promises';
      await night(0, options);
      const before = hashesOf(own.mirror, kind);
      const exits: (number | null)[] = [];
      for (let n = 1; n <= 7; n += 1) {
        changePart(kind, change, n - 1);
        service.records[other]![n] = { ...service.records[other]![n]!, date: `2026-01-0${n}` };
        const { report } = await night(n, options);
        exits.push(report.exit);
        if (report.exit !== 0) expect(report.quarantine.map(({ plural }) => plural)).to.deep.equal([pluralOf(kind)]);
      }
      expect(exits, 'exit codes').to.deep.equal([0, 5, 5, 5, 5, 5, 5]);
      const after = Object.entries(hashesOf(own.mirror, kind));
      const changedCount = after.filter(([key, hash]) => hash !== before[key]).length;
      expect(changedCount / after.length).to.be.within(0.1, 0.2);
      expect(edits().filter((each) => each.kind !== kind).length).to.equal(7);
      const { report: acceptedReport } = await night(8, { ...options, accepted: [kind] });
      expect(acceptedReport.exit).to.equal(0);
      // What a user accepted does not count any more.
      changePart(kind, (row) => ({ ...row, [field]: `${field} ${row.id ?? row.slug}` }), 0);
      const { report, error } = await night(9, options);
      expect([report.exit, error]).to.deep.equal([0, null]);
    });

  it('are refused with the number of this night', async () => {
    for (const n of [1, 2]) changePart('quote', (row) => rename(row, n), n - 1, 8);
    expect((await night(1)).report.exit).to.equal(0);
    changePart('quote', (row) => rename(row, 3), 2, 8);
    const { error } = await night(2);
    expect((error as Error).message).to.match(
      /the answer edits "context" of 6 of 46 quotes, after others within 30 days and was refused/,
    );
  });

  it('are saved again thirty days later, where a quarter changes at once', async () => {
    changePart('quote', (row) => rename(row, 1), 0, 4);
    expect((await night(1)).report.exit).to.equal(0);
    changePart('quote', (row) => rename(row, 2), 1, 4);
    expect((await night(30)).report.exit).to.equal(5);
    expect((await night(32)).report.exit).to.equal(0);
  });

  for (let shift = 0; shift < 5; shift += 1)
    it(`are no true edits of one to three records, thirty nights long (seed + ${shift})`, async () => {
      const random = createRandom(seedOf('HEMICYCLE_SEED') + shift);
      let editCount = 0;
      for (let n = 1; n <= (isLong ? 60 : 30); n += 1) {
        for (const plural of ['quotes', 'promises']) {
          const records = service.records[plural]!;
          const editedRecords = new Set(Array.from({ length: 1 + random.integer(3) }, () => random.pick(records)));
          for (const record of editedRecords) record.text = `Texte ${random.integer(2 ** 30)} du jour ${n}`;
          editCount += editedRecords.size;
        }
        const { report, error } = await night(n);
        expect([report.exit, error], `night ${n}, seed ${random.seed}`).to.deep.equal([0, null]);
      }
      expect(edits().length).to.equal(editCount);
    });
});
