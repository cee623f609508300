import { join } from 'node:path';
import { type ServeRun, syncEvery } from '../../server/run/settings.ts';
import { HemicycleCommand } from '../base-command.ts';
import { Flags, switchFlag, valueFlag } from '../oclif.ts';
import { keepHeapSmall, leaveEndSignals, onEndSignal, readerProgram } from '../process.ts';
import { viewerTokensFlag, viewerTokensPath } from '../token-command.ts';

export default class Serve extends HemicycleCommand {
  static override flags = {
    host: Flags.string({ description: 'address to listen on', default: '127.0.0.1' }),
    port: Flags.integer({ description: 'port; 0 takes a free one', min: 0, max: 65_535, default: 8000 }),
    'rate-limit': Flags.string({
      description: '60 requests a minute for each address and 600 for each viewer token, or no limits',
      options: ['on', 'off'],
      default: 'on',
    }),
    'viewer-tokens': viewerTokensFlag,
    'trust-proxy': valueFlag(
      'believe X-Forwarded-For from these addresses and networks only (default: from nobody)',
      'ADDRESS,…',
    ),
    'base-path': valueFlag(
      'path below which a proxy makes it known, which all its links then begin with (default: none)',
      '/PATH',
    ),
    'allow-host': valueFlag('names by which it may be asked on loopback, beside those of this machine', 'NAME,…'),
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
    'sync-every': valueFlag('sync whenever the mirror is as old as that (6h)', 'DURATION'),
    from: valueFlag('address of the service to sync from (HEMICYCLE_BASE_URL)', 'URL', {
      dependsOn: ['sync-every'],
    }),
    workers: Flags.integer({
      description: 'processes that answer, up to one for each core',
      min: 1,
      max: 64,
      default: 1,
    }),
    'operator-port': valueFlag(
      'show /metrics for Prometheus, and under /watches what the watches told, on that port of this machine, or a Unix socket',
      'PORT|/PATH',
    ),
    mcp: Flags.boolean({ description: 'let assistants ask by MCP at /mcp', default: false }),
    sql: valueFlag('a page at /sql for any SELECT over a file that `export --sqlite` wrote, and nothing else', 'FILE'),
    log: valueFlag('append one JSON object for every answer to a file, or write it to stderr (-)', 'FILE|-'),
    'log-query': switchFlag('log what was asked for, too', { dependsOn: ['log'] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    keepHeapSmall(8);
    const settings = this.settingsWith({ 'base-url': flags.from });
    const sinks = this.sinks();
    const run: ServeRun = {
      flags,
      settings,
      viewerTokenFile: viewerTokensPath(settings, flags['viewer-tokens']),
      version: this.config.version,
      assetsFolder: join(this.config.root, 'dist/assets'),
      readerProgram: readerProgram(this.config.root),
      everyMs: syncEvery(flags['sync-every'], settings),
      sinks,
      remark: (text) => flags.quiet || sinks.stderr(text),
      program: [process.execPath, process.argv[1] ?? ''],
      openMirror: () => this.mirror(settings),
      closing: (opened) => this.closing(opened),
      ended: () => new Promise<number>((end) => onEndSignal(end)),
    };
    const { serve, serveAsWorker } = await import('../../server/run/serve.ts');
    const pool = flags.workers > 1 ? await import('../../server/run/worker-pool.ts') : null;
    if (!pool?.isWorker) {
      process.exitCode = await serve(run);
      return;
    }
    leaveEndSignals();
    await serveAsWorker(run).catch((error) => {
      pool.leavePrimary();
      throw error;
    });
    await this.finally(undefined);
    process.exit(0);
  }
}
