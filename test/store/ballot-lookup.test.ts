import { expect } from 'chai';
import type { Chamber } from '../../src/model/ballot.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { findReferencedBallots, searchBallots, similarBallots } from '../../src/store/records/reference.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

describe('a ballot that a person means', () => {
  let mirror: Mirror;
  let remove: () => void;
  before(async () => {
    const demo = await createDemoMirror();
    mirror = openMirror(demo.db);
    remove = demo.remove;
  });
  after(() => {
    mirror.close();
    remove();
  });

  const keys = (text: string, chamber: Chamber | null = null) =>
    searchBallots(mirror, text, chamber).map(({ key }) => key);

  it('is found by its id in any case, in whichever chamber has it', () => {
    expect(keys('val1v4')).to.deep.equal(['AN:VAL1V4']);
    expect(keys('2026-1')).to.deep.equal(['Senat:2026-1']);
    expect(keys('2026-1', 'AN')).to.deep.equal([]);
  });

  it('is of the chamber that is written before it, and of none where signs stand there', () => {
    expect(findReferencedBallots(mirror, 'an:val1v1').map(({ key }) => key)).to.deep.equal(['AN:VAL1V1']);
    for (const text of ['{}AN:VAL1V1', '"AN":VAL1V1', '1AN:VAL1V1'])
      expect(findReferencedBallots(mirror, text), text).to.deep.equal([]);
  });

  it('is found by its number; several are all given, newest first', () => {
    expect(keys('7', 'AN')).to.deep.equal(['AN:VAL1V7']);
    const sevens = searchBallots(mirror, '7', null);
    expect(sevens.map(({ key }) => key)).to.include('AN:VAL1V7');
    const days = sevens.map(({ name }) => name.slice(0, 10));
    expect(days).to.deep.equal([...days].sort().reverse());
  });

  it('is found by its own address', () => {
    expect(keys('https://valombre.example/an/scrutins/VAL1V7')).to.deep.equal(['AN:VAL1V7']);
    expect(keys('https://valombre.example/elsewhere')).to.deep.equal([]);
  });

  it('is found by words, of which a year is that of its day', () => {
    expect(keys('motion de censure 2025')).to.include('AN:VAL1V7');
    for (const key of keys('motion de censure 2025')) {
      const [{ date }] = mirror.sql<{ date: string }>('SELECT date FROM record WHERE key = ?').all(key) as [
        { date: string },
      ];
      expect(date).to.match(/^2025/);
    }
    const [{ date }] = mirror.sql<{ date: string }>("SELECT date FROM record WHERE key = 'AN:VAL1V7'").all() as [
      { date: string },
    ];
    const [year, month, day] = date.split('-');
    for (const days of [date, `${year}-${month}`, `du ${day}/${month}/${year}`])
      expect(keys(`motion de censure ${days}`), days).to.deep.equal(['AN:VAL1V7']);
    expect(keys('motion de censure 1999')).to.deep.equal([]);
    expect(keys('a')).to.deep.equal([]);
  });

  it('is only suggested for words in another spelling', () => {
    expect(keys('retraittes gardiens')).to.deep.equal([]);
    const suggestions = similarBallots(mirror, 'retraittes gardiens', null).map(({ key }) => key);
    expect(suggestions).to.have.members(keys('retraites gardiens'));
  });
});
