import { expect } from 'chai';
import { fullListCommand } from '../../src/cli/question-flags.ts';

describe('the command for all of a list that was cut', () => {
  it('is what was typed, with the length of the list, or to its end where that is unknown', () => {
    expect(fullListCommand('ballots', ['retraites', '-n', '5'], 191)).to.equal(
      'hemicycle ballots retraites --limit 191',
    );
    expect(fullListCommand('feed', ['--limit=5', '-q', 'x'], null)).to.equal('hemicycle feed -q x --all');
    expect(fullListCommand('feed', ['-n5', '--cursor', 'abc'], 191)).to.equal('hemicycle feed --cursor abc --all');
    expect(fullListCommand('token:list', [], 2)).to.equal('hemicycle token list --limit 2');
  });

  it('is quoted for a shell, and goes before words that are no flags', () => {
    expect(fullListCommand('search', ["l'eau", '--', '-sel'], 9)).to.equal(
      `hemicycle search "l'eau" --limit 9 -- -sel`,
    );
  });
});
