import { expect } from 'chai';
import { isRelative, momentOf, parseDay, parseDayRange, pastMoment } from '../../src/model/moment.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');

describe('a moment that a person names', () => {
  const table: [string, string | null, string | null][] = [
    ['7d', '2026-11-14T12:00:00.000Z', '2026-11-14T12:00:00.000Z'],
    ['2026-11-01', '2026-10-31T23:00:00.000Z', '2026-11-01T22:59:59.999Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z', '2026-07-01T21:59:59.999Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00.000Z', '2026-11-01T08:30:59.999Z'],
    ['2026-11-01 08:30:15', '2026-11-01T08:30:15.000Z', '2026-11-01T08:30:15.999Z'],
    ['2026-11-01T08:30:15.250Z', '2026-11-01T08:30:15.250Z', '2026-11-01T08:30:15.250Z'],
    ['2026-11-01T08:30:00+02:00', '2026-11-01T06:30:00.000Z', '2026-11-01T06:30:00.999Z'],
    ['2024-02-29', '2024-02-28T23:00:00.000Z', '2024-02-29T22:59:59.999Z'],
    ['2026-02-29', null, null],
    ['2026-13-01', null, null],
    ['2026-11-01T25:00', null, null],
    ['3 jours', '2026-11-18T12:00:00.000Z', '2026-11-18T12:00:00.000Z'],
    ['depuis 2 semaines', '2026-11-07T12:00:00.000Z', null],
    ['jusqu’à hier', null, '2026-11-20T22:59:59.999Z'],
    ['hiver 2026', null, null],
    ['le mois', null, null],
    ['3 printemps 2026', null, null],
    ['printemps arabe', null, null],
    ['été 2026 3', null, null],
    ['tomorrow', null, null],
    ['31/11/2025', null, null],
    ['', null, null],
  ];
  for (const [text, start, end] of table) {
    it(`"${text}" begins at ${start} and ends at ${end}`, () => {
      expect(momentOf(text, now, 'start')).to.equal(start);
      expect(momentOf(text, now, 'end')).to.equal(end);
    });
  }
});

describe('a day that a person names', () => {
  const table: [string, string, string][] = [
    ['2025', '2025-01-01', '2025-12-31'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['04/2026', '2026-04-01', '2026-04-30'],
    ['avril 2026', '2026-04-01', '2026-04-30'],
    ['Août 2026', '2026-08-01', '2026-08-31'],
    ['1er mai 2026', '2026-05-01', '2026-05-01'],
    ['31/12/2025', '2025-12-31', '2025-12-31'],
    ['3.2.2025', '2025-02-03', '2025-02-03'],
    ['aujourd’hui', '2026-11-21', '2026-11-21'],
    ['today', '2026-11-21', '2026-11-21'],
    ['hier', '2026-11-20', '2026-11-20'],
    ['Yesterday', '2026-11-20', '2026-11-20'],
    ['janvier', '2026-01-01', '2026-01-31'],
    ['December', '2025-12-01', '2025-12-31'],
    ['3 novembre', '2026-11-03', '2026-11-03'],
    ['21 novembre', '2026-11-21', '2026-11-21'],
    ['28 novembre', '2025-11-28', '2025-11-28'],
    ['lundi', '2026-11-16', '2026-11-16'],
    ['saturday', '2026-11-21', '2026-11-21'],
    ['lundi 3 novembre 2025', '2025-11-03', '2025-11-03'],
    ['avant-hier', '2026-11-19', '2026-11-19'],
    ['printemps 2023', '2023-03-01', '2023-05-31'],
    ['l’été 2024', '2024-06-01', '2024-08-31'],
    ['fall 2025', '2025-09-01', '2025-11-30'],
    ['le mois dernier', '2026-10-01', '2026-10-31'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['ce mois-ci', '2026-11-01', '2026-11-30'],
    ['la semaine dernière', '2026-11-09', '2026-11-15'],
    ['this week', '2026-11-16', '2026-11-22'],
    ['l’an dernier', '2025-01-01', '2025-12-31'],
    ['cette année', '2026-01-01', '2026-12-31'],
    ['il y a 3 jours', '2026-11-18', '2026-11-18'],
    ['3 days ago', '2026-11-18', '2026-11-18'],
    ['il y a 2 mois', '2026-09-22', '2026-09-22'],
    ['6 months', '2026-05-25', '2026-05-25'],
    ['7d', '2026-11-14', '2026-11-14'],
    ['2026-11-01T23:30:00Z', '2026-11-02', '2026-11-02'],
  ];
  for (const [text, first, last] of table)
    it(`"${text}" is from ${first} to ${last}`, () => {
      expect(parseDay(text, now, 'start')).to.equal(first);
      expect(parseDay(text, now, 'end')).to.equal(last);
    });

  it('may begin with the word of its flag', () => {
    for (const [text, first] of [
      ['depuis mars 2025', '2025-03-01'],
      ['since last month', '2026-10-01'],
      ['à partir du 3 mars 2025', '2025-03-03'],
    ] as const)
      expect([parseDay(text, now, 'start'), parseDay(text, now, 'end')], text).to.deep.equal([first, null]);
    expect(parseDayRange('printemps 2023', now), 'no bound').to.equal(null);
    expect(parseDay('jusqu’en juin 2025', now, 'end')).to.equal('2025-06-30');
  });

  it('is that of Paris, where the day begins before that of UTC', () => {
    const late = Date.parse('2026-11-20T23:30:00.000Z');
    expect(parseDay('today', late, 'start')).to.equal('2026-11-21');
    expect(momentOf('today', late, 'start')).to.equal('2026-11-20T23:00:00.000Z');
    expect(pastMoment(momentOf('today', late, 'end')!, late)).to.equal('2026-11-20T23:30:00.000Z');
    expect(pastMoment(momentOf('2026-11-22', late, 'end')!, late)).to.equal(null);
  });

  it('means another one tomorrow, or always the same', () => {
    for (const text of ['7d', 'hier', 'today', 'monday', 'le mois dernier', 'il y a 2 mois'])
      expect(isRelative(text), text).to.equal(true);
    for (const text of ['2025', '2026-11-01', 'avril 2026', 'printemps 2023', 'retraites', ''])
      expect(isRelative(text), text).to.equal(false);
  });
});
