import { text } from 'node:stream/consumers';
import { ConfigurationError, UsageError } from '../../../errors.ts';
import { senderAddress, smtpAddress } from '../../../service/mail.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { checkEmbeddingsKey, embeddingsAddress } from '../../embedding-settings.ts';
import { Args } from '../../oclif.ts';
import { settingArg } from '../../setting-arg.ts';
import {
  baseUrlOf,
  bytesOf,
  checkToken,
  headerOf,
  languageNamed,
  rateOf,
  statedAddress,
} from '../../setting-forms.ts';
import { isSecret, type SettingKey } from '../../setting-table.ts';
import { keepSetting } from '../../user-config.ts';

export default class ConfigSet extends HemicycleCommand {
  static override summary = 'keep a setting for this user';
  static override description =
    'The token, the key of the service of embeddings and smtp-url are read from standard input, so that they stand in no list of processes and no shell history.';
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
    if (/[\0\r\n]/.test(value)) throw new UsageError(say`the value of ${key} is more than one line`);
    forms[key](value);
    // Reading the settings with the new value refuses one that the others rule out before it is kept.
    const { configPath } = this.settingsWith(flags, { [key]: value });
    await keepSetting(configPath, key, value);
  }
}

const anyText = () => {};

/** How each setting is read where it is used; each throws a ConfigurationError for what it cannot be. */
const forms: Record<SettingKey, (text: string) => unknown> = {
  'base-url': baseUrlOf,
  'site-url': (text) => statedAddress(text, 'site-url'),
  'service-name': anyText,
  token: checkToken,
  'token-file': anyText,
  'auth-header': headerOf,
  rate: (text) => rateOf(text, { baseUrl: null, token: null }),
  db: anyText,
  lang: languageNamed,
  'max-answer': (text) => bytesOf('max-answer', text),
  'max-export': (text) => bytesOf('max-export', text),
  'semantic-search': checkSwitch,
  thesaurus: anyText,
  'embeddings-url': embeddingsAddress,
  'embeddings-model': anyText,
  'embeddings-key': checkEmbeddingsKey,
  'smtp-url': smtpAddress,
  'mail-from': senderAddress,
};

function checkSwitch(text: string): void {
  if (/^(1|on|true|yes|0|off|false|no)$/i.test(text)) return;
  throw new ConfigurationError(say`semantic-search: "${text}" is neither on nor off`, say`write on or off`);
}
