import { constants, createGzip, createZstdCompress } from 'node:zlib';
import { BadTargetError, tooManyFiles } from '../errors.ts';
import { type Phrase, type ShownText, say, verbatim } from '../words/speech.ts';

const reasons: Record<string, Phrase> = {
  ENOSPC: say`no space left on the device`,
  EDQUOT: say`the disk quota is used up`,
  EFBIG: say`the file would be larger than the system allows`,
  EACCES: say`permission denied`,
  EPERM: say`operation not permitted`,
  EROFS: say`the file system is read-only`,
  ENOENT: say`the folder does not exist`,
  ENOTDIR: say`a part of the path is not a folder`,
  EISDIR: say`it is a folder`,
  ENAMETOOLONG: say`the name is too long`,
  ELOOP: say`too many symbolic links`,
  EIO: say`input/output error`,
  EEXIST: say`something else is there already`,
  EMFILE: tooManyFiles.reason,
  ENFILE: tooManyFiles.reason,
};

/** Returns the reason for a failed file operation in words; the error's message if its code is unknown. */
export function reasonOf(error: unknown): Phrase {
  return reasons[codeOf(error) ?? ''] ?? verbatim(error instanceof Error ? error.message : String(error));
}

/** Returns the code of a system error, such as `ENOSPC`; null for other errors. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** A destination of bytes; `end` completes the output, `abort` abandons it. Writers stop reading when `closed`. */
export type Sink = {
  write(chunk: string | Uint8Array): Promise<void> | void;
  end(): Promise<void>;
  abort(): Promise<void>;
  /** Awaited between parts of long work so that other tasks run. */
  yieldControl?(): Promise<void> | undefined;
  readonly closed: boolean;
};

/** The output of a command: data to stdout, everything else line by line to stderr. */
export type OutputSinks = { stdout: Sink; stderr: (line: ShownText) => void };

/** Error codes after a reader such as `head` has closed its end; this is no failure. */
const closeCodes = new Set(['EPIPE', 'ECONNRESET', 'ECANCELED', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** One state per stream: stdout, for example, outlives many sinks, and must have only one listener. */
const states = new WeakMap<NodeJS.WritableStream, StreamState>();

/** `release` lets a pending write return; `failure` is thrown by the next write. */
type StreamState = { closed: boolean; failure: Error | null; release: (() => void) | null };

/** Returns a sink into a stream that it never closes; `closed` becomes true, without an error, if its reader closes. */
export function streamSink(stream: NodeJS.WritableStream): Sink {
  const state = stateOf(stream);
  let lastWrite: Promise<void> = Promise.resolve();
  return {
    get closed() {
      return state.closed;
    },
    write(chunk) {
      lastWrite = writeTo(stream, state, chunk);
      return lastWrite;
    },
    end: () => lastWrite,
    abort: () => Promise.resolve(),
  };
}

/** Returns a sink whose writes also await `yieldControl`. */
export function pacedSink(sink: Sink, yieldControl: () => Promise<void> | undefined): Sink {
  return {
    ...sink,
    get closed() {
      return sink.closed;
    },
    async write(chunk) {
      await sink.write(chunk);
      await yieldControl();
    },
  };
}

/** Like `streamSink`, but removes other error listeners, which would turn a full disk into a crash. */
export function ownStreamSink(stream: NodeJS.WritableStream): Sink {
  if (!states.has(stream)) stream.removeAllListeners('error');
  return streamSink(stream);
}

/** Writes chunks one at a time; stops, and closes their source, when the sink is closed. */
export async function writeChunks(
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  sink: Sink,
): Promise<void> {
  if (sink.closed) return;
  for await (const chunk of chunks) {
    await sink.write(chunk);
    if (sink.closed) break;
  }
}

async function writeTo(stream: NodeJS.WritableStream, state: StreamState, chunk: string | Uint8Array) {
  if (state.failure) throw state.failure;
  if (state.closed) return;
  await new Promise<void>((resolve) => {
    // A destroyed stream may never call back: its `close` event releases the writer.
    state.release = resolve;
    stream.write(chunk, (error) => {
      if (error) recordFailure(state, error, stream);
      resolve();
    });
  });
  if (state.failure) throw state.failure;
}

function stateOf(stream: NodeJS.WritableStream): StreamState {
  const cachedState = states.get(stream);
  if (cachedState) return cachedState;
  const state: StreamState = { closed: !stream.writable, failure: null, release: null };
  states.set(stream, state);
  stream.on('error', (error) => recordFailure(state, error, stream));
  stream.on('close', () => {
    state.closed = true;
    state.release?.();
  });
  return state;
}

const incompleteHint = say`the existing output is incomplete; free some space, or write to another location`;

function recordFailure(state: StreamState, error: Error, stream: NodeJS.WritableStream) {
  state.closed = true;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  // A closed terminal fails like a broken device.
  const isReaderClosed = closeCodes.has(code) || (code === 'EIO' && 'isTTY' in stream && stream.isTTY === true);
  if (!isReaderClosed) state.failure ??= new BadTargetError(say`standard output`, reasonOf(error), incompleteHint);
  state.release?.();
}

const withChecksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Compressing streams by file extension; both write checksums. */
export const compressions = { gz: () => createGzip(), zst: () => createZstdCompress(withChecksum) } as const;

export type Compression = keyof typeof compressions;

/** Returns a sink that compresses into `target`; `end()` ends the compression and leaves the target open. */
export function compressedSink(target: Sink, compression: Compression): Sink {
  const stream = compressions[compression]();
  const writing = writeChunks(stream, target);
  writing.catch(() => {}); // `write` and `end` await it, and throw its error.
  return {
    get closed() {
      return target.closed;
    },
    async write(chunk) {
      await new Promise<unknown>((resolve) => stream.write(chunk, resolve));
      if (stream.destroyed) await writing;
    },
    async end() {
      stream.end();
      await writing;
    },
    async abort() {
      stream.destroy();
    },
  };
}
