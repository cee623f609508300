import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupFiles, restorePath } from '../../../src/cli/backup-files.ts';
import { readSettings } from '../../../src/cli/settings.ts';
import type { Document } from '../../../src/model/document.ts';
import { createStatement, findSavedQuestion, readSavedQuestions } from '../../../src/questions/saved-questions.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { runStatement } from '../../../src/store/statements/statement.ts';
import { rowsOf } from '../../../src/watches/rows.ts';
import { parseWatch } from '../../../src/watches/watched-question.ts';
import { speechOf } from '../../../src/words/speech.ts';
import { demoMirrorForEach, readDemoMirror } from '../../helpers/demo-mirror.ts';
import { askProgram } from '../../helpers/program.ts';
import { saveAll } from '../../server/demo-server.ts';

describe('the saved questions of the program', () => {
  const demo = readDemoMirror();

  it('are twelve, and each answers with its defaults', () => {
    const saved = readSavedQuestions(null);
    expect(saved.questions.size).to.equal(12);
    expect([...saved.faults]).to.deep.equal([]);
    for (const each of saved.questions.values()) {
      const { columns } = runStatement(demo.mirror, createStatement(each, {}), 100);
      expect(columns.length, each.name).to.be.greaterThan(1);
    }
  });

  it('answer of a mirror that has nothing yet, and whose service states no more than is documented', () => {
    const empty = openWritableMirror(join(demo.folder, 'empty.db'));
    for (const each of readSavedQuestions(null).questions.values())
      expect(runStatement(empty, createStatement(each, {}), 10).rows, each.name).to.deep.equal([]);
    empty.close();
  });

  it('are watched row by row', async () => {
    const watched = parseWatch(['ask', 'closest-votes', '--with', 'year=2026']);
    const ids = new Set<string>();
    let rows = 0;
    for await (const { id } of rowsOf(demo.mirror, watched, { nowMs: 0, speech: speechOf('en') })) {
      rows += 1;
      ids.add(id);
    }
    expect(rows).to.be.greaterThan(1);
    expect(ids.size).to.equal(rows);
  });

  it('count participation over ballots with members that are not one-sided, and say how many they leave out', () => {
    const votes = { party: 'phares', party_name: 'Phares', members: 10, for: 4, against: 1, abstention: 1 };
    const ballot = (scrutin_id: string, title: string, group: object) => {
      return { scrutin_id, chamber: 'AN', date: '2031-01-01', title, votes_by_party: [{ ...votes, ...group }] };
    };
    const mirror = openWritableMirror(join(demo.folder, 'participation.db'));
    const ballots = [
      ballot('V1', 'L’ensemble du projet de loi', {}),
      ballot('V2', 'La motion de censure', { for: 9, against: 0, abstention: 0 }),
      ballot('V3', 'L’article 2 du projet de loi', { members: null }),
      ballot('V4', 'L’article 3 du projet de loi', { against: null }),
    ];
    saveAll(mirror, 'ballot', ballots as Document[], '2031-01-02T00:00:00.000Z');
    const rowsOfQuestion = (name: string) => {
      const saved = findSavedQuestion(readSavedQuestions(null), name);
      return runStatement(mirror, createStatement(saved, { year: '2031' }), 100).rows;
    };
    expect(rowsOfQuestion('participation')).to.deep.equal([
      {
        party: 'phares',
        party_name: 'Phares',
        ballots: 1,
        votes_cast: 6,
        members_summed: 10,
        share: 0.6,
        one_sided: 1,
        not_stated: 2,
      },
    ]);
    expect(rowsOfQuestion('unity-by-month')).to.have.length(1);
    expect(rowsOfQuestion('unity-by-month')[0]).to.include({ ballots: 2 });
    expect(rowsOfQuestion('closest-votes').map(({ ballot: key }) => key)).to.not.include('AN:V2');
    mirror.close();
  });

  it('find the closest ballots, without motions of censure', () => {
    const closest = findSavedQuestion(readSavedQuestions(null), 'closest-votes');
    const { rows } = runStatement(demo.mirror, createStatement(closest, { year: '2026' }), 100);
    expect(rows.length).to.be.greaterThan(0);
    expect(rows.map(({ difference }) => difference)).to.deep.equal(
      rows.map(({ votes_for: one, votes_against: other }) => Math.abs(Number(one) - Number(other))),
    );
    expect(rows.filter(({ title }) => /censure/i.test(String(title)))).to.deep.equal([]);
  });
});

describe('ask', () => {
  const demo = demoMirrorForEach();
  const write = (name: string, text: string) => {
    const folder = join(demo.folder, 'questions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.sql`), text);
    return folder;
  };
  const run = (argv: string[], questions = '') =>
    askProgram(['ask', ...argv], { env: { ...demo.env, HEMICYCLE_QUESTIONS: questions } });

  it('answers a question of a file, with flags for its parameters', async () => {
    const folder = write(
      'one',
      '-- en: One of them\n-- fr: L’un d’eux\n-- :the_slug text nobody | the slug | le slug\nSELECT slug FROM politicians WHERE slug = :the_slug\n',
    );
    const answer = await run(['one', '--the-slug', 'oceane-bruyevre', '--format', 'csv'], folder);
    expect(answer.stdout, answer.stderr).to.equal('slug\noceane-bruyevre\n');
    expect((await run(['one', '--lang', 'fr', '--json'], folder)).stderr).to.contain('L’un d’eux');
    const refused = await run(['one', '--with', 'slug=x'], folder);
    expect(refused.exit).to.equal(2);
    expect(refused.stderr).to.contain('question one has no parameter slug').and.to.contain('it accepts the_slug');
  });

  it('says what the mirror covers of the kind that a question names, also where nothing is found', async () => {
    const folder = write(
      'none',
      '-- covers: ballot\n-- :chamber text AN | chamber | chambre\nSELECT title FROM ballots WHERE 0 AND chamber = :chamber\n',
    );
    write('faulty', '-- en: Faulty\n-- covers: stars\nSELECT 1\n');
    const months = await run(['ballots-by-month', '--chamber', 'Senat'], folder);
    expect(months.stderr).to.match(/in this mirror ballots of the Sénat run from /);
    const { coverage } = JSON.parse((await run(['ballots-by-month', '--json'], folder)).stdout);
    expect(coverage).to.have.length(1);
    expect(coverage[0]).to.include({ kind: 'ballot', chamber: 'AN' });
    const none = await run(['none', '--lang', 'fr'], folder);
    expect(`${none.stdout}${none.stderr}`).to.match(/scrutins de l’Assemblée nationale du /);
    const own = await run(['members-by-group', '--json'], folder);
    expect(JSON.parse(own.stdout)).to.not.have.property('coverage');
    const { exit, stderr } = await run(['faulty'], folder);
    expect(exit).to.equal(2);
    expect(stderr).to.include('faulty.sql, line 2: there is no kind "stars"');
  });

  it('names file, line and what SQLite said of a question with an error, and answers the others', async () => {
    const folder = write('wrong', '-- en: Wrong\n\nSELECT slug\nFROM politicans\n');
    write('head', '-- :x\nSELECT 1\n');
    const listed = JSON.parse((await run(['--json'], folder)).stdout).items as Record<string, string>[];
    const faultOf = (name: string) => listed.find((each) => each.name === name)?.fault;
    expect(faultOf('wrong'))
      .to.contain(`${join(folder, 'wrong.sql')}, line 4: `)
      .and.to.contain('politicans');
    expect(faultOf('head')).to.contain(`${join(folder, 'head.sql')}, line 1: `);
    expect(faultOf('members-by-group')).to.equal(null);
    const { exit, stderr } = await run(['wrong'], folder);
    expect(exit).to.equal(2);
    expect(stderr).to.contain('line 4').and.to.contain('did you mean: politicians');
    expect((await run(['members-by-group'], folder)).exit).to.equal(0);
    const unknown = await run(['members-by-grup'], folder);
    expect(unknown.exit).to.equal(3);
    expect(unknown.stderr).to.contain('did you mean: members-by-group');
  });

  it('is watched as well: a question of one’s own tells each new row once', async () => {
    const folder = write(
      'one',
      "-- :who text o | who | qui\nSELECT slug, full_name FROM politicians WHERE slug LIKE :who || '%'\n",
    );
    const env = { ...demo.env, HEMICYCLE_QUESTIONS: folder };
    const feed = join(demo.folder, 'one.atom');
    const added = await askProgram(['watch', 'add', 'mine', 'ask', 'one', '--file', feed], { env });
    expect(added.exit, added.stderr).to.equal(0);
    expect(added.stderr).to.match(/starts with \d+ row/);
    const mirror = openWritableMirror(demo.db);
    saveAll(mirror, 'politician', [{ slug: 'ode-nouvelle', full_name: 'Ode Nouvelle' }], new Date().toISOString());
    mirror.close();
    const ran = await askProgram(['watch', 'run', '--json'], { env });
    expect(JSON.parse(ran.stdout), ran.stderr).to.include({ changes: 1, told: 1 });
    expect(readFileSync(feed, 'utf8')).to.include('Ode Nouvelle');
  });

  it('goes with a backup, and answers where that is restored', async () => {
    const folder = write('one', '-- en: Mine\nSELECT 5 AS five\n');
    const file = join(demo.folder, 'all.tar');
    const home = join(demo.folder, 'elsewhere');
    const env = { ...demo.env, HEMICYCLE_QUESTIONS: folder };
    const backup = await askProgram(['backup', '-o', file], { env });
    expect(backup.exit, backup.stderr).to.equal(0);
    mkdirSync(home);
    const there = { HOME: home, HEMICYCLE_DB: join(home, 'mirror.db') };
    const restored = await askProgram(['restore', file], { env: there });
    expect(restored.exit, restored.stderr).to.equal(0);
    const answered = await askProgram(['ask', 'one', '--format', 'csv'], { env: there });
    expect(answered.stdout, answered.stderr).to.equal('five\n5\n');
  });

  it('keeps the files of questions in a backup, and knows where they belong', () => {
    const folder = write('one', 'SELECT 1\n');
    const settings = readSettings({ HOME: demo.folder, HEMICYCLE_QUESTIONS: folder });
    expect(backupFiles(settings).map(({ name }) => name)).to.include('questions/one.sql');
    expect(restorePath(settings, 'questions/other.sql')).to.equal(join(folder, 'other.sql'));
    expect(restorePath(settings, 'questions/../other.sql')).to.equal(null);
    expect(restorePath(settings, 'questions/.other.sql')).to.equal(null);
  });
});
