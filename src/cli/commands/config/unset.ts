import { HemicycleCommand } from '../../base-command.ts';
import { settingArg } from '../../setting-arg.ts';
import type { SettingKey } from '../../setting-table.ts';
import { forgetSetting } from '../../user-config.ts';

export default class ConfigUnset extends HemicycleCommand {
  static override summary = 'forget a setting kept for this user';
  static override examples = [
    { description: 'Back to the default', command: '<%= config.bin %> config unset rate' },
  ];
  static override args = {
    key: settingArg(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigUnset);
    await forgetSetting(this.settingsWith(flags).configPath, args.key as SettingKey);
  }
}
