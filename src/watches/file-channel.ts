import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { atomText, jsonFeedText } from '../format/web-feed.ts';
import { say } from '../words/speech.ts';
import type { FeedChannel, NewChannel } from './channel.ts';
import { watchFeed } from './message.ts';

const nowhere = { atom: null, json: null, page: null, nextAtom: null, nextJson: null };

/** A feed in a file, written whole or not at all: Atom, or JSON Feed where its name ends so. */
export const fileChannel: FeedChannel = {
  name: 'file',
  description: 'write a feed: Atom (.atom, .xml) or JSON Feed (.json, .jsonfeed)',
  helpValue: 'FILE',
  parse: (paths, { folder }) => paths.map((path) => parsedFile(path, folder)),
  shownTarget: (target) => target.join(' '),
  delivers: 'feed',
  isWritten: ({ target: [path = ''] }) => existsSync(path),
  async write(book, watch, { target: [path = ''] }, cited) {
    const feed = watchFeed(book, watch, cited, { addresses: nowhere, addressOf: null });
    const text = /\.(json|jsonfeed)$/i.test(path) ? `${jsonFeedText(feed)}\n` : atomText(feed);
    await writeAtomically(path, (sink) => sink.write(text));
  },
};

function parsedFile(path: string, folder: string): NewChannel {
  if (!/\.(atom|xml|json|jsonfeed)$/i.test(path))
    throw new UsageError(
      say`--file ${path}: its ending says neither Atom nor JSON Feed`,
      say`end it with .atom, .xml, .json or .jsonfeed`,
    );
  return { kind: 'file', target: [resolve(folder, path)], secret: null, isPrivate: false };
}
