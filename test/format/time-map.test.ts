import { expect } from 'chai';
import { timeMapText } from '../../src/format/time-map.ts';

const at = (from: string) => ({ from, address: `https://m.example/p/a?as_of=${from}` });

describe('a time map', () => {
  it('lists the states of a thing as links with their moments, the first and the last marked', () => {
    const text = timeMapText({
      original: 'https://m.example/p/a',
      self: 'https://m.example/p/a.timemap',
      mementos: [at('2026-01-01T00:00:00.000Z'), at('2026-02-01T00:00:00.000Z')],
    });
    expect(text.split(',\n')).to.deep.equal([
      '<https://m.example/p/a>; rel="original"',
      '<https://m.example/p/a.timemap>; rel="self"; type="application/link-format"; from="Thu, 01 Jan 2026 00:00:00 GMT"; until="Sun, 01 Feb 2026 00:00:00 GMT"',
      '<https://m.example/p/a?as_of=2026-01-01T00:00:00.000Z>; rel="first memento"; datetime="Thu, 01 Jan 2026 00:00:00 GMT"',
      '<https://m.example/p/a?as_of=2026-02-01T00:00:00.000Z>; rel="last memento"; datetime="Sun, 01 Feb 2026 00:00:00 GMT"\n',
    ]);
  });

  it('marks the only one as both', () => {
    const text = timeMapText({
      original: 'https://m.example/p/a',
      self: 'https://m.example/p/a.timemap',
      mementos: [at('2026-01-01T00:00:00.000Z')],
    });
    expect(text).to.include('rel="first last memento"');
  });
});
