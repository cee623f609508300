import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('lines of comments', () => {
  it('have at most 120 characters, which the formatter does not hold', () => {
    const long = ['src', 'bin'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        // The types of the client are written by the build.
        .filter((path) => /\.[jt]s$/.test(path) && path !== 'client/interface.ts')
        .flatMap((path) => {
          const lines = readFileSync(join(root, folder, path), 'utf8').split('\n');
          const isLong = (line: string) => /^\s*(?:\/[/*]|\*)/.test(line) && line.length > 120;
          return lines.filter(isLong).map((line) => `${folder}/${path}: ${line.trim()}`);
        }),
    );
    expect(long).to.deep.equal([]);
  });
});
