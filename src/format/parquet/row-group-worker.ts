import { parentPort, workerData } from 'node:worker_threads';
import { createGroupEncoder } from './row-group.ts';

const encode = createGroupEncoder(workerData);

parentPort!.on('message', (batches: Uint8Array<ArrayBuffer>[]) => {
  const group = encode(() => batches.shift());
  if (group && batches.length > 0) throw new RangeError('rows of a row group are left over');
  parentPort!.postMessage(group, group ? [group.bytes.buffer] : []);
});
