import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { UsageError } from '../../../errors.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { argument, optionalArgument } from '../../oclif.ts';
import { type SettingKey, settingKeys, settingRow } from '../../setting-table.ts';
import { openPrivateFile } from '../../settings.ts';

export default class ConfigSet extends HemicycleCommand {
  static override args = {
    key: argument('name of the setting', settingKeys),
    value: optionalArgument('value (not for secrets)'),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigSet);
    const key = args.key as SettingKey;
    const { isSecret, isPath, parse } = settingRow(key);
    if (isSecret && args.value !== undefined)
      throw new UsageError(
        say`the value of ${key} is not accepted on the command line`,
        say`hemicycle config set ${key} < FILE`,
      );
    if (!isSecret && args.value === undefined) throw new UsageError(say`no value is given for ${key}`);
    if (args.value === undefined && process.stdin.isTTY)
      this.note(say`type the value of ${key}, then Enter and Ctrl-D; it is saved for this user only`);
    const rawValue = args.value ?? (await text(process.stdin)).trim();
    const value = isPath && rawValue !== '' ? resolve(rawValue) : rawValue;
    if (value === '')
      throw new UsageError(say`the value of ${key} is empty`, say`hemicycle config unset ${key} removes it`);
    if (/[\0\r\n]/.test(value)) throw new UsageError(say`the value of ${key} is more than one line`);
    parse(value, key);
    // Reading all settings with the new value refuses a conflicting one before it is saved.
    const { configPath } = this.settingsWith({ [key]: value });
    (await openPrivateFile<string>(configPath)).set(key, value);
    this.note(say`${key} is saved in ${configPath}`);
  }
}
