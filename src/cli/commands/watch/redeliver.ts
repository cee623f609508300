import { NotFoundError } from '../../../errors.ts';
import { newestMessages, requeue } from '../../../store/outbox.ts';
import { say } from '../../../words/speech.ts';
import { argument } from '../../oclif.ts';
import { createEndSignal, runWatchesOf, WatchCommand } from '../../watch-command.ts';

export default class WatchRedeliver extends WatchCommand {
  static override args = { id: argument('id of the message, as shown by `watch log`') };

  async run(): Promise<void> {
    const { args } = await this.parse(WatchRedeliver);
    const watchBook = this.watchesIfAny();
    const [message] = watchBook ? newestMessages(watchBook, { watch: null, key: args.id, limit: 1 }) : [];
    if (!message)
      throw new NotFoundError(
        say`no message has the id "${args.id}"`,
        say`list stored messages with \`hemicycle watch log\``,
      );
    requeue(watchBook!, message.id, new Date().toISOString());
    const outcome = await runWatchesOf(this, this.settingsWith(), { signal: createEndSignal(), name: message.watch });
    if (outcome) await this.print(outcome.report, outcome.text);
    if (outcome?.error) throw outcome.error;
  }
}
