import { expect } from 'chai';
import { ballots } from '../../src/questions/ballots.ts';
import { individualVoteNotes } from '../../src/questions/individual-votes.ts';
import { search } from '../../src/questions/search.ts';
import { textIn } from '../../src/words/speech.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

describe('a question about how a person voted', () => {
  const demo = readDemoMirror();
  const run = (words: string[]) => runProgram(words, { env: { HEMICYCLE_DB: demo.mirror.path } });
  const noteOf = (text: string, isOfVotes = false) =>
    individualVoteNotes(demo.mirror, text, isOfVotes)
      .map((each) => textIn(each, 'en'))
      .join();
  const commandsIn = (text: string) => [...text.matchAll(/`hemicycle ([^`]*)`/g)].map(([, line]) => line!);

  it('is answered by one sentence with a command that lists the votes of the group in those days', async () => {
    for (const text of ['votes Océane Bruyèvre', 'How did Océane Bruyèvre vote?', 'comment a voté Océane Bruyèvre ?'])
      expect(commandsIn(noteOf(text)), text).to.have.length(1);
    const note = noteOf('vote de Bruyèvre sur les marais salants');
    expect(note).to.match(/^the service publishes votes by group only, never by person; /);
    const [line] = commandsIn(note);
    expect(line).to.match(/^ballots --group alliance-des-rivages -q 'marais salants'/);
    const words = line!.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''));
    const { exit, stdout } = await run([...words, '--json']);
    expect(exit).to.equal(0);
    const parties = JSON.parse(stdout).items.flatMap(({ voted }: { voted: { party: string }[] }) => voted);
    expect(new Set(parties.map(({ party }: { party: string }) => party))).to.have.keys('alliance-des-rivages');
  });

  it('needs a vote and a surname; where only votes are listed, a surname alone or a full name', () => {
    for (const text of ['Océane Bruyèvre', 'vote marais salants', 'votes océane', 'vote'])
      expect(noteOf(text), text).to.equal('');
    expect(noteOf('Océane Bruyèvre', true)).not.to.equal('');
    expect(noteOf('Océane Bruyèvre marais salants', true)).to.include("-q 'marais salants'");
    expect(noteOf('Bruyèvre marais salants', true)).to.equal('');
  });

  it('is recognised by search and ballots, and where a group or a ballot is named', async () => {
    const text = /never by person.*hemicycle ballots --group alliance-des-rivages/;
    const { remarks } = search.read(demo.mirror, { q: 'vote Bruyèvre', limit: 1 } as never, {} as never) as {
      remarks?: object[];
    };
    expect(String(remarks)).to.match(text);
    expect(String(ballots.notes!(demo.mirror, { q: 'Bruyèvre', ballots: [] } as never))).to.match(text);
    for (const words of [
      ['ballots', '--group', 'Océane Bruyèvre'],
      ['ballots', '--voted', 'Océane Bruyèvre:for'],
      ['ballots', '--dissent', 'Océane Bruyèvre:20%'],
      ['vote', 'Océane Bruyèvre'],
    ])
      expect((await run(words)).stderr, words.join(' ')).to.match(text);
  });
});
