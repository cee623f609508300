import { expect } from 'chai';

import { type Column, kinds } from '../../src/model/kinds.ts';
import { type Coverage, coverageColumn, coveragePhrase } from '../../src/parliament/coverage.ts';

const row = (more: Partial<Coverage>): Coverage => ({
  ...{ kind: 'quote', chamber: null, first: '2025-02-01', last: '2026-03-04', records: 1200 },
  ...more,
});
const undated = { first: null, last: null };

describe('what a mirror covers, in a sentence', () => {
  const cases: [name: string, rows: Coverage[], sentence: string][] = [
    ['from day to day', [row({})], 'in this mirror quotes run from 1 February 2025 to 4 March 2026 (1,200)'],
    ['of one day', [row({ last: '2025-02-01', records: 1 })], 'in this mirror quotes are of 1 February 2025 (1)'],
    [
      'by chamber, with what lacks counts',
      [
        row({ kind: 'ballot', chamber: 'AN', records: 3, without_counts: 2 }),
        row({ kind: 'ballot', chamber: 'Senat', ...undated, records: 2 }),
      ],
      'in this mirror ballots of the Assemblée nationale run from 1 February 2025 to 4 March 2026 (3, 2 of them without counts); 2 ballots of the Sénat without a day',
    ],
    [
      'with more ballots by their numbers than it has',
      [row({ kind: 'ballot', chamber: 'AN', records: 3, numbered: 12 })],
      'in this mirror ballots of the Assemblée nationale run from 1 February 2025 to 4 March 2026 (3 of at least 12, by their numbers)',
    ],
    ['with a first day only', [row({ last: null })], 'in this mirror 1,200 quotes without a day'],
    ['with a last day only', [row({ first: null })], 'in this mirror 1,200 quotes without a day'],
    ['without any record', [row({ ...undated, records: 0 })], 'in this mirror 0 quotes'],
    ['of a kind without days', [row({ kind: 'party', ...undated, records: 5 })], 'in this mirror 5 parties'],
    [
      'of affiliations',
      [row({ kind: 'politician', days: 'affiliation', records: 50 })],
      'in this mirror affiliations of 50 politicians run from 1 February 2025 to 4 March 2026',
    ],
    [
      'of what it has seen, in any order, before what it holds',
      [
        row({}),
        row({ days: 'seen', first: '2026-05-02', last: '2026-05-03' }),
        row({ days: 'seen', first: '2026-04-01', last: '2026-04-02' }),
        row({ days: 'seen', ...undated }),
      ],
      'this mirror has seen changes since 1 April 2026, the last time on 3 May 2026; in this mirror quotes run from 1 February 2025 to 4 March 2026 (1,200)',
    ],
    ['of what it has not seen', [row({ days: 'seen', ...undated })], 'this mirror has seen nothing of it yet'],
    ['of what it has not seen since', [row({ days: 'seen', first: null })], 'this mirror has seen nothing of it yet'],
    ['of what it has not seen until', [row({ days: 'seen', last: null })], 'this mirror has seen nothing of it yet'],
    [
      'with the fields that no record of a kind states, whose other rows say nothing',
      [
        row({ kind: 'ballot', chamber: 'AN', records: 3, unstated: ['theme', 'topic'] }),
        row({ kind: 'ballot', chamber: 'Senat', records: 4, unstated: ['theme', 'topic'] }),
        row({ records: 2 }),
      ],
      'none of the 7 ballots states a theme; none of the 7 ballots states a topic; in this mirror quotes run from 1 February 2025 to 4 March 2026 (2)',
    ],
  ];
  for (const [name, rows, sentence] of cases)
    it(`is told ${name}`, () => expect(String(coveragePhrase(rows))).to.equal(sentence));

  it('is null without coverage', () => expect(coveragePhrase([])).to.equal(null));

  it('has a described column for each of its fields', () => {
    const { name, description, inside } = coverageColumn;
    const columns = (inside as { list: Column[] }).list;
    expect([name, String(description)]).to.satisfy(([id, text]: string[]) => id === 'coverage' && text!.endsWith('.'));
    expect(columns.map((each) => [each.name, each.words ?? null])).to.deep.equal([
      ['kind', kinds.map((kind) => kind.name)],
      ['chamber', ['AN', 'Senat']],
      ['first', null],
      ['last', null],
      ['records', null],
      ['numbered', null],
      ['without_counts', null],
      ['days', ['affiliation', 'seen']],
      ['unstated', null],
    ]);
    for (const each of columns) expect(String(each.description), each.name).to.match(/^.{10,}\.$/);
    expect(columns.at(-1)!.inside).to.deep.equal({ list: 'ids' });
  });
});
