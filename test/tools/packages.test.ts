import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import platforms from '../../bin/build/platforms.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const lacking = ['mmdebstrap', 'bwrap', 'lintian', 'logrotate', 'umoci', 'qemu-aarch64-static'].filter(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
);

/** What a binary begins with where it is for that platform. */
const binaryHeads: Record<string, RegExp> = {
  'linux-x64': /^7f454c460201.{20}02003e00/,
  'linux-arm64': /^7f454c460201.{20}0[23]00b700/,
  'darwin-x64': /^cffaedfe07000001/,
  'darwin-arm64': /^cffaedfe0c000001/,
  'win32-x64': /^4d5a/,
};

function run(command: string, argv: string[], options: object = {}): string {
  return execFileSync(command, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

/** Makes packages in a folder of sources, and returns their folder. */
function packagesOf(sources: string, ...names: string[]): string {
  run(process.execPath, [join(root, 'bin/build/package.ts'), ...names], { cwd: sources });
  return join(sources, 'packages');
}

describe('the packages', function () {
  this.timeout(3_600_000);
  let folder: string;
  let packages: string;
  let system: string;
  let pristineFiles: string[];
  const find = (ending: string) =>
    join(packages, readdirSync(packages).find((name) => name.endsWith(ending)) ?? `no ${ending}`);

  before(function () {
    if (lacking.length > 0 || process.getuid?.() !== 0) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-packages-'));
    chmodSync(folder, 0o755);
    // Made before, by the release; else made now.
    packages = process.env.HEMICYCLE_PACKAGES ?? packagesOf(root);
    system = join(folder, 'system');
    run('mmdebstrap', ['--quiet', '--variant=minbase', '--include=man-db,libstdc++6', 'bookworm', system]);
    for (const each of [join(folder, 'data'), join(system, 'data')]) mkdirSync(each);
    chmodSync(join(folder, 'data'), 0o777);
    pristineFiles = filesOf(system);
    // What fails below fails by itself: every test has the package installed.
    install(find('_amd64.deb'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Words that run a command within a system: read-only but for one folder, as a user without a home or an account. */
  const within = (at = system, own = '/data') => [
    ...['--unshare-all', '--die-with-parent', '--ro-bind', at, '/', '--proc', '/proc', '--dev', '/dev'],
    ...['--tmpfs', '/tmp', '--bind', join(folder, 'data'), own, '--uid', '4711', '--gid', '4711'],
    ...['--clearenv', '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HEMICYCLE_DB', `${own}/mirror.db`],
  ];
  const inside = (line: string) => run('bwrap', [...within(), '/bin/sh', '-c', line]);
  const asRoot = (...argv: string[]) => run('chroot', [system, ...argv]);
  const install = (deb: string) => {
    cpSync(deb, join(system, 'tmp/hemicycle.deb'));
    asRoot('dpkg', '--install', '/tmp/hemicycle.deb');
  };
  /** The files of a system, without what any installation writes: logs, caches, and the copies that `useradd` keeps. */
  const filesOf = (at: string) =>
    readdirSync(at, { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => !/^(data|tmp|proc|sys|dev|var\/(lib\/dpkg|log|cache)|etc\/g?(passwd|group|shadow)-)(\/|$)/.test(path),
      )
      .sort();

  it('are as small as was promised, with sums that hold', () => {
    run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: packages });
    for (const name of readdirSync(packages)) {
      const most = name.endsWith('.deb') ? 50 : name.endsWith('image.tar') ? 150 : 75;
      expect(statSync(join(packages, name)).size, name).to.be.below(most * 1e6);
    }
  });

  for (const { name, debian } of platforms)
    it(`hold for ${name} its Node, its one native module, and all that others hold`, () => {
      const at = join(folder, name);
      mkdirSync(at);
      const archive = find(name.startsWith('win32') ? `-${name}.zip` : `-${name}.tar.gz`);
      if (archive.endsWith('.zip')) run('python3', ['-m', 'zipfile', '-e', archive, at]);
      else run('tar', ['-xzf', archive, '-C', at]);
      const files = readdirSync(at, { recursive: true, encoding: 'utf8' });
      const native = files.filter((path) => /\.(node|bare)$/.test(path)).map((path) => basename(path));
      expect(native).to.deep.equal([`${name}.node`]);
      const node = files.find((path) => /node\/bin\/node(\.exe)?$/.test(path))!;
      const head = readFileSync(join(at, node)).subarray(0, 20).toString('hex');
      expect(head).to.match(binaryHeads[name]!);
      const expected = ['app/bin/run.js', 'app/dist/hemicycle.cjs', 'share/man/man1/hemicycle.1', 'share/LICENSE'];
      for (const path of [...expected, 'share/completions/_hemicycle', 'share/guide/en/install.md'])
        expect(files).to.include(`hemicycle/${path}`);
      expect(files.some((path) => /^hemicycle\/hemicycle(\.cmd)?$/.test(path))).to.equal(true);
      if (debian !== 'arm64') rmSync(at, { recursive: true });
    });

  it('satisfy lintian, but for what their overrides give a reason for', () => {
    for (const { debian } of platforms.filter((each) => each.debian))
      run('lintian', ['--fail-on', 'error', find(`_${debian}.deb`)]);
  });

  it('run installed in a Debian without Node, on a disk that is read-only, by a user without a home', () => {
    const former = formerDeb();
    asRoot('dpkg', '--purge', 'hemicycle');
    install(former ?? find('_amd64.deb'));
    expect(spawnSync('chroot', [system, 'sh', '-c', 'command -v node']).status).not.to.equal(0);
    expect(inside('hemicycle')).to.include('Three ways to start').and.include('hemicycle init URL');
    inside('hemicycle import /usr/lib/hemicycle/app/fixtures/demo --quiet');
    inside('hemicycle watch add phares search phare --file /data/told.atom');
    const firstOutput = inside('hemicycle search phare --format csv');
    expect(firstOutput).to.match(/phare/i);

    // Over the version before, with its mirror and its watches.
    install(find('_amd64.deb'));
    expect(inside('hemicycle search phare --format csv')).to.equal(firstOutput);
    expect(inside('hemicycle watch list')).to.include('phares');
    expect(inside('hemicycle demo')).to.include('hemicycle search trains de nuit --db /data/demo/mirror.db');
    expect(inside('hemicycle doctor --offline --json')).to.include('"exit":0');
    expect(inside('hemicycle export --all --quiet -o /data/out/ && hemicycle export verify /data/out')).not.to.equal(
      '',
    );
    expect(inside('hemicycle schedule print --cron -o /data/night')).to.match(/\* \* \* \/usr\/bin\/hemicycle sync/);
    expect(inside('hemicycle completion bash --words -- vo')).to.match(/^vote\t/);
    expect(asRoot('man', '--pager=cat', 'hemicycle-vote')).to.include('hemicycle vote');
    for (const path of ['bash-completion/completions/hemicycle', 'zsh/vendor-completions/_hemicycle'])
      expect(existsSync(join(system, 'usr/share', path)), path).to.equal(true);
    const initializeRequest =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}';
    expect(inside(`echo '${initializeRequest}' | hemicycle mcp`)).to.include('"serverInfo"');

    asRoot('dpkg', '--purge', 'hemicycle');
    const after = filesOf(system);
    install(find('_amd64.deb'));
    expect(after.filter((path) => !pristineFiles.includes(path))).to.deep.equal([]);
    expect(pristineFiles.filter((path) => !after.includes(path))).to.deep.equal([]);
    expect(existsSync(join(folder, 'data/mirror.db'))).to.equal(true);
  });

  it('serve with two workers', async () => {
    const child = spawn('bwrap', [
      ...within(),
      ...['--share-net', '/bin/sh', '-c', 'exec hemicycle serve --port 0 --workers 2'],
    ]);
    try {
      const address = await addressOf(child);
      for (const path of ['/readyz', '/api/v1/search?q=phare', '/api/v1/politicians?as_of=2100-01-01']) {
        const { status } = await fetch(`${address}${path}`);
        expect(status, path).to.be.oneOf(path.includes('2100') ? [200, 422] : [200]);
      }
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });

  it('have units that systemd knows, and rates as those of the guide', () => {
    const units = ['hemicycle.service', 'hemicycle-sync.service', 'hemicycle-sync.timer'];
    const paths = units.map((name) => join(system, 'lib/systemd/system', name));
    const { stderr } = spawnSync('systemd-analyze', ['verify', `--root=${system}`, ...units], {
      encoding: 'utf8',
    });
    expect(stderr).to.not.match(/Unknown|Failed to parse|Invalid/);
    for (const path of paths.slice(0, 2)) {
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', path], {
        encoding: 'utf8',
      });
      expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]), path).to.be.below(2);
    }
    expect(existsSync(join(system, 'etc/systemd/system/multi-user.target.wants/hemicycle.service'))).to.equal(false);
  });

  it('create their user, and rotate the log of the server', () => {
    expect(readFileSync(join(system, 'etc/passwd'), 'utf8')).to.match(/^hemicycle:.*\/nologin$/m);
    // With the users of the system that it is installed in.
    const users = ['passwd', 'group'].flatMap((name) => ['--ro-bind', join(system, 'etc', name), `/etc/${name}`]);
    const argv = ['--dev-bind', '/', '/', ...users, 'logrotate', '--debug', join(system, 'etc/logrotate.d/hemicycle')];
    const { stderr } = spawnSync('bwrap', argv, { encoding: 'utf8' });
    expect(stderr)
      .to.include('/var/log/hemicycle/*.log')
      .and.not.match(/error: .*hemicycle:\d/);
  });

  it('start the server with the settings of the package before, too', () => {
    const unit = readFileSync(join(system, 'lib/systemd/system/hemicycle.service'), 'utf8');
    const [, check = ''] = /^ExecStartPre=(.*)$/m.exec(unit)!;
    for (const flags of ['--log -', '--log /data/serve.log', ''])
      expect(inside(`HEMICYCLE_SERVE="${flags}"; ${check}`), flags).to.equal('the configuration is usable\n');
  });

  it('wait until the server is ready, and report one that is not', async () => {
    const wait = (url: string) =>
      once(
        spawn('bwrap', [
          ...within(),
          ...['--share-net', '--setenv', 'HEMICYCLE_READY', url, '/usr/lib/hemicycle/await-ready'],
        ]),
        'close',
      );
    const child = spawn('bwrap', [...within(), '--share-net', '/bin/sh', '-c', 'exec hemicycle serve --port 0']);
    try {
      const address = await addressOf(child);
      expect(await wait(`${address}/readyz`)).to.deep.equal([0, null]);
      expect(await wait(`${address}/nothing`)).to.deep.equal([1, null]);
      expect(await wait('')).to.deep.equal([0, null]);
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });

  it('pass the tests of the command line, run with the archive for Linux', () => {
    const at = join(folder, 'archive');
    mkdirSync(at);
    run('tar', ['-xzf', find('-linux-x64.tar.gz'), '-C', at]);
    // By a link, as people put it on their PATH.
    symlinkSync(join(at, 'hemicycle/hemicycle'), join(at, 'linked'));
    const suites = ['golden', 'first-words', 'edges', 'match'].map((name) => `test/cli/${name}.test.ts`);
    run('node_modules/.bin/mocha', ['--no-config', '--timeout', '120000', '--reporter', 'dot', ...suites], {
      cwd: root,
      env: { ...process.env, HEMICYCLE_PROGRAM: join(at, 'linked') },
    });
  });

  for (const architecture of ['amd64', 'arm64'])
    it(`have an image for ${architecture} that runs as a user of its own, with nothing else in it`, () => {
      const layout = join(folder, 'layout');
      mkdirSync(layout, { recursive: true });
      run('tar', ['-xf', find('-image.tar'), '-C', layout]);
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      const bundle = join(folder, `bundle-${architecture}`);
      run('umoci', ['unpack', '--image', `${layout}:${version}-${architecture}`, bundle]);
      const { process: started } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
      const rootfs = join(bundle, 'rootfs');
      expect(started.user.uid).to.equal(10001);
      expect(statSync(join(rootfs, 'var/lib/hemicycle')).uid).to.equal(10001);
      expect(existsSync(join(rootfs, 'bin'))).to.equal(false);
      const [node, program] = started.args as [string, string];
      const demoOutput =
        architecture === 'amd64'
          ? run('bwrap', [...within(rootfs, '/var/lib/hemicycle'), node, program, 'demo'])
          : run('qemu-aarch64-static', ['-L', rootfs, join(rootfs, node), join(rootfs, program), 'demo'], {
              env: { HOME: join(folder, 'home-of-qemu'), PATH: '/usr/bin' },
            });
      expect(demoOutput).to.include('Continue on your own');
      rmSync(bundle, { recursive: true });
    });

  /** The package of the commit before, made with the scripts of this one; null without that commit. */
  function formerDeb(): string | null {
    if (process.env.HEMICYCLE_FORMER_DEB) return process.env.HEMICYCLE_FORMER_DEB;
    if (spawnSync('git', ['rev-parse', 'HEAD~1'], { cwd: root }).status !== 0) return null;
    const at = join(folder, 'former');
    run('git', ['worktree', 'add', '--detach', at, 'HEAD~1'], { cwd: root });
    try {
      // A copy: declarations that name types of a linked folder outside are refused by the compiler.
      run('cp', ['-a', '--reflink=auto', join(root, 'node_modules'), at]);
      const packageFolder = packagesOf(at, 'linux-x64');
      const deb = readdirSync(packageFolder).find((name) => name.endsWith('_amd64.deb'))!;
      cpSync(join(packageFolder, deb), join(folder, 'former.deb'));
    } finally {
      run('git', ['worktree', 'remove', '--force', at], { cwd: root });
    }
    return join(folder, 'former.deb');
  }
});

/** The address that a server says it listens at. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    output += `${line}\n`;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error(`it does not listen: ${output}`);
}
