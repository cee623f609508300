import { HemicycleCommand } from '../../base-command.ts';
import { argument, examples } from '../../oclif.ts';
import { settingKeys } from '../../setting-table.ts';
import { privateFile, userConfigPath } from '../../settings.ts';

export default class ConfigUnset extends HemicycleCommand {
  static override summary = 'forget a setting kept for this user';
  static override examples = examples(['Back to the default', 'config unset rate']);
  static override args = { key: argument('name of the setting', settingKeys) };

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigUnset);
    // Do not read the settings: an invalid one must be removable too.
    (await privateFile(userConfigPath(process.env))).delete(args.key);
  }
}
