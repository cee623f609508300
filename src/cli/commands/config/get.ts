import { HemicycleCommand } from '../../base-command.ts';
import { argument } from '../../oclif.ts';
import { displayValue, type SettingKey, settingKeys } from '../../setting-table.ts';

export default class ConfigGet extends HemicycleCommand {
  static override args = { key: argument('name of the setting', settingKeys) };

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigGet);
    const key = args.key as SettingKey;
    const value = displayValue(key, this.settingsWith().rawSettings[key].value);
    await this.print({ [key]: value }, value ?? '');
  }
}
