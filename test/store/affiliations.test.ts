import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { type AffiliationFilter, listAffiliations } from '../../src/store/records/affiliations.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';

describe('affiliations', () => {
  let folder: string;
  let mirror: Mirror;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-affiliations-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    const people = [
      {
        slug: 'anne-quai',
        full_name: 'Anne Quai',
        affiliations: [
          { party: 'rive', role: 'Membre', start: '2020-01-01', end: '2026-02-01' },
          { party: 'phare', role: 'Membre', start: '2026-02-02', end: null },
          // The source repeats it, in another order of fields: it is listed once.
          { end: null, party: 'phare', role: 'Membre', start: '2026-02-02' },
          { party: 'phare', role: 'Membre', start: '2026-02-02', end: null },
          { party: 'phare', role: 'Soutien', start: null, end: null },
        ],
      },
      {
        slug: 'luc-mole',
        full_name: 'Luc Môle',
        affiliations: [{ party: { slug: 'rive' }, role: null, start: '2026-02-02', end: null }, 'nonsense'],
      },
      { slug: 'zoe-bac', full_name: 'Zoé Bac', affiliations: null },
    ];
    transaction(mirror, () => {
      const politicians = createSaver(mirror, kindOf('politician'), { at: '2026-11-01T00:00:00.000Z' });
      for (const each of people) politicians.save(each);
      politicians.finish();
      const parties = createSaver(mirror, kindOf('party'), { at: '2026-11-01T00:00:00.000Z' });
      parties.save({ slug: 'rive', name: 'La Rive' });
      parties.finish();
    });
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const eventLines = (filter: Partial<AffiliationFilter> = {}) =>
    listAffiliations(mirror, { limit: 20, ...filter }).items.map(
      ({ date, event, politician, party }) => `${date} ${politician} ${event} ${party}`,
    );

  it('are told by the days that their source states, the newest first, and by no other', () => {
    expect(eventLines()).to.deep.equal([
      '2026-02-02 anne-quai began phare',
      '2026-02-02 luc-mole began rive',
      '2026-02-01 anne-quai ended rive',
      '2020-01-01 anne-quai began rive',
    ]);
  });

  it('name a party that the mirror holds, and none that it does not', () => {
    const { items, total } = listAffiliations(mirror, { limit: 20, politician: 'anne-quai' });
    expect(items.map(({ party_name }) => party_name)).to.deep.equal([null, 'La Rive', 'La Rive']);
    expect(total).to.equal(3);
  });

  it('are chosen by day, party and event', () => {
    expect(eventLines({ since: '2026-02-02' })).to.have.lengthOf(2);
    expect(eventLines({ until: '2026-02-01', event: 'ended' })).to.deep.equal(['2026-02-01 anne-quai ended rive']);
    expect(eventLines({ party: 'phare,rive', event: 'began' })).to.have.lengthOf(3);
  });

  it('are walked to their end page by page, each once', () => {
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = listAffiliations(mirror, { limit: 1, cursor });
      walked.push(...page.items.map(({ date, politician, event }) => `${date} ${politician} ${event}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).to.have.lengthOf(4);
    expect(new Set(walked).size).to.equal(4);
    expect(() => listAffiliations(mirror, { limit: 1, cursor: 'nonsense' })).to.throw(/cursor/);
  });
});
