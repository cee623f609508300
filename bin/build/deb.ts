import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn, packaging, run, settled } from './staging.ts';

/** Where Debian looks for what all packages share: from there, to here. */
const places: [from: string, to: string][] = [
  ['completions/hemicycle.bash', 'usr/share/bash-completion/completions/hemicycle'],
  ['completions/_hemicycle', 'usr/share/zsh/vendor-completions/_hemicycle'],
  ['completions/hemicycle.fish', 'usr/share/fish/vendor_completions.d/hemicycle.fish'],
  ['man/man1', 'usr/share/man/man1'],
  ['guide', 'usr/share/doc/hemicycle/guide'],
  ['README.md', 'usr/share/doc/hemicycle/README.md'],
  ['CHANGELOG.md', 'usr/share/doc/hemicycle/NEWS'],
];

type Packed = { stage: string; share: string; version: string; architecture: string };

/** Makes a package of Debian from a staged archive: the program, what shells and `man` look for, and units. */
export function writeDeb(to: string, { stage, share, version, architecture }: Packed): void {
  const root = join(dirname(stage), 'deb');
  rmSync(root, { recursive: true, force: true });
  for (const part of ['node', 'app'])
    cpSync(join(stage, part), join(root, 'usr/lib/hemicycle', part), { recursive: true });
  for (const [from, path] of places) cpSync(join(share, from), join(root, path), { recursive: true });
  cpSync(join(packaging, 'debian/root'), root, { recursive: true });
  mkdirSync(join(root, 'usr/bin'));
  cpSync(join(packaging, 'hemicycle'), join(root, 'usr/lib/hemicycle/hemicycle'));
  run('ln', ['-s', '../lib/hemicycle/hemicycle', join(root, 'usr/bin/hemicycle')]);
  const day = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toUTCString().replace('GMT', '+0000');
  const changelog = readFileSync(join(packaging, 'debian/changelog'), 'utf8');
  writeFileSync(
    join(root, 'usr/share/doc/hemicycle/changelog'),
    changelog.replace('VERSION', version).replace('DAY', day),
  );
  for (const file of ['man/man1', 'doc/hemicycle/NEWS', 'doc/hemicycle/changelog'].map(
    (each) => `usr/share/${each}`,
  ))
    run('gzip', ['-9nr', join(root, file)]);
  const files = filesIn(root);
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  cpSync(join(packaging, 'debian/control'), join(root, 'DEBIAN'), { recursive: true });
  const control = readFileSync(join(root, 'DEBIAN/control'), 'utf8')
    .replace('VERSION', version)
    .replace('ARCHITECTURE', architecture)
    .replace('SIZE', String(Math.ceil(bytes / 1024)));
  writeFileSync(join(root, 'DEBIAN/control'), control);
  const sums = run('sh', ['-c', 'cd "$0" && md5sum "$@"', root, ...files]);
  writeFileSync(join(root, 'DEBIAN/md5sums'), sums);
  settled(root);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--threads-max=1', '--build', root, to]);
}
