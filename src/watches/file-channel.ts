import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { atomText } from '../format/web-feed.ts';
import { say } from '../words/speech.ts';
import type { FeedChannel, NewChannel } from './channel.ts';
import { watchFeed } from './message.ts';

const nowhere = { atom: null, page: null, next: null };

/** A feed (Atom) in a file, written whole or not at all. */
export const fileChannel: FeedChannel = {
  name: 'file',
  description: 'write a feed (Atom)',
  helpValue: 'FILE',
  parse: (paths, { folder }) => paths.map((path) => parsedFile(path, folder)),
  shownTarget: (target) => target.join(' '),
  delivers: 'feed',
  isWritten: ({ target: [path = ''] }) => existsSync(path),
  async write(book, watch, { target: [path = ''] }, cited) {
    const feed = watchFeed(book, watch, cited, { addresses: nowhere, addressOf: null });
    await writeAtomically(path, (sink) => sink.write(atomText(feed)));
  },
};

function parsedFile(path: string, folder: string): NewChannel {
  if (!/\.(atom|xml)$/i.test(path))
    throw new UsageError(
      say`--file ${path}: a feed is Atom, which its ending does not say`,
      say`end it with .atom or .xml`,
    );
  return { kind: 'file', target: [resolve(folder, path)], secret: null, isPrivate: false };
}
