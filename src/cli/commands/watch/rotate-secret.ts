import { UsageError } from '../../../errors.ts';
import { newWebhookSecret } from '../../../service/webhook.ts';
import { rotateSecret } from '../../../store/watches.ts';
import { channelText } from '../../../watches/channels.ts';
import { say } from '../../../words/speech.ts';
import { WatchCommand, watchNameArgument } from '../../watch-command.ts';

/** Messages are also signed with the former secret for this long. */
const overlapMs = 24 * 3_600_000;

export default class WatchRotateSecret extends WatchCommand {
  static override args = { name: watchNameArgument };

  async run(): Promise<void> {
    const { args } = await this.parse(WatchRotateSecret);
    const { book, watch } = this.openWatch(args.name);
    const signedChannels = watch.channels.filter(({ secret }) => secret !== null);
    if (signedChannels.length === 0)
      throw new UsageError(
        say`the watch ${watch.name} has no signed webhook`,
        say`see its channels with \`hemicycle watch list\``,
      );
    const until = new Date(Date.now() + overlapMs).toISOString();
    const newSecrets = signedChannels.map((channel) => {
      const secret = newWebhookSecret();
      rotateSecret(book, channel.id, secret, until);
      return { channel: channelText(channel), secret };
    });
    if (this.common.json) return this.print({ name: watch.name, until, secrets: newSecrets }, '');
    for (const { secret } of newSecrets) await this.print(secret, secret);
    this.note(say`the secret of a webhook is only shown this time; its recipient needs it`);
  }
}
