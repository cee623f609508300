import { parentPort } from 'node:worker_threads';
import { readRecords } from '../format/formats.ts';
import type { OmittedField } from '../model/bounds.ts';
import { kindOf } from '../model/kinds.ts';
import { prepareBatch } from '../store/saving/prepare.ts';
import type { ReadInput, ThreadReply } from './prepared-batches.ts';

// A thread that does everything of an import but write: reads, parses, analyses, hashes.
const port = parentPort!;
const send = (reply: ThreadReply, moved: ArrayBuffer[] = []) => port.postMessage(reply, moved);

/** Batches that may be sent before more are asked for. */
let allowed = 0;
let proceed = () => {};

port.on('message', (message: ReadInput | 'more') => {
  if (message === 'more') {
    allowed += 1;
    proceed();
  } else read(message).catch(() => send({ isRefused: true }));
});

async function read({ kind: name, ahead, ...file }: ReadInput): Promise<void> {
  const kind = kindOf(name);
  allowed = ahead;
  const excess: OmittedField[] = [];
  for await (const records of readRecords(file, kind, excess)) {
    while (allowed === 0)
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
    allowed -= 1;
    const batch = prepareBatch(kind, records);
    send({ batch }, [batch.bytes.buffer, batch.ends.buffer]);
  }
  send({ excess });
}
