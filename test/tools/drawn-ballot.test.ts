import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { hasBrowser, openPage, type Page } from '../helpers/browser.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

describe('a ballot that is drawn', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  it('as SVG can be read by everyone, and has as many seats as members', async function () {
    if (!hasBrowser()) this.skip();
    let page: Page | null = null;
    try {
      page = await openPage();
      for (const id of ['VAL1V4', 'VAL1V7', 'VAL1V11']) {
        const file = join(demo.folder, `${id}.svg`);
        const { stdout } = await runProgram(['vote', id, '--svg', file, '--json'], {
          env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
        });
        const { votes_by_party: groups } = JSON.parse(stdout).item as {
          votes_by_party: { members: number }[];
        };
        const members = groups.reduce((sum, group) => sum + group.members, 0);
        await page.open(`file://${file}`);
        expect(
          await page.run(
            '[...document.querySelectorAll(".seats")].reduce((sum, each) => sum + Number(each.dataset.seats), 0)',
          ),
          id,
        ).to.equal(members);
        expect(await page.run('document.documentElement.getAttribute("role")')).to.equal('img');
        const markup = JSON.stringify(readFileSync(file, 'utf8'));
        await page.open('about:blank');
        await page.run(
          `document.documentElement.lang = 'fr'; document.title = 'x'; document.body.innerHTML = '<main><h1>x</h1>' + ${markup} + '</main>'; 1`,
        );
        const violations = await page.run<unknown[]>(
          `${axe}; axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
        );
        expect(JSON.stringify(violations), id).to.equal('[]');
      }
    } finally {
      await page?.close();
    }
  });

  it('in a session of tmux fits its window, in words of its locale', async function () {
    if (spawnSync('tmux', ['-V']).status !== 0) this.skip();
    const tmux = (...argv: string[]) =>
      spawnSync('tmux', ['-S', join(demo.folder, 'tmux'), '-u', ...argv], {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH ?? '',
          HOME: demo.folder,
          TERM: 'xterm-256color',
          HEMICYCLE_DB: demo.db,
          LC_ALL: 'C',
        },
      });
    const line = `'${process.execPath}' '${program}' vote VAL1V4 --no-pager; tmux -S '${join(demo.folder, 'tmux')}' wait-for -S shown; sleep 60`;
    try {
      tmux('new-session', '-d', '-x', '70', '-y', '80', line);
      tmux('wait-for', 'shown');
      const { stdout } = tmux('capture-pane', '-p');
      expect(stdout)
        .to.match(/for 58 .* against 14/)
        .and.include('37 required');
      for (const row of stdout.split('\n')) expect(row.length).to.be.at.most(70);
    } finally {
      tmux('kill-server');
    }
  });
});
