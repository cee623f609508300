import { parentPort } from 'node:worker_threads';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { packPrepared, prepareRecord } from './prepare.ts';

parentPort!.on('message', ({ kind, texts }: { kind: KindName; texts: string[] }) => {
  const described = kindOf(kind);
  parentPort!.postMessage(packPrepared(texts.map((text) => prepareRecord(described, JSON.parse(text)))));
});
