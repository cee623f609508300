import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openWritableMirror } from '../../../src/store/open.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../../helpers/fake-service.ts';
import { askProgram, runAtTerminal, runProgram } from '../../helpers/program.ts';

describe('the first minute', () => {
  let home: string;
  let db: string;
  let service: FakeService;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'hemicycle-first-'));
    db = join(home, '.local/share/hemicycle/mirror.db');
    service = await startFakeService(dialects[0]!);
  });
  afterEach(async () => {
    await service.close();
    rmSync(home, { recursive: true, force: true });
  });
  const run = (...argv: string[]) => askProgram(argv, { env: { HOME: home, HEMICYCLE_RATE: '100000' } });
  const refuseAll = () =>
    service.faults.push({
      path: /./,
      times: 1000,
      answer: (_request, response) => response.writeHead(401).end(),
    });
  const settings = () => JSON.parse(readFileSync(join(home, '.config/hemicycle/config.json'), 'utf8'));

  it('begins with three ways to a mirror, and with the commands once there is one', async () => {
    const { stdout, stderr, exit } = await run();
    expect({ stderr, exit }).to.deep.equal({ stderr: '', exit: 0 });
    for (const command of ['demo', 'init URL', 'import FOLDER', 'help'])
      expect(stdout).to.match(new RegExp(`^  (\\S+ )?\\S*(hemicycle|bin/run\\.js) ${command} `, 'm'));
    expect(stdout.split('\n').length).to.be.below(10);
    expect((await run('--lang', 'fr')).stdout).to.include('Trois façons de commencer');
    await run('import', 'fixtures/demo', '--quiet');
    expect((await run()).stdout).to.equal((await run('help')).stdout);
  });

  it('makes a mirror with `init URL` and its flags, asks nothing, and keeps what was typed', async () => {
    writeFileSync(join(home, 'token.txt'), 'secret-of-mine\n');
    const flags = ['--site-url', 'https://valombre.example', '--token-file', join(home, 'token.txt')];
    const { stdout, stderr, exit } = await run('init', service.baseUrl, ...flags);
    expect(exit, stderr).to.equal(0);
    expect(stderr)
      .to.match(/requests a minute/)
      .and.include('hemicycle schedule print');
    expect(stdout).to.include(`the mirror is ${db}`);
    expect(settings()).to.deep.equal({
      'base-url': service.baseUrl,
      'site-url': 'https://valombre.example',
      'token-file': join(home, 'token.txt'),
    });
    expect(service.requests[0]!.headers.authorization).to.equal('Bearer secret-of-mine');
    expect((await run('politicians', '--format', 'ndjson')).stdout).to.include('oceane-bruyevre');
    const again = await run('init', service.baseUrl);
    expect([again.exit, again.stderr]).to.deep.equal([
      2,
      `Error: a mirror already exists at ${db}\n\`hemicycle sync\` updates it; use --db FILE for another mirror\n`,
    ]);
  });

  it('asks at a terminal for what `init` was not told, and offers a job for every night', async () => {
    const input = `nonsense\n${service.baseUrl}\nhttps://valombre.example\n/none\n\ny\ny\n`;
    const env = { HOME: home, HEMICYCLE_RATE: '100000' };
    const { stdout, exit } = await runAtTerminal(['init'], { env, input });
    expect(exit, stdout).to.equal(0);
    expect(stdout).to.include('"nonsense" is not a web address').and.include('the mirror is');
    expect(stdout).to.match(/OnCalendar|\* \* \* .*sync/);
    // What was typed is saved, and the environment of the program is not changed.
    expect(stdout).to.match(/set only in your environment, which the scheduler does not have: rate;/);
    expect(settings()).to.deep.equal({
      'base-url': service.baseUrl,
      'site-url': 'https://valombre.example',
    });
  });

  it('does nothing where the question whether to begin is answered with no, or left', async () => {
    const env = { HOME: home };
    for (const [answers, code] of [
      ['\n\nn\n', 0],
      ['\u0004', 130],
    ] as const) {
      const { stdout, exit } = await runAtTerminal(['init', service.baseUrl], { env, input: answers });
      expect(exit, stdout).to.equal(code);
    }
    expect([service.requests.length, existsSync(db), existsSync(join(home, '.config/hemicycle'))]).to.deep.equal([
      0,
      false,
      false,
    ]);
  });

  it('says what `init` needs where it cannot ask', async () => {
    expect(await run('init')).to.deep.equal({
      stdout: '',
      stderr: 'Error: the address of the service is not set\nas in `hemicycle init https://service.example/api/v1`\n',
      exit: 2,
    });
    const { exit, stderr } = await run('init', service.baseUrl, '--token-file', join(home, 'none'));
    expect([exit, stderr.includes('cannot be read')]).to.deep.equal([10, true]);
    expect(service.requests).to.have.length(0);
  });

  for (const [command, ...argv] of [
    ['sync', '--from', 'URL'],
    ['init', 'URL', '--yes'],
  ] as const)
    it(`leaves no mirror and no settings where \`${command}\` fails before anything came`, async () => {
      refuseAll();
      const typed = argv.map((word) => (word === 'URL' ? service.baseUrl : word));
      const { exit, stderr } = await run(command, ...typed);
      expect(exit, stderr).to.equal(4);
      expect([existsSync(db), existsSync(join(home, '.config/hemicycle'))]).to.deep.equal([false, false]);
      expect((await run('ballots')).exit).to.equal(10);
      expect(stderr).to.include('nothing was saved, so there is no mirror').and.not.include('is kept');
    });

  it('takes away an empty mirror that an earlier failure left, and no other', async () => {
    refuseAll();
    openWritableMirror(db).close();
    expect((await run('sync', '--from', service.baseUrl)).exit).to.equal(4);
    expect(existsSync(db)).to.equal(false);
    await run('import', 'fixtures/demo', '--quiet');
    expect((await run('sync', '--from', service.baseUrl)).exit).to.equal(4);
    expect(existsSync(db)).to.equal(true);
  });

  it('says which kind the mirror lacks instead of "nothing found"', async () => {
    await run('import', 'fixtures/demo/parties.ndjson', '--quiet');
    for (const format of ['table', 'ndjson']) {
      const { stderr, exit } = await run('ballots', '--format', format);
      expect(exit).to.equal(0);
      expect(stderr).to.include('the mirror contains no ballots yet: see `hemicycle status`\n');
      expect(stderr).not.to.include('nothing found');
    }
    const latest = await run('vote', '--latest');
    expect([latest.exit, latest.stderr]).to.deep.equal([
      3,
      'Error: the mirror contains no ballots yet: see `hemicycle status`\n',
    ]);
    expect((await run('search', 'xyzzy')).stderr).to.include(
      'nothing found; the mirror contains no speeches, content, politicians or ballots yet\n',
    );
  });

  it('runs the demo where a mirror may be written, and nothing in the home', async () => {
    const env = { HOME: '/proc/none', HEMICYCLE_DB: join(home, 'mirror.db') };
    const { exit, stderr, stdout } = await runProgram(['demo'], { env });
    expect([exit, stdout.includes('Continue on your own')], stderr).to.deep.equal([0, true]);
  });

  it('shows after the demo how its mirror is asked, in the language of whoever asks', async () => {
    const env = { HOME: home, XDG_DATA_HOME: join(home, 'shown') };
    const { stdout } = await runProgram(['demo', '--lang', 'fr'], { env });
    expect(stdout).to.include('5. une fiche').and.not.include('a profile');
    const { stderr, exit } = await runProgram(['parties', 'ADR'], { env });
    const [, line = ''] = /^with the demo data: `hemicycle (.*)`$/m.exec(stderr) ?? [];
    expect([exit, line], stderr).to.deep.equal([
      10,
      `parties ADR --db ${join(home, 'shown/hemicycle/demo/mirror.db')}`,
    ]);
    expect((await runProgram(line.split(' '), { env })).exit).to.equal(0);
  });

  it('ends the demo with a drawn ballot, and three commands that work as they are printed', async () => {
    const { stdout, exit } = await runAtTerminal(['demo'], { env: { HOME: home } });
    expect(exit, stdout).to.equal(0);
    const end = stdout.slice(stdout.indexOf('7. '));
    expect(end).to.include('●').and.include('33 required');
    const typed = end.match(/^ {3}(?!\$).*run\.js .*$/gm) ?? [];
    expect(typed).to.have.length(3);
    for (const line of typed.filter((each) => !each.includes(' serve '))) {
      const env = { PATH: process.env.PATH, HOME: home };
      expect((await promisify(execFile)('/bin/sh', ['-c', line], { env })).stdout, line).not.to.equal('');
    }
  });
});
