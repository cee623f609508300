import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const tests = fileURLToPath(new URL('..', import.meta.url));

const lines = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/^(bench|eval)\//.test(path))
  .flatMap((path) =>
    readFileSync(`${tests}${path}`, 'utf8')
      .split('\n')
      .map((text, at) => ({ text, location: `${path}:${at + 1}` })),
  );
const placesOf = (pattern: RegExp) => lines.filter(({ text }) => pattern.test(text)).map(({ location }) => location);

describe('the tests', () => {
  it('wait for an event, or look until something is so, and for no time', () => {
    expect(placesOf(/^(?!.*\b(while|for) ?\().*(await (delay|sleep)\(\d|setTimeout\((resolve|done)\b)/)).to.deep.equal(
      [],
    );
  });

  it('hold memory and time against what the same run took, not against a number', () => {
    const measured = /\b(rss|peak|heap\w*|VmHWM|seconds|\w*[mM]s)\b/;
    const bound = /\.(below|lessThan|most)\([\d_.e*/ ]+\)/;
    expect(placesOf(new RegExp(`expect\\(.*${measured.source}.*${bound.source}`))).to.deep.equal([]);
  });

  it('give none of them less time than all have', () => {
    expect(placesOf(/\btimeout\(\d{1,2}_?\d{3}\)/)).to.deep.equal([]);
  });
});
