import { expect } from 'chai';
import { ask, itemsOf } from '../../src/index.ts';
import { dissentOf } from '../../src/model/agreement.ts';
import type { Counts } from '../../src/model/ballot.ts';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { readValues } from '../../src/questions/parameter.ts';
import { speechOf } from '../../src/words/speech.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from './question-results.ts';

describe('the question for ballots', () => {
  const night = readTwoNights();
  const ids = async (parameters: Record<string, unknown>, mirror = night.past) =>
    (await fieldsAt(mirror, ballots, ['scrutin_id'], { limit: 100, ...parameters })).flat();

  it('lists the newest first, or the closest', async () => {
    expect(await ids({ limit: 3 })).to.deep.equal(['2026-12', 'VAL1V20', 'VAL1V19']);
    const closest = await fieldsAt(night.past, ballots, ['scrutin_id', 'margin'], {
      margin: 3,
      sort: 'margin',
    });
    expect(closest).to.deep.equal([
      ['VAL1V11', 0],
      ['2026-11', 2],
      ['2026-5', 3],
    ]);
    expect(await ids({ margin: 2, sort: 'margin' })).to.deep.equal(['VAL1V11', '2026-11']);
    expect(await ids({ margin: 0 })).to.deep.equal(['VAL1V11']);
  });

  it('finds words of the title, and combines them with days and a chamber', async () => {
    expect(await ids({ q: 'retraites' })).to.deep.equal(['2026-3', '2026-2', 'VAL1V4', 'VAL1V3', 'VAL1V2']);
    expect(await ids({ q: 'retraites', chamber: 'sénat' })).to.deep.equal(['2026-3', '2026-2']);
    expect(await ids({ q: 'retraites', since: '2026-02-18' })).to.deep.equal(['2026-3']);
    expect(await ids({ q: 'retraites', until: '2025-11-04' })).to.deep.equal(['VAL1V4', 'VAL1V3', 'VAL1V2']);
  });

  it('holds every position that is asked for, and shows those groups', async () => {
    const parameters = { voted: ['ADR:for', 'PDV:against'] };
    const items = await itemsAt(night.past, ballots, parameters);
    expect(items).to.have.length(5);
    for (const { voted } of items)
      expect((voted as { party: string; position: string }[]).map((each) => [each.party, each.position])).to.deep.equal(
        [
          ['alliance-des-rivages', 'pour'],
          ['parti-du-verger', 'contre'],
        ],
      );
    expect((await ids({ voted: 'ADR:pour' })).length).to.be.greaterThan(5);
    expect(ballots.toRow!(items[0]!).voted).to.equal(
      'alliance-des-rivages: for, 16 for, 0 against, 0 abstentions, of 16 members; ' +
        'parti-du-verger: against, 3 for, 7 against, 2 abstentions, of 12 members',
    );
  });

  it('states in tables that a ballot lists none of the requested groups; files have an empty cell', async () => {
    const ballot = { chamber: 'AN', scrutin_id: 'VAL1V1', voted: [] };
    expect(ballots.toRow!(ballot, speechOf('en')).voted).to.equal('votes of the requested groups: not listed');
    expect(ballots.toRow!(ballot).voted).to.equal(null);
    const [plain] = await itemsAt(night.past, ballots, { limit: 1 });
    expect(ballots.toRow!(plain!, speechOf('en')).voted).to.equal(null);
  });

  it('says how many ballots a position left out that is stated, but not counted', () => {
    const own = createTemporaryMirror();
    const ballotOf = (n: number, members: number | null) => ({
      ...{
        scrutin_id: `V${n}`,
        chamber: 'AN',
        date: '2026-06-01',
        title: 'Motion de censure',
        type: 'motion de censure',
      },
      votes_by_party: [{ party: 'phares', position: 'pour', for: 9, members }],
    });
    saveAll(own.mirror, 'ballot', [ballotOf(1, 10), ballotOf(2, null), ballotOf(3, 30)], '2026-11-03T00:00:00.000Z');
    const read = (parameters: Record<string, string>) => {
      const { values } = readValues(ballots.parameters, parameters);
      const { total, remarks = [], extra } = ballots.read(own.mirror, values as never, {} as never);
      return { total, remarks: remarks.map(String), stated: extra?.remarks };
    };
    const counted = read({ voted: 'phares:for' });
    const others = [read({ voted: 'phares:for', since: '2026-07-01' }), read({ voted_stated: 'phares:for' }), read({})];
    own.remove();
    expect(counted.total).to.equal(1);
    expect(counted.remarks.join()).to.match(/^left out: 2 ballots with this position .*--voted-stated lists them/);
    expect(counted.stated).to.deep.equal(counted.remarks);
    for (const { remarks, stated } of others) expect([remarks, stated]).to.deep.equal([[], undefined]);
  });

  it('has no 0 against a motion of censure for people, and in files what the source states', () => {
    const motion = {
      ...{ chamber: 'AN', scrutin_id: '1', title: 'Motion de censure' },
      totals: { for: 9, against: 0, abstention: 0 },
    };
    const counts = ({ votes_for, votes_against, votes_abstention }: Document) => [
      ...[votes_for, votes_against, votes_abstention],
    ];
    expect(counts(ballots.toRow!(motion))).to.deep.equal([9, 0, 0]);
    expect(counts(ballots.toRow!(motion, speechOf('en')))).to.deep.equal([9, undefined, undefined]);
    expect(counts(ballots.toRow!({ ...motion, title: 'Amendement' }, speechOf('en')))).to.deep.equal([9, 0, 0]);
  });

  it('counts whoever votes otherwise than most of a group, also where most of it abstain', async () => {
    // 3 of 20 in one group, where 17 abstain; 1 of 13 in the other.
    for (const dissent of ['0.15', '15%', '0,15'])
      expect(await ids({ since: '2026-11-01', dissent }, night.now), dissent).to.deep.equal(['VAL1V99']);
    expect(await ids({ since: '2026-11-01', dissent: '0.16' }, night.now)).to.deep.equal([]);
    expect(await ids({ dissent: '20%' })).to.have.length(27);
  });

  it('names the groups that dissented as much as was asked for, with their counts', async () => {
    const items = await itemsOf(await ask(night.now, ballots, { dissent: '0.3', limit: 100 }));
    expect(items).not.to.be.empty;
    for (const { dissenting } of items) {
      expect(dissenting).not.to.be.empty;
      for (const votes of documentsIn(dissenting)) expect(dissentOf(votes as Counts)).to.be.at.least(0.3);
    }
    const [unasked] = await itemsOf(await ask(night.now, ballots, { limit: 1 }));
    expect(unasked).not.to.have.property('dissenting');
  });

  it('takes the words of results and types without accents, and names near ones', async () => {
    expect(await ids({ result: 'adopte' }))
      .to.have.length(22)
      .and.deep.equal(await ids({ result: 'Adopté' }));
    expect(await refusalAt(night.past, ballots, { type: 'scrutin publi' })).to.deep.equal({
      exit: 3,
      message: 'no ballot type is called "scrutin publi" in the mirror',
      hint: 'did you mean: scrutin public, scrutin public ordinaire, scrutin public solennel?',
    });
  });

  it('refuses what is no position, no share and no number of votes', async () => {
    const refused = async (parameters: Record<string, unknown>) =>
      (await refusalAt(night.past, ballots, parameters)).message;
    const positions = '--voted must be GROUP:POSITION, a position being one of for, against, abstention';
    for (const voted of ['ADR:maybe', 'ADR', ':for']) expect(await refused({ voted }), voted).to.equal(positions);
    expect(await refused({ voted: 'Xylophages:for' })).to.match(/no party or group is called "Xylophages"/);
    expect(await refused({ dissent: '1.5' })).to.equal('--dissent must be at most 1');
    expect(await refused({ dissent: 'a' })).to.equal('--dissent must be a share such as 0.2 or 20%');
    expect(await refused({ margin: -1 })).to.equal('--margin must be at least 0');
    expect(await refused({ since: 'soon' })).to.match(/^--since must be a date/);
  });

  it('lists every ballot once over all pages, by either sort', async () => {
    for (const sort of ['date', 'margin']) {
      const { pages, total } = await walkAt(night.past, ballots, { sort, limit: 10 });
      const all = pages.flat().map(({ chamber, scrutin_id }) => `${chamber}:${scrutin_id}`);
      expect([total, new Set(all).size, all.length], sort).to.deep.equal([total, total, total]);
    }
    const { nextCursor: cursor } = await ask(night.past, ballots, { limit: 10 });
    expect((await refusalAt(night.past, ballots, { cursor, sort: 'margin' })).exit).to.equal(2);
  });

  it('knows no ballot of the past that was seen later', async () => {
    expect(await ids({ since: '2026-11-01' })).to.deep.equal([]);
    expect(await ids({ since: '2026-11-01' }, night.now)).to.deep.equal(['VAL1V99']);
  });

  it('lays counts out in columns of their own, and leaves an unpublished one empty', () => {
    const row = ballots.toRow!({
      chamber: 'AN',
      scrutin_id: 'x',
      totals: { for: 0, against: 3, abstention: null },
    });
    expect(row).to.deep.equal({
      ...{ ballot: 'AN:x', chamber: 'AN', scrutin_id: 'x' },
      ...{ votes_for: 0, votes_against: 3, votes_abstention: null, votes_non_voting: null },
      voted: null,
      dissenting: null,
    });
  });
});
