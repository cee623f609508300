import { text } from 'node:stream/consumers';
import { UsageError } from '../../../errors.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { Args } from '../../oclif.ts';
import { settingArg } from '../../setting-arg.ts';
import { isSecret, type SettingKey } from '../../setting-table.ts';
import { keepSetting } from '../../user-config.ts';

export default class ConfigSet extends HemicycleCommand {
  static override summary = 'keep a setting for this user';
  static override description =
    'The token and the key of the service of embeddings are read from standard input, so that they stand in no list of processes and no shell history.';
  static override examples = [
    {
      description: 'The address of the service',
      command: '<%= config.bin %> config set base-url https://service.example/api/v1',
    },
    { description: 'The token', command: '<%= config.bin %> config set token < token.txt' },
  ];
  static override args = {
    key: settingArg(),
    value: Args.string({
      ignoreStdin: true,
      description: 'its value (not for token, embeddings-key and smtp-url)',
      required: false,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigSet);
    const key = args.key as SettingKey;
    if (isSecret(key) && args.value !== undefined)
      throw new UsageError(
        key === 'token'
          ? say`the token is not taken from the command line`
          : say`the value of ${key} is not taken from the command line`,
        say`hemicycle config set ${key} < FILE`,
      );
    if (!isSecret(key) && args.value === undefined) throw new UsageError(say`no value is given for ${key}`);
    const value = args.value ?? (await text(process.stdin)).trim();
    if (value === '')
      throw new UsageError(say`the value of ${key} is empty`, say`hemicycle config unset ${key} removes it`);
    // Reading the settings with the new value refuses one that makes no sense before it is kept.
    this.settingsWith(flags, { [key]: value });
    await keepSetting(this.settingsWith(flags).configPath, key, value);
  }
}
