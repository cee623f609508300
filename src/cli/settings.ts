import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ConfigurationError } from '../errors.ts';
import { defaultServiceName, type StatedCitation } from '../model/attribution.ts';
import { type Language, localeLanguage } from '../words/language.ts';
import { say, type UserText } from '../words/speech.ts';
import { type EmbeddingSettings, embeddingSettings } from './embedding-settings.ts';
import {
  allowedRate,
  baseUrlOf,
  bytesOf,
  checkToken,
  headerOf,
  languageNamed,
  rateOf,
  statedAddress,
} from './setting-forms.ts';
import { type SettingKey, type SettingOrigin, settingKeys, settingTable } from './setting-table.ts';
import { readUserConfig } from './user-config.ts';

type Environment = Record<string, string | undefined>;

/** All settings of a run; made once, read only. */
export type Settings = {
  baseUrl: string | null;
  /** How the user wants the service cited; it wins over what a mirror remembers. */
  citation: StatedCitation;
  token: string | null;
  /** What keeps the stated token from being used; to be thrown where the service is asked. */
  tokenTrouble: ConfigurationError | null;
  /** Why a token is kept back from this service; to be told where it is asked. */
  tokenNote: UserText | null;
  authHeader: string;
  /** Requests a minute. */
  rate: number;
  maxAnswerBytes: number;
  maxExportBytes: number;
  db: string;
  /** What people are spoken to in. */
  language: Language;
  semanticSearch: boolean;
  /** A file, `off`, or null for one that is found. */
  thesaurus: string | null;
  /** The service of embeddings that semantic search goes by; null for none. */
  embeddings: EmbeddingSettings | null;
  stateFolder: string;
  configPath: string;
  /** The stated text of each setting and where it came from. */
  stated: Record<SettingKey, { value: string | null; origin: SettingOrigin }>;
};

/** The settings of a run: flags over environment over user config over defaults. */
export function readSettings(env: Environment, flags: Partial<Record<SettingKey, string>> = {}): Settings {
  const folders = foldersOf(env);
  const user = readUserConfig(folders.configPath);
  const defaults: Partial<Record<SettingKey, string>> = {
    'service-name': defaultServiceName,
    'auth-header': 'Authorization: Bearer {token}',
    'semantic-search': 'off',
    'max-answer': '64MB',
    'max-export': '2GB',
    db: join(folders.data, 'mirror.db'),
    lang: localeLanguage(env),
  };
  const {
    trouble: tokenTrouble,
    note: tokenNote,
    ...tokenState
  } = tokenStateOf({ flags, env, user, defaults });
  defaults.rate = String(allowedRate(tokenState.value));
  const stated = Object.fromEntries(
    settingKeys.map((key) => [key, stateOf(key, { flags, env, user, defaults })]),
  ) as Settings['stated'];
  stated.token = tokenState;
  const baseUrl = stated['base-url'].value === null ? null : baseUrlOf(stated['base-url'].value);
  const token = stated.token.value;
  return Object.freeze({
    baseUrl,
    citation: {
      name: stated['service-name'].origin === 'default' ? null : stated['service-name'].value,
      siteUrl:
        stated['site-url'].value === null
          ? null
          : statedAddress(stated['site-url'].value, 'HEMICYCLE_SITE_URL'),
    },
    token,
    tokenTrouble,
    tokenNote,
    authHeader: headerOf(stated['auth-header'].value ?? ''),
    rate: rateOf(stated.rate.value, { baseUrl, token }),
    maxAnswerBytes: bytesOf('max-answer', stated['max-answer'].value),
    maxExportBytes: bytesOf('max-export', stated['max-export'].value),
    db: stated.db.value ?? '',
    language: languageNamed(stated.lang.value ?? ''),
    semanticSearch: /^(1|on|true|yes)$/i.test(stated['semantic-search'].value ?? ''),
    thesaurus: stated.thesaurus.value,
    embeddings: embeddingSettings(stated, user),
    stateFolder: folders.state,
    configPath: folders.configPath,
    stated,
  });
}

/** The path of the settings that are kept for this user. */
export function userConfigPath(env: Environment): string {
  return foldersOf(env).configPath;
}

/** The folders of the XDG base directory specification. */
function foldersOf(env: Environment): { data: string; state: string; configPath: string } {
  const home = env.HOME || homedir();
  // A path that is not absolute is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  const stated = (variable: string) => (isAbsolute(env[variable] ?? '') ? env[variable] : undefined);
  const folder = (variable: string, fallback: string) =>
    join(stated(variable) ?? join(home, fallback), 'hemicycle');
  return {
    data: folder('XDG_DATA_HOME', '.local/share'),
    state: folder('XDG_STATE_HOME', '.local/state'),
    configPath: join(folder('XDG_CONFIG_HOME', '.config'), 'config.json'),
  };
}

type Layers = {
  flags: Partial<Record<SettingKey, string>>;
  env: Environment;
  user: Record<string, unknown>;
  defaults: Partial<Record<SettingKey, string>>;
};

function stateOf(
  key: SettingKey,
  { flags, env, user, defaults }: Layers,
): { value: string | null; origin: SettingOrigin } {
  const flag = flags[key];
  if (flag !== undefined) return { value: flag, origin: 'flag' };
  const variable = env[settingTable[key].variable];
  if (variable) return { value: variable, origin: 'environment' };
  const kept = user[key];
  if (typeof kept === 'string' && kept !== '') return { value: kept, origin: 'user config' };
  return { value: defaults[key] ?? null, origin: 'default' };
}

type TokenState = {
  value: string | null;
  origin: SettingOrigin;
  trouble: ConfigurationError | null;
  note: UserText | null;
};

/**
 * The token: stated itself, else in the file that is named, else kept for the user. One that cannot be used troubles
 * those only who ask the service; one kept for the user goes to no other service than the user's own.
 */
function tokenStateOf(layers: Layers): TokenState {
  const stated = stateOf('token', layers);
  const file = stateOf('token-file', layers);
  const isNearer = stated.origin === 'environment' || stated.origin === 'flag' || file.value === null;
  const origin = isNearer ? stated.origin : file.origin;
  const note = origin === 'user config' ? otherService(layers) : null;
  if (note !== null) return { value: null, origin, trouble: null, note };
  try {
    const value = isNearer ? stated.value : readToken(file.value ?? '');
    if (value !== null) checkToken(value);
    return { value, origin, trouble: null, note };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { value: null, origin, trouble: error, note };
  }
}

/** Says so where a flag names another service than the one that the user set; null where it does not. */
function otherService(layers: Layers): UserText | null {
  const named = layers.flags['base-url'];
  const own = stateOf('base-url', { ...layers, flags: {} }).value;
  if (named === undefined || own === null) return null;
  const [asked, kept] = [new URL(baseUrlOf(named)).origin, new URL(baseUrlOf(own)).origin];
  return asked === kept
    ? null
    : say`the token of your configuration is for ${kept} and is not sent to ${asked}`;
}

function readToken(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    throw new ConfigurationError(
      say`the token's file ${path} cannot be read (${(error as { code?: string }).code})`,
      say`it is needed to ask the service: check HEMICYCLE_TOKEN_FILE or \`hemicycle config unset token-file\``,
    );
  }
}
