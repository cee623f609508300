import { join } from 'node:path';
import { defaultServiceName } from '../model/attribution.ts';
import { partsOfList } from '../model/document.ts';
import { wordsIn } from '../model/identity-guard.ts';
import { readPlaces } from '../questions/places.ts';
import { senderAddress, smtpAddress } from '../service/mail.ts';
import { languages, localeLanguage } from '../words/language.ts';
import {
  allowedRate,
  parseHeaderSecret,
  parseHeaderTemplate,
  parseLanguageSetting,
  parseOnOff,
  parsePastDay,
  parseRate,
  parseServiceAddress,
  parseVariableNames,
  parseWebAddress,
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
  /** Throws a ConfigurationError for an invalid text; never called with an empty one. By default any text is valid. */
  parse: (text: string, name: string) => unknown;
  default?: string | ((context: DefaultContext) => string);
  /** True for a value that is never shown nor read from a command line. */
  isSecret?: true;
  /** True if `Settings` keeps the text, parsed where it is used. */
  isParsedOnUse?: true;
  isPath?: true;
  /** Properties of the setting's flag, which every command has; they override the description. */
  flag?: { description?: string; helpValue?: string; options?: string[] };
};

/** Every setting by name, each documented in docs/reference. Its variable is `HEMICYCLE_` and the name. */
const rows = {
  'base-url': { description: 'address of the service, ending in /api/v1', parse: parseServiceAddress },
  'site-url': {
    description: 'public address of the service, linked in every attribution',
    parse: parseWebAddress,
  },
  'service-name': {
    description: 'name of the service, shown in every attribution',
    default: defaultServiceName,
  },
  'service-gone': {
    description:
      'date on which the service shut down permanently, shown in every attribution; syncs then send no requests',
    parse: parsePastDay,
  },
  publisher: { description: 'publisher of this copy, a person or an organisation, named on its pages' },
  contact: { description: 'contact of the publisher: an email address or a URL' },
  'public-url': {
    description: 'public URL of this mirror’s pages, linked in watch messages',
    parse: parseWebAddress,
  },
  token: {
    description: 'viewer token; raises the rate limit from 60 to 600 requests per minute',
    parse: parseHeaderSecret,
    isSecret: true,
    isParsedOnUse: true,
  },
  'token-file': { description: 'file that contains the token, for mounted secrets' },
  'auth-header': {
    description: 'header that carries the token, with {token} as placeholder',
    parse: parseHeaderTemplate,
    default: 'Authorization: Bearer {token}',
  },
  rate: {
    description: 'requests per minute; above the limit of the service only for your own server',
    parse: parseRate,
    default: ({ token }: DefaultContext) => String(allowedRate(token)),
  },
  db: {
    description: 'path of the mirror',
    default: ({ dataFolder }: DefaultContext) => join(dataFolder, 'mirror.db'),
    flag: { helpValue: 'FILE' },
  },
  questions: {
    description: 'folder of your saved questions, one file NAME.sql each',
    default: ({ dataFolder }: DefaultContext) => join(dataFolder, 'questions'),
  },
  places: {
    description: 'table of communes for --place: CSV with postcode, commune, department and constituency',
    parse: readPlaces,
    isPath: true,
    isParsedOnUse: true,
  },
  lang: {
    description: 'language of messages and pages: en or fr',
    parse: parseLanguageSetting,
    default: ({ env }: DefaultContext) => localeLanguage(env),
    flag: {
      description: 'language of messages and pages; by default that of the locale (HEMICYCLE_LANG)',
      options: [...languages],
    },
  },
  'group-order': {
    description:
      'seating order of the groups of all chambers, from left to right; without it, seats are arranged by vote',
    parse: partsOfList,
  },
  'audit-words': {
    description: 'additional words of the moderation log that identify nobody and may be stored',
    parse: wordsIn,
  },
  'semantic-search': {
    variable: 'FEATURE_SEMANTIC_SEARCH',
    description: 'on: `serve` and `search` run semantic searches locally',
    parse: parseOnOff,
    default: 'off',
  },
  'embeddings-url': {
    description: 'OpenAI-compatible embeddings service for semantic search: http://127.0.0.1:11434/v1',
    parse: parseWebAddress,
  },
  'embeddings-model': { description: 'model of the embeddings service' },
  'embeddings-key': {
    description: 'API key of the embeddings service, sent only to it',
    parse: parseHeaderSecret,
    isSecret: true,
  },
  'command-env': {
    description: 'additional environment variables passed to watch programs',
    parse: parseVariableNames,
  },
  'smtp-url': {
    description: 'mail server for watches: smtps://user:password@mail.example:465',
    parse: smtpAddress,
    isSecret: true,
    isParsedOnUse: true,
  },
  'mail-from': {
    description: 'sender address of watch emails',
    parse: senderAddress,
    isParsedOnUse: true,
  },
} as const satisfies Record<string, Partial<SettingRow> & Pick<SettingRow, 'description'>>;

export const settingTable = Object.fromEntries(
  Object.entries(rows).map(([key, row]) => [
    key,
    {
      variable: `HEMICYCLE_${key.toUpperCase().replaceAll('-', '_')}`,
      parse: (text: string) => text,
      ...row,
    },
  ]),
) as {
  readonly [Key in keyof typeof rows]: { parse(text: string): string } & (typeof rows)[Key] & { variable: string };
};

export type SettingKey = keyof typeof settingTable;

export const settingKeys = Object.keys(settingTable) as SettingKey[];

/** A setting's row, with the optional properties that its literal type may lack. */
export const settingRow = (key: SettingKey): SettingRow => settingTable[key];

/** A setting's value for display; never a secret. */
export function displayValue(key: SettingKey, value: string | null): string | null {
  return settingRow(key).isSecret && value !== null ? '(set, not shown)' : value;
}

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type ValueOf<Row> =
  | (Row extends { parse: (...input: never[]) => infer Value; isParsedOnUse?: never } ? Value : string)
  | (Row extends { default: unknown } ? never : null);

/** Values by setting, `base-url` as `baseUrl`; null if not set. */
export type SettingValues = {
  readonly [Key in SettingKey as CamelCase<Key>]: ValueOf<(typeof rows)[Key]>;
};
