import { HemicycleCommand } from '../../base-command.ts';
import { argument } from '../../oclif.ts';
import { type SettingKey, settingKeys, shownValue } from '../../setting-table.ts';

export default class ConfigGet extends HemicycleCommand {
  static override args = { key: argument('name of the setting', settingKeys) };

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigGet);
    const key = args.key as SettingKey;
    const value = shownValue(key, this.settingsWith().rawSettings[key].value);
    await this.print({ [key]: value }, value ?? '');
  }
}
