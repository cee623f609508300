import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { openPager, type Pager, pagerCommand } from '../../src/cli/pager.ts';
import { speechOf } from '../../src/words/speech.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runAtTerminal } from '../helpers/program.ts';

const speech = speechOf('en');

/** A stream that keeps what is written to it, of a terminal with ten rows. */
class Screen extends Writable {
  readonly isTTY: boolean;
  readonly rows = 10;
  readonly columns = 40;
  text = '';

  constructor(isTTY = true) {
    super({
      write: (chunk, _, done) => {
        this.text += chunk;
        done();
      },
    });
    this.isTTY = isTTY;
  }
}

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');

describe('the pager', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-pager-'));
  const paged = join(folder, 'paged.txt');
  after(() => rmSync(folder, { recursive: true }));

  function opened(command: string) {
    const stdout = new Screen();
    const stderr = new Screen();
    const state = { hasLeft: false };
    const environment = { PATH: process.env.PATH, PAGER: command, SHOWN: paged };
    const onQuit = () => {
      state.hasLeft = true;
    };
    const pager = openPager({ stdout, stderr, environment, speech, onQuit }) as Pager;
    return { pager, stdout, stderr, state };
  }

  it('is what HEMICYCLE_PAGER names, else PAGER, else less', () => {
    expect(pagerCommand({ HEMICYCLE_PAGER: 'more', PAGER: 'most' })).to.equal('more');
    expect(pagerCommand({ PAGER: 'most -s' })).to.equal('most -s');
    expect(pagerCommand({})).to.equal('less');
  });

  it('is none where that is empty or cat, and at a dumb terminal where nothing is named', () => {
    expect(pagerCommand({ HEMICYCLE_PAGER: '', PAGER: 'most' })).to.equal(null);
    expect(pagerCommand({ PAGER: 'cat' })).to.equal(null);
    expect(pagerCommand({ TERM: 'dumb' })).to.equal(null);
    expect(pagerCommand({ TERM: 'dumb', PAGER: 'most' })).to.equal('most');
  });

  it('is none in a pipe', () => {
    const stdout = new Screen(false);
    expect(openPager({ stdout, stderr: stdout, environment: {}, speech, onQuit: () => {} })).to.equal(null);
  });

  it('is not started for an answer that fits the screen', async () => {
    const { pager, stdout } = opened('cat > "$SHOWN-short"');
    await pager.sink.write(lines(9));
    await pager.end();
    expect(stdout.text).to.equal(lines(9));
    expect(() => readFileSync(`${paged}-short`)).to.throw('ENOENT');
  });

  it('counts a line as many times as it is wider than the screen', async () => {
    const { pager, stdout } = opened('cat > "$SHOWN"');
    await pager.sink.write(`${'x'.repeat(395)}\n`);
    await pager.end();
    expect([stdout.text, readFileSync(paged, 'utf8').length]).to.deep.equal(['', 396]);
  });

  it('gets an answer that is longer from its beginning, with the options of git for less', async () => {
    const { pager, stdout } = opened('echo "$LESS $LV" > "$SHOWN"; cat >> "$SHOWN"');
    await pager.sink.write(lines(4));
    await pager.sink.write(lines(40));
    await pager.sink.write(lines(2));
    await pager.end();
    expect(readFileSync(paged, 'utf8')).to.equal(`FRX -c\n${lines(4)}${lines(40)}${lines(2)}`);
    expect(stdout.text).to.equal('');
  });

  it('has the screen alone: what is said meanwhile comes after it', async () => {
    const { pager, stderr } = opened('cat > "$SHOWN"');
    pager.writeMessage('from the mirror');
    await pager.sink.write(lines(40));
    pager.writeMessage('waiting 3 s');
    expect(stderr.text).to.equal('from the mirror\n');
    await pager.end();
    expect(stderr.text).to.equal('from the mirror\nwaiting 3 s\n');
  });

  it('ends the reading when it is left', async () => {
    const { pager, state } = opened('head -n 1 > "$SHOWN"');
    for (let written = 0; !pager.sink.closed && written < 1000; written++) await pager.sink.write(lines(1000));
    expect([pager.sink.closed, state.hasLeft]).to.deep.equal([true, true]);
    await pager.end();
    expect(readFileSync(paged, 'utf8')).to.equal('line 0\n');
  });

  it('keeps the screen after Ctrl-C, which ends the reading alone', async () => {
    const { pager, state } = opened('cat > "$SHOWN"');
    const before = process.exitCode;
    await pager.sink.write(lines(40));
    process.emit('SIGINT');
    expect(pager.sink.closed).to.equal(true);
    await pager.sink.write('never shown\n');
    await pager.end();
    expect([readFileSync(paged, 'utf8'), process.exitCode]).to.deep.equal([lines(40), 130]);
    process.exitCode = before;
    expect(state.hasLeft).to.equal(true);
  });

  for (const command of ['no-such-pager', 'no-such-pager -R', 'no-such-pager "a b"'])
    it(`gives way to the answer as it is where there is no \`${command}\``, async () => {
      const { pager, stdout, stderr, state } = opened(command);
      await pager.sink.write(lines(30));
      await pager.sink.write(lines(300));
      await pager.end();
      expect(stdout.text).to.equal(lines(30) + lines(300));
      expect(stderr.text).to.match(/^the pager “no-such-pager.*” cannot be started\n$/);
      expect(state.hasLeft).to.equal(false);
    });
});

describe('a long answer at a terminal', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  const typed = (...argv: string[]) =>
    runAtTerminal(argv, { env: { HOME: demo.folder, HEMICYCLE_DB: demo.db, PAGER: 'head -n 3' } });

  for (const argv of [
    ['feed', '--all'],
    ['feed', '--all', '--format', 'json'],
    ['export', 'quotes'],
  ])
    it(`ends with its pager and exit 0: ${argv.join(' ')}`, async () => {
      const { stdout, exit } = await typed(...argv);
      expect(exit).to.equal(0);
      expect(stdout.split('\n').length).to.be.lessThan(7);
    });

  it('is shown whole with --no-pager', async () => {
    const { stdout, exit } = await typed('feed', '--all', '--no-pager');
    expect(exit).to.equal(0);
    expect(stdout.split('\n').length).to.be.greaterThan(40);
  });
});
