import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { readSubjects, subjectsPath } from '../../src/store/subjects.ts';
import { transaction } from '../../src/store/transaction.ts';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('hemicycle subject', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(argv, { env: demo.env });
  const json = async (...argv: string[]): Promise<Document> => JSON.parse((await run(...argv, '--json')).stdout);

  it('adds words, phrases, and names as keys; related terms are not proposed in a pipe', async () => {
    const flags = ['--person', 'Océane Bruyèvre', '--group', 'ADR', '--text', 'moulins à marée', '--nature', 'whole'];
    const added = await run('subject', 'add', 'veille', 'retraites', 'trains de nuit', ...flags);
    expect(added.exit, added.stderr).to.equal(0);
    expect(added.stdout).to.match(/^the subject veille has: word: retraites; .*`hemicycle subject show veille`/);
    const [subject] = readSubjects(demo.db);
    expect(subject!.rules).to.include.members(['word: retraites', 'word: "trains de nuit"', 'person: oceane-bruyevre']);
    expect(subject!.rules).to.include.members(['group: alliance-des-rivages', 'nature: whole']);
    expect(added.stderr).not.to.include('related');
  });

  it('reads several words as a phrase, and words with quotation marks as typed', async () => {
    const total = async (...flags: string[]) => (await json('records', 'promise', ...flags)).total;
    for (const [name, words, query] of [
      ['nuit', 'trains de nuit', '"trains de nuit"'],
      ['ailleurs', 'nuit trains', '"nuit trains"'],
      ['partout', '"nuit" trains', 'nuit trains'],
      ['un', 'trains', 'trains'],
    ] as const) {
      expect((await run('subject', 'add', name, words)).exit).to.equal(0);
      expect(await total('--subject', name), words).to.equal(await total('-q', query));
    }
    expect(await total('--subject', 'nuit')).to.be.above(Number(await total('--subject', 'ailleurs')));
    expect(await total('--subject', 'partout')).to.be.at.least(Number(await total('--subject', 'nuit')));
  });

  it('proposes a name with hyphens for one with spaces', async () => {
    const { exit, stderr } = await run('subject', 'add', 'fin de nuit', 'trains');
    expect(exit).to.equal(2);
    expect(stderr).to.include('fin-de-nuit');
  });

  it('answers French words with the English line', async () => {
    await run('subject', 'add', 'veille', 'trains');
    for (const [typed, line] of [
      ['sujet', 'subject list'],
      ['sujet ajouter nuit trains', 'subject add nuit trains'],
      ['sujet montrer veille', 'subject show veille'],
      ['subject afficher veille', 'subject show veille'],
      ['sujet supprimer veille', 'subject remove veille'],
      ['ballots --sujet veille', 'ballots --subject veille'],
    ] as const) {
      const { exit, stderr } = await run(...typed.split(' '));
      expect(exit, typed).to.equal(2);
      expect(stderr, typed).to.include(`did you mean: hemicycle ${line}`);
    }
  });

  it('never replaces a built-in subject by adding one: edit copies it with the changes, and remove restores it', async () => {
    const refused = await run('subject', 'add', 'Retraités', 'phare', '--nature', 'whole');
    expect([refused.exit, refused.stdout]).to.deep.equal([2, '']);
    expect(refused.stderr).to.include('did you mean: hemicycle subject edit Retraités phare --nature whole?');
    expect(readSubjects(demo.db)).to.deep.equal([]);
    const edited = await json('subject', 'edit', 'Retraités', 'phare');
    expect(edited).to.deep.include({ name: 'retraites', rules: ['word: retraite', 'word: phare'] });
    expect(await json('subject', 'remove', 'retraites')).to.deep.equal({ removed: 'retraites' });
    expect((await json('subject', 'list', '--built-in')).items).to.deep.include({
      name: 'retraites',
      rules: ['word: retraite'],
    });
  });

  it('counts filed amendments by their authors, most first, as the commands beside them list', async () => {
    const { items } = (await json('subject', 'show', 'retraites', '--limit', '3')) as { items: Document[] };
    const filed = items.filter(({ section }) => section === 'filed amendments');
    expect(filed.map(({ summary }) => summary).slice(0, 2)).to.have.members([
      'Séraphine Quatrevents (2)',
      'Placide Le Fanal (2)',
    ]);
    for (const { summary, show } of filed) {
      const { total } = await json(...String(show).split(' ').slice(1));
      expect(summary).to.match(new RegExp(`\\(${total}\\)$`));
    }
  });

  it('removes a rule by the name that add takes', async () => {
    await run('subject', 'add', 'veille', 'trains de nuit', 'gardiens', '--person', 'Océane Bruyèvre');
    const removed = ['--remove', 'person: Océane Bruyèvre', '--remove', 'word: trains de nuit'];
    expect(await json('subject', 'edit', 'veille', ...removed)).to.deep.include({ rules: ['word: gardiens'] });
  });

  it('shows headings in French with what is beyond the limit, and no first import', async () => {
    await run('subject', 'add', 'veille', 'trains', '--group', 'ADR');
    const { stdout } = await run('subject', 'show', 'veille', '--lang', 'fr', '--limit', '1');
    const headings = stdout.split('\n').filter((line) => /^\p{Lu}\p{Ll}+( \(\d+ sur \d+\))?$/u.test(line));
    expect(headings.join('; ')).to.match(/^Votes.*; Textes.*Déclarations \(1 sur \d+\)/);
    const { items } = (await json('subject', 'show', 'veille')) as { items: Document[] };
    expect(items.filter(({ section }) => section === 'statements')).to.have.length(5);
    expect(items.map(({ section }) => section)).not.to.include('changes');
    for (const { section, section_total: total } of items) if (section === 'votes') expect(total).to.be.a('number');
  });

  it('shows what changed after the first import, newest first', async () => {
    await run('subject', 'add', 'veille', 'aiguillages');
    const writer = openWritableMirror(demo.db);
    for (const [at, id] of [
      ['2099-01-01T00:00:00.000Z', 'aiguillage-1'],
      ['2099-01-02T00:00:00.000Z', 'aiguillage-2'],
    ] as const)
      transaction(writer, () => {
        const saver = createSaver(writer, kindOf('promise'), { at });
        saver.save({ id, politician: 'oceane-bruyevre', title: 'Des aiguillages' });
        saver.finish();
      });
    writer.close();
    const { items } = (await json('subject', 'show', 'veille', '--limit', '1')) as { items: Document[] };
    const changes = items.filter(({ section }) => section === 'changes');
    expect(changes.map(({ key, section_total: total }) => [key, total])).to.deep.equal([['aiguillage-2', 2]]);
  });

  it('keeps a subject that a watch filters by, and a watch whose subject is gone ends with its error', async () => {
    await run('subject', 'add', 'veille', 'trains');
    const feed = join(demo.folder, 'v.atom');
    expect(
      (await run('watch', 'add', 'rails', 'records', 'promise', '--subject', 'veille', '--file', feed)).exit,
    ).to.equal(0);
    const refused = await run('subject', 'remove', 'veille');
    expect(refused.exit).to.equal(2);
    expect(refused.stderr).to.include('rails').and.include('`hemicycle watch remove rails`');
    expect((await run('watch', 'list', '--lang', 'fr')).stdout).to.include('sujet');
    expect((await run('subject', 'edit', 'veille', 'gardiens', 'retraites')).exit).to.equal(0);
    expect(JSON.parse((await run('watch', 'run', '--json')).stdout)).to.include({ watches: 1, changes: 0 });
    rmSync(subjectsPath(demo.db));
    const failed = await run('watch', 'run', '--lang', 'fr');
    expect(failed.exit).to.equal(3);
    expect(failed.stderr).to.include('rails').and.include('il n’y a pas de sujet').and.not.include('there is no');
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

  it('shows ballots with the positions of its groups, texts and statements, each with its rule', async () => {
    await run('subject', 'add', 'veille', 'trains', '--group', 'ADR');
    const { items } = (await json('subject', 'show', 'veille', '--limit', '2', '--why')) as { items: Document[] };
    expect(new Set(items.map(({ section }) => section))).to.deep.equal(
      new Set(['votes', 'texts', 'filed amendments', 'statements']),
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
