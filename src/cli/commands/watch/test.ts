import { DeliveryError, HemicycleError } from '../../../errors.ts';
import { sanitiseLine } from '../../../format/sanitise.ts';
import { newestChanges } from '../../../store/outbox.ts';
import { channelKindOf } from '../../../watches/channels.ts';
import { sourceCitationOf, testBody } from '../../../watches/message.ts';
import { loadLanguage, say, verbatim } from '../../../words/speech.ts';
import { sendingSettings, WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchTest extends WatchCommand {
  static override args = { name: watchNameArgument };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchTest);
    const { book, watch } = this.openWatch(args.name);
    const settings = this.settingsWith();
    const source = sourceCitationOf(this.mirror(settings), settings);
    const body = testBody(newestChanges(book, watch.id, 3), watch, source);
    await loadLanguage(watch.language);
    const results: { channel: string; error: string | null }[] = [];
    for (const channel of watch.channels) {
      let error: string | null = null;
      try {
        const kind = channelKindOf(channel);
        if (kind.delivers === 'feed') await kind.write(book, watch, channel, source);
        else await kind.send(channel, { watch, body }, sendingSettings(this, settings));
      } catch (thrown) {
        if (!(thrown instanceof HemicycleError)) throw thrown;
        error = sanitiseLine(thrown.message);
      }
      results.push({ channel: channel.kind, error });
      if (!flags.json) this.note(error === null ? say`${channel.kind}: accepted` : say`${channel.kind}: ${error}`);
    }
    if (flags.json) await this.print({ name: watch.name, id: body.id, channels: results }, '');
    const refusedTest = results.find(({ error }) => error !== null);
    if (refusedTest)
      throw new DeliveryError(refusedTest.channel, verbatim(refusedTest.error!), say`fix the channel, then try again`);
    if (watch.channels.length === 0) this.note(say`the watch has no channel: its reports appear in \`serve\``);
  }
}
