import { newestMessages } from '../../../store/outbox.ts';
import { channelText } from '../../../watches/channels.ts';
import { say } from '../../../words/speech.ts';
import { Flags, type Interfaces } from '../../oclif.ts';
import { findWatch, WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchLog extends WatchCommand {
  static override args: Interfaces.ArgInput = { name: { ...watchNameArgument, required: false } };
  static override flags = {
    limit: Flags.integer({ char: 'n', description: 'maximum number of messages', min: 1, max: 1000, default: 20 }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchLog);
    const watchBook = this.watchesIfAny();
    const watchId = args.name === undefined ? null : findWatch(watchBook, args.name).id;
    const messages = watchBook ? newestMessages(watchBook, { watch: watchId, limit: flags.limit }) : [];
    if (messages.length === 0 && !flags.json) return this.note(say`no message was sent`);
    const rows = messages.map(({ watch, kind, target, key: id, ...message }) => {
      const { changes, state, made_at, ended_at, attempts, error } = message;
      const channel = channelText({ kind, target: JSON.parse(target) });
      return { watch, channel, changes, state, made_at, ended_at, attempts, error, id };
    });
    await this.printTable({ items: rows, shown: rows.length }, rows, Object.keys(rows[0] ?? {}));
  }
}
