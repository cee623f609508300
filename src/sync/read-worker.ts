import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { readRecords } from '../format/formats.ts';
import { readDeclaredHeader } from '../format/package-description.ts';
import type { OmittedField } from '../model/bounds.ts';
import { kindOf } from '../model/kinds.ts';
import { prepareBatch } from '../store/saving/prepare.ts';
import type { ReadInput, ThreadReply } from './prepared-batches.ts';

// A thread that does everything of an import except writing: it reads, parses, analyses and hashes.
const port = parentPort!;
const send = (reply: ThreadReply) => port.postMessage(reply);

/** Most characters prepared ahead of the writer, which sends back the number that it consumed. */
const maxAhead = 2 ** 21;
let ahead = 0;

// The files are the first message.
const messages = on(port, 'message');
const [files] = (await messages.next()).value as [readonly ReadInput[]];
for (const file of files) await read(file).catch(() => send({ path: file.path, excess: null }));

async function read({ kind: name, ...file }: ReadInput): Promise<void> {
  const { path, format } = file;
  const kind = kindOf(name);
  const excess: OmittedField[] = [];
  const input = { ...file, beside: await readDeclaredHeader(path, format) };
  for await (const records of readRecords(input, kind, excess)) {
    while (ahead > maxAhead) {
      const [consumed] = (await messages.next()).value as [number];
      ahead -= consumed;
    }
    const batch = prepareBatch(kind, records);
    ahead += batch.size;
    send({ path, batch });
  }
  send({ path, excess });
}
