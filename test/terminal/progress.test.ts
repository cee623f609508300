import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createProgress } from '../../src/terminal/progress.ts';
import { verbatim } from '../../src/words/speech.ts';
import { pipe, terminalOfWidth } from '../helpers/memory-sink.ts';

describe('progress', () => {
  it('outside a terminal is plain lines that are only ever added', () => {
    let text = '';
    const progress = createProgress({ terminal: pipe, quiet: false, write: (line) => (text += line) });
    progress.stage(verbatim('parties'));
    progress.update(verbatim('parties 1/3'));
    progress.note(verbatim('asked\x1b[2J to wait'));
    progress.done(verbatim('parties: 3'));
    expect(text).to.equal('parties\nasked[2J to wait\nparties: 3\n');
  });

  it('at a terminal without a width is plain lines too', async () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
    let text = '';
    const progress = createProgress({
      terminal: terminalOfWidth(80),
      quiet: false,
      write: (line) => (text += line),
      stream,
    });
    progress.update(verbatim('parties 1/3'));
    await progress.whenDrawn();
    progress.done(verbatim('parties: 3'));
    expect(text).to.equal('parties: 3\n');
    expect(stream.read()).to.equal(null);
  });

  it('is silent when quiet', () => {
    let text = '';
    const progress = createProgress({
      terminal: terminalOfWidth(80),
      quiet: true,
      write: (line) => (text += line),
    });
    progress.stage(verbatim('parties'));
    progress.done(verbatim('parties: 3'));
    expect(text).to.equal('');
  });

  it('at a terminal is one line that moves, and leaves only what was done', async () => {
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      cursorTo: () => true,
      moveCursor: () => true,
      clearLine: () => true,
    });
    let drawn = '';
    stream.on('data', (chunk) => (drawn += chunk));
    let text = '';
    const progress = createProgress({
      terminal: terminalOfWidth(80),
      quiet: false,
      write: (line) => (text += line),
      stream,
    });
    progress.stage(verbatim('parties'));
    await progress.whenDrawn();
    progress.update(verbatim('parties 1/3'));
    progress.note(verbatim('a note'));
    await progress.whenDrawn();
    progress.done(verbatim('parties: 3'));
    expect(text).to.equal('a note\nparties: 3\n');
    expect(drawn).to.contain('parties 1/3');
    const before = drawn;
    await progress.whenDrawn();
    expect(drawn).to.equal(before);
  });

  it('of a run that never waits is drawn when it asks for that', async () => {
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      cursorTo: () => true,
      moveCursor: () => true,
      clearLine: () => true,
    });
    const progress = createProgress({
      terminal: terminalOfWidth(80),
      quiet: false,
      write: () => {},
      stream,
    });
    for (const text of ['quotes: 1 of 3', 'quotes: 2 of 3']) {
      progress.update(verbatim(text));
      await progress.whenDrawn();
      expect(String(stream.read())).to.contain(text);
    }
    progress.stop();
    stream.read();
    await progress.whenDrawn();
    expect(stream.read()).to.equal(null);
  });

  it('that ends before the spinner has come draws none', async () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    let text = '';
    const progress = createProgress({
      terminal: terminalOfWidth(80),
      quiet: false,
      write: (line) => (text += line),
      stream,
    });
    progress.stage(verbatim('parties'));
    progress.done(verbatim('parties: 3'));
    await progress.whenDrawn();
    expect([text, stream.read()]).to.deep.equal(['parties: 3\n', null]);
  });
});
