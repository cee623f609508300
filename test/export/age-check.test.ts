import { expect } from 'chai';
import { StaleError } from '../../src/errors.ts';
import { writeRecentTables } from '../../src/export/age-check.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

describe('tables that are too old to export', () => {
  before(() => loadLanguage('fr'));
  const nowMs = Date.parse('2031-05-02T06:00:00Z');
  const maxAge = { ms: 36 * 3_600_000, text: '36h' };
  const tables = [
    { name: 'quotes', freshAt: '2031-04-01T06:00:00Z' },
    { name: 'sources', freshAt: '2031-04-01T06:00:00Z' },
    { name: 'promises', freshAt: null },
    { name: 'parties', freshAt: '2031-06-01T06:00:00Z' },
    { name: 'positions', freshAt: '2031-05-02T05:00:00Z' },
  ];
  const english =
    'quotes, sources last came at 2031-04-01T06:00:00Z, longer ago than 36h; promises never came whole; ' +
    'parties last came at 2031-06-01T06:00:00Z, which is still to come: a clock was wrong: not exported; ' +
    'what was exported before stays';

  it('are left out, each moment with its reason, in the language of the reader', async () => {
    const written: string[][] = [];
    const write = async (fresh: { name: string }[], stale: string[]) => {
      written.push(
        fresh.map(({ name }) => name),
        stale,
      );
    };
    const error = await writeRecentTables(tables, { maxAge, nowMs }, write);
    expect(written).to.deep.equal([['positions'], ['quotes', 'sources', 'promises', 'parties']]);
    expect(error!.message).to.equal(`${english}, the others were written or had not changed`);
    const french = error!.describe(speechOf('fr')).message;
    expect(french).to.include('promises (jamais reçu en entier)').and.include('les autres ont été écrits');
    expect(french).not.to.match(/\b(?:came|exported|stays|others)\b/);
  });

  it('are an error if nothing is written, and none without a limit', async () => {
    const refusal = await writeRecentTables(tables.slice(0, 4), { maxAge, nowMs }, async () => {}).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(StaleError).with.property('message', english);
    expect(await writeRecentTables(tables, { maxAge: null, nowMs }, async () => {})).to.equal(null);
    const old = [{ name: 'speeches', freshAt: null, count: () => 0 }];
    expect(await writeRecentTables(old, { maxAge, nowMs }, async () => {}), 'a kind of files that has none').to.equal(
      null,
    );
  });
});
