import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import jsTokens from 'js-tokens';

const root = fileURLToPath(new URL('../..', import.meta.url));

const mostWords = 25;

const comments = ['src', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    // The types of the client are written by the build.
    .filter((path) => /\.[jt]s$/.test(path) && path !== 'client/interface.ts')
    .flatMap((path) =>
      Array.from(jsTokens(readFileSync(join(root, folder, path), 'utf8')))
        .filter(({ type, value }) => type === 'MultiLineComment' && value.startsWith('/**'))
        .map(({ value }) => ({ path: `${folder}/${path}`, text: value.slice('/**'.length, -'*/'.length).trim() })),
    ),
);

describe('comments on exports, properties and functions', () => {
  it('stand on one line', () => {
    expect(comments.filter(({ text }) => text.includes('\n'))).to.deep.equal([]);
  });

  it(`have at most ${mostWords} words`, () => {
    const long = comments.filter(({ text }) => text.split(/\s+/).length > mostWords);
    expect(long).to.deep.equal([]);
  });
});
