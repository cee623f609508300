import { join } from 'node:path';
import { defaultServiceName } from '../model/attribution.ts';
import { wordsIn } from '../model/identity-guard.ts';
import { senderAddress, smtpAddress } from '../service/mail.ts';
import { languages, localeLanguage } from '../words/language.ts';
import {
  allowedRate,
  anyText,
  headerSecret,
  headerTemplate,
  namesInOrder,
  onOrOff,
  parseLanguageSetting,
  pastDay,
  serviceAddress,
  variableNames,
  webAddressSetting,
  wholeRate,
} from './setting-forms.ts';

/** Sources of a value, in order of precedence. */
export type SettingOrigin = 'flag' | 'environment' | 'user config' | 'default';

/** Context that a default may depend on. */
export type DefaultContext = {
  env: Record<string, string | undefined>;
  dataFolder: string;
  token: string | null;
};

/** One setting, the source for environment, `config`, flags, help, `doctor` and redaction. */
export type SettingRow = {
  variable: string;
  description: string;
  /** Throws a ConfigurationError for an invalid text; never called with an empty one. */
  parse: (text: string, name: string) => unknown;
  default?: string | ((context: DefaultContext) => string);
  /** True for a value that is never shown nor read from a command line. */
  isSecret?: true;
  /** True if `Settings` keeps the text, parsed where it is used. */
  isParsedLate?: true;
  /** Properties of the setting's flag, which every command has; they override the description. */
  flag?: { description?: string; helpValue?: string; options?: string[] };
};

/** Every setting by name, each documented in docs/reference. Its variable is `HEMICYCLE_` and the name. */
const rows = {
  'base-url': { description: 'address of the service, ending in /api/v1', parse: serviceAddress },
  'site-url': {
    description: 'public address of the service, linked by every attribution',
    parse: webAddressSetting,
  },
  'service-name': {
    description: 'name of the service, cited by every attribution',
    parse: anyText,
    default: defaultServiceName,
  },
  'service-gone': {
    description: 'day on which the service ended for good, said by every attribution; syncs ask it no more',
    parse: pastDay,
  },
  publisher: {
    description: 'who publishes this copy: a person or an organisation, named on its pages',
    parse: anyText,
  },
  contact: {
    description: 'where to write to the publisher: an address of mail or of a page',
    parse: anyText,
  },
  'public-url': {
    description: 'address at which the pages of this mirror stand, linked by what its watches tell',
    parse: webAddressSetting,
  },
  token: {
    description: 'viewer token; raises the budget from 60 to 600 requests a minute',
    parse: headerSecret,
    isSecret: true,
    isParsedLate: true,
  },
  'token-file': { description: 'file that holds the token, for secrets that are mounted', parse: anyText },
  'auth-header': {
    description: 'header that carries the token, with {token} in its place',
    parse: headerTemplate,
    default: 'Authorization: Bearer {token}',
  },
  rate: {
    description: 'requests a minute; more than the service allows only for a server of your own',
    parse: wholeRate,
    default: ({ token }: DefaultContext) => String(allowedRate(token)),
  },
  db: {
    description: 'path of the mirror',
    parse: anyText,
    default: ({ dataFolder }: DefaultContext) => join(dataFolder, 'mirror.db'),
    flag: { helpValue: 'FILE' },
  },
  questions: {
    description: 'folder of your own saved questions, a file NAME.sql each',
    parse: anyText,
    default: ({ dataFolder }: DefaultContext) => join(dataFolder, 'questions'),
  },
  lang: {
    description: 'language of what people read: en or fr',
    parse: parseLanguageSetting,
    default: ({ env }: DefaultContext) => localeLanguage(env),
    flag: {
      description: 'language of what people read; that of the locale by default (HEMICYCLE_LANG)',
      options: [...languages],
    },
  },
  'group-order': {
    description: 'groups as they sit from left to right, of all chambers; without it pictures have bars, and no seats',
    parse: namesInOrder,
  },
  'audit-words': {
    description: 'words of the service in its moderation log that name nobody and are kept beyond those known',
    parse: wordsIn,
  },
  'semantic-search': {
    variable: 'FEATURE_SEMANTIC_SEARCH',
    description: 'on: `serve` and `search` answer semantic search themselves',
    parse: onOrOff,
    default: 'off',
  },
  'embeddings-url': {
    description: 'OpenAI-compatible service of embeddings for semantic search: http://127.0.0.1:11434/v1',
    parse: webAddressSetting,
  },
  'embeddings-model': { description: 'model that this service is asked for', parse: anyText },
  'embeddings-key': {
    description: 'key of the service of embeddings, sent to it alone',
    parse: headerSecret,
    isSecret: true,
  },
  'command-env': {
    description: 'variables that programs of watches get besides those of the user, the language and the session',
    parse: variableNames,
  },
  'smtp-url': {
    description: 'server that takes the mail of watches: smtps://user:password@mail.example:465',
    parse: smtpAddress,
    isSecret: true,
    isParsedLate: true,
  },
  'mail-from': {
    description: 'address in whose name watches send mail',
    parse: senderAddress,
    isParsedLate: true,
  },
} as const satisfies Record<string, Omit<SettingRow, 'variable'> & { variable?: string }>;

export const settingTable = Object.fromEntries(
  Object.entries(rows).map(([key, row]) => [
    key,
    { variable: `HEMICYCLE_${key.toUpperCase().replaceAll('-', '_')}`, ...row },
  ]),
) as { readonly [Key in keyof typeof rows]: (typeof rows)[Key] & { variable: string } };

export type SettingKey = keyof typeof settingTable;

export const settingKeys = Object.keys(settingTable) as SettingKey[];

/** A setting's row, with the optional properties that its literal type may lack. */
export const settingRow = (key: SettingKey): SettingRow => settingTable[key];

/** A setting's value for display; never a secret. */
export function shownValue(key: SettingKey, value: string | null): string | null {
  return settingRow(key).isSecret && value !== null ? '(set, not shown)' : value;
}

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type ValueOf<Row extends SettingRow> =
  | (Row extends { isParsedLate: true } ? string : ReturnType<Row['parse']>)
  | (Row extends { default: unknown } ? never : null);

/** Values by setting, `base-url` as `baseUrl`; null if not set. */
export type SettingValues = {
  readonly [Key in SettingKey as CamelCase<Key>]: ValueOf<(typeof settingTable)[Key]>;
};
