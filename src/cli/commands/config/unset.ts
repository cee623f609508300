import { HemicycleCommand } from '../../base-command.ts';
import { argument } from '../../oclif.ts';
import { settingKeys } from '../../setting-table.ts';
import { openPrivateFile, readFolderPaths } from '../../settings.ts';

export default class ConfigUnset extends HemicycleCommand {
  static override args = { key: argument('name of the setting', settingKeys) };

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigUnset);
    // Do not read the settings: an invalid one must be removable too.
    (await openPrivateFile(readFolderPaths(process.env).configPath)).delete(args.key);
  }
}
