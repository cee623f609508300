import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoMirrorForEach } from '../../helpers/demo-mirror.ts';
import { askProgram } from '../../helpers/program.ts';

describe('sql', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(['sql', ...argv], { env: demo.env });

  it('answers in every format, and cites', async () => {
    const sql = 'SELECT slug, party FROM politicians ORDER BY slug LIMIT 2';
    const csv = await run(sql, '--format', 'csv');
    expect(csv.stdout.split('\n')[0]).to.equal('slug,party');
    expect(csv.stderr).to.contain('Source: ');
    const json = JSON.parse((await run(sql, '--json')).stdout);
    expect(json).to.deep.include({ shown: 2, total: 2, columns: 'slug,party', cut_after: null });
    expect(json.attribution.text).to.be.a('string');
    expect(json.items[0]).to.have.all.keys('slug', 'party');
  });

  it('takes parameters as flags of its own, and the statement from a file', async () => {
    const file = join(demo.folder, 'question.sql');
    writeFileSync(file, 'SELECT slug FROM politicians WHERE slug = :the_slug');
    for (const flags of [
      ['--the-slug', 'oceane-bruyevre'],
      ['--the_slug=oceane-bruyevre'],
      ['--param', 'the_slug=oceane-bruyevre'],
    ]) {
      const { stdout, stderr } = await run('--file', file, '--format', 'csv', ...flags);
      expect(stdout, stderr).to.equal('slug\noceane-bruyevre\n');
    }
    const { exit, stderr } = await run('--file', file);
    expect(exit).to.equal(2);
    expect(stderr).to.contain(':the_slug has no value').and.to.contain('--param the_slug=VALUE');
    const unset = await run('--file', file, '--the-slug');
    expect(unset.exit).to.equal(2);
    expect(unset.stderr).to.contain('--the_slug needs a value');
  });

  it('takes for a parameter any value, its last one, and never a flag of its own', async () => {
    const answerTo = async (...argv: string[]) => (await run(...argv, '--format', 'csv')).stdout;
    expect(await answerTo('SELECT :x AS x', '--x', '-5')).to.equal('x\n-5\n');
    expect(await answerTo('SELECT :x AS x', '--x=--y')).to.equal('x\n--y\n');
    expect(await answerTo('SELECT :x AS x', '--x', '1', '--x', '2')).to.equal('x\n2\n');
    expect(await answerTo('SELECT :limit AS x', '--param', 'limit=7', '--limit', '1')).to.equal('x\n7\n');
  });

  it('answers of a past day what the mirror held then', async () => {
    const { exit, stderr } = await run('SELECT 1', '--as-of', '2020-01-01');
    expect(exit).to.equal(8);
    expect(stderr).to.contain('the first record of this mirror');
  });

  it('says that an answer was cut, and ends one that takes too long', async () => {
    const cut = await run('SELECT slug FROM politicians', '--limit', '1', '--json');
    expect(JSON.parse(cut.stdout)).to.deep.include({ shown: 1, total: null, cut_after: 1 });
    expect(cut.stderr).to.contain('truncated after 1 rows');
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c';
    const { exit, stderr } = await run(endless, '--timeout', '2s', '--lang', 'fr');
    expect(exit).to.equal(2);
    expect(stderr).to.contain('La requête a été arrêtée après 2 s').and.to.contain('--timeout 30m');
  });

  it('lists the views with what their columns mean', async () => {
    const { items } = JSON.parse((await run('--schema', '--json')).stdout);
    const describedTables = items.filter((each: { description: string }) => each.description !== '');
    expect(describedTables.length).to.equal(items.length);
    expect(items.map((each: { view: string }) => each.view)).to.include.members(['ballots', 'votes', 'history']);
  });
});
