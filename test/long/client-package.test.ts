import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packClient } from '../../bin/build/client-package.ts';
import { clientExample } from '../docs/guide.ts';
import { environmentGiven } from '../helpers/own-environment.ts';
import { startDemoServer } from '../server/demo-server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The faults that the compiler finds in `example.ts` of a folder, with the types of a browser and none of Node. */
async function strictFaults(folder: string): Promise<string> {
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
  const argv = [...strict, '--types', '', 'example.ts'];
  const { stdout } = await run(`${root}node_modules/.bin/tsc`, argv, { cwd: folder }).catch((error) => error);
  return stdout;
}

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
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-client-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules/hemicycle'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'example.ts'), clientExample());
      expect(await strictFaults(folder)).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is a package of its own, too, which is installed without network and dependencies, and has its types', async () => {
    const server = await startDemoServer();
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-client-'));
    try {
      const packed = packClient(join(folder, 'stage'), folder);
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], { cwd: folder });
      expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).to.deep.equal([
        'hemicycle-client',
      ]);
      const files = ['LICENSE', 'README.md', 'client.d.ts', 'client.js', 'interface.d.ts', 'package.json'];
      expect(readdirSync(join(folder, 'node_modules/hemicycle-client')).sort()).to.deep.equal(files);
      const example = clientExample().replace('hemicycle/client', 'hemicycle-client');
      writeFileSync(join(folder, 'example.ts'), example.replace('http://127.0.0.1:8000', server.url));
      expect(await strictFaults(folder)).to.equal('');
      const { stdout } = await run(process.execPath, ['example.ts'], { cwd: folder });
      expect(stdout).to.match(/^20\d\d-\d+ .+\n/);
    } finally {
      rmSync(folder, { recursive: true });
      await server.close();
    }
  });
});

describe('the library in the package', () => {
  it('compiles strictly and runs from a bundle in a project of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-library-'));
    const bundlers = ['esbuild', 'rollup', '@rollup/plugin-node-resolve', '@rollup/plugin-commonjs'];
    const dependencies = ['@types/node', 'typescript', ...bundlers, '@rollup/plugin-json'];
    try {
      await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
      const [packed = ''] = readdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
      await run('npm', ['install', '--no-audit', '--no-fund', `./${packed}`, ...dependencies], {
        cwd: folder,
        env: environmentGiven,
      });
      const [, example] = /```ts\n\/\/ example\.ts\n([\s\S]*?)```/.exec(readFileSync(`${root}src/README.md`, 'utf8'))!;
      writeFileSync(join(folder, 'example.ts'), example!);
      cpSync(`${root}fixtures/demo`, join(folder, 'data'), { recursive: true });
      const own = async (name: string, ...words: string[]) => {
        const { stdout, stderr } = await run(`node_modules/.bin/${name}`, words, { cwd: folder }).catch(
          (error) => error,
        );
        return name === 'tsc' ? stdout + stderr : stdout;
      };
      const strict = ['--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
      expect(await own('tsc', ...strict, 'example.ts')).to.equal('');
      const external = 'better-sqlite3';
      await own(
        'esbuild',
        'example.js',
        '--bundle',
        '--platform=node',
        '--format=esm',
        `--external:${external}`,
        '--outfile=esbuild.mjs',
      );
      const plugins = ['node-resolve', 'commonjs', 'json'].flatMap((name) => ['-p', name]);
      await own(
        'rollup',
        'example.js',
        ...plugins,
        '--external',
        external,
        '-d',
        'rollup',
        '--entryFileNames',
        '[name].mjs',
      );
      for (const bundle of ['esbuild.mjs', 'rollup/example.mjs']) {
        rmSync(join(folder, 'mirror.db'), { force: true });
        const { stdout } = await run(process.execPath, [bundle], { cwd: folder });
        expect(stdout, bundle).to.match(/^rejeté \[/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
