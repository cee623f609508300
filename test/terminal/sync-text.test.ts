import { expect } from 'chai';
import { shellLine } from '../../src/format/sanitise.ts';
import type { SyncReport } from '../../src/sync/sync.ts';
import { comparisonText, planText, reportText, syncProgress } from '../../src/terminal/sync-text.ts';
import { type Phrase, speechOf, verbatim } from '../../src/words/speech.ts';

const english = speechOf('en');

describe('the progress of a sync', () => {
  const watch = (isTTY: boolean, rate = 60) => {
    const clock = { ms: 1_000_000 };
    const lines: string[] = [];
    const say = (what: string) => (text: Phrase) => void lines.push(`${what} ${text}`);
    const progress = {
      stage: say('stage'),
      update: say('update'),
      done: say('done'),
      note: say('note'),
      whenDrawn: async () => {},
      stop: () => {},
    };
    return { clock, lines, reporter: syncProgress(progress, { isTTY, rate, now: () => clock.ms }) };
  };

  it('at a terminal is one line a stage: count, rate, and the time that the budget needs', () => {
    const { clock, lines, reporter } = watch(true);
    reporter.stage('politician details', 1995);
    clock.ms += 120_000;
    reporter.advance(120, 'anne');
    reporter.wait(41_000, verbatim('the rate limit'));
    clock.ms += 60_000;
    reporter.advance(1995, 'zoe');
    reporter.stage('feed', null);
    expect(lines).to.deep.equal([
      'stage politician details: 1995, about 34 min left',
      'update politician details: 120 of 1995, 60 requests/min, about 32 min left  anne',
      'update politician details: 120 of 1995, 60 requests/min, about 32 min left, waiting 41 s for the rate limit',
      'update politician details: 1995 of 1995, 665 requests/min  zoe',
      'done politician details  1995 in 3 min',
      'stage feed',
    ]);
  });

  it('tells no end that the budget does not allow, however fast the first minute was', () => {
    const { clock, lines, reporter } = watch(true);
    reporter.stage('politician details', 600);
    clock.ms += 3000;
    reporter.advance(60, '');
    expect(lines.at(-1)).to.equal('update politician details: 60 of 600, 1200 requests/min, about 9 min left  ');
  });

  it('promises no minutes by the budget where records are counted, many to an answer', () => {
    const { clock, lines, reporter } = watch(true);
    reporter.stage('follow', 44_096, 'records');
    clock.ms += 3000;
    reporter.advance(2000, 'content');
    expect(lines).to.deep.equal([
      'stage follow: 44096',
      'update follow: 2000 of 44096, 40000 records/min, about 2 min left  content',
    ]);
  });

  it('has the total and the time left of a list from the page that states its total', () => {
    const { clock, lines, reporter } = watch(true);
    reporter.stage('feed', null, 'records');
    clock.ms += 60_000;
    reporter.advance(200, '2026-11-01', null);
    reporter.advance(400, '2026-10-01', 2000);
    expect(lines.slice(1)).to.deep.equal([
      'update feed: 200, 200 records/min  2026-11-01',
      'update feed: 400 of 2000, 400 records/min, about 4 min left  2026-10-01',
    ]);
  });

  it('elsewhere is a line a stage and one every half minute, none for waits of the budget', () => {
    const { clock, lines, reporter } = watch(false);
    reporter.stage('politician details', 1995);
    for (let done = 1; done <= 70; done += 1) {
      clock.ms += 1000;
      reporter.advance(done, 'x');
      reporter.wait(20_000, verbatim('the rate limit'));
    }
    reporter.wait(60_000, verbatim('the service, which answered 503'));
    reporter.stage('ballots', 0);
    expect(lines).to.deep.equal([
      'stage politician details: 1995, about 34 min left',
      'done politician details: 30 of 1995, 60 requests/min, about 33 min left',
      'done politician details: 60 of 1995, 60 requests/min, about 33 min left',
      'note politician details: waiting 60 s for the service, which answered 503',
    ]);
  });

  it('is told before it begins: what is sure, what is expected, and what that rests on', () => {
    const stage = { atLeast: false, assumed: null, most: null };
    const plan = {
      stages: [
        { ...stage, stage: 'datasets', requests: 6, expected: 6, what: 'politicians' },
        { ...stage, stage: 'feed', requests: 1, atLeast: true, expected: 400, what: 'content' },
        { ...stage, stage: 'updated profiles', requests: 1, atLeast: true, expected: 1, what: 'the list' },
      ],
      requests: 8,
      atLeast: true,
      minutes: 0,
      expected: 407,
      expectedMinutes: 7,
      most: 3807,
      mostMinutes: 64,
      assumed: ['20,000 records in the feed'],
      room: { needed: 150_000_000, free: 2_000_000_000 },
    };
    expect(planText(plan, 60, english).split('\n')).to.deep.equal([
      'datasets                       6  politicians',
      'feed                   about 400  content',
      'updated profiles            >= 1  the list',
      'all                    about 407  about 7 minutes at 60 requests a minute; up to 3,807, about 64 minutes, if profiles differ from the datasets',
      'space                     150 MB  on the disk, of 2.0 GB that are free',
      'assumed until a sync lists it: 20,000 records in the feed',
      '',
    ]);
    const small = { ...plan, stages: [], atLeast: false, requests: 9, expected: 9, expectedMinutes: 0 };
    expect(planText({ ...small, most: null, mostMinutes: null, assumed: [] }, 60, english)).to.match(
      /^all {28}9 {2}less than a minute at 60 requests a minute\nspace .*\n$/,
    );
  });

  it('draws the comparison with a fresh mirror as a line a kind', () => {
    const same = { missing: 0, extra: 0, different: 0 };
    expect(
      comparisonText(
        [
          { kind: 'party', held: 8, fresh: 8, ...same, hash: 'a1b2c3d4e5f6a7b8c9', agrees: true },
          {
            kind: 'promise',
            held: 66,
            fresh: 65,
            missing: 1,
            extra: 2,
            different: 3,
            hash: '',
            agrees: false,
          },
        ],
        english,
      ),
    ).to.equal(
      [
        'party              8 held        8 fresh  agrees  a1b2c3d4e5f6a7b8',
        'promise           66 held       65 fresh  differs: 1 missing, 2 too many, 3 otherwise',
        '',
      ].join('\n'),
    );
  });
});

describe('a line for a shell', () => {
  it('gives the same words back', () => {
    expect(shellLine(['hemicycle', 'sync', '--from', 'https://a.example/api/v1', '--db', "l'été.db"])).to.equal(
      `hemicycle sync --from https://a.example/api/v1 --db "l'été.db"`,
    );
  });
});

describe('the report of a sync', () => {
  it('tells what one list alone lacked as not seen, apart from what was withdrawn', () => {
    const records = { content: { added: 0, withdrawn: 2, unseen: 48, same: 198 } };
    const figures = {
      requests: 7,
      waited_s: 0,
      duration_s: 1,
      bytes: 900,
      gaps: 0,
      partial: [],
      failures: [],
      excess: [],
      quarantine: [],
      drift: [],
    };
    const report = { ...figures, records } as unknown as SyncReport;
    expect(reportText(report, 'm.db', english).split('\n')[0]).to.equal(
      'content     2 withdrawn, 48 missing this time, 198 unchanged',
    );
  });
});
