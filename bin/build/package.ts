import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { packClient } from './client-package.ts';
import { writeImage } from './image.ts';
import platforms from './platforms.json' with { type: 'json' };
import { filesIn, normaliseFiles, packagingFolder, run, writeTar } from './staging.ts';

/** A platform: npm package of its Node with the expected hash; `debian`: its architecture in Debian, null for none. */
type Platform = (typeof platforms)[number];

// This script builds the packages of the platforms named as arguments, or of all; the same commit gives the same bytes.
const outputFolder = 'packages';
const work = 'packages/.work';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
process.env.SOURCE_DATE_EPOCH ??= run('git', ['log', '-1', '--format=%ct']).trim();
const requestedNames = process.argv.slice(2);
const requestedPlatforms = platforms.filter(({ name }) => requestedNames.length === 0 || requestedNames.includes(name));

/** Files of npm packages to omit: types, maps, manuals, C sources, tests, examples, prebuilds (see `addProgram`). */
const unusedFilePattern =
  /\/\.|\.(d\.[cm]?ts|map|md|markdown|gyp|sh|html)$|^node_modules\/(@[^/]+\/)?[^/]+\/(tests?|spec|benchmarks?|integration|examples?|scripts|tools)$|\/better-sqlite3\/(deps|src)$|\/prebuilds$/;

/** Files of the archives' `share` folder, and their paths in the Debian package. */
const debianPaths: [from: string, to: string][] = [
  ['completions/hemicycle.bash', 'usr/share/bash-completion/completions/hemicycle'],
  ['completions/_hemicycle', 'usr/share/zsh/vendor-completions/_hemicycle'],
  ['completions/hemicycle.fish', 'usr/share/fish/vendor_completions.d/hemicycle.fish'],
  ['man/man1', 'usr/share/man/man1'],
  ['guide', 'usr/share/doc/hemicycle/guide'],
  ['README.md', 'usr/share/doc/hemicycle/README.md'],
  ['CHANGELOG.md', 'usr/share/doc/hemicycle/NEWS'],
];

rmSync(outputFolder, { recursive: true, force: true });
for (const folder of ['app', 'share', 'node']) mkdirSync(join(work, folder), { recursive: true });
// The files of the npm package are the program of every other package.
run('npm', ['pack', '--silent', '--pack-destination', outputFolder]);
run('tar', ['-xzf', join(outputFolder, `hemicycle-${version}.tgz`), '-C', join(work, 'app'), '--strip-components=1']);
addModules(join(work, 'app'));
packClient(join(work, 'client'), outputFolder);
const share = join(work, 'share');
cpSync('dist/completions', join(share, 'completions'), { recursive: true });
cpSync('dist/man', join(share, 'man/man1'), { recursive: true });
cpSync('docs', join(share, 'guide'), { recursive: true });
for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) cpSync(file, join(share, file));
const images: { architecture: string; deb: string }[] = [];
for (const platform of requestedPlatforms) {
  const stage = join(work, platform.name, 'hemicycle');
  addNode(stage, platform);
  addProgram(stage, platform);
  normaliseFiles(stage);
  writeArchive(stage, platform);
  if (platform.debian === null) continue;
  const deb = join(outputFolder, `hemicycle_${version}_${platform.debian}.deb`);
  writeDeb(deb, stage, platform.debian);
  images.push({ architecture: platform.debian, deb });
}
if (images.length > 0) writeImage(join(outputFolder, `hemicycle-${version}-image.tar`), { work, version, images });
rmSync(work, { recursive: true });
const packageNames = readdirSync(outputFolder).sort();
const sums = packageNames.map((name) => `${hash('sha256', readFileSync(join(outputFolder, name)))}  ${name}\n`);
writeFileSync(join(outputFolder, 'SHA256SUMS'), sums.join(''));

/** Copies the installed production modules that package-lock.json lists, with their licences. */
function addModules(app: string): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const folders = Object.keys(packages).filter((name) => name !== '' && !packages[name].dev);
  const isRead = (path: string) =>
    basename(path) !== 'node_modules' && (!unusedFilePattern.test(path) || /\/licen[cs]e[^/]*$/i.test(path));
  for (const folder of folders.filter((each) => existsSync(each)))
    cpSync(folder, join(app, folder), { recursive: true, filter: (path) => path === folder || isRead(path) });
}

/** Adds the unmodified Node of a platform, from its npm package; throws if its hash differs from the table. */
function addNode(stage: string, { node, integrity }: Platform): void {
  const folder = join(work, 'node');
  const file = run('npm', ['pack', node, '--silent', '--prefer-offline', '--pack-destination', folder]).trim();
  const bytes = readFileSync(join(folder, file));
  const actualIntegrity = `sha512-${hash('sha512', bytes, 'base64')}`;
  if (actualIntegrity !== integrity) throw new Error(`${node} is ${actualIntegrity}, and not ${integrity}`);
  mkdirSync(join(stage, 'node'), { recursive: true });
  const paths = ['package/bin', ...(node.startsWith('node-win') ? [] : ['package/LICENSE'])];
  run('tar', ['-xzf', join(folder, file), '-C', join(stage, 'node'), '--strip-components=1', ...paths]);
}

function addProgram(stage: string, { name }: Platform): void {
  cpSync(join(work, 'app'), join(stage, 'app'), { recursive: true });
  const prebuild = `node_modules/better-sqlite3/prebuilds/${name}.node`;
  cpSync(prebuild, join(stage, 'app', prebuild));
  cpSync(join(work, 'share'), join(stage, 'share'), { recursive: true });
  const launcher = name.startsWith('win32') ? 'hemicycle.cmd' : 'hemicycle';
  cpSync(join(packagingFolder, launcher), join(stage, launcher));
}

function writeArchive(stage: string, { name }: Platform): void {
  const path = join(outputFolder, `hemicycle-${version}-${name}`);
  if (!name.startsWith('win32')) {
    writeTar(dirname(stage), ['hemicycle'], `${path}.tar.gz`);
    return;
  }
  const mtime = Number(process.env.SOURCE_DATE_EPOCH) * 1000;
  const entries = filesIn(stage).map((file) => [`hemicycle/${file}`, new Uint8Array(readFileSync(join(stage, file)))]);
  // ZIP files contain local times: use UTC.
  process.env.TZ = 'UTC';
  writeFileSync(`${path}.zip`, zipSync(Object.fromEntries(entries), { level: 9, mtime }));
}

/** Builds a Debian package from a staged archive: program, shell completions, manual pages and units. */
function writeDeb(to: string, stage: string, architecture: string): void {
  const root = join(dirname(stage), 'deb');
  rmSync(root, { recursive: true, force: true });
  for (const part of ['node', 'app'])
    cpSync(join(stage, part), join(root, 'usr/lib/hemicycle', part), { recursive: true });
  for (const [from, path] of debianPaths) cpSync(join(work, 'share', from), join(root, path), { recursive: true });
  cpSync(join(packagingFolder, 'debian/root'), root, { recursive: true });
  mkdirSync(join(root, 'usr/bin'));
  cpSync(join(packagingFolder, 'hemicycle'), join(root, 'usr/lib/hemicycle/hemicycle'));
  run('ln', ['-s', '../lib/hemicycle/hemicycle', join(root, 'usr/bin/hemicycle')]);
  const day = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toUTCString().replace('GMT', '+0000');
  const template = readFileSync(join(packagingFolder, 'debian/changelog'), 'utf8');
  const changelog = template.replace('VERSION', version).replace('DAY', day);
  writeFileSync(join(root, 'usr/share/doc/hemicycle/changelog'), changelog);
  for (const file of ['man/man1', 'doc/hemicycle/NEWS', 'doc/hemicycle/changelog'])
    run('gzip', ['-9nr', join(root, 'usr/share', file)]);
  const files = filesIn(root);
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  cpSync(join(packagingFolder, 'debian/control'), join(root, 'DEBIAN'), { recursive: true });
  const control = readFileSync(join(root, 'DEBIAN/control'), 'utf8')
    .replace('VERSION', version)
    .replace('ARCHITECTURE', architecture)
    .replace('SIZE', String(Math.ceil(bytes / 1024)));
  writeFileSync(join(root, 'DEBIAN/control'), control);
  writeFileSync(join(root, 'DEBIAN/md5sums'), run('sh', ['-c', 'cd "$0" && md5sum "$@"', root, ...files]));
  normaliseFiles(root);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--threads-max=1', '--build', root, to]);
}
