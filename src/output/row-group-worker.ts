import { parentPort, workerData } from 'node:worker_threads';
import { createGroupEncoder } from './row-group.ts';

const encode = createGroupEncoder(workerData);

parentPort!.on('message', (batches: Uint8Array<ArrayBuffer>[]) => {
  const group = encode(batches);
  parentPort!.postMessage(group, group ? [group.bytes.buffer] : []);
});
