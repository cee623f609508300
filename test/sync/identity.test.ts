import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { findSlug } from '../../src/names/lookup.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { readHistory } from '../../src/store/history/history.ts';
import { openPast } from '../../src/store/history/past.ts';
import { currentPosition, recordsSince, wasAt } from '../../src/store/journal.ts';
import { readRecord } from '../../src/store/record.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;
const politician = kindOf('politician');

describe('identity over time', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const night = async (n: number) => {
    const { report, error, notes } = await syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs });
    expect(error).to.equal(null);
    return { report, notes };
  };
  const reported = () =>
    [...listChanges(own.mirror, { since: new Date(noon).toISOString() })]
      .map(({ seen_at, change, key, former_key }) => {
        const day = Math.round((Date.parse(seen_at) - noon) / dayMs);
        return `${day} ${change} ${former_key ? `${former_key} → ` : ''}${key}`;
      })
      .toSorted();
  const people = () => service.records.politicians!;
  const become = (nth: number, fields: Document) => {
    people()[nth] = { ...people()[nth]!, ...fields };
    return String(people()[nth]!.slug);
  };
  const somebodyElse = { full_name: 'Quelqu’un Dautre', birth_date: '1990-09-09', bio: 'Une autre personne.' };

  it('ends the record whose slug goes to another person, and begins one without its history', async () => {
    await night(0);
    const before = people()[3]!;
    become(3, { bio: 'Une biographie corrigée.' });
    await night(1);
    const slug = become(3, somebodyElse);
    await night(2);
    expect(readRecord(own.mirror, politician, slug)!.full_name).to.equal(before.full_name);
    const { report } = await night(3);
    expect(report.records.politician!.ended).to.equal(1);
    await night(4);
    expect(reported()).to.deep.equal([`1 edited ${slug}~1`, `3 added ${slug}`, `3 ended ${slug} → ${slug}~1`]);
    expect(readRecord(own.mirror, politician, slug)!.full_name).to.equal(somebodyElse.full_name);
    const now = readHistory(own.mirror, politician, slug);
    expect(now.versions.map(({ document }) => document.full_name)).to.deep.equal(
      now.versions.map(() => somebodyElse.full_name),
    );
    const ended = readHistory(own.mirror, politician, `${slug}~1`);
    expect(ended.versions.filter(({ part }) => part === 'row')).to.have.length(2);
    expect(ended.versions.every(({ document }) => document.full_name === before.full_name)).to.equal(true);
  });

  it('shows the former holder of a slug in past states', async () => {
    await night(0);
    const before = people()[3]!;
    const slug = become(3, somebodyElse);
    for (const n of [1, 2]) await night(n);
    const past = openPast(own.mirror.path, new Date(noon + dayMs).toISOString());
    expect(readRecord(past, politician, slug)).to.deep.equal(before);
    past.close();
  });

  it('of a fault of one night is no other identity', async () => {
    await night(0);
    const before = people()[3]!;
    become(3, somebodyElse);
    await night(1);
    people()[3] = before;
    for (const n of [2, 3, 4]) await night(n);
    expect(reported()).to.deep.equal([]);
  });

  it('ends by an id inside that contradicts, and not by a name or a birth date alone', async () => {
    for (const nth of [1, 2, 3]) become(nth, { id: `p${nth}` });
    await night(0);
    const edited = [become(1, { full_name: 'Aldegonde Mariée' }), become(2, { birth_date: '1950-05-05' })];
    const slug = become(3, { full_name: 'Quelqu’un Dautre', id: 'p99' });
    for (const n of [1, 2]) await night(n);
    expect(reported()).to.deep.equal(
      [...edited.map((each) => `1 edited ${each}`), `2 added ${slug}`, `2 ended ${slug} → ${slug}~1`].toSorted(),
    );
  });

  it('of many slugs at once is refused, as other edits of one field are', async () => {
    await night(0);
    const rows = people().map((each) => ({ ...each }));
    for (let at = 0; at < 20; at += 1)
      become(at, { full_name: rows[at + 20]!.full_name!, birth_date: `19${at + 10}-02-03` });
    await night(1);
    const { error } = await syncOnce(own, service.baseUrl, { now: () => noon + 2 * dayMs });
    expect(String(error)).to.include('edits "full_name" of 20 of 50 politicians');
    expect(reported()).to.deep.equal([]);
  });

  it('of the newest record keeps the positions of followers', async () => {
    await night(0);
    const position = currentPosition(own.mirror, politician);
    const slug = become(people().length - 1, somebodyElse);
    for (const n of [1, 2]) await night(n);
    expect(wasAt(own.mirror, politician, position)).to.equal(true);
    const keys = [...recordsSince(own.mirror, politician, position)].map(
      (id) => own.mirror.column<string>('SELECT key FROM record WHERE id = ?').get(id)!,
    );
    expect(keys).to.include.members([slug, `${slug}~1`]);
  });

  it('is one for two slugs if the address of the one redirects to the other for good', async () => {
    await night(0);
    const [gone] = people().splice(3, 1);
    const kept = String(people()[5]!.slug);
    service.bent = {
      path: new RegExp(`^/politicians/${gone!.slug}$`),
      send: (_, response) => {
        response.writeHead(301, { location: `/api/v1/politicians/${kept}` }).end();
      },
    };
    for (const n of [1, 2, 3]) expect((await night(n)).report.exit).to.equal(0);
    expect(reported().filter((each) => each.includes(String(gone!.slug)))).to.deep.equal([
      `2 merged ${gone!.slug} → ${kept}`,
    ]);
    expect(findSlug(own.mirror, 'politician', String(gone!.slug))).to.equal(kept);
  });

  it('of a listed politician whose address redirects to another fails no sync', async () => {
    const [moved, kept] = [people()[3]!.slug, people()[5]!.slug];
    service.bent = {
      path: new RegExp(`^/politicians/${moved}$`),
      send: (_, response) => {
        response.writeHead(301, { location: `/api/v1/politicians/${kept}` }).end();
      },
    };
    for (const n of [0, 1]) expect((await night(n)).report.exit).to.equal(0);
    expect(readRecord(own.mirror, politician, String(moved))).to.include({ slug: moved });
  });

  it('of a politician whose slug is a segment of paths fails no sync', async () => {
    for (const [at, slug] of ['.', '..'].entries()) become(at, { slug });
    service.bent = { path: /^\/(politicians\/?)?$/, send: (_, response) => void response.writeHead(200).end('[]') };
    for (const n of [0, 1]) expect((await night(n)).report.exit).to.equal(0);
    expect(readRecord(own.mirror, politician, '..')).to.include({ slug: '..' });
  });
});
