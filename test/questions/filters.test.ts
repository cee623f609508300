import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { affiliations } from '../../src/questions/affiliations.ts';
import { changes } from '../../src/questions/changes.ts';
import { feed } from '../../src/questions/feed.ts';
import { parties } from '../../src/questions/parties.ts';
import { records } from '../../src/questions/record.ts';
import { search } from '../../src/questions/search.ts';
import { questions } from '../../src/questions/table.ts';
import { fieldsAt, itemsAt, readTwoNights } from './question-results.ts';

const filters = 'party group politician chamber department topic place nature subject q since until'.split(' ');

/** Which filters each list takes, in the order of `filters`; what a list cannot apply, every surface refuses or ignores. */
const matrix: Record<string, string> = {
  politicians: 'party group chamber department place subject q',
  parties: 'chamber q',
  search: 'party group politician chamber department topic place subject q since until',
  'search-semantic': 'party group politician chamber department topic place subject q since until',
  feed: 'party group politician chamber department topic place subject q since until',
  ballots: 'party group chamber topic nature subject q since until',
  compare: 'party group chamber topic nature subject q since until',
  cohesion: 'party group chamber topic nature subject q since until',
  text: 'party group chamber nature subject q since until',
  affiliations: 'party group politician chamber department place subject since until',
  records: 'party group politician chamber department topic place subject q since until',
  changes: 'party group politician chamber department topic place subject q since until',
};

describe('the filters of lists', () => {
  const night = readTwoNights();

  for (const [name, expected] of Object.entries(matrix))
    it(`of \`${name}\` are ${expected.replaceAll(' ', ', ')}`, () => {
      const { parameters } = questions.find((each) => each.name === name)!;
      const names = Object.entries(parameters).flatMap(([each, { flag }]) => [each, ...(flag.aliases ?? [])]);
      expect(filters.filter((each) => names.includes(each)).join(' ')).to.equal(expected);
    });

  it('take from a feed the records of people who sit in a chamber, and lose none', async () => {
    const totals = await Promise.all(
      ['AN', 'Senat', undefined].map(async (chamber) => (await ask(night.now, feed, { chamber })).total!),
    );
    expect(totals[0]).to.be.greaterThan(0);
    expect(totals[0]! + totals[1]!).to.be.at.most(totals[2]!);
    const people = new Map(
      (await fieldsAt(night.now, records, ['slug', 'chamber'], { kind: 'politician', limit: 100 })) as [
        string,
        string,
      ][],
    );
    const authors = (await fieldsAt(night.now, feed, ['politician'], { chamber: 'Sénat', limit: 50 })).flat();
    for (const author of authors.filter((each) => each !== null)) expect(people.get(String(author))).to.equal('Senat');
  });

  it('by chamber take a ballot by its own chamber, and a group of members by its own', async () => {
    const chambers = await fieldsAt(night.now, records, ['chamber'], { kind: 'ballot', chamber: 'AN', limit: 100 });
    expect([...new Set(chambers.flat())]).to.deep.equal(['AN']);
    expect((await fieldsAt(night.now, parties, ['chamber'], { chamber: 'AN' })).flat()).to.satisfy((all: string[]) =>
      all.every((each) => each === 'AN'),
    );
  });

  it('by department are the same in a feed, in a search, in changes and in affiliations', async () => {
    const [[department]] = (await fieldsAt(night.now, records, ['department'], { kind: 'politician', limit: 1 })) as [
      [string],
    ];
    const slugs = (await itemsAt(night.now, records, { kind: 'politician', department, limit: 100 })).map(
      ({ slug }) => slug,
    );
    expect(slugs).not.to.have.length(0);
    const own = async (question: typeof feed, parameters: object) =>
      (await fieldsAt(night.now, question as never, ['politician'], { department, limit: 50, ...parameters })).flat();
    const lists = [
      await own(feed, {}),
      await own(search as never, { q: 'le', type: 'content,promise' }),
      await own(changes as never, { since: '2026-01-01', kind: 'promise' }),
      await own(affiliations as never, {}),
    ];
    for (const list of lists)
      expect(slugs).to.include.members(list.filter((each) => each !== null && each !== undefined));
  });

  it('find parties by beginnings of words, and groups of one chamber', async () => {
    expect((await fieldsAt(night.now, parties, ['short_name'], { q: 'adr' })).flat()).to.deep.equal(['ADR']);
    expect((await ask(night.now, parties, { q: 'zygomatique' })).total).to.equal(0);
  });
});
