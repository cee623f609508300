import { UsageError } from '../../../errors.ts';
import { editWatch } from '../../../store/watches.ts';
import { channelText } from '../../../watches/channels.ts';
import { say } from '../../../words/speech.ts';
import { parseName } from '../../flag-values.ts';
import { type Interfaces, valueFlag } from '../../oclif.ts';
import { WatchCommand, watchNameArgument } from '../../watch-command.ts';
import { parseChangeTypes, parseChannels, watchFlags, watchNamePattern } from '../../watch-flags.ts';

export default class WatchEdit extends WatchCommand {
  static override args = { name: watchNameArgument };
  static override flags: Interfaces.FlagInput = {
    ...watchFlags,
    rename: valueFlag('another name', 'NAME'),
    drop: valueFlag('channel to remove: the end of its address, as shown by `watch list`', 'ADDRESS'),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchEdit);
    const { book, watch } = this.openWatch(args.name);
    const name = flags.rename ?? watch.name;
    parseName(name, watchNamePattern, say`"${name}" is not a name for a watch`);
    const removedChannel = flags.drop === undefined ? null : this.findChannel(watch.channels, flags.drop);
    const channels = parseChannels(flags);
    const settings = this.settingsWith();
    const editedWatch = {
      ...watch,
      name,
      changeTypes: flags.only === undefined ? watch.changeTypes : parseChangeTypes(flags.only),
      digest: flags.digest ?? watch.digest,
    };
    const mirror = this.mirror(settings);
    await this.checkChannels({ ...editedWatch, channels }, { mirror, settings, sendsTest: flags.test });
    if (!editWatch(book, editedWatch, { newChannels: channels, removedChannel }))
      throw new UsageError(say`a watch named ${name} already exists`, say`choose another name`);
    const secrets = channels.flatMap(({ secret, isNewSecret }) => (isNewSecret && secret) || []);
    if (this.common.json) return this.print({ name, secrets }, '');
    for (const secret of secrets) await this.print(secret, secret);
    this.note(say`changed the watch ${name}`);
  }

  /** The one channel whose address ends with `end`; throws a UsageError for none or several. */
  private findChannel<Channel extends Parameters<typeof channelText>[0]>(channels: Channel[], end: string) {
    const matches = channels.filter((channel) => channelText(channel).endsWith(end));
    if (matches.length === 1) return matches[0]!;
    throw new UsageError(
      matches.length === 0 ? say`no channel of it ends in "${end}"` : say`several channels end in "${end}"`,
      say`one of ${channels.map(channelText).join(', ')}`,
    );
  }
}
