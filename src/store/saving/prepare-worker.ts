import { parentPort } from 'node:worker_threads';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { prepareBatch } from './prepare.ts';

parentPort!.on('message', ({ kind, texts }: { kind: KindName; texts: string[] }) => {
  const batch = prepareBatch(kindOf(kind), texts);
  parentPort!.postMessage(batch, [batch.bytes.buffer, batch.ends.buffer]);
});
