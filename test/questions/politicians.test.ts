import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { placeName } from '../../src/names/department.ts';
import { politician, politicians } from '../../src/questions/politicians.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from './question-results.ts';

describe('the question for politicians', () => {
  const night = readTwoNights();
  const slugs = async (parameters: Record<string, unknown>) =>
    (await fieldsAt(night.past, politicians, ['slug'], parameters)).flat();

  it('lists them by last name, and by what changed last', async () => {
    expect(await slugs({ limit: 3 })).to.deep.equal(['nour-bellecume', 'zephyrin-boisdhiver', 'ursule-brindosier']);
    const changed = await fieldsAt(night.past, politicians, ['updated_at'], { sort: 'updated_at', limit: 3 });
    expect(changed.flat()).to.deep.equal(['2026-10-30', '2026-10-28', '2026-10-21']);
  });

  it('finds a name by the beginnings of its words, without accents, and nothing where no name has them', async () => {
    for (const q of ['bruy', 'BRUYÈVRE', 'ocea bru']) expect(await slugs({ q }), q).to.deep.equal(['oceane-bruyevre']);
    expect(await slugs({ q: 'uyevre' })).to.deep.equal([]);
  });

  it('takes a party by slug, short name and name', async () => {
    const members = await slugs({ party: 'alliance-des-rivages' });
    expect(members).to.have.length(11).and.include('oceane-bruyevre');
    for (const party of ['ADR', 'adr', 'Alliance des Rivages'])
      expect(await slugs({ party }), party).to.deep.equal(members);
    expect(await slugs({ party: 'ADR', q: 'bruy' })).to.deep.equal(['oceane-bruyevre']);
  });

  it('says who sits where: in office, by chamber, department, constituency and group', async () => {
    const seats = await itemsAt(night.past, politicians, { in_office: true, limit: 100 });
    expect(seats.length).to.be.greaterThan(20);
    for (const { current_role } of seats) expect(current_role).to.be.a('string');
    for (const chamber of ['Senat', 'sénat', 'upper house'])
      expect(
        new Set((await fieldsAt(night.past, politicians, ['chamber'], { chamber, limit: 100 })).flat()),
      ).to.deep.equal(new Set(['Senat']));
    const one = { chamber: 'AN', department: 'haute ombre', constituency: 1 };
    const seated = await fieldsAt(night.past, politicians, ['department', 'constituency_number'], one);
    expect(seated).to.deep.equal([['Haute-Ombre', '1']]);
    const group = await fieldsAt(night.past, politicians, ['group'], { group: 'PDV', limit: 100 });
    expect(new Set(group.flat())).to.deep.equal(new Set(['parti-du-verger']));
    expect(await refusalAt(night.past, politicians, { department: 'Haute-Ombr' })).to.include({ exit: 3 });
    expect((await refusalAt(night.past, politicians, { department: 'Haute-Obmre' })).hint).to.include('Haute-Ombre');
    for (const [code, name] of Object.entries({
      '59': 'nord',
      '1': 'ain',
      '2a': 'corse du sud',
      '974': 'reunion',
    }))
      expect(placeName(code), code).to.equal(name);
    expect(await refusalAt(night.past, politicians, { chamber: 'Bundestag' })).to.include({ exit: 3 });
  });

  it('gives every politician once over all pages, whatever the sort', async () => {
    for (const sort of ['name', 'freshness', 'updated_at']) {
      const { pages, total } = await walkAt(night.now, politicians, { sort, limit: 20 });
      expect([total, ...pages.map((page) => page.length)], sort).to.deep.equal([51, 20, 20, 11]);
      expect(new Set(pages.flat().map(({ slug }) => slug)), sort).to.have.length(51);
    }
  });

  it('takes a cursor only with the sort that it came from', async () => {
    const { nextCursor: cursor } = await ask(night.now, politicians, { limit: 2 });
    const refusal = await refusalAt(night.now, politicians, { cursor, sort: 'updated_at' });
    expect(refusal).to.include({ exit: 2, message: 'the cursor does not belong to this list' });
    expect(await refusalAt(night.now, politicians, { cursor: 'zzz' })).to.deep.equal(refusal);
  });

  it('refuses a limit beyond its bounds, an unknown sort and a party that nobody knows', async () => {
    const refused = async (parameters: Record<string, unknown>) => {
      const { exit, message } = await refusalAt(night.now, politicians, parameters);
      return `${exit} ${message}`;
    };
    expect(await refused({ limit: 0 })).to.equal('2 --limit must be at least 1');
    expect(await refused({ limit: 101 })).to.equal('2 --limit must be at most 100');
    expect(await refused({ limit: '1e2' })).to.equal('2 --limit must be a whole number');
    expect(await refused({ sort: 'nme' })).to.equal('2 --sort must be one of name, freshness, updated_at');
    expect(await refused({ party: 'adrr' })).to.equal('3 no party or group is called "adrr" in the mirror');
  });

  it('answers of the past who was there then, under the party of then', async () => {
    const memberOf = async (mirror: typeof night.now) =>
      (await itemsAt(mirror, politicians, { q: 'bruy' })).map(({ party }) => party);
    expect(await memberOf(night.past)).to.deep.equal(['alliance-des-rivages']);
    expect(await memberOf(night.now)).to.deep.equal(['parti-du-verger']);
    expect(await slugs({ q: 'nouvelle' })).to.deep.equal([]);
  });
});

describe('the question for a politician', () => {
  const night = readTwoNights();
  const slugOf = async (slug: string) => (await ask(night.now, politician, { slug })).item.slug;

  it('takes a slug, a name, and a name with one slip where it means one person', async () => {
    for (const slug of ['oceane-bruyevre', 'Océane Bruyèvre', 'bruyevre oceane', 'oceane-bruyevr'])
      expect(await slugOf(slug), slug).to.equal('oceane-bruyevre');
  });

  it('refuses whom nobody knows, and a question without a name', async () => {
    expect(await refusalAt(night.now, politician, { slug: 'nobody' })).to.include({
      exit: 3,
      message: 'no politician is called "nobody" in the mirror',
    });
    expect(await refusalAt(night.now, politician)).to.include({ exit: 2, message: 'slug is required' });
  });

  it('knows nobody of the past who came later', async () => {
    expect(await slugOf('zoe-nouvelle')).to.equal('zoe-nouvelle');
    expect(await refusalAt(night.past, politician, { slug: 'zoe-nouvelle' })).to.include({ exit: 3 });
  });
});
