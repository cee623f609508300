import { newestMessages } from '../../../store/outbox.ts';
import { channelText } from '../../../watches/channels.ts';
import { say } from '../../../words/speech.ts';
import { Flags, type Interfaces } from '../../oclif.ts';
import { WatchCommand, watchNameArgument, watchNamed } from '../../watch-command.ts';

export default class WatchLog extends WatchCommand {
  static override args: Interfaces.ArgInput = { name: { ...watchNameArgument, required: false } };
  static override flags = {
    limit: Flags.integer({ char: 'n', description: 'number of messages', min: 1, max: 1000, default: 20 }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchLog);
    const book = this.watchesIfAny();
    const watch = args.name === undefined ? null : watchNamed(book, args.name).id;
    const found = book ? newestMessages(book, { watch, key: null, limit: flags.limit }) : [];
    if (found.length === 0 && !flags.json) return this.note(say`no message was sent`);
    const rows = found.map((message) => ({
      watch: message.watch,
      channel: channelText({ kind: message.kind, target: JSON.parse(message.target) }),
      changes: message.changes,
      state: message.state,
      made_at: message.made_at,
      ended_at: message.ended_at,
      attempts: message.attempts,
      error: message.error,
      id: message.key,
    }));
    await this.printTable({ items: rows, shown: rows.length }, rows, Object.keys(rows[0] ?? {}));
  }
}
