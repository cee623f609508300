import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../errors.ts';
import { defaultServiceName, webAddress } from '../model/attribution.ts';
import { partsOfList } from '../model/document.ts';
import { wordsIn } from '../model/identity-guard.ts';
import { isRelative, parseDay } from '../model/moment.ts';
import { readCommuneLines } from '../questions/places.ts';
import { senderAddress, smtpAddress } from '../service/mail.ts';
import { type Language, languageOfTag, languages, localeLanguage } from '../words/language.ts';
import { say } from '../words/speech.ts';

/** Sources of a value, in order of precedence. */
export type SettingOrigin = 'flag' | 'environment' | 'user config' | 'default';

/** Context that a default may depend on. */
export type DefaultContext = { env: Record<string, string | undefined>; dataFolder: string; token: string | null };

/** One setting, the source for environment, `config`, flags, help, `doctor` and redaction. */
export type SettingRow = {
  variable: string;
  description: string;
  /** Throws a ConfigurationError for an invalid text; never called with an empty one. By default any text is valid. */
  parse: (text: string, name: string) => unknown;
  default?: string | ((context: DefaultContext) => string); // without one, the setting is null if not set
  /** True for a value that is never shown nor read from a command line. */
  isSecret?: true;
  /** True if `Settings` keeps the text, parsed where it is used. */
  isParsedOnUse?: true;
  isPath?: true; // `config set` saves it as an absolute path
  /** Properties of the setting's flag, which every command has; they override the description. */
  flag?: { description?: string; helpValue?: string; options?: string[] };
};

/** Every setting by name, each documented in docs/reference. Its variable is by default `HEMICYCLE_` and the name. */
const rows = {
  'base-url': { description: 'address of the service, ending in /api/v1', parse: parseServiceAddress },
  'site-url': { description: 'public address of the service, linked in every attribution', parse: parseWebAddress },
  'service-name': { description: 'name of the service, shown in every attribution', default: defaultServiceName },
  'service-gone': {
    description:
      'date on which the service shut down permanently, shown in every attribution; syncs then send no requests',
    parse: parsePastDay,
  },
  publisher: { description: 'publisher of this copy, a person or an organisation, named on its pages' },
  contact: { description: 'contact of the publisher: an email address or a URL' },
  'public-url': { description: 'public URL of this mirror’s pages, linked in watch messages', parse: parseWebAddress },
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
    parse: readCommuneLines,
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
  'mail-from': { description: 'sender address of watch emails', parse: senderAddress, isParsedOnUse: true },
} as const satisfies Record<string, Partial<SettingRow> & Pick<SettingRow, 'description'>>;

/** The settings by key: `rows` with their environment variable; without a parser, any text is valid. */
export const settingTable = Object.fromEntries(
  Object.entries(rows).map(([key, row]) => [
    key,
    { variable: `HEMICYCLE_${key.toUpperCase().replaceAll('-', '_')}`, parse: (text: string) => text, ...row },
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
export type SettingValues = { readonly [Key in SettingKey as CamelCase<Key>]: ValueOf<(typeof rows)[Key]> };

/** Accepts a secret of visible ASCII, as an HTTP header requires; throws a ConfigurationError for others. */
function parseHeaderSecret(text: string, name: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new ConfigurationError(
    say`${name} contains characters that are not allowed in a header, such as spaces`,
    say`it was not used; check it where it is set, or \`hemicycle config set ${name} < FILE\``,
  );
}

function parseLanguageSetting(tag: string): Language {
  const language = languageOfTag(tag);
  if (language !== null) return language;
  throw new ConfigurationError(say`lang: "${tag}" is not a supported language`, say`write en or fr`);
}

function parseOnOff(text: string, name: string): boolean {
  if (/^(1|on|true|yes|enabled)$/i.test(text)) return true;
  if (/^(0|off|false|no|disabled)$/i.test(text)) return false;
  throw new ConfigurationError(say`${name}: "${text}" is neither on nor off`, say`write on or off`);
}

/** The service's base address without a trailing slash; a bare host gets the path /api/v1. */
function parseServiceAddress(text: string, name: string): string {
  const url = new URL(parseWebAddress(text, name));
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api/v1' : path}`;
}

/** Parses a past day, as people write it, to `YYYY-MM-DD`; throws a ConfigurationError for others. */
function parsePastDay(text: string, name: string): string {
  const day = isRelative(text) ? null : parseDay(text, Date.now(), 'start');
  if (day !== null && Date.parse(day) <= Date.now()) return day;
  throw new ConfigurationError(say`${name}: "${text}" is not a past date`, say`write 2026-04-30 or 30/04/2026`);
}

function parseVariableNames(text: string, name: string): string[] {
  const names = text.split(/[\s,]+/).filter((each) => each !== '');
  if (names.every((each) => /^[A-Za-z_]\w*$/.test(each))) return names;
  const hint = say`write only their names: DISPLAY,NEWSROOM_KEY`;
  throw new ConfigurationError(say`${name}: "${text}" is not a list of variables`, hint);
}

/** Accepts a web address without credentials; throws a ConfigurationError for others. */
function parseWebAddress(text: string, name: string): string {
  const address = webAddress(text);
  if (address !== null) return address;
  throw new ConfigurationError(
    // Hide the user and the password, which precede the @.
    say`${name}: "${text.slice(text.lastIndexOf('@') + 1)}" is not a web address`,
    say`it should look like https://service.example/api/v1`,
  );
}

function parseHeaderTemplate(text: string, name: string): string {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:\s*\S/.test(text) && text.includes('{token}') && !/[\r\n]/.test(text)) return text;
  const hint = say`for example "X-Api-Key: {token}"`;
  throw new ConfigurationError(say`${name} is not a header that contains {token}`, hint);
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (Number.isInteger(rate) && rate >= 1 && rate <= 10_000_000) return rate;
  throw new ConfigurationError(say`the rate "${text}" is not a whole number of requests a minute`);
}

/** The budget that the service grants: 60 requests a minute, 600 with a token. */
export const allowedRate = (token: string | null): number => (token === null ? 60 : 600);

/** Throws a ConfigurationError for a rate above the service's limit, except on a local or private network. */
export function refuseHighRate(rate: number, baseUrl: string | null, token: string | null): void {
  const maxRate = allowedRate(token);
  if (rate <= maxRate || baseUrl === null || isPrivateHost(new URL(baseUrl).hostname)) return;
  throw new ConfigurationError(
    say`${rate} requests per minute exceeds the limit of the service, ${maxRate}`,
    say`a higher rate is only allowed for your own server, on this machine or a private network`,
  );
}

/** True for this machine, private addresses, and names that only a private network resolves. */
function isPrivateHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(address)) return /(^|\.)localhost$|\.(local|internal)$/.test(host);
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}
