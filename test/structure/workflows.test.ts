import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.github/workflows');
const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));

describe('the workflows', () => {
  it('pin every action to a commit, with its version beside it', () => {
    const actions = lines.filter((line) => line.includes('uses:'));
    expect(actions).to.not.deep.equal([]);
    expect(actions.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).to.deep.equal([]);
  });

  it('release a bill of materials that names every package that is installed with the program or built into it', () => {
    const command = lines.find((line) => line.includes('npm sbom'))!;
    const [, args] = /npm (sbom[^>]*)>/.exec(command)!;
    const output = execFileSync('npm', args!.trim().split(' '), {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { bomFormat, components } = JSON.parse(String(output));
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(bomFormat).to.equal('CycloneDX');
    const packageIds = components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`);
    const versionOf = (range: string) => range.slice(range.lastIndexOf('@') + 1);
    const missing = Object.entries<string>({ ...dependencies, ...devDependencies })
      .map(([name, range]) => `${name}@${versionOf(range)}`)
      .filter((each) => !packageIds.includes(each));
    expect(missing).to.deep.equal([]);
  });

  it('release a version that the changelog begins with, or that is next after those it knows', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [newest, ...olderVersions] = [...changelog.matchAll(/^## (\S+)/gm)].map(([, name]) => name);
    expect(newest).to.be.oneOf(['Unreleased', version]);
    expect(olderVersions).not.to.include(version);
  });
});
