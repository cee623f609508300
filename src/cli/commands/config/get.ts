import { HemicycleCommand } from '../../base-command.ts';
import { settingArg } from '../../setting-arg.ts';
import { type SettingKey, shownValue } from '../../setting-table.ts';

export default class ConfigGet extends HemicycleCommand {
  static override summary = 'print one setting';
  static override examples = [
    { description: 'The address in use', command: '<%= config.bin %> config get base-url' },
  ];
  static override args = {
    key: settingArg(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigGet);
    const { value } = this.settingsWith(flags).stated[args.key as SettingKey];
    await this.sinks().stdout.write(
      flags.json
        ? `${JSON.stringify({ [args.key]: shownValue(args.key, value) })}\n`
        : `${shownValue(args.key, value) ?? ''}\n`,
    );
  }
}
