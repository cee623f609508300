import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { kindOf } from '../../../src/model/kinds.ts';
import { relatedTexts, votedTexts } from '../../../src/store/records/ballot-texts.ts';
import { refreshBallotTables } from '../../../src/store/saving/ballot-tables.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';

const folder = new URL('../../../../shared/data/real/', import.meta.url);

describe('the texts of real ballots, where the records are present', () => {
  it('are linked by the records alone, and the last vote on a law to hundreds under its other name', function () {
    if (!existsSync(folder)) return this.skip();
    const own = createTemporaryMirror();
    transaction(own.mirror, () => {
      for (const [name, kind] of [['ballots', 'ballot'] as const, ['content', 'content'] as const]) {
        const lines = gunzipSync(readFileSync(new URL(`${name}.ndjson.gz`, folder)));
        const saver = createSaver(own.mirror, kindOf(kind), { at: '2026-07-01T00:00:00.000Z' });
        for (const line of lines.toString().trim().split('\n')) saver.save(JSON.parse(line));
        saver.finish();
      }
      refreshBallotTables(own.mirror);
    });
    const links = [...votedTexts(own.mirror).values()].flatMap(({ key, ballots }) =>
      relatedTexts(own.mirror, [key]).map((related) => ({ ...related, size: ballots })),
    );
    own.remove();
    // Each was read: none joins two subjects. Each stands at both of its texts.
    expect(links).to.have.length(2 * 31);
    const lastVotes = links.filter(
      ({ size, ballots, linked_by: by }) => size === 1 && ballots > 300 && by === 'amendments',
    );
    expect(lastVotes).to.have.length(1);
  });
});
