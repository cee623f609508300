import type { ReadRequest } from '../../src/server/reader.ts';
import type { receivedAck } from '../../src/server/reader-pool.ts';

// Reads as the program does, but for two words: one never ends, at the other it falls. A process that falls at its first read
// loads nothing before.
const received: typeof receivedAck = 'received';
const parentId = process.ppid;
let reading: ReturnType<typeof createReader> | undefined;

async function createReader() {
  const { createTextReader } = await import('../../src/server/reader.ts');
  const { followMirrorFile } = await import('../../src/store/followed-mirror.ts');
  const { openMirror } = await import('../../src/store/open.ts');
  return createTextReader(followMirrorFile(openMirror(process.argv[2]!)));
}

process.on('message', async (readRequest: ReadRequest) => {
  process.send!(received);
  const { q, json } = readRequest.values as { q?: string; json?: string };
  // Ends with its parent: a killed run of the tests leaves nothing behind.
  while ((q?.startsWith('endless') || json?.includes('endless')) && process.ppid === parentId);
  if (q === 'fatal' || json?.includes('"fatal"')) process.exit(9);
  reading ??= createReader();
  process.send!((await reading).read(readRequest));
});
process.on('disconnect', () => process.exit(0));
