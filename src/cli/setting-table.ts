/** Where a value came from: the first of these that states it wins. */
export type SettingOrigin = 'flag' | 'environment' | 'user config' | 'default';

export type SettingKey =
  | 'base-url'
  | 'site-url'
  | 'service-name'
  | 'token'
  | 'token-file'
  | 'auth-header'
  | 'rate'
  | 'db'
  | 'lang'
  | 'max-answer'
  | 'max-export'
  | 'semantic-search'
  | 'thesaurus'
  | 'embeddings-url'
  | 'embeddings-model'
  | 'embeddings-key'
  | 'smtp-url'
  | 'mail-from';

/** Every setting: its environment variable and what it is for. */
export const settingTable: Record<SettingKey, { variable: string; description: string }> = {
  'base-url': { variable: 'HEMICYCLE_BASE_URL', description: 'address of the service, ending in /api/v1' },
  'site-url': {
    variable: 'HEMICYCLE_SITE_URL',
    description: 'public address of the service, linked by every attribution',
  },
  'service-name': {
    variable: 'HEMICYCLE_SERVICE_NAME',
    description: 'name of the service, cited by every attribution',
  },
  token: {
    variable: 'HEMICYCLE_TOKEN',
    description: 'viewer token; raises the budget from 60 to 600 requests a minute',
  },
  'token-file': {
    variable: 'HEMICYCLE_TOKEN_FILE',
    description: 'file that holds the token, for secrets that are mounted',
  },
  'auth-header': {
    variable: 'HEMICYCLE_AUTH_HEADER',
    description: 'header that carries the token, with {token} in its place',
  },
  rate: {
    variable: 'HEMICYCLE_RATE',
    description: 'requests a minute; more than the service allows only for a server of your own',
  },
  db: { variable: 'HEMICYCLE_DB', description: 'path of the mirror' },
  lang: { variable: 'HEMICYCLE_LANG', description: 'language of what people read: en or fr' },
  'max-answer': {
    variable: 'HEMICYCLE_MAX_ANSWER',
    description: 'largest JSON answer that is taken, after decompression',
  },
  'max-export': {
    variable: 'HEMICYCLE_MAX_EXPORT',
    description: 'largest dataset that is taken, after decompression',
  },
  'semantic-search': {
    variable: 'FEATURE_SEMANTIC_SEARCH',
    description: 'on: `serve` and `search` answer semantic search themselves',
  },
  thesaurus: {
    variable: 'HEMICYCLE_THESAURUS',
    description:
      'thesaurus of semantic search: a MyThes file (.dat, its .idx beside it), or off; that of Debian or LibreOffice where there is one',
  },
  'embeddings-url': {
    variable: 'HEMICYCLE_EMBEDDINGS_URL',
    description: 'OpenAI-compatible service of embeddings for semantic search: http://127.0.0.1:11434/v1',
  },
  'embeddings-model': {
    variable: 'HEMICYCLE_EMBEDDINGS_MODEL',
    description: 'model that this service is asked for',
  },
  'embeddings-key': {
    variable: 'HEMICYCLE_EMBEDDINGS_KEY',
    description: 'key of the service of embeddings, sent to it alone',
  },
  'smtp-url': {
    variable: 'HEMICYCLE_SMTP_URL',
    description: 'server that takes the mail of watches: smtps://user:password@mail.example:465',
  },
  'mail-from': {
    variable: 'HEMICYCLE_MAIL_FROM',
    description: 'address in whose name watches send mail',
  },
};

export const settingKeys = Object.keys(settingTable) as SettingKey[];

const secrets: readonly string[] = ['token', 'embeddings-key', 'smtp-url'] satisfies SettingKey[];

/** True for a setting that is never shown, nor taken from a command line. */
export function isSecret(key: string): boolean {
  return secrets.includes(key);
}

/** A setting's value as it may be shown: secrets never are. */
export function shownValue(key: string, value: string | null): string | null {
  return isSecret(key) && value !== null ? '(set, not shown)' : value;
}
