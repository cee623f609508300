import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { longForms } from '../../src/names/acronyms.ts';
import { allCandidates } from '../../src/names/candidate.ts';
import { findGroups, resolveSlug } from '../../src/names/lookup.ts';
import { updateNameIndex } from '../../src/names/name-index.ts';
import { guessNames, matchNames } from '../../src/names/rules.ts';
import { searchNames } from '../../src/names/search.ts';
import { nameSource } from '../../src/names/source.ts';
import { openPast } from '../../src/store/history/past.ts';
import { deleteMeta, type Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { createRandom, type Random, seedOf } from '../helpers/random.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

const [first, later, last] = ['2026-11-02', '2026-11-03', '2026-11-04'].map((day) => `${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
];

describe('the index of names', () => {
  let folder: string;
  let path: string;
  let mirror: Mirror;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-name-index-'));
    path = join(folder, 'mirror.db');
    mirror = openWritableMirror(path);
    save('politician', first, [
      { slug: 'zoe-le-roc', full_name: 'Zoé Le Roc' },
      { slug: 'anne-vatel', full_name: 'Anne Vatel' },
      { slug: 'luc-borel', full_name: 'Luc Borel' },
    ]);
    save('party', first, [{ slug: 'parti-du-large', name: 'Parti du large', short_name: 'PL' }]);
  });
  afterEach(() => {
    mirror.close();
    rmSync(folder, { recursive: true });
  });
  const save = (kind: 'politician' | 'party' | 'speech', at: string, documents: Document[], isAll = false) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at });
      for (const document of documents) saver.save(document);
      saver.finish();
      if (isAll) withdrawMissing(mirror, kindOf(kind), { seenNumbers: saver.seenNumbers, at });
    });
  const keys = (candidates: { key: string }[]) => candidates.map(({ key }) => key);
  const keysByAllWords = (query: string, from = mirror) => keys(nameSource(from, 'politician', query).byAllWords());
  const resolved = (query: string, from = mirror) => {
    const resolution = resolveSlug(from, 'politician', query);
    return resolution.match === 'one' ? resolution.key : resolution.match;
  };

  it('reads none but those whom a name may mean', () => {
    expect(keysByAllWords('vatel')).to.deep.equal(['anne-vatel']);
    expect(keysByAllWords('roc z')).to.deep.equal(['zoe-le-roc']);
    expect(keysByAllWords('nobody')).to.deep.equal([]);
    expect(keys(nameSource(mirror, 'politician', 'vattel').bySimilarWords())).to.deep.equal(['anne-vatel']);
    expect(keys(nameSource(mirror, 'party', 'pl').byAllWords())).to.deep.equal(['parti-du-large']);
  });

  it('follows names that are edited, withdrawn, and stated again', () => {
    save('politician', later, [{ slug: 'anne-vatel', full_name: 'Anne Morlin' }]);
    expect(resolved('morlin')).to.equal('anne-vatel');
    expect(resolved('anne vatel'), 'a former name').to.equal('anne-vatel');
    save('politician', later, [{ slug: 'zoe-le-roc', full_name: 'Zoé Le Roc' }], true);
    expect(resolved('morlin')).to.equal('none');
    save('politician', last, [{ slug: 'anne-vatel', full_name: 'Anne Morlin' }]);
    expect(resolved('morlin')).to.equal('anne-vatel');
  });

  it('takes whoever bears a name now before whoever bore it', () => {
    save('politician', later, [
      { slug: 'anne-vatel', full_name: 'Anne Morlin' },
      { slug: 'anne-vatel-2', full_name: 'Anne Vatel' },
    ]);
    expect(resolved('Anne Vatel')).to.equal('anne-vatel-2');
  });

  it('knows other names that a record states', () => {
    const other_names = [{ name: 'Zoé Brumaire' }, 'Zoé la Rousse'];
    save('politician', later, [{ slug: 'zoe-le-roc', full_name: 'Zoé Le Roc', other_names, birth_name: 'Zoé Nacre' }]);
    for (const name of ['zoe brumaire', 'Rousse', 'nacre']) expect(resolved(name), name).to.equal('zoe-le-roc');
  });

  it('finds what came by a profile alone', () => {
    transaction(mirror, () =>
      saveDetail(mirror, kindOf('politician'), { slug: 'ina-brun', full_name: 'Ina Brun' }, { at: later }),
    );
    expect(resolved('ina brun')).to.equal('ina-brun');
  });

  it('finds what a program saved that knows nothing of it', () => {
    mirror
      .sql(
        "UPDATE record SET row = json_set(row, '$.full_name', 'Luc Sorel'), name = 'Luc Sorel', hash = 'x' WHERE key = 'luc-borel'",
      )
      .run();
    mirror
      .sql(
        `INSERT INTO record (id, kind, key, row, name, sort_name, date, updated_at, first_seen, last_seen, last_changed)
         SELECT max(id) + 1, kind, 'eve-nacre', '{"slug":"eve-nacre","full_name":"Eve Nacre"}', 'Eve Nacre', 'nacre eve', '', '', ?, ?, ?
         FROM record WHERE kind = 'politician'`,
      )
      .run(later, later, later);
    expect(resolved('sorel')).to.equal('luc-borel');
    expect(resolved('nacre')).to.equal('eve-nacre');
    transaction(mirror, () => updateNameIndex(mirror));
    expect(keysByAllWords('nacre')).to.deep.equal(['eve-nacre']);
  });

  it('is missed by nobody who reads, and made again by who writes', () => {
    mirror.database.exec('DROP TABLE name_index; DROP TABLE name_word; DROP TABLE IF EXISTS name_known');
    deleteMeta(mirror, 'names');
    const reader = openMirror(path);
    expect(keysByAllWords('vatel', reader).length).to.equal(3);
    expect(resolved('roc', reader)).to.equal('zoe-le-roc');
    mirror.sql("UPDATE record SET name = 'Luc Sorel' WHERE key = 'luc-borel'").run();
    expect(resolved('sorel', reader), 'saved while it reads').to.equal('luc-borel');
    reader.close();
    transaction(mirror, () => updateNameIndex(mirror));
    expect(keysByAllWords('vatel')).to.deep.equal(['anne-vatel']);
  });

  it('is made anew by other rules than those that made it', () => {
    mirror.sql("UPDATE meta SET value = json_set(value, '$.rules', 0) WHERE key = 'names'").run();
    mirror.sql('DELETE FROM name_index').run();
    expect(resolved('vatel')).to.equal('anne-vatel');
    transaction(mirror, () => updateNameIndex(mirror));
    expect(keysByAllWords('vatel')).to.deep.equal(['anne-vatel']);
  });

  it('leaves no trace of a mirror that was put back to an older state', () => {
    const copy = join(folder, 'copy.db');
    mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(path, copy);
    save('politician', later, [{ slug: 'ina-brun', full_name: 'Ina Brun' }]);
    const older = openWritableMirror(copy);
    expect(resolved('ina brun', older)).to.equal('none');
    expect(resolved('vatel', older)).to.equal('anne-vatel');
    older.close();
  });

  it('believes an acronym that two texts explain, as long as they do', () => {
    const explain = (id: string, text: string) => save('speech', later, [{ id, text }]);
    const resolveParty = () => resolveSlug(mirror, 'party', 'PDL');
    explain('s1', 'Le Parti du large (PDL) propose');
    expect(resolveParty().match).to.equal('none');
    save('party', later, [{ slug: 'parti-du-lac', name: 'Parti du lac' }]);
    explain('s2', 'avec le parti du large (PDL).');
    expect(resolveParty()).to.deep.equal({ match: 'one', key: 'parti-du-large' });
    expect(searchNames(mirror, 'PDL retraites', { limit: 5 }).names[0]).to.include({ key: 'parti-du-large' });
    expect(findGroups(mirror, 'PDL', new Set(['parti-du-large']))).to.deep.equal(['parti-du-large']);
    save('party', later, [{ slug: 'pdl', name: 'Phares de Lorne', short_name: 'PDL' }]);
    expect(resolveParty(), 'a short name of its own').to.deep.equal({ match: 'one', key: 'pdl' });
    save('party', later, [{ slug: 'pdl', name: 'Phares de Lorne', short_name: 'PHL' }]);
    explain('s2', 'avec le parti du large.');
    expect(longForms(mirror, 'PDL')).to.deep.equal([]);
  });

  it('resolves in the past by the names of that time', () => {
    save('politician', later, [
      { slug: 'anne-vatel', full_name: 'Anne Morlin' },
      { slug: 'ina-brun', full_name: 'Ina Brun' },
    ]);
    save('politician', last, [{ slug: 'anne-vatel', full_name: 'Anne Sorel' }]);
    const at = (moment: string, query: string) => {
      const past = openPast(path, moment);
      try {
        return resolved(query, past);
      } finally {
        past.close();
      }
    };
    expect(at(first, 'vatel')).to.equal('anne-vatel');
    expect(at(first, 'morlin')).to.equal('none');
    expect(at(first, 'brun')).to.equal('none');
    expect(at(later, 'morlin')).to.equal('anne-vatel');
    expect(at(later, 'sorel')).to.equal('none');
    expect(at(later, 'anne vatel'), 'a name that it bore by then').to.equal('anne-vatel');
    expect(at(last, 'ina brun')).to.equal('ina-brun');
  });
});

describe('names that are read from the index', () => {
  const demo = readDemoMirror();

  it('are those that are found among all', () => {
    const random = createRandom(seedOf('NAMES_SEED'));
    for (const kind of ['politician', 'party'] as const) {
      const all = allCandidates(demo.mirror, kind);
      for (let round = 0; round < 400; round += 1) {
        const query = mangled(random.pick(all).name, random);
        const { byAllWords, bySimilarWords } = nameSource(demo.mirror, kind, query);
        const label = `${query} (NAMES_SEED=${random.seed})`;
        const matching = keysOf(matchNames(query, all));
        expect(keysOf(matchNames(query, byAllWords())), label).to.deep.equal(matching);
        if (matching.length > 0) continue;
        const [nearest] = guessNames(query, all);
        const guessedKeys = guessNames(query, bySimilarWords()).map(({ candidate }) => candidate.key);
        if (nearest) expect(guessedKeys, label).to.include(nearest.candidate.key);
      }
    }
  });

  const keysOf = (guesses: { candidate: { key: string } }[]) => guesses.map(({ candidate }) => candidate.key).sort();
});

/** A name with its words in another order, cut, joined, or with a slip in it. */
function mangled(name: string, { pick }: Random): string {
  const words = name.split(' ');
  const word = pick(words);
  const at = pick([...word].map((_, index) => index));
  const slip = `${word.slice(0, at)}${pick(['', 'x', 'e', 's'])}${word.slice(at + 1)}`;
  return pick([
    [...words].reverse().join(' '),
    words.join(''),
    words.map((each) => each.slice(0, 4)).join(' '),
    word,
    word.slice(0, 3),
    words.map((each) => (each === word ? slip : each)).join(' '),
    slip,
    `Mme ${name}`,
    [...name].filter((letter) => /\p{Lu}/u.test(letter)).join(''),
  ]);
}
