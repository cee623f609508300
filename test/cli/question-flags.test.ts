import { expect } from 'chai';
import { goingOn, wholeOf } from '../../src/cli/question-flags.ts';

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

describe('the command for all of a list that was cut', () => {
  it('is what was typed, with the length of the list, or to its end where that is unknown', () => {
    expect(wholeOf('ballots', ['retraites', '-n', '5'], 191)).to.equal(
      'hemicycle ballots retraites --limit 191',
    );
    expect(wholeOf('feed', ['--limit=5', '-q', 'x'], null)).to.equal('hemicycle feed -q x --all');
    expect(wholeOf('feed', ['-n5', '--cursor', 'abc'], 191)).to.equal('hemicycle feed --cursor abc --all');
  });
});
