import { expect } from 'chai';
import { goingOn } from '../../src/cli/question-flags.ts';

describe('the command that goes on where a list ended', () => {
  it('is what was typed, with the cursor in the place of the one before', () => {
    expect(goingOn('feed', ['--limit', '5'], 'abc')).to.equal('hemicycle feed --limit 5 --cursor abc');
    expect(goingOn('feed', ['--cursor', 'abc', '-q', 'x'], 'def')).to.equal(
      'hemicycle feed -q x --cursor def',
    );
    expect(goingOn('feed', ['--cursor=abc'], 'def')).to.equal('hemicycle feed --cursor def');
    expect(goingOn('token:list', [], 'a')).to.equal('hemicycle token list --cursor a');
  });

  it('is quoted for a shell, and goes before words that are no flags', () => {
    expect(goingOn('search', ["l'eau", '--', '-sel'], 'a')).to.equal(
      `hemicycle search 'l'\\''eau' --cursor a -- -sel`,
    );
  });
});
