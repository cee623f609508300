import { expect } from 'chai';
import { type Document, textOf } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { readRecord } from '../../src/store/record.ts';
import { readCompleteRecord } from '../../src/store/records/profile.ts';
import { compareProfile } from '../../src/store/records/profile-comparison.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { askProgram } from '../helpers/program.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;
const politician = kindOf('politician');
const hasPromise = (promises: Document[], { slug }: Document) => promises.some((each) => each.politician === slug);

describe('a slug over time', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  let first: Document;
  let slug: string;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService({ ...dialects[0]!, dataset: 'csv', hasValidators: true });
    const { politicians, promises } = service.records;
    // The first of them is one with a promise.
    politicians!.sort((one, other) => Number(hasPromise(promises!, other)) - Number(hasPromise(promises!, one)));
    [first] = politicians as [Document];
    slug = String(first.slug);
    await night(0);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const night = async (n: number, options: Parameters<typeof syncOnce>[2] = {}) =>
    syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs, ...options });
  const nameOf = (key: string) => textOf(readRecord(own.mirror, politician, key) ?? {}, 'full_name');
  const changes = (politicianSlug?: string) =>
    [...listChanges(own.mirror, { since: new Date(noon + 1000).toISOString(), politician: politicianSlug })].map(
      ({ change, key, former_key = '' }) => [change, former_key, key].filter(Boolean).join(' '),
    );
  const another = (n = 0): Document => ({
    slug,
    full_name: `Basile ${'ABCDEFGHIJ'[n % 10]}ormontel`,
    birth_date: `19${60 + n}-11-02`,
    current_role: 'sénateur',
  });

  it('that another person has two nights running begins a record, and ends the other as such', async () => {
    service.records.politicians![0] = { ...first, ...another() };
    const one = await night(1);
    expect([one.report.exit, nameOf(slug), changes()]).to.deep.equal([0, first.full_name, []]);
    expect(one.notes.filter((note) => note.includes('another person'))).to.deep.equal([
      `another person may have these slugs now: ${slug} (1); the stored records stay current until a second day confirms it`,
    ]);
    const two = await night(2);
    expect([two.report.exit, nameOf(slug)]).to.deep.equal([0, 'Basile Aormontel']);
    expect(two.notes.filter((note) => note.includes('another person'))).to.deep.equal([]);
    expect(changes()).to.deep.equal([`withdrawn ${slug} ${slug}~1`, `added ${slug}`]);
    for (const n of [3, 4]) await night(n);
    expect(changes()).to.have.length(2);
  });

  it('tells each person what was theirs, and who is asked of the slug that it was given away', async () => {
    const promise = service.records.promises!.find((each) => each.politician === slug)!;
    promise.text = 'Un texte corrigé.';
    await night(1);
    service.records.politicians![0] = { ...first, ...another() };
    for (const n of [2, 3]) await night(n);
    service.records.promises!.push({ ...promise, id: 'new-one', text: 'Tout autre chose.' });
    await night(4);
    expect(changes(slug)).to.deep.equal(['added new-one', `withdrawn ${slug} ${slug}~1`, `added ${slug}`]);
    expect(changes(`${slug}~1`)).to.deep.equal([`withdrawn ${slug} ${slug}~1`, `edited ${promise.id}`]);
  });

  it('is no other person where many change at once: the list is refused', async () => {
    service.records.politicians = service.records.politicians!.map((each, n) => ({
      ...each,
      ...another(n % 40),
      slug: each.slug!,
    }));
    await night(1);
    const { report } = await night(2);
    expect([report.exit, nameOf(slug)]).to.deep.equal([5, first.full_name]);
  });

  it('makes no composed profile differ from the datasets, which would fetch all of them', async () => {
    const before = service.requests.length;
    const profile = { ...first, ...another() };
    service.records.politicians![0] = profile;
    await night(1);
    const comparison = compareProfile(own.mirror, { kind: politician, slug }, profile);
    expect(comparison).to.equal(null);
    expect(service.requests.length - before).to.be.lessThan(15);
  });

  it('needs one night where a user accepts the kind', async () => {
    service.records.politicians![0] = { ...first, ...another() };
    await night(1, { accepted: ['politician'] });
    expect(nameOf(slug)).to.equal('Basile Aormontel');
  });

  /** Redirects the profile of a slug to an address. */
  const redirect = (from: string, location: string, status = 301) => {
    service.faults.push({
      path: new RegExp(`^/politicians/${from}$`),
      times: 1000,
      answer: (_, response) => void response.writeHead(status, { location }).end(),
    });
  };

  it('whose profile moved for good to another is merged into that one, and leads to it', async () => {
    const latter = String(service.records.politicians![1]!.slug);
    service.records.politicians!.splice(0, 1);
    redirect(slug, `/api/v1/politicians/${latter}`);
    expect((await night(1)).report.exit).to.equal(0);
    expect(changes()).to.deep.equal([]);
    expect((await night(2)).report.exit).to.equal(0);
    for (const each of [undefined, slug, latter]) expect(changes(each)).to.deep.equal([`renamed ${slug} ${latter}`]);
    expect(readCompleteRecord(own.mirror, politician, slug)!.slug).to.equal(latter);
    const options = ['--db', own.mirror.path, '--json', '--source', 'mirror'];
    for (const line of [
      ['politicians', slug],
      ['show', `politician:${slug}`],
    ]) {
      const { exit, stdout } = await askProgram([...line, ...options]);
      expect([exit, JSON.parse(stdout).item.slug]).to.deep.equal([0, latter]);
    }
    for (const reference of [['politician', slug], [`politician:${slug}`]]) {
      const { exit, stdout } = await askProgram(['history', ...reference, ...options]);
      const { key, items } = JSON.parse(stdout);
      expect([exit, key, items[0].document.slug, items[0].ended_by]).to.deep.equal([0, slug, slug, 'withdrawn']);
      expect(stdout).not.to.contain('_merged_into');
      const { stderr } = await askProgram(['history', ...reference, ...options.slice(0, 2), '--format', 'ndjson']);
      expect(stderr).to.contain(`merged into ${latter}: hemicycle history politician ${latter}`);
    }
    for (const command of ['cite', 'open'])
      expect((await askProgram([command, 'politician', slug, ...options.slice(0, 2)])).exit).to.equal(0);
    const env = { HEMICYCLE_BASE_URL: service.baseUrl };
    const response = await askProgram(['politicians', slug, '--db', own.mirror.path, '--json', '--source', 'service'], {
      env,
    });
    expect([response.exit, JSON.parse(response.stdout).item.slug]).to.deep.equal([0, latter]);
    for (const n of [3, 9]) expect((await night(n)).report.exit).to.equal(0);
    expect(changes()).to.have.length(1);
  });

  for (const [target, location] of Object.entries({
    'a list': '/api/v1/politicians',
    'a slug that exists nowhere': '/api/v1/politicians/nobody',
    itself: '.',
    'another for a while': 'another',
  }))
    it(`is merged into none if its profile is redirected to ${target}`, async () => {
      const latter = String(service.records.politicians![1]!.slug);
      service.records.politicians!.splice(0, 1);
      const path =
        { '.': `/api/v1/politicians/${slug}`, another: `/api/v1/politicians/${latter}` }[location] ?? location;
      redirect(slug, path, location === 'another' ? 302 : 301);
      for (const n of [1, 2, 3]) await night(n);
      expect(changes().filter((line) => !line.startsWith('withdrawn'))).to.deep.equal([]);
      expect(readCompleteRecord(own.mirror, politician, slug)?.slug).to.be.oneOf([undefined, slug]);
    });
});
