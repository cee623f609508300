import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { changes } from '../../src/store/changes.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createRandom, isLong, type Random, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

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
    const about = (plural: string) =>
      records[plural]!.filter(({ politician }) => politician === document.slug);
    const [quotes, promises, positions] = [about('quotes'), about('promises'), about('positions')];
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
    const found = random.pick(records.filter((record) => !picked.has(record)));
    picked.add(found);
    return found;
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
    records[plural]!.push({
      ...pick(records[plural]!),
      id,
      title: `Neuf ${day}`,
      text: `Texte ${day}`,
    });
    return [[day, 'added', kind, id]];
  };

const remove =
  (plural: string, kind: string): Deed =>
  (records, day, pick) => {
    const gone = pick(records[plural]!);
    records[plural]!.splice(records[plural]!.indexOf(gone), 1);
    return [[day, 'withdrawn', kind, String(gone.id)]];
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

describe('what changes tell of the days of a service', () => {
  it('is what happened there: each fact once, where it belongs', async function () {
    this.timeout(120_000);
    const random = createRandom(seedOf('HEMICYCLE_SEED'));
    const own = createTemporaryMirror();
    const service = await startFakeService({
      ...dialects[0]!,
      one: (document) => profileOf(service.records, document),
      hasValidators: true,
    });
    const { records } = service;
    records.politicians!.splice(14);
    records.content!.splice(30);
    const ledger: Fact[] = [];
    const away = new Map<number, Document>();
    const days = isLong ? 30 : 8;
    await syncOnce(own, service.baseUrl, { now: () => noon });
    for (let day = 1; day <= days; day += 1) {
      const pick = pickOnce(random);
      const former = away.get(day);
      if (former) {
        former.full_name = `${former.full_name}-${day}`;
        records.politicians!.push(pick([former]));
        ledger.push([day, 'returned', 'politician', String(former.slug)]);
      } else if (day % 4 === 1) {
        const gone = pick(records.politicians!);
        records.politicians!.splice(records.politicians!.indexOf(gone), 1);
        away.set(day + 2, gone);
        ledger.push([day, 'withdrawn', 'politician', String(gone.slug)]);
      }
      const first = (day * 5) % deeds.length;
      for (const deed of [
        deeds[first]!,
        deeds[(first + 2) % deeds.length]!,
        deeds[(first + 4) % deeds.length]!,
      ])
        ledger.push(...deed(records, day, pick));
      const { error } = await syncOnce(own, service.baseUrl, { now: () => noon + day * dayMs });
      expect(error).to.equal(null);
    }
    const told = [...changes(own.mirror, { since: new Date(noon).toISOString() })].map(
      ({ seen_at, change, kind, key }): Fact => [
        Math.round((Date.parse(seen_at) - noon) / dayMs),
        change,
        kind,
        key,
      ],
    );
    const inOrder = (facts: Fact[]) => [...new Set(facts.map((fact) => fact.join(' ')))].sort();
    expect(told.map((fact) => fact.join(' ')).sort(), `seed ${random.seed}`).to.deep.equal(inOrder(ledger));
    own.remove();
    await service.close();
  });
});
