import { Flags } from './oclif.ts';
import { viewerTokensFlag } from './token-command.ts';

/** The flags of `serve`. */
export const serveFlags = {
  host: Flags.string({ description: 'address to listen on', default: '127.0.0.1' }),
  port: Flags.integer({ description: 'port; 0 takes a free one', min: 0, max: 65_535, default: 8000 }),
  'rate-limit': Flags.string({
    description: '60 requests a minute for each address and 600 for each viewer token, or no limits',
    options: ['on', 'off'],
    default: 'on',
  }),
  'viewer-tokens': viewerTokensFlag,
  'trust-proxy': Flags.string({
    description: 'believe X-Forwarded-For from these addresses and networks only (default: from nobody)',
    helpValue: 'ADDRESS,…',
  }),
  'base-path': Flags.string({
    description:
      'path below which a proxy makes it known, which all its links then begin with (default: none)',
    helpValue: '/PATH',
  }),
  'allow-host': Flags.string({
    description: 'names by which it may be asked on loopback, beside those of this machine',
    helpValue: 'NAME,…',
  }),
  'limit-store': Flags.string({
    description: 'count requests in that Redis or Valkey, together with other servers',
    helpValue: 'redis://…',
    env: 'HEMICYCLE_LIMIT_STORE',
  }),
  'limit-store-down': Flags.string({
    description: 'while that does not answer, count alone (open) or refuse requests (closed)',
    options: ['open', 'closed'],
    default: 'open',
  }),
  'sync-every': Flags.string({
    description: 'sync whenever the mirror is as old as that (6h)',
    helpValue: 'DURATION',
  }),
  from: Flags.string({
    description: 'address of the service to sync from (HEMICYCLE_BASE_URL)',
    helpValue: 'URL',
    dependsOn: ['sync-every'],
  }),
  workers: Flags.integer({
    description: 'processes that answer, up to one for each core',
    min: 1,
    max: 64,
    default: 1,
  }),
  'metrics-port': Flags.integer({
    description: 'show /metrics for Prometheus on that port; 0 takes a free one',
    min: 0,
    max: 65_535,
  }),
  'metrics-host': Flags.string({ description: 'address to show /metrics on', default: '127.0.0.1' }),
  mcp: Flags.boolean({
    description: 'let assistants ask by MCP at /mcp: those on this machine, or with a viewer token',
    default: false,
  }),
  log: Flags.string({
    description: 'append one JSON object for every answer to a file, or write it to stderr (-)',
    helpValue: 'FILE|-',
  }),
  'log-query': Flags.boolean({ description: 'log what was asked for, too', dependsOn: ['log'] }),
  watches: Flags.boolean({
    description:
      'show what the watches of the mirror told, under /watches; by default only where nobody else can ask',
    allowNo: true,
  }),
};
