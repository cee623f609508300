import { globSync, readFileSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';
import { lazyModules } from './lazy-modules.ts';
import { noteBuiltIn } from './notices.ts';
import { programSources } from './program-sources.ts';

/** Packages bundled into our files, because nearly every start needs them; all others stay external. */
const bundled = [
  '@oclif/core',
  '@oclif/plugin-help',
  '@orama/stemmers',
  'fflate',
  'hyparquet',
  'hyparquet-writer',
  'ipaddr.js',
  'lru-cache',
  'p-throttle',
];

const commandFiles = globSync('src/cli/commands/**/*.ts');
const commandIds = commandFiles.map((path) => path.split('/').slice(3).join(':').replace('.ts', ''));

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
// oclif asks for typescript only where it runs sources.
const external = [...Object.keys(dependencies).filter((name) => !bundled.includes(name)), 'typescript'];

const common = {
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node22',
  logLevel: 'warning',
  external,
} satisfies BuildOptions;

/** Bundles the library, the programs of threads and readers, and the commands that `oclif manifest` reads. */
function bundleModules() {
  return build({
    ...common,
    entryPoints: [...commandFiles, 'src/sync/read-worker.ts', 'src/index.ts', 'src/server/run/reader.ts'],
    format: 'esm',
    splitting: true,
    external: [...external, 'p-throttle'],
    outbase: 'src',
    outdir: 'dist',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
}

/** Bundles all commands for `bin/run.js`; a command's modules are evaluated when it is typed. */
function bundleProgram() {
  return build({
    ...common,
    external: external.filter((name) => name !== 'better-sqlite3'),
    entryPoints: ['src/cli/execute.ts'],
    format: 'cjs',
    outfile: 'dist/hemicycle.cjs',
    minifyWhitespace: true,
    lineLimit: 200,
    define: { 'import.meta.url': 'ownAddress', builtIds: JSON.stringify(commandIds) },
    banner: {
      js: `(function (exports, require, module, __filename, __dirname, importPackage) {
        const ownAddress = require('node:url').pathToFileURL(__filename).href;
        const sqliteFolder = () => require('node:path').dirname(require.resolve('better-sqlite3'));`,
    },
    footer: { js: '})' },
    plugins: [lazyModules(), programSources(external)],
  });
}

/** Bundles the client for other programs, which needs nothing but `fetch`. */
function bundleClient() {
  return build({
    ...common,
    entryPoints: ['src/client/client.ts'],
    platform: 'neutral',
    target: 'es2022',
    format: 'esm',
    outfile: 'dist/client/client.js',
  });
}

const built = await Promise.all([bundleModules(), bundleProgram(), bundleClient()]);
noteBuiltIn(built.map(({ metafile }) => metafile));
