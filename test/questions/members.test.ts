import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { affiliations } from '../../src/questions/affiliations.ts';
import { changes } from '../../src/questions/changes.ts';
import { parties, party } from '../../src/questions/parties.ts';
import { politician, politicians } from '../../src/questions/politicians.ts';
import type { ListQuestion } from '../../src/questions/question.ts';
import { records } from '../../src/questions/record.ts';
import { search } from '../../src/questions/search.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { declared, joined, phares, pharesPeople, seat } from '../helpers/phares.ts';
import { saveAll } from '../server/demo-server.ts';
import { fieldsAt } from './question-results.ts';

describe('members of a party or group', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    const writer = openWritableMirror(demo.db);
    saveAll(writer, 'party', phares, '2026-11-03T00:00:00.000Z');
    saveAll(writer, 'politician', pharesPeople, '2026-11-03T00:00:00.000Z');
    writer.close();
    mirror = openMirror(demo.db);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });

  const partOf = async (slug: string, part: string) =>
    ((await ask(mirror, party, { slug })).item[part] as Document[]).map((each) => each.slug);

  it('are those of today: those attached financially and those who left are listed apart', async () => {
    expect(await partOf('PDP', 'members')).to.deep.equal(['ada-jetee', 'gil-port']);
    expect(await partOf('PDP', 'financially_attached')).to.deep.equal(['bea-digue', 'cleo-mole']);
    expect(await partOf('PDP', 'no_lasting_affiliation')).to.deep.equal(['dora-quai', 'ella-bac', 'fay-cale']);
    expect(await partOf('PHA', 'members')).to.deep.equal(['ada-jetee', 'bea-digue', 'cleo-mole']);
    expect(await partOf('PHA', 'financially_attached')).to.deep.equal([]);
  });

  it('are counted in the list beside the number that the service states', async () => {
    const columns = ['slug', 'members_today', 'attached_today', 'member_count'];
    const counts = (await fieldsAt(mirror, parties, columns)).filter(([slug]) => String(slug).includes('phares'));
    expect(counts).to.have.deep.members([
      ['parti-des-phares', 2, 2, 208],
      ['phares-an1', 3, null, 321],
    ]);
    expect(parties.columns).to.include.members(columns);
  });

  it('are as many in the list as in the profile, for every party and group', async () => {
    for (const [slug, today, attached] of await fieldsAt(mirror, parties, [
      'slug',
      'members_today',
      'attached_today',
    ])) {
      expect((await partOf(String(slug), 'members')).length, String(slug)).to.equal(today ?? 0);
      expect((await partOf(String(slug), 'financially_attached')).length, String(slug)).to.equal(attached ?? 0);
    }
  });

  it('are told from others in the list of a party’s politicians and in each profile', async () => {
    const standings = await fieldsAt(mirror, politicians, ['slug', 'party_link'], { party: 'PDP' });
    expect(standings).to.deep.equal([
      ['ada-jetee', 'member'],
      ['bea-digue', 'financial attachment (derived)'],
      ['cleo-mole', 'financial attachment'],
      ['dora-quai', 'no lasting affiliation'],
      ['ella-bac', 'no lasting affiliation'],
      ['fay-cale', 'no lasting affiliation'],
      ['gil-port', 'member'],
    ]);
    for (const [slug, standing] of standings)
      expect((await ask(mirror, politician, { slug })).item.party_link, String(slug)).to.equal(standing);
    expect(politicians.columns).to.include('party_link');
  });

  it('are the same with `--group` in every list, without members of the party alone', async () => {
    const seated = ['ada-jetee', 'bea-digue', 'cleo-mole'];
    const slugsAt = async (question: ListQuestion, column: string, parameters: Document) => [
      ...new Set((await fieldsAt(mirror, question, [column], { group: 'PDP', ...parameters })).flat().sort()),
    ];
    expect(await slugsAt(politicians, 'slug', {})).to.deep.equal(seated);
    expect(await slugsAt(politicians, 'slug', { group: 'parti-des-phares' })).to.deep.equal(seated);
    expect(await slugsAt(records, 'slug', { kind: 'politician' })).to.deep.equal(seated);
    expect(await slugsAt(changes, 'key', { kind: 'politician', since: '2026-01-01' })).to.deep.equal(seated);
    expect(await slugsAt(search, 'slug', { q: 'jetee', type: 'politician' })).to.deep.equal(['ada-jetee']);
    expect(await slugsAt(search, 'slug', { q: 'gil-port', type: 'politician' })).to.deep.equal([]);
    expect(await slugsAt(affiliations, 'party', {})).to.deep.equal(['phares-an1']);
    expect(await slugsAt(affiliations, 'politician', { party: 'parti-des-phares' })).to.deep.equal([
      'ada-jetee',
      'bea-digue',
    ]);
    const { notes = () => [] } = await ask(mirror, politicians, { group: 'PDP' });
    expect(notes().map(String).join('\n')).to.match(/Phares.*; members of the party alone are not included/);
  });

  it('stay in their parts where a mirror received one list from another mirror', async () => {
    const profile = (await ask(mirror, party, { slug: 'PDP' })).item;
    const { members, financially_attached: attached, no_lasting_affiliation: others, ...stated } = profile;
    const listed = [others, attached, members].flat() as Document[];
    const writer = openWritableMirror(demo.db);
    const received = { ...stated, members: listed };
    transaction(writer, () => saveDetail(writer, kindOf('party'), received, { at: '2026-11-04T00:00:00.000Z' }));
    writer.close();
    expect((await ask(mirror, party, { slug: 'PDP' })).item).to.deep.equal(profile);
  });

  it('are no attachments: a profile names each of them among the affiliations, which stay as published', async () => {
    const affiliationsOf = async (slug: string) => (await ask(mirror, politician, { slug })).item.affiliations;
    expect(await affiliationsOf('bea-digue')).to.deep.equal([
      seat,
      { ...declared, nature: 'financial attachment (derived)' },
    ]);
    expect(await affiliationsOf('ada-jetee')).to.deep.equal([seat, joined]);
  });
});
