import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import { keyOf } from '../../../src/model/facets.ts';
import { type KindName, kindOf } from '../../../src/model/kinds.ts';
import { createApp } from '../../../src/server/app.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { openMirror } from '../../../src/store/open.ts';
import type { SyncScope } from '../../../src/sync/context.ts';
import { dialects } from '../../helpers/dialects.ts';
import { demoRecords, type FakeService, startFakeService } from '../../helpers/fake-service.ts';
import { askProgram } from '../../helpers/program.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

const start = Date.parse('2026-11-01T03:00:00Z');
const quotesOnly: SyncScope = { ...wholeScope, only: ['quote'] };
const withoutIds = dialects.filter(({ ids }) => ids === 'none');

for (const dialect of withoutIds)
  describe(`a service of ${dialect.name}`, () => {
    let own: ReturnType<typeof createTemporaryMirror>;
    let service: FakeService;
    let night: number;
    beforeEach(async () => {
      own = createTemporaryMirror();
      service = await startFakeService({ ...dialect, one: profileOf });
      night = 0;
    });
    afterEach(async () => {
      own.remove();
      await service.close();
    });

    /** Profiles that show the quotes of their politician, as the dataset has them. */
    function profileOf(document: Document): Document {
      if (!document.full_name) return document;
      const own = service.records.quotes!.filter(({ politician }) => politician === document.slug);
      return { ...document, quotes: own.map(({ id: _, ...quote }) => quote) };
    }

    /** A night's sync of all kinds or of one, of the whole feed too, and its outcomes by kind. */
    async function syncNight(kind?: KindName) {
      const at = start + night * 86_400_000;
      night += 1;
      const scope = { ...wholeScope, full: true, only: kind ? [kind] : null };
      const { report } = await syncOnce(own, service.baseUrl, { scope, now: () => at });
      expect(report.exit).to.equal(0);
      return report.records;
    }
    const keys = (kind: string) => Object.keys(hashesOf(own.mirror, kind));

    for (const [kind, plural, field] of [
      ['quote', 'quotes', 'text'],
      ['source', 'sources', 'title'],
      ['content', 'content', 'text'],
    ] as const)
      it(`tells added, edited, withdrawn and repeated records of the kind ${kind} apart`, async () => {
        const records = service.records[plural]!;
        records.push({ ...records[7]! });
        await syncNight(kind);
        const before = keys(kind);
        expect(before).to.have.length(records.length);
        expect(before.filter((key) => key.endsWith('~2'))).to.have.length(1);
        const edited = records[3]!;
        edited[field] = `${edited[field]} (corrigé)`;
        const [removed] = records.splice(11, 1);
        const nightTwo = await syncNight(kind);
        expect(nightTwo[kind]).to.include({ added: 0, edited: 1, withdrawn: 0, unseen: 1 });
        expect(keys(kind)).to.deep.equal(before);
        const nightThree = await syncNight(kind);
        expect(nightThree[kind]).to.include({ added: 0, edited: 0, withdrawn: 1, unseen: 0 });
        const current = keys(kind);
        expect(before.filter((key) => !current.includes(key))).to.have.length(1);
        records.splice(11, 0, removed!);
        edited[field] = String(edited[field]).replace('corrigé', 'corrigé deux fois');
        expect((await syncNight(kind))[kind]).to.include({ added: 0, edited: 1, returned: 0 });
        expect((await syncNight(kind))[kind], 'a second day shows it').to.include({ added: 0, edited: 0, returned: 1 });
        expect(keys(kind)).to.deep.equal(before);
        for (const key of before) {
          const document: Document = JSON.parse(
            own.mirror.sql('SELECT row FROM record WHERE kind = ? AND key = ?').pluck().get(kind, key) as string,
          );
          expect(keyOf(kindOf(kind), document)).to.equal(key);
        }
      });

    /** A quote with its day and its accents in another form. */
    const writtenAnew = ({ date, text, ...quote }: Document): Document => ({
      ...quote,
      date: String(date).replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1'),
      text: String(text).normalize('NFD'),
    });

    it('keeps its records where some come in another form for a night: days, accents', async () => {
      await syncNight();
      const [before, { quotes }] = [keys('quote'), service.records];
      service.records.quotes = quotes!.map((quote, nth) => (nth % 7 === 2 ? writtenAnew(quote) : quote));
      for (const records of [service.records.quotes, quotes!]) {
        service.records.quotes = records;
        expect((await syncNight()).quote).to.include({ added: 0, edited: 0, withdrawn: 0, unseen: 0 });
      }
      expect(keys('quote')).to.deep.equal(before);
    });

    for (const [name, formBefore, formAfter] of [
      ['another form', (quote: Document) => quote, writtenAnew],
      ['the usual form after another', writtenAnew, (quote: Document) => quote],
    ] as const)
      it(`returns a withdrawn record that comes back in ${name}, once a second day shows it`, async () => {
        await syncNight('quote');
        const before = keys('quote');
        const quotes = service.records.quotes!;
        const [quote] = quotes.splice(11, 1, formBefore(quotes[11]!));
        await syncNight('quote');
        quotes.splice(11, 1);
        await syncNight('quote');
        expect((await syncNight('quote')).quote).to.include({ withdrawn: 1 });
        quotes.splice(11, 0, formAfter(quote!));
        expect((await syncNight('quote')).quote).to.include({ added: 0, edited: 0, returned: 0 });
        expect((await syncNight('quote')).quote).to.include({ added: 0, edited: 0, returned: 1 });
        expect(keys('quote')).to.deep.equal(before);
      });

    it('adds a record that is only similar to a withdrawn one', async () => {
      await syncNight('quote');
      const quotes = service.records.quotes!;
      const [quote] = quotes.splice(11, 1);
      for (const _night of [2, 3]) await syncNight('quote');
      quotes.splice(11, 0, { ...quote!, text: `${quote!.text} Et demain ?` });
      expect((await syncNight('quote')).quote).to.include({ added: 1, returned: 0 });
    });

    it('reports the edit of a quote as that, not as one of the profile that shows it', async () => {
      await syncNight();
      const [quote] = service.records.quotes!;
      quote!.text = `${quote!.text} (corrigé)`;
      for (const _night of [2, 3]) await syncNight();
      const changes = [...listChanges(own.mirror, { since: new Date(start).toISOString() })];
      expect(changes.map(({ change, kind }) => `${change} ${kind}`)).to.deep.equal(['edited quote']);
    });

    it('is followed with the same keys and versions', async () => {
      await syncNight();
      service.records.quotes!.push({ ...service.records.quotes![0]! });
      service.records.quotes![1]!.text = `${service.records.quotes![1]!.text} Et demain ?`;
      await syncNight();
      const reader = openMirror(own.mirror.path);
      const app = await createApp({
        mirror: reader,
        settings: { citation: { name: 'Test', siteUrl: null }, rateLimit: false, semantic: false },
      });
      const origin = await app.listen({ host: '127.0.0.1', port: 0 });
      const copy = createTemporaryMirror();
      const { report } = await syncOnce(copy, `${origin}/api/v1`);
      await app.close();
      reader.close();
      expect(report.exit).to.equal(0);
      for (const kind of ['quote', 'source', 'content', 'audit'])
        expect(hashesOf(copy.mirror, kind), kind).to.deep.equal(hashesOf(own.mirror, kind));
      expect(copy.mirror.sql("SELECT count(*) FROM version WHERE part = 'row'").pluck().get()).to.equal(1);
      copy.remove();
    });
  });

describe('a dataset whose rows lose their ids', () => {
  it('is refused, and keeps the keys of its records once accepted', async () => {
    const own = createTemporaryMirror();
    const service = await startFakeService({ ...dialects[0]! });
    await syncOnce(own, service.baseUrl);
    const before = Object.keys(hashesOf(own.mirror, 'quote'));
    const quotes = service.records.quotes!;
    service.records.quotes = quotes.map(({ id: _, ...quote }) => quote);
    expect((await syncOnce(own, service.baseUrl, { scope: quotesOnly })).report.exit).to.equal(5);
    const { report } = await syncOnce(own, service.baseUrl, { scope: quotesOnly, accepted: ['quote'] });
    expect(report.records.quote).to.include({ added: 0, edited: before.length, withdrawn: 0 });
    expect(Object.keys(hashesOf(own.mirror, 'quote'))).to.deep.equal(before);
    service.records.quotes = quotes;
    await syncOnce(own, service.baseUrl, { scope: quotesOnly, accepted: ['quote'] });
    expect(Object.keys(hashesOf(own.mirror, 'quote'))).to.deep.equal(before);
    await service.close();
    own.remove();
  });
});

describe('a log of equal moderation entries', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(withoutIds.find(({ audit }) => audit === 'repeated')!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });
  const entry = (type: string): Document => ({ role: 'moderator', entity_type: type, date: '2026-05-20' });
  const stored = () => Object.keys(hashesOf(own.mirror, 'audit')).length;
  const poll = async () => {
    const { report } = await syncOnce(own, service.baseUrl, { scope: { ...wholeScope, only: ['audit'] } });
    expect(report.exit).to.equal(0);
    return report;
  };

  it('keeps every entry once, whatever else was polled before', async () => {
    service.records.audit!.push(...Array.from({ length: 5 }, () => entry('quote')));
    await poll();
    expect(stored()).to.equal(65);
    await poll();
    expect(stored()).to.equal(65);
    service.records.audit!.push(entry('quote'), entry('quote'), entry('party'));
    expect((await poll()).records.audit).to.include({ added: 3 });
    expect(stored()).to.equal(68);
  });

  it('counts what comes anew on a day with more entries than a page shows', async () => {
    service.records.audit = Array.from({ length: 260 }, (_, at) => entry(['quote', 'party', 'source'][at % 3]!));
    await poll();
    expect(stored()).to.equal(200);
    for (const added of [1, 2, 30]) {
      const before = stored();
      service.records.audit!.push(...Array.from({ length: added }, (_, at) => entry(at % 2 ? 'party' : 'quote')));
      await poll();
      expect(stored() - before).to.equal(added);
      await poll();
      expect(stored() - before).to.equal(added);
    }
  });

  it('adds nothing that an interrupted sync saved already', async () => {
    service.records.audit = Array.from({ length: 260 }, (_, at) => entry(['quote', 'party', 'source'][at % 3]!));
    await poll();
    service.records.audit!.push(entry('quote'), entry('party'));
    await poll();
    own.mirror.sql("UPDATE progress SET state = json_set(state, '$.reached', NULL) WHERE stage = 'audit'").run();
    await poll();
    expect(stored()).to.equal(202);
  });
});

describe('an export of records without ids', () => {
  it('has the columns of the service and no others, in every format', async () => {
    const own = createTemporaryMirror();
    const service = await startFakeService({ ...withoutIds[0]!, dataset: 'csv' });
    await syncOnce(own, service.baseUrl, { scope: quotesOnly });
    service.records.quotes![1]!.text = `${service.records.quotes![1]!.text} Et demain ?`;
    service.records.quotes!.push({ ...service.records.quotes![0]! });
    await syncOnce(own, service.baseUrl, { scope: quotesOnly });
    await service.close();
    const columns = Object.keys(demoRecords('quotes')[0]!).filter((column) => column !== 'id');
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const folder = join(own.folder, format);
      mkdirSync(folder);
      const { exit, stderr } = await askProgram(
        ['export', 'quotes', '--format', format, '-o', join(folder, `quotes.${format}`)],
        { env: { HEMICYCLE_DB: own.mirror.path } },
      );
      expect(exit, stderr).to.equal(0);
      const text = readFileSync(join(folder, `quotes.${format}`), 'latin1');
      expect(text).to.not.match(/_key/);
      if (format === 'csv') expect(text.split('\n')[0]).to.equal(columns.join(','));
    }
    own.remove();
  });
});
