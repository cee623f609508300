import { HemicycleCommand } from '../../base-command.ts';
import { settingArg } from '../../setting-arg.ts';
import type { SettingKey } from '../../setting-table.ts';
import { userConfigPath } from '../../settings.ts';
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
    const { args } = await this.parse(ConfigUnset);
    // Do not read the settings: an invalid one must be removable too.
    await forgetSetting(userConfigPath(process.env), args.key as SettingKey);
  }
}
