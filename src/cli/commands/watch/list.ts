import { existsSync } from 'node:fs';
import { shellLine } from '../../../format/sanitise.ts';
import type { Document } from '../../../model/document.ts';
import type { KindName } from '../../../model/kinds.ts';
import { countMessages } from '../../../store/outbox.ts';
import { recordName } from '../../../store/record.ts';
import { countBaselineRows, listWatches } from '../../../store/watches.ts';
import { describeWatch } from '../../../watches/about.ts';
import { channelText } from '../../../watches/channels.ts';
import { say } from '../../../words/speech.ts';
import { WatchCommand } from '../../watch-command.ts';

export default class WatchList extends WatchCommand {
  async run(): Promise<void> {
    const { flags } = await this.parse(WatchList);
    const book = this.watchesIfAny();
    const settings = this.settingsWith();
    const watches = book === null ? [] : listWatches(book);
    const mirror = watches.length > 0 && existsSync(settings.db) ? this.mirror(settings) : null;
    const nameOf = (kind: KindName, slug: string) => (mirror && recordName(mirror, kind, slug)) ?? slug;
    const rows = watches.map(
      (watch): Document => ({
        name: watch.name,
        about: describeWatch(watch, this.speech, nameOf),
        question: shellLine(watch.words),
        channels: watch.channels.map((each) => `${channelText(each)}${each.disabledAt === null ? '' : ' (gone)'}`),
        paused_at: watch.pausedAt,
        ...(watch.changeTypes === null ? {} : { only: watch.changeTypes }),
        digest: watch.digest,
        created_at: watch.createdAt,
        looked_at: watch.lookedAt,
        known: countBaselineRows(book!, watch.id),
        waiting: countMessages(book!, 'waiting', watch.id),
        dead: countMessages(book!, 'dead', watch.id),
        trouble: watch.trouble,
      }),
    );
    if (rows.length === 0 && !flags.json) return this.note(say`there are no watches`);
    const columns = ['name', 'about', 'channels', 'paused_at', 'looked_at', 'known', 'waiting', 'dead', 'trouble'];
    const shownRows = rows.map((each) => ({ ...each, channels: (each.channels as string[]).join(' ') }));
    await this.printTable({ items: rows, shown: rows.length }, shownRows, columns);
  }
}
