import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { createApp } from '../../src/server/app.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { openMirror } from '../../src/store/open.ts';
import { dialects } from '../helpers/dialects.ts';
import type { Dialect, FakeService, Fault } from '../helpers/fake-service.ts';
import {
  datasetLies,
  endlessFeed,
  feedLies,
  type HostileService,
  startHostileService,
} from '../helpers/hostile-service.ts';
import { createRandom, isLong, type Random, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;

type Records = FakeService['records'];

/** What happened at the service, as the ledger has it: day, change, kind, key. */
type Fact = [day: number, change: string, kind: string, key: string];

/** The profile of a person or party as most services show it: with the records that are about them. */
function profileOf(records: Records, document: Document): Document {
  const sources = (records.sources ?? []).filter(({ id }) =>
    (document.source_ids as unknown[] | undefined)?.includes(id),
  );
  if (document.full_name !== undefined) {
    const about = (plural: string) => records[plural]!.filter(({ politician }) => politician === document.slug);
    const quotes = about('quotes');
    const promises = about('promises');
    const positions = about('positions');
    return { ...document, quotes, promises, positions, sources };
  }
  if (document.scrutin_id !== undefined) return document;
  const members = records
    .politicians!.filter(({ party, group }) => party === document.slug || group === document.slug)
    .map(
      ({ slug, full_name, current_role }): Document => ({
        slug: slug!,
        full_name: full_name!,
        current_role: current_role!,
      }),
    );
  return { ...document, members, sources };
}

/** Picks a record that nothing happened to on that day: two things in one day are one version. */
type Pick = (records: Document[]) => Document;

/** One thing that a service may do in a day: changes its records, and says what a reader is to be told. */
type Deed = (records: Records, day: number, pick: Pick) => Fact[];

function pickOnce(random: Random): Pick {
  const picked = new Set<Document>();
  return (records) => {
    const pickedRecord = random.pick(records.filter((record) => !picked.has(record)));
    picked.add(pickedRecord);
    return pickedRecord;
  };
}

const edit =
  (plural: string, kind: string, field: string): Deed =>
  (records, day, pick) => {
    const record = pick(records[plural]!);
    record[field] = `${record[field] ?? ''} (${day})`;
    return [[day, 'edited', kind, String(record.id ?? record.slug)]];
  };

const add =
  (plural: string, kind: string): Deed =>
  (records, day, pick) => {
    const id = `${kind}-new-${day}`;
    const added: Document = { ...pick(records[plural]!), id };
    // With the columns that the table has: one that went with its only record would be refused as lost.
    for (const field of ['title', 'text']) if (field in added) added[field] = `Neuf ${day}`;
    records[plural]!.push(pick([added]));
    return [[day, 'added', kind, id]];
  };

const remove =
  (plural: string, kind: string): Deed =>
  (records, day, pick) => {
    const withdrawnRecord = pick(records[plural]!);
    records[plural]!.splice(records[plural]!.indexOf(withdrawnRecord), 1);
    return [[day, 'withdrawn', kind, String(withdrawnRecord.id)]];
  };

const deeds: Deed[] = [
  edit('quotes', 'quote', 'text'),
  edit('promises', 'promise', 'title'),
  edit('sources', 'source', 'title'),
  edit('politicians', 'politician', 'current_role'),
  edit('parties', 'party', 'description'),
  add('quotes', 'quote'),
  add('positions', 'position'),
  remove('quotes', 'quote'),
  remove('promises', 'promise'),
  function moveToAnotherParty({ politicians, parties }, day, pick) {
    const person = pick(politicians!);
    const next = pick(parties!.filter(({ slug }) => slug !== person.party));
    Object.assign(person, { party: next.slug, group: next.slug, party_name: next.name });
    return [[day, 'edited', 'politician', String(person.slug)]];
  },
  function renameParty({ politicians, parties }, day, pick) {
    const party = pick(parties!);
    party.name = `Parti ${day}`;
    for (const person of politicians!) if (person.party === party.slug) person.party_name = party.name;
    return [[day, 'edited', 'party', String(party.slug)]];
  },
  function moveToAnotherAddress(records, day, pick) {
    const person = pick(records.politicians!);
    const former = person.slug!;
    person.slug = `${former}-${day}`;
    for (const plural of ['quotes', 'promises', 'positions', 'content'])
      for (const each of records[plural]!) if (each.politician === former) each.politician = person.slug;
    return [[day, 'renamed', 'politician', String(person.slug)]];
  },
  function changeIdOfQuote({ quotes }, day, pick) {
    const quote = pick(quotes!);
    quote.id = `quote-moved-${day}`;
    return [[day, 'renamed', 'quote', quote.id]];
  },
];

/** A day of content: one item is published, and on some days one is taken away, wherever it stands. */
function publish({ content }: Records, day: number, pick: Pick): { added: Fact; removed: string[] } {
  const id = `content-new-${day}`;
  const removed = day % 3 === 0 ? [pick(content!)] : [];
  for (const removedRecord of removed) content!.splice(content!.indexOf(removedRecord), 1);
  content!.push({ ...pick(content!), id, date: new Date(noon + day * dayMs).toISOString() });
  return {
    added: [day, 'added', 'content', id],
    removed: removed.map((removedRecord) => String(removedRecord.id)),
  };
}

const refuse =
  (path: RegExp, answer: Fault['answer']): ((service: HostileService) => void) =>
  (service) =>
    service.faults.push({ path, times: 99, answer });

/** How a sync goes wrong on a day, before one that does not. */
const failures: ((service: HostileService) => void)[] = [
  ...[...feedLies, ...datasetLies, endlessFeed].map((lie) => (service: HostileService) => service.lie(lie)),
  refuse(/^\/feed\?.*cursor/, (request) => request.socket.destroy()),
  refuse(/entity=quotes/, (_request, response) => response.writeHead(500).end('{}')),
  refuse(/^\/politicians/, (_request, response) => response.writeHead(503).end('{}')),
];

/** A fault that changes the bodies of some answers, whatever validators they have. */
const bend =
  (path: RegExp, change: (body: Buffer) => Buffer, headers = {}): ((service: HostileService) => void) =>
  (service) => {
    service.bent = {
      path,
      send({ status, headers: own, body }, response) {
        const isWhole = status === 200 && body.length > 0;
        response.writeHead(status, { ...own, ...(isWhole ? headers : {}) }).end(isWhole ? change(body) : body);
      },
    };
  };
const cutAt = (share: number) => (body: Buffer) =>
  body.subarray(0, body.lastIndexOf('\n', Math.floor(body.length * share)) + 1);
const inText = (change: (text: string) => string) => (body: Buffer) => Buffer.from(change(body.toString()));
const inJson = (change: (document: Document) => Document) => inText((text) => JSON.stringify(change(JSON.parse(text))));
const nest = ({ slug, id, type, ...attributes }: Document): Document =>
  slug ? { slug, attributes } : { id: id!, type: type!, attributes };

/** A hole: answers to a path come without some of the records that the service holds. */
const without =
  (path: RegExp, plurals: string[], isLacking: (nth: number) => boolean): ((service: HostileService) => void) =>
  (service) => {
    const { records } = service;
    const whole = plurals.map((plural) => [plural, records[plural]!] as const);
    service.bent = {
      path,
      move() {
        for (const [plural, all] of whole) records[plural] = all.filter((_, nth) => !isLacking(nth));
      },
      send({ status, headers, body }, response) {
        for (const [plural, all] of whole) records[plural] = all;
        response.writeHead(status, headers).end(body);
      },
    };
  };

/** Answers that arrive whole and say something wrong. */
const falsehoods: ((service: HostileService) => void)[] = [
  bend(/entity=politicians/, (body) => gzipSync(cutAt(0.85)(body)), { 'content-encoding': 'gzip' }),
  bend(/^\/export/, cutAt(0.85)),
  bend(
    /entity=(promises|quotes)/,
    inText((text) => text.replace(/(\d{4})-(\d\d)-(\d\d)/g, '$3/$2/$1')),
  ),
  bend(
    /entity=(promises|quotes)/,
    inText((text) => Buffer.from(text).toString('latin1')),
  ),
  bend(
    /entity=quotes/,
    inText((text) => text.replace(/\b([a-z]+)-([a-z]+)\b/g, '$2-$1')),
  ),
  bend(/^\/politicians\/[^?]/, inJson(nest)),
  bend(
    /^\/feed/,
    inJson(({ items, ...otherFields }) => ({ ...otherFields, items: (items as Document[]).map(nest) })),
  ),
  bend(
    /^\/feed/,
    inJson(({ items }) => ({ items: items! })),
  ),
  bend(
    /^\/votes/,
    inJson((ballot) => ({ ...ballot, scrutin_id: 'VAL9V9999', date: '2012-01-01' })),
  ),
  // A day without an answer, and one on which whoever took the name shows a page; a delimiter of another kind is read.
  refuse(/./, (request) => request.socket.destroy()),
  refuse(/./, (_request, response) => response.end('<html>parked</html>')),
  refuse(/./, (_request, response) => response.writeHead(429, { 'retry-after': '99999999' }).end()),
  bend(
    /entity=(quotes|promises)/,
    inText((text) => (text.includes('"') ? text : text.replaceAll(',', '\t'))),
  ),
  // The same rows in another order, one of them twice.
  bend(
    /entity=(quotes|sources)/,
    inText((text) => {
      const [head, ...rows] = text.trimEnd().split('\n');
      return text.includes('"') ? text : `${[head, rows[0], ...rows.reverse()].join('\n')}\n`;
    }),
  ),
  // A shard that is away: every seventh row; an index that is rebuilt, and knows some at no address.
  without(/^\/(export|politicians|parties)/, ['quotes', 'promises', 'positions', 'sources'], (nth) => nth % 7 === 3),
  without(/^\/export/, ['quotes', 'promises', 'positions', 'sources', 'politicians'], (nth) => nth % 7 === 3),
  without(/^\/(export|politicians)/, ['politicians'], (nth) => nth === 4 || nth === 9),
  // Brotli that is damaged, headers that are too long, a cursor of the feed under another name.
  bend(/entity=promises/, () => Buffer.from('no brotli'), { 'content-encoding': 'br' }),
  bend(/^\/votes/, (body) => body, { 'x-long': 'x'.repeat(20_000) }),
  bend(
    /^\/feed/,
    inJson(({ next_cursor, ...otherFields }) => ({ ...otherFields, nextPageToken: next_cursor ?? null })),
  ),
  (service) => {
    const { records } = service;
    const promises = records.promises!;
    service.bent = {
      path: /entity=promises/,
      move() {
        records.promises = records.positions!;
      },
      send({ status, headers, body }, response) {
        records.promises = promises;
        response.writeHead(status, headers).end(body);
      },
    };
  },
];

describe('what changes tell of the days of a service', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: HostileService;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  async function begin(dialect: Dialect, contents: number): Promise<Records> {
    service = await startHostileService({
      ...dialect,
      one: (document) => profileOf(service.records, document),
      hasValidators: true,
    });
    service.records.politicians!.splice(14);
    service.records.content!.splice(contents);
    await syncOn(0);
    return service.records;
  }

  const syncOn = async (day: number, scope = wholeScope, maxShrink = 0.2) => {
    const { error } = await syncOnce(own, service.baseUrl, {
      scope,
      maxShrink,
      now: () => noon + day * dayMs,
    });
    expect(error, `day ${day}: ${error}`).to.equal(null);
  };

  /** A day of the datasets: three deeds, and somebody who goes or comes back. */
  function live(random: Random, day: number, away: Map<number, Document>): { facts: Fact[]; pick: Pick } {
    const { records } = service;
    const facts: Fact[] = [];
    const pick = pickOnce(random);
    const former = away.get(day);
    if (former) {
      former.full_name = `${former.full_name}-${day}`;
      records.politicians!.push(pick([former]));
      facts.push([day, 'returned', 'politician', String(former.slug)]);
    } else if (day % 4 === 1) {
      const withdrawnPolitician = pick(records.politicians!);
      records.politicians!.splice(records.politicians!.indexOf(withdrawnPolitician), 1);
      away.set(day + 2, withdrawnPolitician);
      facts.push([day, 'withdrawn', 'politician', String(withdrawnPolitician.slug)]);
    }
    const first = (day * 5) % deeds.length;
    for (const step of [0, 2, 4]) facts.push(...deeds[(first + step) % deeds.length]!(records, day, pick));
    return { facts, pick };
  }

  const reportedFacts = (): Fact[] =>
    [...listChanges(own.mirror, { since: new Date(noon).toISOString() })].map(({ seen_at, change, kind, key }) => [
      Math.round((Date.parse(seen_at) - noon) / dayMs),
      change,
      kind,
      key,
    ]);
  /** The changes since any day are those of all days that came later. */
  function expectSameSinceEachDay(): void {
    const all = [...listChanges(own.mirror, { since: '' })];
    for (const since of new Set(all.map(({ seen_at }) => seen_at)))
      expect([...listChanges(own.mirror, { since })], since).to.deep.equal(all.filter(({ seen_at: at }) => at > since));
  }
  /** The ledger as it is reported: a withdrawal, and a rename, takes a second night, a third if its owner was away. */
  const asProven = (ledger: Fact[]): Fact[] => {
    const reportedKeys = new Set(reportedFacts().map((fact) => fact.join(' ')));
    return ledger.map((fact): Fact => {
      const [day, ...what] = fact;
      if (!/withdrawn|renamed/.test(what[0])) return fact;
      const [second, third] = [day + 1, day + 2].map((night): Fact => [night, ...what]);
      return reportedKeys.has(third!.join(' ')) ? third! : second!;
    });
  };
  const inOrder = (facts: Fact[]) => facts.map((fact) => fact.join(' ')).sort();
  const once = (facts: Fact[]) => [...new Set(inOrder(facts))];

  it('is what happened there: each fact once, where it belongs', async () => {
    const random = createRandom(seedOf('HEMICYCLE_SEED'));
    await begin(dialects[0]!, 30);
    const ledger: Fact[] = [];
    const away = new Map<number, Document>();
    const days = isLong ? 30 : 8;
    for (let day = 1; day <= days; day += 1) {
      ledger.push(...live(random, day, away).facts);
      await syncOn(day);
    }
    for (const later of [1, 2]) await syncOn(days + later);
    expectSameSinceEachDay();
    expect(inOrder(reportedFacts()), `seed ${random.seed}`).to.deep.equal(once(asProven(ledger)));
  });

  for (const dialect of [dialects[0]!, dialects[1]!, dialects[3]!].slice(0, isLong ? 3 : 1)) {
    it(`is that and no more where every day a sync failed before, in ${dialect.name}`, async () => {
      const random = createRandom(seedOf('HEMICYCLE_SEED'));
      const records = await begin(dialect, 248);
      const ledger: Fact[] = [];
      const removed = new Map<string, number>();
      const away = new Map<number, Document>();
      const ofMoved = new Set<string>();
      const days = isLong ? 30 : 7;
      for (let day = 1; day <= days; day += 1) {
        const { facts, pick } = live(random, day, away);
        const content = publish(records, day, pick);
        ledger.push(...facts, content.added);
        // Whoever moves to another address does so in what is published about them, too; some of it goes later.
        for (const { id, politician } of records.content!)
          if (/-\d+$/.test(String(politician))) ofMoved.add(String(id));
        const before = records.content!.map(({ id }) => String(id));
        failures[(isLong ? day : day * 2) % failures.length]!(service);
        await syncOnce(own, service.baseUrl, { now: () => noon + (day - 1 / 8) * dayMs });
        service.tellTheTruth();
        service.faults.length = 0;
        const after = new Set(service.records.content!.map(({ id }) => String(id)));
        for (const id of [...content.removed, ...before.filter((each) => !after.has(each))]) removed.set(id, day);
        await syncOn(day);
      }
      // The feed has no count: what it lost is known once two walks from its top to its end lacked it, three of much.
      for (const later of [1, 2, 3]) await syncOn(days + later, { ...wholeScope, full: true });
      const isOfFeed = ([, change, kind]: Fact) => kind === 'content' && change !== 'added';
      expect(inOrder(reportedFacts().filter((fact) => !isOfFeed(fact))), `seed ${random.seed}`).to.deep.equal(
        once(asProven(ledger)),
      );
      const [withdrawn, edited] = ['withdrawn', 'edited'].map((change) =>
        reportedFacts().filter((fact) => isOfFeed(fact) && fact[1] === change),
      );
      expect(withdrawn!.map(([, , , key]) => key).sort(), `seed ${random.seed}`).to.deep.equal(
        [...removed.keys()].sort(),
      );
      for (const [day, , , key] of withdrawn!) expect(day, key).to.be.within(removed.get(key)!, removed.get(key)! + 9);
      expect([...ofMoved], `seed ${random.seed}`).to.include.members(edited!.map(([, , , key]) => key));
    });
  }

  /** A mirror that follows this one over HTTP tells the same. */
  async function expectFollowed(): Promise<void> {
    const reader = openMirror(own.mirror.path);
    const citation = { name: 'Test', siteUrl: null };
    const app = await createApp({
      mirror: reader,
      settings: { citation, rateLimit: false, semantic: false },
    });
    const follower = createTemporaryMirror();
    await syncOnce(follower, `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`);
    const since = new Date(noon).toISOString();
    const [one, other] = [own.mirror, follower.mirror].map((mirror) => [...listChanges(mirror, { since })]);
    expect(other).to.deep.equal(one);
    await app.close();
    reader.close();
    follower.remove();
  }

  for (const shift of Array.from({ length: isLong ? 10 : 2 }, (_, n) => n))
    it(`is that and no more where nights bring falsehoods, also to who follows (seed + ${shift})`, async () => {
      const random = createRandom(seedOf('HEMICYCLE_SEED') + shift);
      const records = await begin({ ...dialects[0]!, dataset: 'csv' }, 248);
      // Of so few records more than a fifth go within thirty days.
      const maxShrink = 0.6;
      const ledger: Fact[] = [];
      const away = new Map<number, Document>();
      for (let day = 1; day <= (isLong ? 30 : 10); day += 1) {
        const { facts, pick } = live(random, day, away);
        records.content!.push({
          ...pick(records.content!),
          id: `content-new-${day}`,
          date: new Date(noon + day * dayMs).toISOString(),
        });
        ledger.push(...facts, [day, 'added', 'content', `content-new-${day}`]);
        const fault = random.pick([...falsehoods, ...failures.slice(-3)]);
        fault(service);
        await syncOnce(own, service.baseUrl, { now: () => noon + (day - 1 / 8) * dayMs, maxShrink });
        service.tellTheTruth();
        service.faults.length = 0;
        await syncOn(day, wholeScope, maxShrink);
      }
      for (const later of [1, 2]) await syncOn((isLong ? 30 : 10) + later, wholeScope, maxShrink);
      const isOfFeed = ([, change, kind]: Fact) => kind === 'content' && change !== 'added';
      expect(inOrder(reportedFacts().filter((fact) => !isOfFeed(fact))), `seed ${random.seed}`).to.deep.equal(
        once(asProven(ledger)),
      );
      expect(reportedFacts().filter((fact) => isOfFeed(fact) && fact[1] === 'withdrawn')).to.deep.equal([]);
      expectSameSinceEachDay();
      await expectFollowed();
    });
});
