import { spawn } from 'node:child_process';
import { NotFoundError } from '../../errors.ts';
import { sanitiseLine } from '../../format/sanitise.ts';
import { webPageOf } from '../../model/cited-work.ts';
import { record } from '../../questions/record.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { proseFormats } from '../../terminal/list.ts';
import { writeRecord } from '../../terminal/record-view.ts';
import { linkAddress } from '../../terminal/terminal.ts';
import { say } from '../../words/speech.ts';
import { type Interfaces, switchFlag } from '../oclif.ts';
import { ReadingCommand } from '../reading-command.ts';
import { referenceArgs, referenceHelp } from '../typed-words.ts';

export default class Open extends ReadingCommand {
  static override description =
    `Uses the URL stated by the record, otherwise that of its first source. ${referenceHelp}`;
  static override strict = false;
  static override args = referenceArgs;
  static override flags: Interfaces.FlagInput = { print: switchFlag('print the address only') };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Open);
    const values = this.resolveRecord(argv as string[], flags);
    const result = await this.record(record, values, flags);
    const { item } = result;
    const address = linkAddress(webPageOf(item, sourcesOf(this.mirror(), item)));
    if (address === null)
      throw new NotFoundError(
        say`neither ${values.kind} ${values.key} nor its sources have a URL`,
        say`see the whole record: \`hemicycle show ${values.kind} ${values.key}\``,
      );
    const options = this.outputOptions(flags);
    if (!proseFormats.includes(options.format)) {
      const outputItem = { kind: values.kind, key: values.key, url: address };
      const columns = options.columns ?? Object.keys(outputItem);
      return writeRecord({ ...result, item: outputItem, ballot: undefined }, { ...options, columns }, this.sinks());
    }
    await this.sinks().stdout.write(`${address}\n`);
    const opener = flags.print || !process.stdout.isTTY ? null : openerOf(process.platform, process.env);
    if (opener === null) return;
    // The address is percent-encoded, and no shell reads it.
    const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
    child.on('error', ({ message }) => {
      this.sinks().stderr(sanitiseLine(this.speech.say`${opener} did not start: ${message}`));
    });
    child.unref();
  }
}

function openerOf(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string | null {
  if (platform === 'darwin') return 'open';
  if (platform === 'win32') return 'explorer.exe';
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? 'xdg-open' : null;
}
