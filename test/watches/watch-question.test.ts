import { expect } from 'chai';
import { Flags } from '../../src/cli/oclif.ts';
import { watchWords } from '../../src/cli/watch-command.ts';
import { UsageError } from '../../src/errors.ts';
import { watchable, watchedQuestion } from '../../src/watches/watched-question.ts';

const asked = (line: string) => {
  const watched = watchedQuestion(line.split(' '));
  return watched.asks === 'question' ? { name: watched.question.name, ...watched.values } : watched;
};

describe('the words of a watch', () => {
  it('are a question as it is typed', () => {
    expect(asked('search logement --type promise')).to.include({ name: 'search', q: 'logement' });
    expect(asked('search logement --type promise')).to.have.deep.property('type', ['promise']);
    expect(asked('search logement')).to.have.property('type').that.includes('ballot');
    expect(asked('ballots motion de censure')).to.include({ name: 'ballots', q: 'motion de censure' });
    expect(asked('ballots -q censure --margin 4')).to.include({ q: 'censure', margin: 4 });
    expect(asked('politicians oceane-bruyevre')).to.include({ name: 'politician', slug: 'oceane-bruyevre' });
    expect(asked('politicians --party ADR')).to.include({ name: 'politicians', party: 'ADR' });
    expect(asked('compare ADR PDV')).to.deep.include({ name: 'compare', group: ['ADR', 'PDV'] });
    expect(asked('show source src-1')).to.include({ kind: 'source', key: 'src-1' });
    expect(asked('show AN:V1')).to.include({ kind: 'ballot', key: 'AN:V1' });
  });

  it('name changes by flags or by a kind and a name', () => {
    const of = (line: string) => (asked(line) as { of: object }).of;
    expect(of('changes politicians Une Élue')).to.include({ politician: 'Une Élue' });
    expect(of('changes parties ADR')).to.include({ party: 'ADR' });
    expect(of('changes --politician une-elue --kind promise')).to.deep.include({ kind: ['promise'] });
    expect(of('changes promises')).to.deep.include({ kind: ['promise'] });
    expect(of('changes --party ADR --kind promise')).to.deep.include({ party: 'ADR', kind: ['promise'] });
  });

  it('may stand in quotes, as one word', () => {
    const { own, question } = watchWords(['nom', 'search logement  --type promise', '--quiet'], {
      quiet: Flags.boolean(),
    });
    expect(own).to.deep.equal(['--quiet', 'nom']);
    expect(question).to.deep.equal(['search', 'logement', '--type', 'promise']);
  });

  it('name a silence and for how long', () => {
    expect(asked('silence sync 2d')).to.include({ asks: 'silence', of: 'sync', ms: 172_800_000 });
    expect(asked('silence contents 7d')).to.include({ of: 'content' });
    expect(asked('gaps')).to.include({ asks: 'gaps' });
  });

  for (const line of [
    'nothing',
    'search',
    'search-semantic x',
    'ballots --limit 3',
    'changes --since 7d',
    'changes --until 2026-11-01',
    'search x --cursor abc',
    'ballots --margin',
    'topics x',
    'silence sync',
    'silence sync soon',
    'silence nobody 2d',
    'ballots --format json',
  ])
    it(`are refused with a reason: ${line}`, () => {
      expect(() => asked(line)).to.throw(UsageError);
    });

  it('may begin with any question, and with what only watches ask', () => {
    expect(watchable()).to.include.members(['search', 'ballots', 'changes', 'show', 'silence', 'gaps']);
  });
});
