import { expect } from 'chai';
import { monthLinesSvg } from '../../src/format/month-lines-svg.ts';
import { speechOf } from '../../src/words/speech.ts';

const point = (month: string, value: number | null, n: number) => ({ month, value, n });

describe('figures by month as a picture', () => {
  const svg = monthLinesSvg({
    id: 'compare',
    title: 'Agreement <of> two',
    series: [
      {
        label: 'AUB – CRU',
        points: [point('2031-01', 0.5, 40), point('2031-02', 1, 3), point('2031-03', null, 0), point('2031-04', 0, 12)],
      },
    ],
    attribution: 'Source: Fictional Service',
    speech: speechOf('en'),
  });

  it('has a point for each month that has a figure, hollow where it is of few ballots', () => {
    const dots = [...svg.matchAll(/<circle [^>]*fill="(#\w+)"[^>]*data-month="([\d-]+)"/g)];
    expect(dots.map(([, fill, month]) => [month, fill === '#ffffff'])).to.deep.equal([
      ['2031-01', false],
      ['2031-02', true],
      ['2031-04', false],
    ]);
  });

  it('draws no line over a month without a figure', () => {
    const [, path] = /<g class="line"><path d="([^"]+)"/.exec(svg)!;
    expect(path!.match(/[ML]/g)).to.deep.equal(['M', 'L', 'M']);
  });

  it('says in words what it shows, of how many ballots, and whom to cite', () => {
    expect(svg).to.include('AUB – CRU: 2031-01 50% (40), 2031-02 100% (3), 2031-04 0% (12)');
    expect(svg).to.include('Source: Fictional Service').and.include('Agreement &lt;of&gt; two');
    expect(svg).to.include('hollow: month with fewer than 10 ballots');
  });
});
