import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

describe('the licences of what is built in', () => {
  const notices = new Map(
    read('THIRD-PARTY-NOTICES.txt')
      .split(`\n${'-'.repeat(80)}\n\n`)
      .map((part) => [part.split('\n', 1)[0]!, part]),
  );
  const comment = /\/\*! With code of others: THIRD-PARTY-NOTICES\.txt\n([\s\S]*?)\n\*\/\n$/;

  it('are whole for each package that a bundle names', () => {
    const bundles = globSync('dist/*.{js,cjs}', { cwd: root }).map(read);
    const noticeLines = bundles.flatMap((text) => (comment.exec(text)?.[1] ?? '').split('\n'));
    const titles = noticeLines.filter((line) => /^\S+ [\d.]+ \(.+\)$/.test(line));
    expect(new Set(titles).size).to.be.greaterThan(30);
    for (const title of titles) expect(notices.get(title)?.length, title).to.be.greaterThan(500);
  });

  it('stand with their copyright lines at the end of the program', () => {
    expect(comment.exec(read('dist/hemicycle.cjs'))?.[1])
      .to.include('@oclif/core ')
      .and.include('\nCopyright (c) 2018 Salesforce.com\n');
  });

  it('go with the package', () => {
    expect(JSON.parse(read('package.json')).files).to.include.members(['dist', 'THIRD-PARTY-NOTICES.txt']);
  });
});
