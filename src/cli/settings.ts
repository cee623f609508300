import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { ConfigurationError, UsageError } from '../errors.ts';
import { createFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';
import {
  type DefaultContext,
  refuseHighRate,
  type SettingKey,
  type SettingOrigin,
  type SettingValues,
  settingKeys,
  settingRow,
  settingTable,
} from './setting-table.ts';

/** The service of embeddings and its model. */
export type EmbeddingSettings = { url: string; model: string; key: string | null };

/** All settings of a run, immutable. `token` is null if it must not be used. */
export type Settings = ReturnType<typeof readSettings>;

type RawSetting = { value: string | null; origin: SettingOrigin };

type SettingFlags = Partial<Record<SettingKey, string>>;

/** Reads the settings: flags over environment over user config over defaults; throws an error for an invalid one. */
export function readSettings(env: NodeJS.ProcessEnv, flags: SettingFlags = {}) {
  const folders = readFolderPaths(env);
  const layers: Layers = { flags, env, userConfig: readUserConfig(folders.configPath) };
  const { error: tokenError, note: tokenNote, ...token } = readToken(layers);
  const context = { env, dataFolder: folders.data, token: token.value };
  const rawSettings = Object.fromEntries(
    settingKeys.map((key) => [key, key === 'token' ? token : readSetting(key, layers, context)]),
  ) as Record<SettingKey, RawSetting>;
  const parsedEntries = settingKeys.map((key) => {
    const name = key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return [name, parseSetting(key, rawSettings[key])];
  });
  const values = Object.fromEntries(parsedEntries) as SettingValues;
  refuseHighRate(values.rate, values.baseUrl, values.token);
  return Object.freeze({
    ...values,
    /** The user's citation of the service; it overrides the mirror's. */
    citation: {
      name: rawSettings['service-name'].origin === 'default' ? null : values.serviceName,
      siteUrl: values.siteUrl,
      publisher: values.publisher,
      contact: values.contact,
      publicUrl: values.publicUrl?.replace(/\/+$/, '') ?? null,
      goneSince: values.serviceGone,
    },
    /** Why the token is unusable; thrown before a request to the service. */
    tokenError,
    /** Why the token is not sent to this service; shown with requests to it. */
    tokenNote,
    embeddings: embeddingSettings(values, layers),
    stateFolder: folders.state,
    configPath: folders.configPath,
    rawSettings,
  });
}

/** The parsed value; throws a ConfigurationError for an invalid one, or a UsageError if a flag has it. */
function parseSetting(key: SettingKey, { value, origin }: RawSetting): unknown {
  const { isParsedOnUse, parse } = settingRow(key);
  if (value === null || isParsedOnUse) return value;
  try {
    return parse(value, key);
  } catch (error) {
    if (origin !== 'flag' || !(error instanceof ConfigurationError)) throw error;
    throw new UsageError(error.phrase, error.advice);
  }
}

/** Paths of the XDG base directories of this program, and of the user's settings file. */
export function readFolderPaths(env: NodeJS.ProcessEnv): { data: string; state: string; configPath: string } {
  const home = env.HOME || homedir();
  // Relative paths are to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  const absolutePathIn = (variable: string) => (isAbsolute(env[variable] ?? '') ? env[variable] : undefined);
  const folder = (variable: string, path: string) => join(absolutePathIn(variable) ?? join(home, path), 'hemicycle');
  return {
    data: folder('XDG_DATA_HOME', '.local/share'),
    state: folder('XDG_STATE_HOME', '.local/state'),
    configPath: join(folder('XDG_CONFIG_HOME', '.config'), 'config.json'),
  };
}

type Layers = { flags: SettingFlags; env: NodeJS.ProcessEnv; userConfig: Record<string, unknown> };

/** The value from the first layer that has one, else the default; a computed default needs `context`. */
function readSetting(key: SettingKey, { flags, env, userConfig }: Layers, context?: DefaultContext): RawSetting {
  const row = settingRow(key);
  const flag = flags[key];
  if (flag !== undefined) return { value: flag, origin: 'flag' };
  const variable = env[row.variable];
  if (variable) return { value: variable, origin: 'environment' };
  const userValue = userConfig[key];
  if (typeof userValue === 'string' && userValue !== '') return { value: userValue, origin: 'user config' };
  const value = typeof row.default === 'function' ? context && row.default(context) : row.default;
  return { value: value ?? null, origin: 'default' };
}

/** The token by flag or environment, else of the token file, else of the user config; with the reason if unusable. */
function readToken(layers: Layers) {
  const tokenSetting = readSetting('token', layers);
  const tokenFile = readSetting('token-file', layers);
  const readsFile = tokenFile.value !== null && !['flag', 'environment'].includes(tokenSetting.origin);
  const { origin } = readsFile ? tokenFile : tokenSetting;
  // A token of the user config is for the configured service only, even if a flag or variable names another.
  const urlOrigins = origin === 'user config' ? differingUrlOrigins('base-url', layers) : null;
  const note =
    urlOrigins &&
    say`the configured token is for ${urlOrigins.configuredOrigin} and is not sent to ${urlOrigins.requestedOrigin}`;
  if (note !== null) return { value: null, origin, error: null, note };
  try {
    const value = readsFile ? readTokenFile(tokenFile.value ?? '') : tokenSetting.value;
    if (value !== null) settingTable.token.parse(value, 'token');
    return { value, origin, error: null, note };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { value: null, origin, error, note };
  }
}

/** URL origins in use and as configured (else by default, else by environment); null if equal or one is missing. */
function differingUrlOrigins(key: 'base-url' | 'embeddings-url', layers: Layers) {
  const originOf = (url: string | null) => url && new URL(settingTable[key].parse(url, key)).origin;
  const requestedOrigin = originOf(readSetting(key, layers).value);
  const configured = readSetting(key, { ...layers, flags: {}, env: {} }).value;
  const configuredOrigin = originOf(configured ?? readSetting(key, { ...layers, flags: {} }).value);
  if (!requestedOrigin || !configuredOrigin || requestedOrigin === configuredOrigin) return null;
  return { requestedOrigin, configuredOrigin };
}

function readTokenFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    throw new ConfigurationError(
      say`the token's file ${path} cannot be read (${(error as { code?: string }).code})`,
      say`it is needed to ask the service: check HEMICYCLE_TOKEN_FILE or \`hemicycle config unset token-file\``,
    );
  }
}

/** The embeddings service; null without URL or model. A configured key is sent only to the configured URL. */
function embeddingSettings(
  { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key }: SettingValues,
  layers: Layers,
): EmbeddingSettings | null {
  if (url === null || model === null) return null;
  const isConfiguredKey = readSetting('embeddings-key', layers).origin === 'user config';
  return { url, model, key: isConfiguredKey && differingUrlOrigins('embeddings-url', layers) ? null : key };
}

/** Reads the user's settings; {} without a readable file. `conf` writes this JSON, but its import slows every start. */
export function readUserConfig(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) return {};
    throw new ConfigurationError(say`${path} is not JSON`, say`fix it, or delete it and use \`hemicycle config set\``);
  }
}

/** Opens a JSON object in a file that only the user can read; `set` and `delete` replace the file atomically. */
export async function openPrivateFile<Value = unknown>(path: string) {
  // `conf` creates folders with `recursive`, which can hang (see `createFolder`).
  createFolder(dirname(path));
  const { default: Conf } = await import('conf');
  return new Conf<Record<string, Value>>({
    cwd: dirname(path),
    configName: basename(path),
    fileExtension: '',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}
