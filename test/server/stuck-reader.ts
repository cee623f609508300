import { createTextReader, type ReadRequest } from '../../src/server/reader.ts';
import { receivedAck } from '../../src/server/reader-pool.ts';
import { followMirrorFile } from '../../src/store/followed-mirror.ts';
import { openMirror } from '../../src/store/open.ts';

// Reads as the program does, but for two words: one never ends, at the other it falls.
const reader = createTextReader(followMirrorFile(openMirror(process.argv[2]!)));

process.on('message', (readRequest: ReadRequest) => {
  process.send!(receivedAck);
  const { q, json } = readRequest.values as { q?: string; json?: string };
  while (q?.startsWith('endless') || json?.includes('endless'));
  if (q === 'fatal' || json?.includes('"fatal"')) process.exit(9);
  process.send!(reader.read(readRequest));
});
process.on('disconnect', () => process.exit(0));
