import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { guidePage } from '../docs/guide.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the client in the package', () => {
  it('is packed with its types, and nothing of the sources', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
    const packed = JSON.parse(stdout);
    const { files } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
    const paths = files.map(({ path }: { path: string }) => path);
    expect(paths).to.include.members([
      'dist/client/client.js',
      'dist/client/client.d.ts',
      'dist/client/interface.d.ts',
    ]);
    expect(paths.filter((path: string) => /^(src|test)\//.test(path))).to.deep.equal([]);
  });

  it('compiles strictly in a program that has the types of a browser, and none of Node', async () => {
    const [, example] = /```ts\n(import \{[^}]*\} from 'hemicycle\/client';[\s\S]*?)```/.exec(
      guidePage('client'),
    )!;
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-client-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules/hemicycle'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'example.ts'), example!);
      const strict = [
        '--strict',
        '--noEmit',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--lib',
        'es2022,dom',
      ];
      const compiled = await run(`${root}node_modules/.bin/tsc`, [...strict, '--types', '', 'example.ts'], {
        cwd: folder,
      }).catch((error) => error);
      expect(compiled.stdout).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
