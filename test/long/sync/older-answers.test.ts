import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type FakeService, startFakeService, type Truth } from '../../helpers/fake-service.ts';
import { createTemporaryMirror, firstSync, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;

describe('an answer from the past of a service', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService({ ...dialects[0]!, dataset: 'csv', one: telling });
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  /** Profiles that tell the facts about their politician. */
  const telling = (document: Document): Document => {
    if (!('full_name' in document)) return document;
    const about = (plural: string) => service.records[plural]!.filter(({ politician }) => politician === document.slug);
    return { ...document, promises: about('promises'), quotes: about('quotes') };
  };
  const night = (n: number) => syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs });
  const reported = () =>
    [...listChanges(own.mirror, { since: new Date(noon).toISOString() })]
      .map(({ seen_at, change, kind, key }) => {
        const day = Math.round((Date.parse(seen_at) - noon) / dayMs);
        return `${day} ${change} ${kind} ${key}`;
      })
      .reverse();
  const edit = (plural: string, nth: number, field: string, value: string) => {
    const record = service.records[plural]![nth]!;
    service.records[plural]![nth] = { ...record, [field]: value };
    return record;
  };

  it('by a replica that lags behind edits nothing, withdraws nothing and brings nothing back', async () => {
    await firstSync(own, service, noon);
    const lagging = structuredClone(service.records);
    const quote = edit('quotes', 0, 'text', 'Autrement dit.');
    const content = edit('content', 0, 'title', 'Autrement dit');
    const [promise] = service.records.promises!.splice(5, 1);
    const added = { ...service.records.promises![0]!, id: 'promise-nouvelle' };
    service.records.promises!.push(added);
    const leading = service.records;
    for (const [n, records] of [leading, lagging, leading, lagging, leading, leading, lagging, leading].entries()) {
      service.records = records;
      expect((await night(n + 1)).report.exit).to.equal(0);
    }
    expect(reported().toSorted()).to.deep.equal([
      '1 added promise promise-nouvelle',
      `1 edited content ${content.id}`,
      `1 edited quote ${quote.id}`,
      `6 withdrawn promise ${promise!.id}`,
    ]);
  });

  it('is an edit once two nights bring it: a text that goes back on purpose is told a night later', async () => {
    await firstSync(own, service, noon);
    const quote = edit('quotes', 0, 'text', 'Autrement dit.');
    const content = edit('content', 0, 'title', 'Autrement dit');
    await night(1);
    edit('quotes', 0, 'text', String(quote.text));
    edit('content', 0, 'title', String(content.title));
    for (const n of [2, 2.2]) await night(n);
    expect(reported()).to.have.length(2);
    for (const n of [3, 4]) await night(n);
    expect(reported().slice(2).toSorted()).to.deep.equal([
      `3 edited content ${content.id}`,
      `3 edited quote ${quote.id}`,
    ]);
  });

  /** Answers of that night come from a cache that has those of another night, of that age and date. */
  const cachedFrom = (answers: Map<string, Truth>, headers: Record<string, string>) => {
    service.bent = {
      path: /^\/(export|feed|politicians)/,
      send(truth, response) {
        const { status, body } = answers.get(service.requests.at(-1)!.path + service.requests.at(-1)!.query) ?? truth;
        response.writeHead(status, { ...truth.headers, ...headers }).end(body);
      },
    };
  };

  for (const [name, headers] of [
    ['Age', { age: '150000' }],
    ['Last-Modified', { 'last-modified': new Date(noon).toUTCString() }],
  ] as const)
    it(`by a cache is ignored by its ${name}, and the next answer is not`, async () => {
      const answers = new Map<string, Truth>();
      service.bent = {
        path: /^\/(export|feed|politicians)/,
        send(truth, response) {
          const { path, query } = service.requests.at(-1)!;
          answers.set(path + query, truth);
          response.writeHead(truth.status, truth.headers).end(truth.body);
        },
      };
      await firstSync(own, service, noon);
      const lastModified = new Date(noon + dayMs).toUTCString();
      const quote = edit('quotes', 0, 'text', 'Autrement dit.');
      edit('quotes', 1, 'text', 'Encore autrement.');
      service.bent = {
        path: /./,
        send: (truth, response) =>
          response.writeHead(truth.status, { ...truth.headers, 'last-modified': lastModified }).end(truth.body),
      };
      await night(1);
      expect(reported()).to.have.length(2);
      cachedFrom(answers, headers);
      const { report, notes } = await night(2);
      expect(report.exit).to.equal(0);
      expect(notes.filter((note) => String(note).includes('older than the stored one')).length).to.be.at.least(6);
      service.bent = null;
      edit('quotes', 0, 'text', 'Tout autrement.');
      for (const n of [3, 4]) await night(n);
      expect(reported().slice(2)).to.deep.equal([`3 edited quote ${quote.id}`]);
      expect(report.missing).to.deep.equal([]);
    });

  it('by a cache is no ballot as it was before', async () => {
    const ballots = [{ chamber: 'AN' as const, scrutinId: 'VAL1V1' }];
    const scope = { ...wholeScope, only: ['ballot' as const], full: true, ballots };
    const ballotNight = (n: number) => syncOnce(own, service.baseUrl, { scope, now: () => noon + n * dayMs });
    await ballotNight(0);
    const [former] = service.records.ballots!.filter(
      ({ scrutin_id: id, chamber }) => id === 'VAL1V1' && chamber === 'AN',
    );
    service.records.ballots = service.records.ballots!.map((each) =>
      each === former ? { ...each, title: 'Autre' } : each,
    );
    await ballotNight(1);
    service.bent = {
      path: /^\/votes/,
      send: (truth, response) =>
        response.writeHead(200, { ...truth.headers, age: '150000' }).end(JSON.stringify(former)),
    };
    expect((await ballotNight(2)).report.exit).to.equal(0);
    expect(reported()).to.deep.equal(['1 edited ballot AN:VAL1V1']);
  });

  it('counts after three days where an older date stays, since some services lose their newest state', async () => {
    const dated = (ms: number) => {
      service.bent = {
        path: /^\/export/,
        send: (truth, response) =>
          response
            .writeHead(truth.status, { ...truth.headers, 'last-modified': new Date(ms).toUTCString() })
            .end(truth.body),
      };
    };
    dated(noon);
    await firstSync(own, service, noon);
    dated(noon - dayMs);
    edit('quotes', 0, 'text', 'Autrement dit.');
    for (const n of [1, 2]) await night(n);
    expect(reported()).to.deep.equal([]);
    await night(3);
    expect(reported()).to.have.length(1);
  });

  it('by the cached profile of a politician is no evidence about a later quote that a list lacks', async () => {
    await firstSync(own, service, noon);
    const [quote] = service.records.quotes!;
    const later = { ...quote!, id: 'quote-nouvelle', text: 'Une phrase nouvelle.' };
    const path = new RegExp(`/politicians/${quote!.politician}`);
    const person = service.records.politicians!.find(({ slug }) => slug === quote!.politician)!;
    const former = JSON.stringify(telling(person));
    const quotes = service.records.quotes!;
    service.records.quotes = [...quotes, later];
    service.bent = {
      path,
      send: (_truth, response) =>
        response.writeHead(200, { 'content-type': 'application/json', age: '172000' }).end(former),
    };
    await night(1);
    service.records.quotes = quotes;
    for (const n of [2, 3]) await night(n);
    service.records.quotes = [...quotes, later];
    service.bent = null;
    await night(4);
    expect(reported()).to.deep.equal(['1 added quote quote-nouvelle']);
  });
});
