import type { Document } from '../../../model/document.ts';
import { renderTable } from '../../../terminal/table.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { Flags } from '../../oclif.ts';
import { settingKeys, settingTable, shownValue } from '../../setting-table.ts';

export default class ConfigList extends HemicycleCommand {
  static override summary = 'print every setting';
  static override examples = [
    { description: 'Where each value comes from', command: '<%= config.bin %> config list --origin' },
  ];
  static override flags = {
    origin: Flags.boolean({
      description: 'say where each value comes from: flag, environment, user config, default',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigList);
    const { stated } = this.settingsWith(flags);
    const rows: Document[] = settingKeys.map((key) => ({
      setting: key,
      value: shownValue(key, stated[key].value),
      ...(flags.origin ? { origin: stated[key].origin } : {}),
      variable: settingTable[key].variable,
    }));
    const columns = ['setting', 'value', ...(flags.origin ? ['origin'] : []), 'variable'];
    const text = flags.json
      ? `${JSON.stringify(rows)}\n`
      : renderTable(rows, { columns, header: true, terminal: this.terminal(flags) });
    await this.sinks().stdout.write(text);
  }
}
