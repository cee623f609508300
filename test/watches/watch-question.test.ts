import { expect } from 'chai';
import { Flags } from '../../src/cli/oclif.ts';
import { commandLineOfPage } from '../../src/cli/page-question.ts';
import { splitWatchWords } from '../../src/cli/watch-command.ts';
import { UsageError } from '../../src/errors.ts';
import { describeWatch } from '../../src/watches/about.ts';
import { flagsForChangesWords, parseWatch, watchableWords } from '../../src/watches/watched-question.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

const savedQuestion = (line: string) => {
  const watched = parseWatch(line.split(' '));
  return watched.asks === 'question' ? { name: watched.question.name, ...watched.values } : watched;
};

describe('the words of a watch', () => {
  it('are a question as it is typed', () => {
    expect(savedQuestion('search logement --type promise')).to.include({ name: 'search', q: 'logement' });
    expect(savedQuestion('search logement --type promise')).to.have.deep.property('type', ['promise']);
    expect(savedQuestion('search logement')).to.have.property('type').that.includes('ballot');
    // Records with topics are of other kinds, as for the command.
    expect(savedQuestion('search logement --topic logement')).to.have.property('type', undefined);
    expect(savedQuestion('ballots motion de censure')).to.include({
      name: 'ballots',
      q: 'motion de censure',
    });
    expect(savedQuestion('ballots -q censure --margin 4')).to.include({ q: 'censure', margin: 4 });
    expect(savedQuestion('politicians --party ADR')).to.include({ name: 'politicians', party: 'ADR' });
    expect(savedQuestion('compare ADR PDV')).to.deep.include({ name: 'compare', group: ['ADR', 'PDV'] });
    expect(savedQuestion('show source src-1')).to.include({ kind: 'source', key: 'src-1' });
    expect(savedQuestion('show AN:V1')).to.include({ kind: 'ballot', key: 'AN:V1' });
  });

  it('name changes by flags or by a kind and a name', () => {
    const of = (line: string) => (savedQuestion(line) as { values: object }).values;
    expect(of('changes politicians Une Élue')).to.include({ politician: 'Une Élue' });
    expect(of('changes parties ADR')).to.include({ party: 'ADR' });
    expect(of('changes --politician une-elue --kind promise')).to.deep.include({ kind: ['promise'] });
    expect(of('changes promises')).to.deep.include({ kind: ['promise'] });
    expect(of('changes --party ADR --kind promise')).to.deep.include({ party: 'ADR', kind: ['promise'] });
  });

  it('of changes have a command line in which flags name the kind, politician or party', () => {
    const lineOf = (line: string) => flagsForChangesWords(line.split(' ')).join(' ');
    expect(lineOf('changes')).to.equal('changes');
    expect(lineOf('changes promises')).to.equal('changes --kind promise');
    expect(lineOf('changes promises --topic logement')).to.equal('changes --kind promise --topic logement');
    expect(lineOf('changes --only edited parties ADR')).to.equal('changes --party ADR --only edited');
    expect(lineOf('changes politicians Une Élue -q digues')).to.equal('changes --politician Une Élue -q digues');
  });

  it('name somebody, or a group, for all changes of them, or how it votes', () => {
    const of = (line: string) => (savedQuestion(line) as { values: object }).values;
    for (const line of ['politician Une Élue', 'politicians Une Élue', 'changes --politician'.concat(' Élue')])
      expect(of(line)).to.have.property('politician').that.includes('Élue');
    expect(of('party ADR --kind promise')).to.deep.include({ party: 'ADR', kind: ['promise'] });
    expect(savedQuestion('group ADR')).to.deep.include({ name: 'ballots', group: ['ADR'] });
    expect(() => savedQuestion('politician')).to.throw(UsageError, /needs its name/);
  });

  it('are said as people say them', async () => {
    await loadLanguage('fr');
    const nameOf = (_: string, slug: string) => (slug === 'une-elue' ? 'Une Élue' : slug);
    const about = (line: string, language: 'en' | 'fr') =>
      describeWatch({ words: line.split(' ') }, speechOf(language), nameOf);
    expect(about('changes --politician une-elue', 'en')).to.equal('all changes of Une Élue');
    expect(about('group ADR', 'fr')).to.equal('comment vote ADR');
    expect(about('silence sync 2d', 'en')).to.equal('nothing new of sync for 2 days');
    expect(about('changes --kind promise --topic securite', 'en')).to.equal(
      'all changes · kind: promise · topic: sécurité',
    );
    expect(about('search logement --type promise', 'en')).to.match(/^full-text search.* · q: logement$/);
  });

  const addresses: [address: string, words: string][] = [
    ['http://127.0.0.1:8000/politicians/oceane-bruyevre', 'politician oceane-bruyevre'],
    ['https://miroir.example/base/parties/alliance-des-rivages.atom', 'party alliance-des-rivages'],
    ['https://miroir.example/votes?q=censure&chamber=AN&limit=5&lang=fr', 'ballots --query censure --chamber AN'],
    ['https://miroir.example/feed.json?types=promise&topic=logement', 'feed --types promise --topic logement'],
    ['https://miroir.example/api/v1/ballots?group=ADR', 'ballots --group ADR'],
    ['https://miroir.example/votes/AN/VAL1V4', 'show ballot:AN:VAL1V4'],
    ['https://miroir.example/texts/retraites', 'text retraites'],
    ['https://miroir.example/search?q=phare&type=promise', 'search phare --type promise'],
    ['https://miroir.example/records/promise/p-1.html', 'show promise:p-1'],
    ['https://miroir.example/history/promise/p-1', 'show promise:p-1'],
    ['https://miroir.example/', 'changes'],
  ];
  for (const [address, words] of addresses)
    it(`are those of a page: ${address}`, () => {
      expect(commandLineOfPage(address)).to.deep.equal(words.split(' '));
      parseWatch(commandLineOfPage(address));
    });

  it('are not those of any other address', () => {
    for (const address of ['https://autre.example/rien/du/tout', 'https://', 'http://[::1/ballots'])
      expect(() => commandLineOfPage(address), address).to.throw(UsageError, /not the URL of a Hemicycle page/);
  });

  it('may stand in quotes, as one word', () => {
    const { ownWords, question } = splitWatchWords(['nom', 'search logement  --type promise', '--quiet'], {
      quiet: Flags.boolean(),
    });
    expect(ownWords).to.deep.equal(['--quiet', 'nom']);
    expect(question).to.deep.equal(['search', 'logement', '--type', 'promise']);
  });

  it('name a silence and for how long', () => {
    expect(savedQuestion('silence sync 2d')).to.include({ asks: 'silence', subject: 'sync', ms: 172_800_000 });
    expect(savedQuestion('silence contents 7d')).to.include({ subject: 'content' });
    expect(savedQuestion('gaps')).to.include({ asks: 'gaps' });
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
      expect(() => savedQuestion(line)).to.throw(UsageError);
    });

  it('may begin with any question, and with what only watches ask', () => {
    expect(watchableWords()).to.include.members(['search', 'ballots', 'changes', 'show', 'silence', 'gaps']);
  });
});
