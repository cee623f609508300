import { expect } from 'chai';
import type { Document, Json } from '../../src/model/document.ts';
import type { KindName } from '../../src/model/kinds.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { readRecord } from '../../src/store/record.ts';
import { listQuarantines } from '../../src/store/syncs/failures.ts';
import { listDrifts } from '../../src/store/syncs/shapes.ts';
import type { Dialect } from '../helpers/fake-service.ts';
import { type HostileService, startHostileService } from '../helpers/hostile-service.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;
const frenchDay = (day: Json) => (typeof day === 'string' ? day.slice(0, 10).split('-').reverse().join('/') : day);

describe('an answer that changed too much', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: HostileService;
  let one: (document: Document) => Document;
  let list: Dialect['list'];
  beforeEach(async () => {
    own = createTemporaryMirror();
    one = (document) => document;
    list = (items, next) => ({ items, next_cursor: next });
    service = await startHostileService({
      name: 'as it is bent',
      dataset: 'csv',
      one: (document) => one(document),
      list: (...listArguments) => list(...listArguments),
    });
    await night(0);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const night = (n: number, options: Parameters<typeof syncOnce>[2] = {}) =>
    syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs, ...options });
  const reportedChanges = () => [...listChanges(own.mirror, { since: new Date(noon + 1).toISOString() })];
  const everyOne = (plural: string, change: (record: Document) => Document) => {
    const truth = service.records[plural]!;
    service.records[plural] = truth.map(change);
    return truth;
  };

  for (const [name, plural, change] of [
    ['days are written otherwise', 'promises', (row) => ({ ...row, date: frenchDay(row.date!) })],
    [
      'slugs have another style',
      'quotes',
      (row) => ({ ...row, politician: String(row.politician).split('-').reverse().join('-') }),
    ],
    [
      'texts are garbled by a wrong encoding',
      'promises',
      (row) => ({ ...row, title: Buffer.from(`é ${row.title}`).toString('latin1') }),
    ],
    ['null became an empty text', 'promises', (row) => ({ ...row, election: row.election ?? '' })],
  ] as [string, string, (row: Document) => Document][])
    it(`is quarantined where ${name}, told, and taken or gone again`, async () => {
      if (name.startsWith('null')) {
        everyOne('promises', (row) => ({ ...row, election: null }));
        await night(1, { accepted: ['promise'] });
      }
      const kind = plural.slice(0, -1) as KindName;
      const before = [hashesOf(own.mirror, kind), reportedChanges().length];
      const truth = everyOne(plural, change);
      for (const n of [2, 3]) {
        const { report, error } = await night(n);
        expect([report.exit, report.quarantine.map((each) => each.plural)]).to.deep.equal([5, [plural]]);
        expect((error as { hint: string }).hint).to.include(`hemicycle sync --accept ${plural}`);
      }
      expect([hashesOf(own.mirror, kind), reportedChanges().length]).to.deep.equal(before);
      service.records[plural] = truth;
      const { report } = await night(4);
      expect([report.exit, report.quarantine, listDrifts(own.mirror), reportedChanges().length]).to.deep.equal([
        0,
        [],
        [],
        before[1],
      ]);
      everyOne(plural, change);
      await night(5);
      const { report: acceptedReport } = await night(6, { accepted: [kind] });
      expect([acceptedReport.exit, acceptedReport.quarantine, listDrifts(own.mirror)]).to.deep.equal([0, [], []]);
      const { edited, touched } = acceptedReport.records[kind]!;
      // Another form alone is no edit.
      expect(name.startsWith('days') ? touched - edited : edited).to.be.greaterThan(truth.length / 4);
      expect((await night(7)).report.exit).to.equal(0);
    });

  it('takes nothing but the kind that is accepted', async () => {
    for (const plural of ['promises', 'quotes']) everyOne(plural, (row) => ({ ...row, date: frenchDay(row.date!) }));
    const { report } = await night(1, { accepted: ['quote'] });
    expect([report.exit, report.quarantine.map(({ plural }) => plural)]).to.deep.equal([5, ['promises']]);
    expect(report.records.promise?.touched ?? 0).to.equal(0);
    expect(report.records.quote!.touched).to.be.greaterThan(0);
  });

  it('is a full page of the feed that names no next one, and withdraws nothing whatever is accepted of losses', async () => {
    list = (items) => ({ items });
    const full = { ...wholeScope, full: true };
    for (const n of [1, 2]) {
      const { report, error } = await night(n, { scope: full, maxShrink: 1 });
      expect([report.exit, report.records.content?.withdrawn ?? 0]).to.deep.equal([5, 0]);
      expect((error as Error).message).to.include(
        'lost the feed cursor (a full page without a next one) and was refused;',
      );
    }
    expect(Object.keys(hashesOf(own.mirror, 'content')).length).to.equal(248);
  });

  it('is no alarm any more once the service says that nothing has changed since', async () => {
    everyOne('promises', (row) => ({ ...row, language: 'fr' }));
    const { report } = await night(1);
    expect([report.exit, report.drift.map(({ change }) => change)]).to.deep.equal([0, ['new']]);
    expect((await night(2)).report.drift).to.deep.equal([]);
  });

  it('is every profile, and every item of the feed, whose fields moved into another', async () => {
    const before = ['politician', 'content'].map((kind) => hashesOf(own.mirror, kind));
    const details = () =>
      own.mirror.database.prepare("SELECT key, detail FROM record WHERE kind = 'politician' ORDER BY key").all();
    const detailsBefore = details();
    const nest = ({ slug, id, type, ...attributes }: Document): Document => ({
      ...(slug ? { slug } : { id: id!, type: type! }),
      attributes,
    });
    one = (document) => ('full_name' in document ? nest(document) : document);
    list = (items, next, url) => ({
      items: url.pathname.endsWith('/feed') ? items.map(nest) : items,
      next_cursor: next,
    });
    const scope = { ...wholeScope, details: 'all' as const };
    for (const n of [1, 2]) {
      const { report } = await night(n, { scope });
      expect([report.exit, report.quarantine.map(({ plural }) => plural).sort()]).to.deep.equal([
        5,
        ['content', 'politicians'],
      ]);
    }
    expect([details(), ['politician', 'content'].map((kind) => hashesOf(own.mirror, kind))]).to.deep.equal([
      detailsBefore,
      before,
    ]);
    expect(reportedChanges()).to.deep.equal([]);
    one = (document) => document;
    list = (items, next) => ({ items, next_cursor: next });
    const { report } = await night(3, { scope });
    expect([report.exit, report.quarantine, reportedChanges()]).to.deep.equal([0, [], []]);
    expect(listQuarantines(own.mirror)).to.deep.equal([]);
  });

  it('night by night in form alone, of some records after the other, edits nothing; an edited text in another form does', async () => {
    const quotes = service.records.quotes!;
    const reform = (quote: Document): Document => ({
      ...quote,
      text: String(quote.text).normalize('NFD'),
      date: frenchDay(quote.date!),
      updated_at: '2026-11-03',
    });
    for (const n of [1, 2, 3, 4]) {
      for (let at = n; at < quotes.length; at += 8) quotes[at] = reform(quotes[at]!);
      if (n === 3) quotes[1] = { ...quotes[1]!, text: `${quotes[1]!.text} Encore.`.normalize('NFD') };
      await night(n);
    }
    expect(
      reportedChanges().map(({ change, key, fields }) => [change, key, fields.map(({ field }) => field)]),
    ).to.deep.equal([['edited', quotes[1]!.id, ['text']]]);
    // The new form is stored, with what is no content of it.
    expect(readRecord(own.mirror, kindOf('quote'), String(quotes[2]!.id))).to.include({ updated_at: '2026-11-03' });
  });

  /** Texts at the top of the feed with ids of another style. */
  const restyled = (texts: Document[], n: number): Document[] =>
    texts.map((text, at) => ({ ...text, id: `AN/2026/${n}/${at}`, date: `2026-11-${n + 10}T08:00:00Z` }));

  it('is taken where only the ids of new texts have another style, and reported', async () => {
    const texts = service.records.content!;
    for (const n of [1, 2, 3]) {
      texts.push(...restyled(texts.slice(0, 30), n));
      const { report, error } = await night(n);
      expect([error, report.records.content!.added]).to.deep.equal([null, 30]);
      expect(report.drift.map(({ subject, field, change }) => [subject, field, change])).to.deep.include([
        '/feed',
        'id',
        'form',
      ]);
    }
    expect(listQuarantines(own.mirror)).to.deep.equal([]);
    expect(reportedChanges().every(({ change }) => change === 'added')).to.equal(true);
  });

  it('is quarantined where the ids of known texts have another style', async () => {
    everyOne('content', (text) => ({ ...text, id: `AN/2026/${text.id}` }));
    const { report } = await night(1);
    expect(report.exit).to.equal(5);
    expect(listQuarantines(own.mirror).map(({ plural }) => plural)).to.deep.equal(['content']);
    expect(reportedChanges()).to.deep.equal([]);
  });
});
