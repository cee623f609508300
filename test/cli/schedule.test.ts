import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { startFakeService } from '../helpers/fake-service.ts';
import { askProgram, runAtTerminal } from '../helpers/program.ts';

describe('a schedule', () => {
  const print = (...argv: string[]) =>
    askProgram(['schedule', 'print', '--db', '/srv/a b/100%.db', '-o', '/srv/out', ...argv], {
      env: { HEMICYCLE_BASE_URL: 'https://service.example', HOME: '/home/ana' },
    });
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it('for cron is a line for the night and one for what waits, with whole paths and no percent sign that ends them', async () => {
    const { stdout, exit } = await print('--cron', '--at', '4:05');
    expect(exit).to.equal(0);
    const lines = linesOf(stdout);
    expect(lines.length).to.equal(2);
    expect(lines[0]).to.match(
      /^5 4 \* \* \* \/\S+ \S+run\.js sync --quiet --watch .*; \/\S+ \S+run\.js export --all --max-age 36h --if-changed /,
    );
    expect(lines[0]).to.include("'/srv/a b/100\\%.db'").and.include('--from https://service.example/api/v1');
    expect(lines[0]).to.include(' -o /srv/out/ ');
    expect(lines[1]).to.match(/^\*\/5 \* \* \* \* \/\S+ \S+run\.js watch run --quiet --wait-lock 4m --db /);
  });

  it('has its comments in the language of the reader', async () => {
    expect((await print('--cron')).stdout).to.include('# crontab -e; what fails is written to stderr');
    expect((await print('--cron', '--lang', 'fr')).stdout).to.include(
      '# crontab -e; ce qui échoue est écrit sur stderr',
    );
    const { stdout } = await print('--systemd', '--lang', 'fr');
    expect(stdout).to.include('(remplacez la commande').and.include('(sans quoi rien');
  });

  for (const scheduler of ['--cron', '--systemd'])
    it(`refuses a path with a line end for ${scheduler}, which would end the command there`, async () => {
      const { exit, stdout, stderr } = await askProgram(['schedule', 'print', scheduler, '--db', '/srv/a\nb.db'], {
        env: { HEMICYCLE_BASE_URL: 'https://service.example', HOME: '/home/ana' },
      });
      expect([exit, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include('contains a line end');
    });

  it('takes along the way to the network, but for the password of a proxy, which it says it left out', async () => {
    const printed = (scheduler: string, proxy: string) =>
      askProgram(['schedule', 'print', scheduler, '--db', '/srv/m.db'], {
        env: { HEMICYCLE_BASE_URL: 'https://service.example', HOME: '/home/ana', HTTPS_PROXY: proxy },
      });
    for (const scheduler of ['--cron', '--systemd'])
      expect((await printed(scheduler, 'http://proxy.example:3128')).stdout).to.match(
        /[ =]\/usr\/bin\/env HTTPS_PROXY=http:\/\/proxy\.example:3128 \/\S+ \S+run\.js sync /,
      );
    const { stdout, stderr } = await printed('--cron', 'http://ana:secret@proxy.example:3128');
    expect(stdout).not.to.include('secret').and.not.include('HTTPS_PROXY');
    expect(stderr).to.include('with a password: HTTPS_PROXY');
  });

  it('names certificates from the root, since the scheduler starts in another folder', async () => {
    const { stdout, stderr } = await askProgram(['schedule', 'print', '--cron'], {
      env: { HOME: '/home/ana', NODE_EXTRA_CA_CERTS: 'ana@home/ca.pem' },
    });
    expect(stdout).to.match(/ NODE_EXTRA_CA_CERTS=\/\S+\/ana@home\/ca\.pem /);
    expect(stderr).not.to.include('password');
  });

  it('for cron exports although the sync before it failed', async () => {
    const demo = await createDemoMirror();
    const service = await startFakeService(dialects[0]!);
    service.faults.push({
      path: /./,
      times: Number.POSITIVE_INFINITY,
      answer: (_request, response) => response.writeHead(401).end(),
    });
    const env = { HOME: demo.folder, HEMICYCLE_DB: demo.db, HEMICYCLE_BASE_URL: service.baseUrl };
    const [out, sync] = ['out', 'sync.json'].map((name) => join(demo.folder, name));
    const { stdout } = await askProgram(
      ['schedule', 'print', '--cron', '--max-age', '5200w', '-o', out!, '--report', sync!],
      { env },
    );
    const [line] = linesOf(stdout);
    const command = line!.replace(/^(\S+ ){5}/, '').replaceAll('\\%', '%');
    const { exit, stderr } = await runShell(command, { HOME: demo.folder });
    expect(exit, stderr).to.equal(0);
    expect(stderr).to.match(/^Error: the service refused the request/);
    const textOf = (file: string) => readFileSync(file, 'utf8');
    expect(JSON.parse(textOf(sync!)).exit).to.equal(4);
    expect(readdirSync(out!)).to.include('SHA256SUMS');
    await service.close();
    demo.remove();
  });

  it('for systemd is a sync, what follows it, who is told, and timers', async () => {
    const { stdout } = await print('--systemd', '--backup', '/srv/all.tar.zst');
    expect(stdout)
      .to.include('OnCalendar=*-*-* 03:17:00')
      .and.include('"/srv/a b/100%%.db"')
      .and.include('# loginctl enable-linger');
    const units = stdout.split(/^# ~\/\.config\/systemd\/user\//m).slice(1);
    const files = new Map(units.map((unit) => [unit.split(/\s/)[0]!, unit.slice(unit.indexOf('\n') + 1)]));
    expect([...files.keys()]).to.deep.equal([
      'hemicycle-sync.service',
      'hemicycle-export.service',
      'hemicycle-backup.service',
      'hemicycle-watch.service',
      'hemicycle-failed@.service',
      'hemicycle.timer',
      'hemicycle-watch.timer',
    ]);
    expect(files.get('hemicycle-sync.service')).to.include(' --watch ');
    expect(files.get('hemicycle-export.service'))
      .to.include('After=hemicycle-sync.service\nOnFailure=hemicycle-failed@%N.service')
      .and.match(/ export --all --max-age 36h .* -o \/srv\/out\/ /m);
    expect(files.get('hemicycle.timer')).to.include('Unit=hemicycle-backup.service');
    if (spawnSync('systemd-analyze', ['--version']).error) return;
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    mkdirSync(join(folder, 'units'));
    for (const [name, text] of files) writeFileSync(join(folder, 'units', name), text);
    const names = [...files.keys()].filter((name) => !name.includes('@'));
    const verified = spawnSync(
      'systemd-analyze',
      ['--user', '--man=no', 'verify', ...names.map((name) => join(folder, 'units', name))],
      { encoding: 'utf8', env: { ...process.env, XDG_RUNTIME_DIR: folder } },
    );
    expect(verified.stderr.split('\n').filter((line) => line.includes('hemicycle'))).to.deep.equal([]);
    rmSync(folder, { recursive: true });
  });

  it('for GitHub is a workflow with the settings of the site, and no secret; it says first what is lacking', async () => {
    const argv = ['schedule', 'print', '--github', '--at', '2:05'];
    const base = { HOME: '/nonexistent', HEMICYCLE_BASE_URL: 'https://service.example/api/v1' };
    const refused = await askProgram(argv, { env: base });
    expect([refused.exit, refused.stdout]).to.deep.equal([10, '']);
    expect(refused.stderr).to.include('set first: publisher, contact').and.include('`hemicycle config set contact ');
    const env = {
      ...base,
      HEMICYCLE_PUBLISHER: `Les "Amis" \${{ secrets.X }}`,
      HEMICYCLE_CONTACT: 'redaction@example.org',
      HEMICYCLE_TOKEN: 'secret-token',
    };
    const { stdout, exit, stderr } = await askProgram([...argv, '--lang', 'fr'], { env });
    expect([exit, stderr]).to.deep.equal([0, '']);
    expect(stdout)
      .to.include("- cron: '5 2 * * *'")
      .and.include('hemicycle sync --quiet --from https://service.example/api/v1 --db mirror.db')
      .and.include(`hemicycle site --quiet --lang fr --url "\${{ steps.pages.outputs.base_url }}/" -o public`)
      .and.include('HEMICYCLE_CONTACT: "redaction@example.org"')
      .and.include(`HEMICYCLE_TOKEN: \${{ secrets.HEMICYCLE_TOKEN }}`)
      .and.match(/HEMICYCLE_PUBLISHER: "Les \\"Amis\\" \$\{\{ '\$\{\{' \}\} secrets\.X \}\}"/)
      .and.not.include('secret-token');
  });

  it('for GitHub asks at a terminal who publishes the pages and how to reach them, and states it in the workflow', async () => {
    const env = { HOME: '/nonexistent', HEMICYCLE_BASE_URL: 'https://service.example/api/v1' };
    const argv = ['schedule', 'print', '--github'];
    const { stdout, exit } = await runAtTerminal(argv, { env, input: 'Les Amis\nredaction@example.org\n' });
    expect([exit, stdout]).to.satisfy(([code]: [number]) => code === 0);
    expect(stdout)
      .to.include('Who publishes the pages, a person or an organisation: ')
      .and.include('HEMICYCLE_PUBLISHER: "Les Amis"')
      .and.include('HEMICYCLE_CONTACT: "redaction@example.org"');
    const unanswered = await runAtTerminal([...argv, '--lang', 'fr'], {
      env,
      input: '\nredaction@example.org\n',
    });
    expect(unanswered.exit).to.equal(10);
    expect(unanswered.stdout).to.include('hemicycle config set publisher').and.not.include('jobs:');
  });

  it('says what will not be known where it runs', async () => {
    const argv = ['schedule', 'print', '--cron', '-o', '/srv/out'];
    const bare = await askProgram(argv, { env: { HOME: '/nonexistent' } });
    expect([bare.exit, bare.stderr]).to.satisfy(
      ([exit, message]: [number, string]) => exit === 0 && message.startsWith('the address of the service is not set'),
    );
    const env = {
      HOME: '/nonexistent',
      HEMICYCLE_BASE_URL: 'https://service.example',
      HEMICYCLE_SITE_URL: 'https://service.example',
      HEMICYCLE_RATE: '50',
    };
    expect((await askProgram(argv, { env })).stderr).to.match(
      /^set only in your environment, which the scheduler does not have: site-url, rate; .*\n$/,
    );
    expect((await print('--cron')).stderr).to.equal('');
  });

  it('says what is missing, and names -o for the folder', async () => {
    for (const argv of [[], ['--cron', '--at', '25:00'], ['--cron', '--systemd'], ['--cron', '--max-age', 'soon']])
      expect((await print(...argv)).exit, argv.join(' ')).to.equal(2);
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const file = join(folder, 'out');
    writeFileSync(file, '');
    for (const output of [
      ['-o', '-'],
      ['-o', ''],
      ['-o', file],
      ['-o', '/srv/all.csv'],
    ]) {
      const { exit, stderr } = await askProgram(['schedule', 'print', '--systemd', ...output], {
        env: { HOME: folder },
      });
      expect([exit, stderr], output.join(' ')).to.satisfy(
        ([code, message]: [number, string]) => code === 2 && message.endsWith('give a folder: -o /srv/hemicycle\n'),
      );
    }
    for (const output of [folder, '/']) {
      const { stdout } = await askProgram(['schedule', 'print', '--cron', '-o', output], {
        env: { HOME: folder },
      });
      // A path with a space in it is quoted.
      expect(stdout.split(/ -o | --db /)[2]!.replaceAll("'", '')).to.equal(output === '/' ? '/' : `${folder}/`);
    }
    rmSync(folder, { recursive: true });
  });
});

/** Runs a line as cron does; this process goes on meanwhile, and may be the service that is asked. */
async function runShell(line: string, env: Record<string, string>) {
  const child = spawn('/bin/sh', ['-c', line], { env });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = await new Promise<number | null>((done) => child.on('close', done));
  return { exit, stderr };
}
