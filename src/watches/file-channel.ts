import { writeAtomically } from '../format/atomic-file.ts';
import { atomText, jsonFeedText } from '../format/web-feed.ts';
import type { Channel, Watch, WatchBook } from '../store/watches.ts';
import { type Cited, watchFeed } from './message.ts';

const nowhere = { atom: null, json: null, page: null, nextAtom: null, nextJson: null };

/** Writes the feed of a watch into its file, whole or not at all: Atom, or JSON Feed where its name ends so. */
export async function writeFeedFile(
  book: WatchBook,
  watch: Watch,
  { target: [path = ''] }: Pick<Channel, 'target'>,
  cited: Cited,
): Promise<void> {
  const feed = watchFeed(book, watch, cited, { addresses: nowhere, addressOf: null });
  const text = /\.(json|jsonfeed)$/i.test(path) ? `${jsonFeedText(feed)}\n` : atomText(feed);
  await writeAtomically(path, (sink) => sink.write(text));
}
