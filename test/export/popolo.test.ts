import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { popoloPart, popoloTables } from '../../src/export/popolo.ts';
import { allTables, chosenTables, tableNamed } from '../../src/export/tables.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { RowFilter } from '../../src/store/rows.ts';
import { rows } from '../../src/store/rows.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { memorySink } from '../helpers/memory-sink.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../fixtures/popolo/schema.json', import.meta.url), 'utf8'),
);

// biome-ignore lint/suspicious/noExplicitAny: a document that its schema describes.
type Read = any;

describe('records as Popolo', () => {
  const demo = readDemoMirror();
  let all: Read;
  before(async () => {
    all = (await told()).document;
  });
  const told = async (words: string[] = [], filter: RowFilter = {}) => {
    const isAll = words.length === 0;
    const named = popoloTables(isAll ? [...allTables] : words.map(tableNamed), isAll);
    const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
    const part = popoloPart(chosenTables(demo.mirror, named, { citation, filter, isAll: true }));
    const sink = memorySink();
    const count = await part.write(sink);
    return { part, count, text: sink.text, document: JSON.parse(sink.text) as Read };
  };

  it('is what its schemas say, and has every record once', async () => {
    const validate = new Ajv({ allErrors: true, formats: { uri: true } }).compile(schema);
    expect(validate(all), JSON.stringify(validate.errors?.slice(0, 3))).to.equal(true);
    const { meta: _, ...sections } = all;
    for (const [name, items] of Object.entries<Read[]>(sections)) {
      expect(items.length, name).to.be.greaterThan(0);
      expect(new Set(items.map(({ id }) => id)).size, name).to.equal(items.length);
    }
    const { count, text } = await told();
    expect(count).to.equal(Object.values<Read[]>(sections).reduce((sum, items) => sum + items.length, 0));
    expect(text).to.equal((await told()).text);
    expect(all.persons).to.have.length([...rows(demo.mirror, kindOf('politician'))].length);
    expect(all.vote_events).to.have.length([...rows(demo.mirror, kindOf('ballot'))].length);
  });

  it('names persons, organizations, areas and motions that are there', () => {
    const ids = (section: string) => new Set(all[section].map(({ id }: Read) => id));
    const [people, organizations, areas, motions] = ['persons', 'organizations', 'areas', 'motions'].map(ids);
    for (const { person_id, organization_id, area_id } of all.memberships) {
      expect(people).to.include(person_id);
      expect(organizations).to.include(organization_id);
      if (area_id) expect(areas).to.include(area_id);
    }
    for (const { motion_id, organization_id, counts = [] } of all.vote_events) {
      expect(motions).to.include(motion_id);
      expect(organizations).to.include(organization_id);
      for (const { group_id } of counts) if (group_id) expect(organizations).to.include(group_id);
    }
    const links = all.persons.flatMap(({ sources = [] }: Read) => sources);
    expect(links.length).to.be.greaterThan(0);
  });

  it('has results and positions in the words of the source, and makes none of counts', () => {
    const ballots = new Map(
      [...rows(demo.mirror, kindOf('ballot'))].map((row) => [`${row.chamber}:${row.scrutin_id}`, row]),
    );
    for (const { id, result = null, counts = [] } of all.vote_events) {
      const ballot = ballots.get(id)!;
      expect(result, id).to.equal(ballot.result ?? null);
      const totals = (ballot.totals ?? {}) as Record<string, number | null>;
      const whole = counts.filter(({ group_id, group }: Read) => !group_id && !group);
      const stated = ['for', 'against', 'abstention', 'non_voting'].map((name) => totals[name] ?? null);
      expect(whole.map(({ value }: Read) => value)).to.deep.equal(stated.filter((value) => value !== null));
    }
    expect(all.vote_events.some(({ result }: Read) => result === undefined)).to.equal(true);
  });

  it('has only what was asked for, on the terms of all that is in it', async () => {
    const people = await told(['politicians', 'parties']);
    expect(people.part.attribution.licence?.id).to.equal('ODbL-1.0');
    expect(people.document.vote_events).to.deep.equal([]);
    expect((await told()).part.attribution.licence).to.equal(null);
    expect((await told(['politicians'], { politician: 'oceane-bruyevre' })).document.persons).to.have.length(
      1,
    );
    expect(() => popoloTables([tableNamed('quotes')], false)).to.throw('have no class in Popolo');
  });
});
