import { expect } from 'chai';
import { type Document, textOf } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { searchNames } from '../../src/names/search.ts';
import { replicaText } from '../../src/store/following/replica.ts';
import { saveReplica } from '../../src/store/following/save-replica.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { readHistory } from '../../src/store/history/history.ts';
import { openPast } from '../../src/store/history/past.ts';
import { currentPosition, recordIdsSince, wasAtPosition } from '../../src/store/journal.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { readRecord } from '../../src/store/record.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { unconfirmedSlugReuses } from '../../src/store/saving/reused-slugs.ts';
import { createSaver, type SaverOptions } from '../../src/store/saving/save.ts';
import { withhold } from '../../src/store/saving/withhold.ts';
import { createTombstone } from '../../src/store/tombstones.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const kind = kindOf('politician');
const day = (n: number) => new Date(Date.parse('2026-11-01T06:00:00Z') + (n - 1) * 86_400_000).toISOString();
const elodie = {
  slug: 'vaugrenard',
  full_name: 'Élodie Vaugrenard',
  birth_date: '1971-03-14',
  current_role: 'députée',
};
const basile = { slug: 'vaugrenard', full_name: 'Basile Ormont', birth_date: '1968-11-02', current_role: 'sénateur' };
const cyprien = { slug: 'vaugrenard', full_name: 'Cyprien Lestrade', birth_date: '1985-07-23' };

describe('a slug that is given to another person', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
    list(1, elodie);
  });
  afterEach(() => own.remove());

  const list = (n: number, document: Document, options: Partial<SaverOptions> = {}) =>
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kind, { at: day(n), ...options });
      saver.save(document);
      saver.finish();
    });
  const profile = (n: number, document: Document) =>
    transaction(own.mirror, () => saveDetail(own.mirror, kind, document, { at: day(n) }));
  const nameOf = (key: string, mirror = own.mirror) => textOf(readRecord(mirror, kind, key) ?? {}, 'full_name');
  const changes = (since = day(1)) =>
    [...listChanges(own.mirror, { since })].map(({ change, key, title }) => `${change} ${key}: ${title}`);

  it('keeps the stored person until a second day confirms the other', () => {
    list(2, basile, { once: true });
    expect([nameOf('vaugrenard'), unconfirmedSlugReuses(own.mirror)]).to.deep.equal([
      'Élodie Vaugrenard',
      ['vaugrenard'],
    ]);
    list(2.5, basile, { once: true });
    expect(nameOf('vaugrenard')).to.equal('Élodie Vaugrenard');
    list(3, basile, { once: true });
    expect([nameOf('vaugrenard'), unconfirmedSlugReuses(own.mirror)]).to.deep.equal(['Basile Ormont', []]);
    expect(changes()).to.deep.equal(['withdrawn vaugrenard~1: Élodie Vaugrenard', 'added vaugrenard: Basile Ormont']);
  });

  it('separates the histories, and each name leads to its own record', () => {
    list(2, { ...elodie, current_role: 'ministre' });
    for (const n of [3, 4]) list(n, basile);
    expect(readHistory(own.mirror, kind, 'vaugrenard').versions.map(({ seen_from }) => seen_from)).to.deep.equal([
      day(4),
    ]);
    const former = readHistory(own.mirror, kind, 'vaugrenard~1').versions;
    expect(former.map(({ seen_from, seen_to, ended_by }) => [seen_from, seen_to, ended_by])).to.deep.equal([
      [day(2), day(4), 'withdrawn'],
      [day(1), day(2), 'edited'],
    ]);
    const names = (text: string) => searchNames(own.mirror, text, { kinds: ['politician'], limit: 5 }).names;
    expect(names('Ormont').map(({ key }) => key)).to.deep.equal(['vaugrenard']);
    expect(names('Élodie').map(({ key }) => key)).to.deep.equal([]);
  });

  it('forgets the other person where the stored one is listed again', () => {
    for (const [n, document] of [basile, elodie, basile, { ...elodie, current_role: 'ministre' }, basile].entries())
      list(n + 2, document);
    expect([nameOf('vaugrenard'), unconfirmedSlugReuses(own.mirror)]).to.deep.equal([
      'Élodie Vaugrenard',
      ['vaugrenard'],
    ]);
  });

  it('needs the same other person on both days', () => {
    list(2, basile);
    list(3, cyprien);
    expect(nameOf('vaugrenard')).to.equal('Élodie Vaugrenard');
    list(4, cyprien);
    expect(nameOf('vaugrenard')).to.equal('Cyprien Lestrade');
  });

  it('needs one day if a user accepts the kind', () => {
    list(2, basile, { changesToConfirm: 'none' });
    expect(nameOf('vaugrenard')).to.equal('Basile Ormont');
  });

  it('numbers the former persons, and a corrected birth date is an edit', () => {
    for (const [n, document] of [basile, basile, cyprien, cyprien].entries()) list(n + 2, document);
    list(6, { ...cyprien, birth_date: '1985-08-12' });
    expect(changes().filter((line) => !line.startsWith('added'))).to.deep.equal([
      'edited vaugrenard: Cyprien Lestrade',
      'withdrawn vaugrenard~2: Basile Ormont',
      'withdrawn vaugrenard~1: Élodie Vaugrenard',
    ]);
  });

  it('is decided by profiles where they alone tell of it, and not against a dataset', () => {
    for (const n of [2, 3, 4]) expect(profile(n, basile)).to.equal('deferred');
    expect(nameOf('vaugrenard')).to.equal('Élodie Vaugrenard');
    const { birth_date: _, ...unborn } = { ...elodie, slug: 'elodie' };
    list(1, unborn);
    profile(1, { ...elodie, slug: 'elodie' });
    for (const n of [2, 3]) profile(n, { ...basile, slug: 'elodie' });
    expect([nameOf('elodie'), nameOf('elodie~1')]).to.deep.equal(['Basile Ormont', null]);
  });

  it('is decided by profiles of a mirror without datasets', () => {
    profile(1, { ...elodie, slug: 'elodie' });
    for (const n of [2, 3]) profile(n, { ...basile, slug: 'elodie' });
    expect(changes().filter((line) => line.includes('elodie'))).to.deep.equal([
      'withdrawn elodie~1: Élodie Vaugrenard',
      'added elodie: Basile Ormont',
    ]);
  });

  it('leaves the day of an earlier withdrawal', () => {
    own.mirror.sql('UPDATE record SET withdrawn = ?').run(day(2));
    for (const n of [3, 4]) list(n, basile);
    expect(readHistory(own.mirror, kind, 'vaugrenard~1').versions[0]!.seen_to).to.equal(day(2));
    expect(changes().length).to.equal(2);
  });

  it('is the slug of the person who had it, in the past', () => {
    for (const n of [2, 3]) list(n, basile);
    const past = openPast(own.mirror.path, day(2));
    expect([nameOf('vaugrenard', past), nameOf('vaugrenard~1', past)]).to.deep.equal(['Élodie Vaugrenard', null]);
    expect(JSON.stringify(readRecord(past, kind, 'vaugrenard'))).to.equal(JSON.stringify(elodie));
    past.close();
  });

  it('leaves the positions of those who follow', () => {
    const position = currentPosition(own.mirror, kind);
    for (const n of [2, 3]) list(n, basile);
    expect(wasAtPosition(own.mirror, kind, position)).to.equal(true);
  });

  it('reaches followers with both histories and their positions, and stays withheld where it was withheld', () => {
    const followers = [createTemporaryMirror(), createTemporaryMirror()];
    const [follower, other] = followers.map(({ mirror }) => mirror) as [Mirror, Mirror];
    const send = (to: Mirror) => {
      for (const id of recordIdsSince(own.mirror, kind, null)) {
        const text = replicaText(own.mirror, id);
        transaction(to, () => saveReplica(to, JSON.parse(text), { text }));
      }
    };
    for (const each of [follower, other]) send(each);
    const position = currentPosition(follower, kind);
    withhold(other, [createTombstone(other, { kind: 'politician', key: 'vaugrenard', reason: 'objection' })]);
    for (const n of [2, 3]) list(n, basile);
    for (const each of [follower, other, follower, other]) send(each);
    const keys = (mirror: Mirror) => mirror.column<string>('SELECT key FROM record ORDER BY id').all();
    expect(keys(follower)).to.deep.equal(keys(own.mirror));
    expect(readHistory(follower, kind, 'vaugrenard~1')).to.deep.equal(readHistory(own.mirror, kind, 'vaugrenard~1'));
    expect([nameOf('vaugrenard', follower), wasAtPosition(follower, kind, position)]).to.deep.equal([
      'Basile Ormont',
      true,
    ]);
    expect(keys(other)).to.deep.equal([]);
    for (const each of followers) each.remove();
  });
});
