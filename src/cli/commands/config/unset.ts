import { Args } from '@oclif/core';
import { HemicycleCommand } from '../../base-command.ts';
import { type SettingKey, settingKeys } from '../../setting-table.ts';
import { forgetSetting } from '../../user-config.ts';

export default class ConfigUnset extends HemicycleCommand {
  static override summary = 'forget a setting kept for this user';
  static override examples = [
    { description: 'Back to the default', command: '<%= config.bin %> config unset rate' },
  ];
  static override args = {
    key: Args.string({
      ignoreStdin: true,
      description: 'name of the setting',
      options: settingKeys,
      required: true,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigUnset);
    await forgetSetting(this.settingsWith(flags).configPath, args.key as SettingKey);
  }
}
