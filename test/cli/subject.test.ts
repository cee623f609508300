import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { readSubjects, subjectsPath } from '../../src/store/subjects.ts';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

describe('hemicycle subject', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => runProgram(argv, { env: demo.env });
  const json = async (...argv: string[]): Promise<Document> => JSON.parse((await run(...argv, '--json')).stdout);

  it('adds words, and names as keys; related terms are only noted, as the line that adds them', async () => {
    const flags = ['--person', 'Océane Bruyèvre', '--group', 'ADR', '--text', 'moulins à marée', '--nature', 'whole'];
    const added = await run('subject', 'add', 'veille', 'retraites', 'trains de nuit', ...flags);
    expect(added.exit, added.stderr).to.equal(0);
    expect(added.stdout).to.match(/^the subject veille has: word: retraites; .*`hemicycle subject show veille`/);
    const [subject] = readSubjects(demo.db);
    expect(subject!.rules).to.include.members(['word: retraites', 'word: trains de nuit', 'person: oceane-bruyevre']);
    expect(subject!.rules).to.include.members(['group: alliance-des-rivages', 'nature: whole']);
    const [, line = ''] = /^related terms; to add them: hemicycle (.*)$/m.exec(added.stderr) ?? [];
    expect(line).to.match(/^subject edit veille \S+/);
    expect((await run(...line.split(' '))).exit).to.equal(0);
    expect(readSubjects(demo.db)[0]!.rules.length).to.be.greaterThan(subject!.rules.length);
  });

  it('is edited part by part, listed in every format, and removed', async () => {
    await run('subject', 'add', 'veille', 'gardiens', '--person', 'oceane-bruyevre');
    const edited = await json('subject', 'edit', 'veille', 'trains', '--remove', 'person: oceane-bruyevre');
    expect(edited).to.deep.include({ rules: ['word: gardiens', 'word: trains'] });
    expect((await run('subject', 'list', '--format', 'csv')).stdout).to.equal(
      'name,rules\nveille,word: gardiens; word: trains\n',
    );
    expect((await json('subject', 'list')).items).to.deep.equal([edited]);
    expect(await json('subject', 'remove', 'Veille')).to.deep.equal({ removed: 'veille' });
    expect((await json('subject', 'list')).items).to.deep.equal([]);
  });

  it('shows ballots with the positions of its groups, texts, statements and changes, each with its rule', async () => {
    await run('subject', 'add', 'veille', 'trains', '--group', 'ADR');
    const { items } = (await json('subject', 'show', 'veille', '--limit', '2', '--why')) as { items: Document[] };
    expect(new Set(items.map(({ section }) => section))).to.deep.equal(
      new Set(['votes', 'texts', 'statements', 'changes']),
    );
    for (const { section, why, kind } of items)
      if (section !== 'texts') expect(why, String(kind)).to.match(/^(word: trains|group: \S+)$/);
    const [ballot] = items;
    expect(ballot!.summary).to.match(/(For|Pour|Against|Contre|Abstention): /);
    const { stdout } = await run('subject', 'show', 'veille', '--why', '--lang', 'fr', '--columns', 'section,why');
    expect(stdout).to.include('word: trains');
  });

  it('refuses what would have no records, names that are taken, unknown ones and natures that there are not', async () => {
    await run('subject', 'add', 'veille', 'gardiens');
    for (const [exit, ...argv] of [
      [2, 'add', 'vide'],
      [2, 'add', 'Veillé', 'trains'],
      [2, 'add', 'a b', 'trains'],
      [2, 'add', 'natures', 'trains', '--nature', 'wole'],
      [3, 'add', 'gens', '--person', 'Nobody Nowhere'],
      [2, 'edit', 'veille', '--remove', 'word: gardiens'],
      [3, 'edit', 'veille', '--remove', 'word: trains'],
      [3, 'remove', 'veile'],
      [3, 'show', 'veile'],
    ] as const)
      expect((await run('subject', ...argv)).exit, argv.join(' ')).to.equal(exit);
    expect((await run('subject', 'show', 'veile')).stderr).to.include('did you mean: veille?');
    expect(readSubjects(demo.db)).to.have.length(1);
  });

  it('filters exports, and only tables of records', async () => {
    await run('subject', 'add', 'veille', 'trains');
    const { total } = await json('ballots', '--subject', 'veille');
    const ballots = await run('export', 'ballots', '--subject', 'veille', '--format', 'ndjson');
    expect(ballots.stdout.trim().split('\n')).to.have.length(Number(total));
    const keys = ballots.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).scrutin_id);
    const votes = await run('export', 'votes', '--subject', 'veille', '--format', 'ndjson');
    const ofVotes = votes.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).ballot.replace(/^.*:/, ''));
    expect([...new Set(ofVotes)]).to.have.members(keys);
    expect((await run('export', 'ballots', '--subject', 'veile')).exit).to.equal(3);
    const target = join(demo.folder, 'out/');
    expect((await run('export', '--all', '--subject', 'veille', '-o', target)).exit).to.equal(0);
    expect(readFileSync(join(target, 'datapackage.json'), 'utf8')).to.include('in the subject veille');
  });

  it('is part of a backup', async () => {
    await run('subject', 'add', 'veille', 'trains');
    const stored = readFileSync(subjectsPath(demo.db), 'utf8');
    const archive = join(demo.folder, 'all.tar');
    expect((await run('backup', '-o', archive)).exit).to.equal(0);
    await run('subject', 'remove', 'veille');
    expect((await run('restore', archive, '--replace')).exit).to.equal(0);
    expect(readFileSync(subjectsPath(demo.db), 'utf8')).to.equal(stored);
  });
});
