import { expect } from 'chai';
import { pairCard } from '../../src/format/pair-card.ts';
import { shareSvg } from '../../src/format/share-svg.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

const pair = (at: number, more = {}) => ({
  chamber: 'AN',
  group: `G${at}`,
  group_name: `Group ${at}`,
  other: 'H',
  other_name: 'Group H',
  agreement: 0.5,
  same: 1000,
  n: 2000,
  few: false,
  not_listed: 0,
  no_position: 0,
  one_sided: 3,
  ...more,
});
const pairs = (count: number) => Array.from({ length: count }, (_, at) => pair(at + 1));

/** Top and bottom of texts and bars of a picture, from above. */
function boxes(svg: string) {
  const texts = [...svg.matchAll(/<text x="60" y="([\d.]+)" font-size="(\d+)"/g)].map(([, y, size]) => [
    Number(y) - Number(size) * 0.7,
    Number(y) + Number(size) * 0.2,
  ]);
  const bars = [...svg.matchAll(/<rect x="60" y="([\d.]+)" width="1080" height="(\d+)"/g)].map(([, y, height]) => [
    Number(y),
    Number(y) + Number(height),
  ]);
  return { bars, all: [...texts, ...bars].sort((one, other) => one[0]! - other[0]!) };
}

describe('the card of pairs of groups', () => {
  before(() => loadLanguage('fr'));

  for (const language of ['en', 'fr'] as const)
    for (const [count, notes] of [
      [2, 1],
      [3, 3],
      [4, 3],
      [6, 5],
      [30, 9],
    ] as const)
      it(`has in ${language} as many of ${count} pairs as fit above ${notes} notes, none over another`, () => {
        const speech = speechOf(language);
        const card = pairCard(pairs(count), speech, {});
        const foot = Array.from({ length: notes }, () => 'note');
        const svg = shareSvg({ ...card, kicker: 'Service', attribution: 'Source', notes: [...card.notes, ...foot] });
        const { bars, all } = boxes(svg);
        for (const [at, [top]] of all.entries()) if (at > 0) expect(top).to.be.at.least(all[at - 1]![1]!);
        expect(bars.length).to.be.at.least(Math.min(count, 1));
        const cut = { en: `${bars.length} of ${count} pairs`, fr: `${bars.length} paires sur ${count}` }[language];
        expect(svg.includes(`>${cut}`)).to.equal(bars.length < count);
        expect(card.details).to.have.length(2 * count);
      });

  it('has the latest periods where not all fit, and says so', () => {
    const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07'];
    const card = pairCard(
      months.map((part) => pair(1, { part })),
      speechOf('en'),
      { by: 'month' },
    );
    const drawn = card.chart(200, 420).join('');
    expect(drawn).to.include('2026-07').and.not.include('2026-01');
    expect(drawn).to.match(/>\d of 7 pairs</);
  });

  it('has the first topics where not all fit', () => {
    const topics = 'abcdefg'.split('').map((part) => pair(1, { part }));
    const drawn = pairCard(topics, speechOf('en'), { by: 'topic' }).chart(200, 420).join('');
    expect(drawn).to.include('>a ·').and.not.include('>g ·');
  });

  it('has no bar of a pair without figures, beside others that have them', () => {
    const card = pairCard([pair(1), pair(2, { n: 0, same: 0, agreement: null })], speechOf('en'), {});
    expect(boxes(card.chart(200, 420).join('')).bars).to.have.length(1);
    expect(card.details[2]).to.equal(
      'Assemblée nationale: no figure for G2 and H: no ballot in which both have a position',
    );
    expect(card.notes).to.deep.equal(['one sided: only votes for are recorded']);
  });
});
