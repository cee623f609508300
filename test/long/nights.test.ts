import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { countRows } from '../../src/store/rows.ts';
import { dialects } from '../helpers/dialects.ts';
import { type Dialect, type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { manyContents } from '../helpers/hostile-service.ts';
import { createRandom, isLong, type Random, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;
const nightCount = isLong ? 30 : 10;

type Records = FakeService['records'];

/** What truly happened: the night, the change, the kind, and the mark of the record, which it keeps under any key. */
type Fact = { night: number; change: string; kind: string; mark: string };

const kindsOfPlurals = { quotes: 'quote', promises: 'promise', positions: 'position', sources: 'source' } as const;
type Plural = keyof typeof kindsOfPlurals | 'politicians' | 'parties' | 'content';
const kindNameOf = (plural: Plural): string =>
  ({ ...kindsOfPlurals, politicians: 'politician', parties: 'party', content: 'content' })[plural];
const facts = Object.keys(kindsOfPlurals) as (keyof typeof kindsOfPlurals)[];

/** The service of a seed: its dialect, and how many records of each kind its profiles show; none without profiles of facts. */
const services: { dialect: Dialect; shownFacts: number }[] = [
  { dialect: { ...dialects[0]!, dataset: 'csv' }, shownFacts: Infinity },
  { dialect: dialects[5]!, shownFacts: Infinity },
  { dialect: dialects[6]!, shownFacts: Infinity },
  { dialect: { ...dialects[0]!, audit: 'repeated', feed: 'ascending' }, shownFacts: 2 },
  { dialect: { ...dialects[3]!, hasValidators: true }, shownFacts: 0 },
];

/** A year of nights in small: what a service does truly, and what it answers wrongly, both drawn by chance. */
function createNights(service: FakeService, random: Random) {
  const { records } = service;
  const ledger: Fact[] = [];
  const touched = new Set<Document>();
  const withdrawn: { night: number; plural: Plural; record: Document }[] = [];
  let yesterday: Records = structuredClone(records);
  let lastFault = '';
  let shardWasTwice = false;

  /** A record that nothing has happened to yet, or null: two changes in few nights would be one, or none. */
  const pick = (plural: Plural, isEligible: (record: Document) => boolean = () => true) => {
    const choice = records[plural]!.filter((record) => !touched.has(record) && isEligible(record));
    if (choice.length === 0) return null;
    const record = random.pick(choice);
    touched.add(record);
    return record;
  };
  const note = (night: number, change: string, plural: Plural, { mark }: Document) =>
    ledger.push({ night, change, kind: kindNameOf(plural), mark: String(mark) });
  const replace = (plural: Plural, record: Document, change: Document) => {
    const next = { ...record, ...change };
    records[plural]![records[plural]!.indexOf(record)] = next;
    touched.add(next);
    return next;
  };
  const remove = (plural: Plural, record: Document) => records[plural]!.splice(records[plural]!.indexOf(record), 1);

  const deeds: ((night: number) => void)[] = [
    ...(
      [
        ['quotes', 'text'],
        ['promises', 'title'],
        ['sources', 'title'],
        ['politicians', 'current_role'],
        ['parties', 'description'],
      ] as const
    ).map(([plural, field]) => (night: number) => {
      const record = pick(plural);
      if (!record) return;
      note(night, 'edited', plural, replace(plural, record, { [field]: `${record[field]} (${night})` }));
    }),
    ...(['quotes', 'promises', 'positions', 'sources'] as const).map((plural) => (night: number) => {
      // A source that a current record cites stays until nothing cites it.
      const record = pick(plural, ({ id }) => plural !== 'sources' || String(id).startsWith('src-uncited'));
      if (!record) return;
      remove(plural, record);
      withdrawn.push({ night, plural, record });
      note(night, 'withdrawn', plural, record);
    }),
    (night) => {
      const quoted = new Set(facts.flatMap((plural) => records[plural]!.map(({ politician }) => politician)));
      const record = pick('politicians', ({ slug }) => !quoted.has(slug!));
      if (!record) return;
      remove('politicians', record);
      note(night, 'withdrawn', 'politicians', record);
    },
    ...(['quotes', 'positions'] as const).map((plural) => (night: number) => {
      const model = random.pick(records[plural]!);
      const words = Array.from({ length: 12 }, (_, nth) => `neuf${night}${plural}${nth}`).join(' ');
      const id = `${plural}-new-${night}`;
      const record = { ...model, id, title: words, text: words, date: dayOf(night), mark: id };
      records[plural]!.push(record);
      touched.add(record);
      note(night, 'added', plural, record);
    }),
    (night) => {
      const [again] = withdrawn.filter((each) => night - each.night >= 7);
      if (!again) return;
      withdrawn.splice(withdrawn.indexOf(again), 1);
      records[again.plural]!.push(again.record);
      note(night, 'returned', again.plural, again.record);
    },
    (night) => {
      // The newest of the feed, where every sync looks.
      const newest = records
        .content!.map(({ date }) => String(date))
        .sort()
        .at(-20)!;
      const record = pick('content', ({ date }) => String(date) >= newest);
      if (!record) return;
      note(night, 'edited', 'content', replace('content', record, { title: `${record.title} (${night})` }));
    },
  ];

  /** Puts texts on top of the feed, on some nights with ids in another style, and equal entries in the log. */
  function publish(night: number): void {
    const isOtherStyle = random.isOneIn(5);
    for (let nth = 0; nth < (isOtherStyle ? 4 : 1); nth += 1) {
      const mark = `content-new-${night}-${nth}`;
      const id = isOtherStyle ? `N/${2000 + night}/${nth}` : mark;
      const text = `Texte ${night} ${nth} du jour`;
      const date = new Date(noon + night * dayMs - nth * 60_000).toISOString();
      const record = { ...records.content![0]!, id, mark, title: text, text, date };
      records.content!.push(record);
      touched.add(record);
      note(night, 'added', 'content', record);
    }
    const entry = { ...records.audit![0]!, date: `${dayOf(night)}T03:00:00Z` };
    for (const nth of [1, 2]) records.audit!.push({ ...entry, id: `audit-new-${night}-${nth}` });
  }

  /** Answers requests of a path from other records, where `choose` returns some, with further headers. */
  const answer = (path: RegExp, choose: (nth: number) => Records | null, headers: Record<string, string> = {}) => {
    const whole = { ...records };
    service.bent = {
      path,
      move: (_records, nth) => void Object.assign(records, choose(nth)),
      send({ status, headers: own, body }, response) {
        Object.assign(records, whole);
        response.writeHead(status, { ...own, ...(status === 200 ? headers : {}) }).end(body);
      },
    };
  };
  const changed = (plurals: readonly string[], change: (all: Document[]) => Document[]): Records =>
    Object.fromEntries(plurals.map((plural) => [plural, change(records[plural]!)]));
  const without = (plurals: readonly string[], isLacking: (nth: number) => boolean) =>
    changed(plurals, (all) => all.filter((_, nth) => !isLacking(nth)));
  const otherForm = (all: Document[]) =>
    all.map((record, nth) =>
      nth % 7 === 2
        ? {
            ...record,
            ...(typeof record.date === 'string' && {
              date: record.date.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1'),
            }),
            ...(typeof record.text === 'string' && { text: record.text.normalize('NFD') }),
          }
        : record,
    );
  const profiles = /^\/(politicians|parties)\/./;

  /** What a night may answer wrongly; `lacking` ones show less than there is, and do so on two nights in a row at most. */
  const faults: { name: string; isLacking?: true; begin: () => void }[] = [
    { name: 'none', begin: () => {} },
    {
      name: 'a short export',
      isLacking: true,
      begin() {
        const plural = random.pick(facts);
        const most = Math.ceil(records[plural]!.length * 0.88);
        answer(new RegExp(`^/export.*entity=${plural}`), () => without([plural], (nth) => nth >= most));
      },
    },
    {
      name: 'an index that is rebuilt',
      isLacking: true,
      begin: () => answer(/^\/(export|politicians)/, () => without(['politicians'], (nth) => nth % 8 === 3)),
    },
    {
      name: 'a shard that is away',
      isLacking: true,
      begin: () => answer(/^\/(export|politicians|parties)/, () => without(facts, (nth) => nth % 7 === 3)),
    },
    {
      name: 'a hole in the feed',
      isLacking: true,
      begin: () => answer(/^\/feed/, () => without(['content'], (nth) => nth % 7 === 3)),
    },
    {
      name: 'replicas out of step',
      begin() {
        const before = yesterday;
        answer(/./, (nth) => (nth % 2 === 1 ? before : null));
      },
    },
    {
      name: 'a stale CDN',
      begin() {
        const before = yesterday;
        answer(/^\/(export|feed|politicians|parties)/, () => before, { age: '150000' });
      },
    },
    {
      name: 'cached profiles and a hole',
      isLacking: true,
      begin() {
        const before = yesterday;
        answer(/^\/(export|politicians|parties)/, () =>
          profiles.test(service.requests.at(-1)!.path) ? before : without(['promises'], (nth) => nth % 9 === 4),
        );
      },
    },
    {
      name: 'another form',
      begin: () => answer(/^\/export/, () => changed(['quotes', 'promises', 'positions'], otherForm)),
    },
  ];

  return {
    ledger,
    /** Lets a night come: true changes, then a fault of its answers, the name of which is returned. */
    begin(night: number): string {
      yesterday = structuredClone(records);
      publish(night);
      const dayDeeds = new Set<(typeof deeds)[number]>();
      while (dayDeeds.size < 3) dayDeeds.add(random.pick(deeds));
      for (const deed of dayDeeds) deed(night);
      // What lacks the same records on two days at every route is withdrawn, as far as anybody can tell.
      const isLackingAgain = lastFault === 'a shard that is away' && random.isOneIn(2);
      const last = faults.find(({ name }) => name === lastFault);
      const choice = faults.filter(({ isLacking }) => !isLacking || !last?.isLacking);
      const fault = isLackingAgain && !shardWasTwice ? last! : random.pick(choice);
      fault.begin();
      // A copy that is ignored for its age ends no row of nights that lack records.
      if (fault.name !== 'a stale CDN') {
        shardWasTwice = isLackingAgain;
        lastFault = fault.name;
      }
      return fault.name;
    },
  };
}

const dayOf = (night: number) => new Date(noon + night * dayMs).toISOString().slice(0, 10);

describe('nights of a service that does all of this', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  const delays = new Map<number, number>();
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });
  after(() => {
    const spread = [...delays].sort(([one], [other]) => one - other).map(([nights, count]) => `${nights}: ${count}`);
    console.log(`    true withdrawals by the nights until they were reported: ${spread.join(', ')}`);
  });

  async function begin({ dialect, shownFacts }: (typeof services)[number]): Promise<void> {
    const profileOf = (document: Document): Document => {
      if (document.full_name === undefined || shownFacts === 0) return document;
      const about = (plural: keyof typeof kindsOfPlurals) =>
        service.records[plural]!.filter(({ politician }) => politician === document.slug)
          .map(({ id, ...others }): Document => (dialect.ids === 'none' ? others : { id: id!, ...others }))
          .slice(-shownFacts);
      return { ...document, quotes: about('quotes'), promises: about('promises'), positions: about('positions') };
    };
    service = await startFakeService({ ...dialect, one: profileOf });
    const { records } = service;
    records.content = manyContents(records.content!, 160);
    const uncited = records.sources!.slice(0, 20).map((source, nth): Document => {
      const id = `src-uncited-${nth}`;
      return { ...source, id, title: `Archive ${nth}`, url: `https://archive.example/${nth}` };
    });
    records.sources!.push(...uncited);
    for (const [plural, all] of Object.entries(records))
      if (plural !== 'audit') for (const [nth, record] of all.entries()) record.mark = `${plural}-${nth}`;
  }

  const night = (n: number, isFull = false) =>
    syncOnce(own, service.baseUrl, { scope: { ...wholeScope, full: isFull }, now: () => noon + n * dayMs });

  const reported = (): Fact[] => {
    const markOf = own.mirror.column<string | null>(
      "SELECT coalesce(row, detail) ->> 'mark' FROM record WHERE kind = ? AND key = ?",
    );
    return [...listChanges(own.mirror, { since: new Date(noon).toISOString() })]
      .filter(({ kind }) => kind !== 'audit')
      .map(({ seen_at, change, kind, key }) => {
        const nth = Math.round((Date.parse(String(seen_at)) - noon) / dayMs);
        return { night: nth, change: String(change), kind: String(kind), mark: String(markOf.get(kind, key) ?? key) };
      });
  };
  const nameOf = ({ change, kind, mark }: Fact) => `${change} ${kind} ${mark}`;

  for (let shift = 0; shift < (isLong ? 10 : 2); shift += 1) {
    const choice = services[shift % services.length]!;
    it(`are reported without a false or a missed event (seed + ${shift}, ${choice.dialect.name})`, async () => {
      const random = createRandom(seedOf('HEMICYCLE_SEED') + shift);
      await begin(choice);
      const requestCounts: number[] = [];
      const log: string[] = [];
      await night(0);
      const nights = createNights(service, random);
      for (let n = 1; n <= nightCount; n += 1) {
        service.requests.length = 0;
        const fault = nights.begin(n);
        const { report } = await night(n);
        service.bent = null;
        requestCounts.push(service.requests.length);
        log.push(`${n}: ${fault}, exit ${report.exit}`);
      }
      for (const later of [1, 2, 3]) await night(nightCount + later, true);
      const events = reported();
      const context = `seed ${random.seed}\n${log.join('\n')}\n`;
      const truth = new Map(nights.ledger.map((fact) => [nameOf(fact), fact]));
      const falseEvents = events.filter((event) => !truth.has(nameOf(event)));
      const missed = nights.ledger.filter((fact) => !events.some((event) => nameOf(event) === nameOf(fact)));
      expect({ falseEvents, missed }, context).to.deep.equal({ falseEvents: [], missed: [] });
      expect(events.map(nameOf).sort(), context).to.deep.equal(nights.ledger.map(nameOf).sort());
      expect(countRows(own.mirror, kindOf('audit')), context).to.equal(service.records.audit!.length);
      for (const event of events) {
        const delay = event.night - truth.get(nameOf(event))!.night;
        expect(delay, nameOf(event)).to.be.at.least(0);
        if (event.change === 'withdrawn') delays.set(delay, (delays.get(delay) ?? 0) + 1);
      }
      const [first, second, third, ninth] = [0, 1, 2, 8].map((at) => requestCounts[at]);
      console.log(`    requests of nights 1, 2, 3, 9: ${[first, second, third, ninth].join(', ')}`);
    });
  }
});
