import { appendFileSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { lazyModules, programSources } from './plugins.ts';

/** Packages bundled as nearly every start needs them; others stay external, in the program except better-sqlite3. */
const bundledPackages = [
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

/** The folder of the package in the path of a bundled file. */
const folderPattern = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/;

const commandFiles = globSync('src/cli/commands/**/*.ts');
const commandIds = commandFiles.map((path) => path.split('/').slice(3).join(':').replace('.ts', ''));

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
// oclif requires typescript only to run sources.
const external = [...Object.keys(dependencies).filter((name) => !bundledPackages.includes(name)), 'typescript'];

const commonOptions = {
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node22',
  logLevel: 'warning',
  external,
} satisfies BuildOptions;

/** Bundles the library, the program of reader processes, and the commands that `oclif manifest` reads. */
function bundleModules() {
  return build({
    ...commonOptions,
    entryPoints: [...commandFiles, 'src/index.ts', 'src/server/run/reader.ts'],
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

/** Bundles all commands into one function for `loadCompiled`; a command's modules are evaluated on first use. */
function bundleProgram() {
  return build({
    ...commonOptions,
    external: external.filter((name) => name !== 'better-sqlite3'),
    entryPoints: ['src/cli/execute.ts'],
    format: 'cjs',
    outfile: 'dist/hemicycle.cjs',
    minifyWhitespace: true,
    lineLimit: 200,
    define: { 'import.meta.url': 'ownAddress', builtIds: JSON.stringify(commandIds) },
    // `programSources` writes calls of `importPackage` and `sqliteFolder`; the footer closes the function.
    banner: {
      js: `(function (exports, require, module, __filename, __dirname, importPackage) {
        const ownAddress = require('node:url').pathToFileURL(__filename).href;
        const sqliteFolder = () => require('node:path').dirname(require.resolve('better-sqlite3'));`,
    },
    footer: { js: '})' },
    plugins: [lazyModules(), programSources(external)],
  });
}

function bundleClient() {
  return build({
    ...commonOptions,
    entryPoints: ['src/client/client.ts'],
    platform: 'neutral',
    target: 'es2022',
    format: 'esm',
    outfile: 'dist/client/client.js',
  });
}

const bundles = await Promise.all([bundleModules(), bundleProgram(), bundleClient()]);
writeNotices(bundles.map(({ metafile }) => metafile));

/** Lists the bundled packages in each bundle and writes all their licences to THIRD-PARTY-NOTICES.txt. */
function writeNotices(metafiles: Metafile[]): void {
  const licenceTexts = new Map<string, string>();
  for (const [bundle, { inputs }] of metafiles.flatMap(({ outputs }) => Object.entries(outputs))) {
    const folders = new Set(Object.keys(inputs).flatMap((path) => folderPattern.exec(path)?.[0] ?? []));
    const packages = new Map([...folders].map(readLicence));
    for (const [title, text] of packages) licenceTexts.set(title, text);
    if (packages.size > 0) appendFileSync(bundle, copyrightComment(packages));
  }
  const notices = [...licenceTexts].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = notices.map(([title, text]) => `${title}\n\n${text}\n`);
  const head = 'Hemicycle holds code of others, under these licences.\n';
  writeFileSync('THIRD-PARTY-NOTICES.txt', [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
}

function readLicence(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0) throw new Error(`${folder} is bundled, but contains no licence file`);
  const texts = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
  return [`${name} ${version} (${license})`, texts.join('\n\n')];
}

/** A comment with the packages of a bundle and their copyright lines, in ASCII as `programSources` requires. */
function copyrightComment(packages: ReadonlyMap<string, string>): string {
  const copyrightLines = (text: string) => text.match(/^ *Copyright (?!\[|in\b).*$/gm) ?? []; // no templates, no prose
  const lines = [...packages].flatMap(([title, text]) => [title, ...copyrightLines(text)]);
  const text = lines.join('\n').normalize('NFD');
  const ascii = text.replace(/[^\n -~]|\*\//g, '');
  return `/*! With code of others: THIRD-PARTY-NOTICES.txt\n${ascii}\n*/\n`;
}
