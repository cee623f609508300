import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { streamSink, writeChunks } from '../../src/format/sink.ts';
import { memorySink } from '../helpers/memory-sink.ts';

const source = new URL('../../src/format/', import.meta.url).href;

const endless = `
  import { streamSink, writeChunks } from '${source}sink.ts';
  const pulled = function* () { try { for (;;) yield 'ligne\\n'.repeat(2000); } finally { console.error('source closed'); } };
  const sink = streamSink(process.stdout);
  await writeChunks(pulled(), sink);
  await sink.end();
  console.error('closed ' + sink.closed);
`;

const script = (code: string) => ['--input-type=module', '-e', code];

describe('a stream sink', () => {
  it('ends the reading, quietly and with exit 0, when the pipe is closed early', async () => {
    const child = spawn(process.execPath, script(endless), { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    const [output, code] = await Promise.all([text(child.stderr), new Promise((resolve) => child.on('exit', resolve))]);
    expect(output).to.equal('source closed\nclosed true\n');
    expect(code).to.equal(0);
  });

  it('throws when the device behind stdout is full', () => {
    const full = openSync('/dev/full', 'w');
    const { stderr } = spawnSync(process.execPath, script(endless), { stdio: ['ignore', full, 'pipe'] });
    expect(stderr.toString()).to.contain('BadTargetError: standard output: no space left on the device');
  });

  it('waits for a slow reader and leaves the stream open', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const sink = streamSink(stream);
    let isDone = false;
    const poured = writeChunks(['abcdef', 'ghijkl', 'mnopqr'], sink).then(() => {
      isDone = true;
    });
    await setImmediate();
    expect(isDone).to.equal(false);
    const received = text(stream);
    await poured;
    await sink.end();
    expect(stream.writableEnded).to.equal(false);
    stream.end();
    expect(await received).to.equal('abcdefghijklmnopqr');
  });

  it('lets go of a write that a destroyed stream never answers', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const sink = streamSink(stream);
    const written = writeChunks(['much', 'more', 'text'], sink);
    await setImmediate();
    stream.destroy();
    await written;
    expect(sink.closed).to.equal(true);
  });

  // ECANCELED: the stream was closed below a write that it had not done yet, as when a pager ends on a busy machine.
  for (const code of ['EPIPE', 'ECONNRESET', 'ECANCELED'])
    it(`takes ${code} for a reader that has gone, and is closed`, async () => {
      const stream = new Writable({
        write: (_, _encoding, done) => done(Object.assign(new Error(code), { code })),
      });
      const sink = streamSink(stream);
      await writeChunks(['much', 'more'], sink);
      expect(sink.closed).to.equal(true);
    });

  it('listens to one stream only once, however many sinks stand over it', () => {
    const stream = new PassThrough();
    const before = stream.listenerCount('error');
    for (let count = 0; count < 20; count++) streamSink(stream);
    expect(stream.listenerCount('error')).to.equal(before + 1);
  });
});

describe('writeChunks', () => {
  it('returns the iterator as soon as the sink is closed, and pulls nothing more', async () => {
    let pulled = 0;
    let returned = 0;
    const chunks = function* () {
      try {
        for (;;) {
          pulled++;
          yield 'abcd';
        }
      } finally {
        returned++;
      }
    };
    await writeChunks(chunks(), memorySink(8));
    expect([pulled, returned]).to.deep.equal([2, 1]);
  });
});
