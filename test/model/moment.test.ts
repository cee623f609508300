import { expect } from 'chai';
import { momentOf } from '../../src/model/moment.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');

describe('a moment that a person names', () => {
  const table: [string, string | null, string | null][] = [
    ['7d', '2026-11-14T12:00:00.000Z', '2026-11-14T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z', '2026-11-01T23:59:59.999Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00.000Z', '2026-11-01T08:30:59.999Z'],
    ['2026-11-01 08:30:15', '2026-11-01T08:30:15.000Z', '2026-11-01T08:30:15.999Z'],
    ['2026-11-01T08:30:15.250Z', '2026-11-01T08:30:15.250Z', '2026-11-01T08:30:15.250Z'],
    ['2026-11-01T08:30:00+02:00', '2026-11-01T06:30:00.000Z', '2026-11-01T06:30:00.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-02-29', null, null],
    ['2026-13-01', null, null],
    ['2026-11-01T25:00', null, null],
    ['yesterday', null, null],
    ['2026', null, null],
    ['', null, null],
  ];
  for (const [text, start, end] of table) {
    it(`"${text}" begins at ${start} and ends at ${end}`, () => {
      expect(momentOf(text, now, 'start')).to.equal(start);
      expect(momentOf(text, now, 'end')).to.equal(end);
    });
  }
});
