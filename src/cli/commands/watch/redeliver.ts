import { NotFoundError } from '../../../errors.ts';
import { newestMessages, requeue } from '../../../store/outbox.ts';
import { say } from '../../../words/speech.ts';
import { argument, examples } from '../../oclif.ts';
import { endSignal, runWatchesOf, WatchCommand } from '../../watch-command.ts';

export default class WatchRedeliver extends WatchCommand {
  static override summary = 'send a message once more, under the same id';
  static override examples = examples([
    'What a receiver lost',
    'watch redeliver msg_0f5c8a1b2d3e4f5061728394a5b6c7d8',
  ]);
  static override args = { id: argument('id of the message, as `watch log` lists it') };

  async run(): Promise<void> {
    const { args } = await this.parse(WatchRedeliver);
    const book = this.watchesIfAny();
    const [message] = book ? newestMessages(book, { watch: null, key: args.id, limit: 1 }) : [];
    if (!message)
      throw new NotFoundError(
        say`no message has the id "${args.id}"`,
        [],
        say`\`hemicycle watch log\` lists those that are kept`,
      );
    requeue(book!, message.id, new Date().toISOString());
    const signal = endSignal();
    const ended = await runWatchesOf(this, this.settingsWith(), { signal, name: message.watch });
    if (ended) await this.print(ended.report, ended.text);
    if (ended?.error) throw ended.error;
  }
}
