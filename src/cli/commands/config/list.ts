import { HemicycleCommand } from '../../base-command.ts';
import { switchFlag } from '../../oclif.ts';
import { displayValue, settingKeys, settingTable } from '../../setting-table.ts';

export default class ConfigList extends HemicycleCommand {
  static override flags = {
    origin: switchFlag('show the origin of each value: flag, environment, user config or default'),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigList);
    const { rawSettings } = this.settingsWith();
    const rows = settingKeys.map((key) => ({
      setting: key,
      value: displayValue(key, rawSettings[key].value),
      ...(flags.origin ? { origin: rawSettings[key].origin } : {}),
      variable: settingTable[key].variable,
    }));
    await this.printTable(rows, rows, ['setting', 'value', ...(flags.origin ? ['origin'] : []), 'variable']);
  }
}
