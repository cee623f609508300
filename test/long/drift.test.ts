import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document, Json } from '../../src/model/document.ts';
import type { KindName } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { acceptDrift, listDrifts } from '../../src/store/syncs/shapes.ts';
import { transaction } from '../../src/store/transaction.ts';
import { type Dialect, demoRecords, type FakeService, plurals, startFakeService } from '../helpers/fake-service.ts';
import { createRandom, isLong } from '../helpers/random.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../helpers/sync-run.ts';

/** How the service writes its answers down; each test may bend that. */
type Manner = Required<Pick<Dialect, 'list' | 'one' | 'ballot'>>;

const usual: Manner = {
  list: (items, next) => ({ items, next_cursor: next, total: items.length }),
  one: (document) => document,
  ballot: (document) => document,
};
const manner: Manner = { ...usual };
const dialect: Dialect = {
  name: 'as it is bent',
  list: (...listArguments) => manner.list(...listArguments),
  one: (document) => manner.one(document),
  ballot: (document) => manner.ballot(document),
};

/** Every record of a kind with another value of a field; `undefined` leaves the field out. */
type Otherwise = (record: Document, at: number) => Document;
const with_ =
  (field: string, value: (value: Json, at: number) => Json): Otherwise =>
  (record, at) => ({ ...record, [field]: value(record[field] ?? null, at) });
const without =
  (field: string): Otherwise =>
  (record) => {
    const { [field]: _, ...otherFields } = record;
    return otherFields;
  };
const called =
  (field: string, name: string): Otherwise =>
  ({ [field]: value = null, ...otherFields }) => ({ ...otherFields, [name]: value });
const frenchDay = (day: Json) => (typeof day === 'string' ? day.slice(0, 10).split('-').reverse().join('/') : day);
const inVotes =
  (change: Otherwise): Otherwise =>
  (ballot) => ({ ...ballot, votes_by_party: (ballot.votes_by_party as Document[]).map(change) });
const inTotals = (change: Otherwise) => with_('totals', (totals, at) => totals && change(totals as Document, at));

type Seed = {
  name: string;
  only: KindName;
  records?: [plural: string, Otherwise];
  manner?: Partial<Manner>;
  /** What the doctor has to name: the change, of which answers, and which field. */
  expectedDrift: [change: string, subject: RegExp, field: string];
};

const seeds: Seed[] = [
  {
    name: 'a column of a dataset is gone',
    only: 'promise',
    records: ['promises', without('election')],
    expectedDrift: ['gone', /promises/, 'election'],
  },
  {
    name: 'a column of a dataset has another name',
    only: 'quote',
    records: ['quotes', called('context', 'circumstances')],
    expectedDrift: ['renamed', /quotes/, 'context'],
  },
  {
    name: 'the key of a dataset has another name',
    only: 'promise',
    records: ['promises', called('id', 'identifier')],
    expectedDrift: ['renamed', /promises/, 'id'],
  },
  {
    name: 'a dataset has a new column',
    only: 'source',
    records: ['sources', with_('language', () => 'fr')],
    expectedDrift: ['new', /sources/, 'language'],
  },
  {
    name: 'a text of a dataset is an object',
    only: 'position',
    records: ['positions', with_('title', (title) => ({ fr: title }))],
    expectedDrift: ['type', /positions/, 'title'],
  },
  {
    name: 'a number of a dataset is a text',
    only: 'party',
    records: ['parties', with_('member_count', (count) => count && `${count} membres`)],
    expectedDrift: ['type', /dataset parties/, 'member_count'],
  },
  {
    name: 'ids in a list of a dataset are objects',
    only: 'quote',
    records: ['quotes', with_('source_ids', (ids) => (ids as string[]).map((id) => ({ id })))],
    expectedDrift: ['type', /quotes/, 'source_ids[]'],
  },
  {
    name: 'a field of a dataset is null in 60 % and was in 1 %',
    only: 'promise',
    records: ['promises', with_('title', (title, at) => (at % 5 < 3 ? null : title))],
    expectedDrift: ['nulls', /promises/, 'title'],
  },
  {
    name: 'a list of a dataset is empty',
    only: 'position',
    records: ['positions', with_('source_ids', () => [])],
    expectedDrift: ['nulls', /positions/, 'source_ids'],
  },
  {
    name: 'days of a dataset are written otherwise',
    only: 'promise',
    records: ['promises', with_('date', frenchDay)],
    expectedDrift: ['form', /promises/, 'date'],
  },
  {
    name: 'ids of a dataset have another form',
    only: 'quote',
    records: ['quotes', with_('id', (_, at) => `0b9d2c1e-5f3a-4c7d-8e9f-${String(at).padStart(12, '0')}`)],
    expectedDrift: ['form', /quotes/, 'id'],
  },
  {
    name: 'a field that named a person by slug names them by name',
    only: 'quote',
    records: ['quotes', with_('politician', (slug) => String(slug).replaceAll('-', ' ').toUpperCase())],
    expectedDrift: ['form', /quotes/, 'politician'],
  },
  {
    name: 'a list of words has a new one',
    only: 'source',
    records: ['sources', with_('type', (type, at) => (at % 20 === 0 ? 'hologram' : type))],
    expectedDrift: ['value', /sources/, 'type'],
  },
  {
    name: 'the list of the feed has another name',
    only: 'content',
    manner: { list: (items, next) => ({ results: items, next_cursor: next, total: items.length }) },
    expectedDrift: ['envelope', /feed/, 'items'],
  },
  {
    name: 'the list of the feed cannot be found any more',
    only: 'content',
    manner: { list: (items, next) => ({ payload: { feed_entries: items }, next_cursor: next, total: 1 }) },
    expectedDrift: ['envelope', /feed/, 'items'],
  },
  {
    name: 'the cursor of the feed has another name',
    only: 'content',
    manner: { list: (items, next) => ({ items, nextCursor: next, total: items.length }) },
    expectedDrift: ['cursor', /feed/, 'next_cursor'],
  },
  {
    name: 'the feed counts its records no more',
    only: 'content',
    manner: { list: (items, next) => ({ items, next_cursor: next }) },
    expectedDrift: ['total', /feed/, 'total'],
  },
  {
    name: 'a day of the feed is a number',
    only: 'content',
    records: ['content', with_('date', (day) => Date.parse(String(day)))],
    expectedDrift: ['type', /feed/, 'date'],
  },
  {
    name: 'a field of the moderation log is gone',
    only: 'audit',
    records: ['audit', without('role')],
    expectedDrift: ['gone', /audit/, 'role'],
  },
  {
    name: 'a ballot stands in a wrapper',
    only: 'ballot',
    manner: { one: (document) => ({ data: document }) },
    expectedDrift: ['envelope', /votes\/\{id\} AN/, '(bare)'],
  },
  {
    name: 'a count of a ballot has another name',
    only: 'ballot',
    manner: { ballot: (ballot) => inTotals(called('abstention', 'abstained'))(ballot, 0) },
    expectedDrift: ['renamed', /votes/, 'totals.abstention'],
  },
  {
    name: 'the votes of a ballot are keyed by group',
    only: 'ballot',
    manner: {
      ballot: ({ votes_by_party: votes, ...otherFields }) => ({
        ...otherFields,
        votes_by_party: Object.fromEntries((votes as Document[]).map((each) => [String(each.party), each])),
      }),
    },
    expectedDrift: ['type', /votes/, 'votes_by_party'],
  },
  {
    name: 'groups of ballots have no position any more',
    only: 'ballot',
    manner: { ballot: (ballot) => inVotes(with_('position', () => null))(ballot, 0) },
    expectedDrift: ['nulls', /votes/, 'votes_by_party[].position'],
  },
  {
    name: 'days in the affiliations of a profile are written otherwise',
    only: 'politician',
    manner: {
      one: (profile) => ({
        ...profile,
        ...(Array.isArray(profile.affiliations)
          ? {
              affiliations: (profile.affiliations as Document[]).map((each, at) => with_('start', frenchDay)(each, at)),
            }
          : {}),
      }),
    },
    expectedDrift: ['form', /politicians\/\{slug\}/, 'affiliations[].start'],
  },
];

describe('drift of the answers of a service', () => {
  let service: FakeService;
  let folder: string;
  const scope = (only: KindName | null) => ({
    ...wholeScope,
    only: only === null ? null : [only],
    full: true,
    details: 'all' as const,
  });
  before(async () => {
    service = await startFakeService(dialect);
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const mirror = openWritableMirror(join(folder, 'usual.db'));
    for (const _ of [1, 2]) await syncOnce({ mirror, folder }, service.baseUrl, { scope: scope(null) });
    mirror.close();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    Object.assign(manner, usual);
    service.records = Object.fromEntries(plurals.map((plural) => [plural, demoRecords(plural)]));
  });
  const usualMirror = (): Mirror => {
    const path = join(folder, 'own.db');
    for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    copyFileSync(join(folder, 'usual.db'), path);
    return openWritableMirror(path);
  };
  const driftFacts = (mirror: Mirror) =>
    listDrifts(mirror).map(({ change, subject, field, now }) => ({ change, subject, field, now }));

  for (const { name, only, records, manner: bent, expectedDrift } of seeds)
    it(`is named where ${name}`, async () => {
      const mirror = usualMirror();
      try {
        expect(listDrifts(mirror)).to.deep.equal([]);
        if (records) service.records[records[0]] = service.records[records[0]]!.map(records[1]);
        Object.assign(manner, bent);
        await syncOnce({ mirror, folder }, service.baseUrl, { scope: scope(only) });
        const [change, subject, field] = expectedDrift;
        const drift = driftFacts(mirror).filter((each) => subject.test(each.subject));
        expect(drift.map((each) => `${each.change} ${each.field}`)).to.include(`${change} ${field}`);
      } finally {
        mirror.close();
      }
    });

  it('is told of a dataset whose cells are parted otherwise, and holds nothing back', async () => {
    const own = createTemporaryMirror();
    try {
      for (const dataset of ['csv', 'csv', 'semicolon'] as const) {
        dialect.dataset = dataset;
        const { report } = await syncOnce(own, service.baseUrl, { scope: scope('quote') });
        expect([report.exit, report.quarantine]).to.deep.equal([0, []]);
      }
      expect(listDrifts(own.mirror).map(({ change, before, now }) => [change, before, now])).to.deep.equal([
        ['delimiter', 'comma', 'semicolon'],
      ]);
    } finally {
      delete dialect.dataset;
      own.remove();
    }
  });

  it('is told of a word of the feed that no record had, and of none that is only new on its first page', async () => {
    const own = createTemporaryMirror();
    const night = (n: number) =>
      syncOnce(own, service.baseUrl, {
        scope: { ...wholeScope, only: ['content'] },
        now: () => Date.parse('2026-11-01T12:00:00Z') + n * 86_400_000,
      });
    const newestFirst = service.records.content!.toSorted((one, other) =>
      String(one.date) < String(other.date) ? 1 : -1,
    );
    const medium = (word: (at: number) => string) => {
      service.records.content = newestFirst.map((each, at) => ({ ...each, medium: word(at) }));
    };
    try {
      medium((at) => (at < 60 ? ['text', 'video'][at % 2]! : 'sound'));
      for (const n of [0, 1, 2, 3, 4, 5]) {
        await night(n);
        expect(driftFacts(own.mirror), `night ${n}`).to.deep.equal([]);
      }
      medium((at) => (at < 4 ? 'sound' : at < 60 ? ['text', 'video'][at % 2]! : 'sound'));
      await night(6);
      expect(driftFacts(own.mirror)).to.deep.equal([]);
      medium((at) => (at < 4 ? 'hologram' : at < 60 ? ['text', 'video'][at % 2]! : 'sound'));
      await night(7);
      expect(driftFacts(own.mirror)).to.deep.equal([
        { change: 'value', subject: '/feed', field: 'medium', now: 'hologram' },
      ]);
    } finally {
      own.remove();
    }
  });

  it('is not told over syncs in which records change a little', async () => {
    const nights = isLong ? 30 : 8;
    const random = createRandom(20261122);
    const mirror = usualMirror();
    try {
      for (let night = 0; night < nights; night += 1) {
        for (const plural of plurals)
          service.records[plural] = service.records[plural]!.flatMap((record, at, all): Document[] => {
            if (random.isOneIn(60)) return [];
            const changed = random.isOneIn(25) ? changedA(record, random) : record;
            return random.isOneIn(60) ? [changed, copyOf(all[at]!, night)] : [changed];
          });
        await syncOnce({ mirror, folder }, service.baseUrl, {
          scope: night % 5 === 0 ? scope(null) : wholeScope,
          maxShrink: 1,
        });
        expect(driftFacts(mirror), `night ${night}`).to.deep.equal([]);
      }
    } finally {
      mirror.close();
    }
  });

  it('is told until it goes or is accepted, with the moment since when', async () => {
    const mirror = usualMirror();
    try {
      const sync = (at: string) =>
        syncOnce({ mirror, folder }, service.baseUrl, {
          scope: scope('quote'),
          maxShrink: 1,
          now: () => Date.parse(at),
        });
      const truth = service.records.quotes!;
      const bent = truth.map(called('context', 'circumstances'));
      const first = '2099-01-01T00:00:00.000Z';
      const second = '2099-01-02T00:00:00.000Z';
      service.records.quotes = bent;
      await sync(first);
      service.records.quotes = bent.map((quote) => ({ ...quote, text: `${quote.text} ` }));
      await sync(second);
      expect(listDrifts(mirror).map(({ change, field, now, since }) => [change, field, now, since])).to.deep.equal([
        ['renamed', 'context', 'circumstances', first],
      ]);
      service.records.quotes = truth;
      await sync('2099-01-03T00:00:00.000Z');
      expect(listDrifts(mirror)).to.deep.equal([]);
      service.records.quotes = bent;
      await sync('2099-01-04T00:00:00.000Z');
      expect(listDrifts(mirror).length).to.equal(1);
      transaction(mirror, () => acceptDrift(mirror, ['quote']));
      service.records.quotes = bent.map((quote) => ({ ...quote, text: `${quote.text} ` }));
      await sync('2099-01-05T00:00:00.000Z');
      expect(listDrifts(mirror)).to.deep.equal([]);
    } finally {
      mirror.close();
    }
  });
});

/** A record of which one thing is said otherwise, no more, or anew, as records change from night to night. */
function changedA(record: Document, random: ReturnType<typeof createRandom>): Document {
  const field = random.pick(
    Object.keys(record).filter((name) => !/^(id|slug|scrutin_id|chamber|votes_by_party)$/.test(name)),
  );
  const value = record[field];
  if (random.isOneIn(2)) return { ...record, [field]: null };
  if (random.isOneIn(3)) return without(field)(record, 0);
  if (typeof value === 'number') return { ...record, [field]: value + 1 };
  return typeof value === 'string' && /\s/.test(value) ? { ...record, [field]: `${value} (corrigé)` } : record;
}

/** A record that came new, much like another one. */
function copyOf(record: Document, night: number): Document {
  const key = ['slug', 'scrutin_id', 'id'].find((name) => name in record)!;
  return { ...record, [key]: `${record[key]}-${night}` };
}
