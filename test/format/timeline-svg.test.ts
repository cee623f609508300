import { expect } from 'chai';
import { type AffiliationSpan, timelineSvg } from '../../src/format/timeline-svg.ts';
import { speechOf } from '../../src/words/speech.ts';

const affiliation = (more: Partial<AffiliationSpan>): AffiliationSpan => ({
  name: 'Parti du Verger',
  role: 'Membre',
  colour: null,
  isGroup: false,
  start: null,
  end: null,
  ...more,
});
const facts = {
  id: 'timeline-o-b',
  title: 'Océane Bruyevre: affiliations',
  until: '2026-11-22',
  speech: speechOf('en'),
  attribution: 'Source: Fictional Service (https://service.example)',
};

describe('affiliations as a picture', () => {
  it('tell groups from parties by stripes, and what lasts by an arrow', () => {
    const svg = timelineSvg({
      ...facts,
      affiliations: [
        affiliation({ name: 'Groupe du Verger', isGroup: true, start: '2020-01-01' }),
        affiliation({ start: '2012-05-01', end: '2019-12-31', colour: '#118833' }),
      ],
    });
    expect([...svg.matchAll(/class="affiliation"/g)]).to.have.length(2);
    expect(svg.indexOf('Parti du Verger, Membre, 1 May 2012 to 31 December 2019')).to.be.greaterThan(0);
    expect(svg)
      .to.include('fill="#118833"')
      .and.match(/fill="url\(#timeline-o-b-stripes-1\)"/);
    expect(svg).to.include('striped: parliamentary group · full: party · arrow: no end stated');
    expect(svg).to.include('<desc id="timeline-o-b-desc">Parti du Verger, Membre, 1 May 2012 to 31 December 2019; ');
    expect(svg).to.include('Source: Fictional Service (https://service.example)');
  });

  it('say in words what has no day, and draw no bar whose beginning is not stated', () => {
    const svg = timelineSvg({
      ...facts,
      affiliations: [affiliation({ end: '2021' }), affiliation({ role: 'rattachement' })],
    });
    expect(svg).to.include('Parti du Verger, rattachement, no dates stated').and.include('stroke-dasharray');
    expect(svg).not.to.match(/<rect[^>]*stroke=/);
    const undated = timelineSvg({ ...facts, affiliations: [affiliation({})] });
    expect(undated)
      .to.include('no dates stated')
      .and.not.match(/NaN|<path/);
  });

  it('are XML whatever records say', () => {
    const svg = timelineSvg({
      ...facts,
      affiliations: [
        affiliation({
          name: '<script>"&\u0000\ufffe\u202e',
          colour: 'red" onload="x',
          start: '2020-01-01',
        }),
      ],
    });
    expect(svg).to.include('&lt;script&gt;&quot;&amp;,').and.not.include('onload');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML has no place for.
    expect(svg).not.to.match(/[\u0000\ufffe\u202e]/);
  });
});
