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
    const key = args.key as SettingKey;
    const value = shownValue(key, this.settingsWith(flags).stated[key].value);
    await this.sinks().stdout.write(
      flags.json ? `${JSON.stringify({ [key]: value })}\n` : `${value ?? ''}\n`,
    );
  }
}
