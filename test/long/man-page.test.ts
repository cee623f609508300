import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { writeManPages } from '../../src/cli/man-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the manual pages', () => {
  let folder: string;
  let pages: string[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    pages = await writeManPages(root, folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are taken by groff without a warning', () => {
    for (const page of pages) {
      const { stderr, status } = spawnSync(
        'groff',
        ['-man', '-Kutf8', '-Tutf8', '-ww', '-z', join(folder, `${page}.1`)],
        { encoding: 'utf8' },
      );
      expect([stderr, status], page).to.deep.equal(['', 0]);
    }
  });

  it('are shown by man, with what is to be typed as it is to be typed', () => {
    const env = { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8', MANPAGER: 'cat' };
    const shown = spawnSync('man', ['-l', join(folder, 'hemicycle-vote.1')], { encoding: 'utf8', env });
    expect(shown.stdout).to.include('hemicycle vote VAL1V4 --card vote.png').and.include('--max-age');
    expect(shown.stderr).to.equal('');
  });

  it('begin with their name and what it is, for whatis', () => {
    for (const page of pages)
      expect(readFileSync(join(folder, `${page}.1`), 'utf8')).to.match(/^\.TH .*\n\.SH NAME\n\S+ \\- \S/);
  });
});
