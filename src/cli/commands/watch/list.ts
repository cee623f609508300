import { existsSync } from 'node:fs';
import type { Document } from '../../../model/document.ts';
import { countKnown } from '../../../store/known-rows.ts';
import { countMessages, deadMessages } from '../../../store/outbox.ts';
import { recordName } from '../../../store/record.ts';
import type { WatchBook } from '../../../store/watch-book.ts';
import { listWatches, type Watch } from '../../../store/watches.ts';
import { aboutWatch } from '../../../watches/about.ts';
import { channelText } from '../../../watches/channels.ts';
import { questionText } from '../../../watches/message.ts';
import { say } from '../../../words/speech.ts';
import { Flags, type Interfaces } from '../../oclif.ts';
import { WatchCommand } from '../../watch-command.ts';

/** Maximum number of undelivered messages listed. */
const mostDead = 1000;

export default class WatchList extends WatchCommand {
  static override flags: Interfaces.FlagInput = {
    dead: Flags.boolean({ description: 'the messages that were given up, and why' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WatchList);
    const book = this.watchesIfAny();
    const rows =
      book === null
        ? []
        : flags.dead
          ? deadRows(book)
          : listWatches(book).map((each) => row(book, each, this.about(each)));
    if (rows.length === 0 && !flags.json)
      return this.note(flags.dead ? say`no message was given up` : say`nothing is watched`);
    const columns = flags.dead
      ? ['watch', 'channel', 'made_at', 'attempts', 'error', 'id']
      : ['name', 'about', 'channels', 'paused_at', 'looked_at', 'known', 'waiting', 'dead', 'trouble'];
    const shown = rows.map((each) => ({ ...each, channels: [each.channels ?? []].flat().join(' ') }));
    await this.printTable({ items: rows, shown: rows.length }, shown, columns);
  }

  /** What a watch looks at, with people by the names that the mirror has for them. */
  private about(watch: Watch): string {
    const { db } = this.settingsWith();
    const mirror = existsSync(db) ? this.mirror(this.settingsWith()) : null;
    return aboutWatch(watch, this.speech, (kind, slug) => (mirror && recordName(mirror, kind, slug)) ?? slug);
  }
}

function row(book: WatchBook, watch: Watch, about: string): Document {
  return {
    name: watch.name,
    about,
    question: questionText(watch),
    channels: watch.channels.map((each) => `${channelText(each)}${each.goneAt === null ? '' : ' (gone)'}`),
    paused_at: watch.pausedAt,
    ...(watch.only === null ? {} : { only: watch.only }),
    digest: watch.digest,
    created_at: watch.createdAt,
    looked_at: watch.lookedAt,
    known: countKnown(book, watch.id),
    waiting: countMessages(book, 'waiting', watch.id),
    dead: countMessages(book, 'dead', watch.id),
    trouble: watch.trouble,
  };
}

function deadRows(book: WatchBook): Document[] {
  return deadMessages(book, mostDead).map(({ watch, kind, target, made_at, attempts, error, key }) => ({
    watch,
    channel: channelText({ kind, target: JSON.parse(target) }),
    made_at,
    attempts,
    error,
    id: key,
  }));
}
