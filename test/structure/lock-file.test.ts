import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));

describe('the lock file', () => {
  it('names no engine of others, of which `npm ci` would warn 60 lines long on an older Node', () => {
    const lock = JSON.parse(readFileSync(path, 'utf8'));
    const packageNames = Object.keys(lock.packages).filter((name) => name !== '' && lock.packages[name].engines);
    if (process.env.UPDATE_GOLDEN) {
      for (const name of packageNames) delete lock.packages[name].engines;
      writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
      return;
    }
    expect(
      packageNames,
      'UPDATE_GOLDEN=1 npm run test:one test/structure/lock-file.test.ts takes them out',
    ).to.deep.equal([]);
  });
});
