import { expect } from 'chai';
import { ballots } from '../../src/questions/ballots.ts';
import { groupTerms, individualVoteNotes } from '../../src/questions/individual-votes.ts';
import { search } from '../../src/questions/search.ts';
import { textIn } from '../../src/words/speech.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll, startDemoServer } from '../server/demo-server.ts';

describe('a question about how a person voted', () => {
  const demo = readDemoMirror();
  const run = (words: string[]) => askProgram(words, { env: { HEMICYCLE_DB: demo.mirror.path } });
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

  it('is not meant by a law that is called by a name', () => {
    expect(noteOf('vote loi Bruyèvre')).to.equal('');
    expect(noteOf('comment a voté Bruyèvre sur la loi littoral')).to.not.equal('');
  });

  it('takes the day, month or year that the text names: the group of that day, in those days', () => {
    const days = (text: string) => commandsIn(noteOf(text)).map((line) => line.replace(/^.*?--since/, '--since'));
    expect(days('vote Bruyèvre sur les marais salants le 19 mai 2026')).to.deep.equal([
      '--since 2026-05-19 --until 2026-05-19',
    ]);
    expect(days('comment a voté Bruyèvre en 2026')).to.deep.equal(['--since 2026-01-01 --until 2026-12-31']);
    expect(noteOf('vote Bruyèvre 1999')).to.match(/no such vote here is of a group of Océane Bruyèvre$/);
  });

  it('leads to the term of a Prime Minister where a motion is against the government, unless it asks for a vote', () => {
    const own = createTemporaryMirror();
    const note = (text: string) => String(individualVoteNotes(own.mirror, text));
    const seat = { party: 'phares', role: 'Membre du', start: '2026-06-01', end: null };
    const bio = 'Ivo Écluse est Premier ministre du 5 septembre au 13 décembre 2025.';
    const motion = {
      title: 'Motion de censure',
      type: 'motion de censure',
      votes_by_party: [{ party: 'phares', for: 3 }],
    };
    const dates = ['2025-09-01', '2025-12-04', '2026-07-01'];
    const at = '2026-11-03T00:00:00.000Z';
    saveAll(own.mirror, 'party', [{ slug: 'phares', name: 'Phares', chamber: 'AN' }], at);
    const person = { slug: 'ivo-ecluse', full_name: 'Ivo Écluse', last_name: 'Écluse', bio, affiliations: [seat] };
    saveAll(own.mirror, 'politician', [person], at);
    const ballotsOf = dates.map((date, n) => ({ scrutin_id: `V${n}`, chamber: 'AN', date, ...motion }));
    saveAll(own.mirror, 'ballot', ballotsOf, at);
    const [term, dated, personal, against] = [
      note('vote motion de censure Écluse'),
      note('vote motion de censure Écluse juillet 2026'),
      note('comment a voté Écluse sur la motion de censure'),
      note('qui a voté la motion de censure contre Écluse'),
    ];
    own.remove();
    expect(against).to.equal(term);
    expect(commandsIn(term)).to.deep.equal(["ballots -q 'motion de censure' --since 2025-09-05 --until 2025-12-13"]);
    expect(term).to.match(/^ballots in the days as Prime Minister that the biography states: Ivo Écluse/);
    expect(commandsIn(dated), 'a month after the term').to.deep.equal([
      "ballots --group phares -q 'motion de censure' --since 2026-07-01 --until 2026-07-31",
    ]);
    expect(commandsIn(personal)).to.deep.equal(["ballots --group phares -q 'motion de censure' --since 2026-06-01"]);
  });

  it('ends a term where the next one in any chamber begins, as nobody sits in two groups on one day', () => {
    const own = createTemporaryMirror();
    const at = '2026-11-03T00:00:00.000Z';
    const groups = [
      { slug: 'phares', name: 'Phares', chamber: 'Senat' },
      { slug: 'ni', name: 'Non inscrits', chamber: 'AN' },
      { slug: 'digues', name: 'Digues', chamber: null },
    ];
    saveAll(own.mirror, 'party', groups, at);
    const votes_by_party = [{ party: 'phares', for: 3 }];
    saveAll(own.mirror, 'ballot', [{ scrutin_id: '1', chamber: 'Senat', date: '2026-06-01', votes_by_party }], at);
    const affiliations = [
      { party: 'phares', start: '2020-10-01', end: null },
      { party: 'digues', start: '2021-01-01', end: null },
      { party: 'ni', start: '2024-07-19', end: null },
    ];
    const terms = groupTerms(own.mirror, { slug: 'ivo-ecluse', group: 'ni', affiliations });
    const undated = groupTerms(own.mirror, { slug: 'ivo-ecluse', group: 'phares', affiliations: [] });
    own.remove();
    expect(terms).to.deep.equal([{ party: 'phares', first: '2020-10-01', last: '2024-07-18' }]);
    expect(undated, 'no affiliation has its days').to.deep.equal([{ party: 'phares', first: null, last: null }]);
  });

  it('has links in place of commands on pages', async () => {
    const server = await startDemoServer();
    const url = `/search?${new URLSearchParams({ q: 'vote de Bruyèvre sur les marais salants en 2026' })}`;
    const { body } = await server.app.inject({ url, headers: { accept: 'text/html' } });
    const [, href] = /<p class="note">the service publishes[^<]*<a href="([^"]*)">/.exec(body)!;
    const list = await server.app.inject({ url: href!.replaceAll('&amp;', '&'), headers: { accept: 'text/html' } });
    await server.close();
    expect(href).to.match(
      /^\/votes\?group=alliance-des-rivages&amp;q=marais(?:\+|%20)salants&amp;since=2026-01-01&amp;until=2026-12-31$/,
    );
    expect(list.body).to.match(/<li class="item">/);
  });

  it('needs a vote and a surname; where only votes are listed, a surname alone or a full name', () => {
    for (const text of ['Océane Bruyèvre', 'vote marais salants', 'votes océane', 'vote'])
      expect(noteOf(text), text).to.equal('');
    expect(noteOf('Océane Bruyèvre', true)).not.to.equal('');
    expect(noteOf('Océane Bruyèvre marais salants', true)).to.include("-q 'marais salants'");
    expect(noteOf('Bruyèvre marais salants', true)).to.equal('');
  });

  it('is answered for a group and a subject with the ballots on it and the votes of the group', async () => {
    for (const text of ['comment ADR a voté sur les marais salants ?', 'vote ADR marais salants']) {
      const [line] = commandsIn(noteOf(text));
      expect(line, text).to.equal("ballots --group alliance-des-rivages -q 'marais salants'");
    }
    const { stdout } = await run(['ballots', '--group', 'alliance-des-rivages', '-q', 'marais salants', '--json']);
    expect(JSON.parse(stdout).items[0].voted[0].party).to.equal('alliance-des-rivages');
    for (const text of ['vote ADR', 'ADR marais salants', 'vote ADR xylophage'])
      expect(noteOf(text), text).to.equal('');
  });

  it('is answered for the group, not for the group of a person beside it who stands for a law or a government', () => {
    expect(commandsIn(noteOf('ADR vote marais salants de Bruyèvre'))).to.deep.equal([
      "ballots --group alliance-des-rivages -q 'marais salants'",
    ]);
    expect(noteOf('vote ADR xylophage Bruyèvre'), 'no ballot on it').to.equal('');
  });

  it('is answered without a group or a person by the ballots on the subject', () => {
    expect(commandsIn(noteOf('qui a voté pour les marais salants ?'))).to.deep.equal(["ballots -q 'marais salants'"]);
    for (const text of ['droit de vote marais salants', 'qui a voté pour xylophage']) expect(noteOf(text)).to.equal('');
    expect(noteOf('qui a voté pour les marais salants ?', true), 'where only ballots are listed').to.equal('');
  });

  it('takes a year behind a word as part of a name, and one by itself as a period', () => {
    const line = (text: string) => commandsIn(noteOf(text)).join();
    expect(line('comment a voté Bruyèvre sur les marais 2026')).not.to.include('--since 2026-01-01');
    expect(line('comment a voté Bruyèvre sur les marais en 2026')).to.include('--since 2026-01-01');
  });

  it('is recognised by search and ballots, and where a group or a ballot is named', async () => {
    const text = /never by person.*hemicycle ballots --group alliance-des-rivages/;
    const { remarks } = search.read(demo.mirror, { q: 'vote Bruyèvre', limit: 1 } as never, {} as never) as {
      remarks?: object[];
    };
    expect(String(remarks)).to.match(text);
    expect(String(ballots.notes!(demo.mirror, { q: 'Bruyèvre', ballots: [] } as never, {} as never))).to.match(text);
    for (const words of [
      ['ballots', '--group', 'Océane Bruyèvre'],
      ['ballots', '--voted', 'Océane Bruyèvre:for'],
      ['ballots', '--dissent', 'Océane Bruyèvre:20%'],
      ['vote', 'Océane Bruyèvre'],
      ['ask', 'comment', 'a', 'voté', 'Océane', 'Bruyèvre'],
    ])
      expect((await run(words)).stderr, words.join(' ')).to.match(text);
  });
});
