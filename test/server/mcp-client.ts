import { PassThrough } from 'node:stream';
import { serveAssistant } from '../../src/server/mcp/assistant.ts';
import { createReader } from '../../src/server/reader-pool.ts';
import { serveMirror } from '../../src/server/served-mirror.ts';
import { openMirror } from '../../src/store/open.ts';

export type Answer = {
  id: number | string | null;
  result?: { content?: { text: string }[]; isError?: boolean; tools?: Record<string, unknown>[] };
  error?: { code: number; message: string };
};

/** An assistant at the other end of two streams, in this process. */
export type Wire = {
  /** Writes bytes as they are. */
  write(bytes: string | Buffer): boolean;
  /** The next line that comes, as JSON. */
  next(): Promise<Answer>;
  /** Asks and waits for the answer to that. */
  ask(method: string, params?: object): Promise<Answer>;
  /** Calls a tool; the JSON of its text. */
  call(name: string, toolArguments?: object): Promise<Record<string, never> & { isError: boolean; length: number }>;
  input: PassThrough;
  output: PassThrough;
  failures: unknown[];
  /** Ends the input; resolves once the other end has closed. */
  end(): Promise<void>;
};

/** Opens one over a mirror; the handshake is done where it is not left out. */
export async function openWire(db: string, { shakesHands = true } = {}): Promise<Wire> {
  const input = new PassThrough();
  const output = new PassThrough();
  const failures = [] as unknown[];
  const first = openMirror(db);
  const mirror = serveMirror(first, { citation: { name: 'Transparence', siteUrl: null } }, (error) =>
    failures.push(error),
  );
  const reader = createReader(mirror, { readers: 1, readersPerCaller: 1, readMs: 5000, readWallMs: 60_000 });
  const settings = { semantic: false };
  const world = { mirror, reader, caller: { key: '' }, clock: Date.now, settings };
  const program = { version: '1.2.3', onFailure: (error: unknown) => failures.push(error) };
  const { ended } = serveAssistant({ input, output }, world, program);
  let incompleteLine = '';
  let last = 0;
  const lines: string[] = [];
  const chunks = output[Symbol.asyncIterator]();
  const next = async () => {
    while (lines.length === 0) {
      const { value, done } = await chunks.next();
      if (done) throw new Error('it closed');
      const parts = (incompleteLine + value).split('\n');
      incompleteLine = parts.pop()!;
      lines.push(...parts);
    }
    return JSON.parse(lines.shift()!) as Answer;
  };
  const ask = async (method: string, params: object = {}) => {
    last += 1;
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    for (;;) {
      const answer = await next();
      if (answer.id === last) return answer;
    }
  };
  if (shakesHands) {
    await ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }
  return {
    write: (bytes) => input.write(bytes),
    next,
    ask,
    async call(name, toolArguments = {}) {
      const { result, error } = await ask('tools/call', { name, arguments: toolArguments });
      if (error) throw new Error(error.message);
      const { text } = result!.content![0]!;
      return { ...JSON.parse(text), isError: result!.isError === true, length: text.length };
    },
    input,
    output,
    failures,
    async end() {
      input.end();
      output.resume();
      await ended;
      await reader.close();
      mirror.close();
      first.close();
    },
  };
}
