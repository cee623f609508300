import { join } from 'node:path';
import { parseSyncInterval, type ServeRun } from '../../server/run/settings.ts';
import { say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { choiceFlag, Flags, integerFlag, switchFlag, valueFlag } from '../oclif.ts';
import { ignoreEndSignals, limitHeapGrowth, onEndSignal, readerProgram } from '../process.ts';
import { viewerTokensFlag, viewerTokensPath } from '../token-command.ts';

export default class Serve extends HemicycleCommand {
  static override flags = {
    host: Flags.string({ description: 'address to listen on', default: '127.0.0.1' }),
    port: integerFlag('port; 0 for any free port', [0, 65_535], 8000),
    'rate-limit': choiceFlag(
      'on: 60 API requests per minute per address (240 pages), 600 per viewer token; off: no limit',
      ['on', 'off'],
      'on',
    ),
    'viewer-tokens': viewerTokensFlag,
    'trust-proxy': valueFlag(
      'trust X-Forwarded-For only from these addresses and networks (default: none)',
      'ADDRESS,…',
    ),
    'base-path': valueFlag('path prefix used by the proxy, added to all links (default: none)', '/PATH'),
    'allow-host': valueFlag('additional host names accepted on loopback', 'NAME,…'),
    'limit-store': Flags.string({
      description: 'share rate limits with other servers through this Redis or Valkey',
      helpValue: 'redis://…',
      env: 'HEMICYCLE_LIMIT_STORE',
    }),
    'limit-store-down': choiceFlag(
      'while the limit store does not respond: count locally (open) or refuse requests (closed)',
      ['open', 'closed'],
      'open',
    ),
    'sync-every': valueFlag('sync when the mirror reaches this age (6h)', 'DURATION'),
    edition: valueFlag('serve what `backup -o` writes there, and each newer backup', 's3://BUCKET/KEY', {
      exclusive: ['sync-every'],
    }),
    'edition-every': Flags.integer({
      description: 'seconds between requests for a newer edition (default: 60)',
      min: 1,
      max: 86_400,
      dependsOn: ['edition'],
    }),
    from: valueFlag('address of the service to sync from (HEMICYCLE_BASE_URL)', 'URL', { dependsOn: ['sync-every'] }),
    workers: integerFlag('number of server processes, up to one per core', [1, 64], 1),
    'operator-port': valueFlag(
      'serve /metrics (Prometheus) and /watches (watch reports) on this local port or Unix socket',
      'PORT|/PATH',
    ),
    mcp: Flags.boolean({ description: 'serve MCP for AI assistants at /mcp', default: false }),
    sql: valueFlag(
      'serve a page at /sql that runs any SELECT on this file, written by `export --sqlite`, and nothing else',
      'FILE',
    ),
    log: valueFlag('append one JSON object per response to this file, or to stderr (-)', 'FILE|-'),
    'check-config': switchFlag('check flags, settings, log and mirror without listening; exit 0 if they are usable'),
    'log-query': switchFlag('also log search queries', { dependsOn: ['log'] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    limitHeapGrowth({ nurseryMb: 8 });
    const settings = this.settingsWith({ 'base-url': flags.from });
    const sinks = this.sinks();
    const run: ServeRun = {
      flags,
      settings,
      viewerTokenFile: viewerTokensPath(settings, flags['viewer-tokens']),
      version: this.config.version,
      assetsFolder: join(this.config.root, 'dist/assets'),
      readerProgram: readerProgram(this.config.root),
      everyMs: parseSyncInterval(flags['sync-every'], settings),
      sinks,
      remark: (text) => flags.quiet || sinks.stderr(text),
      program: [process.execPath, process.argv[1] ?? ''],
      openMirror: () => this.mirror(settings),
      closeAtEnd: (opened) => this.closeAtEnd(opened),
      waitForSignal: () =>
        new Promise<number>((end) =>
          onEndSignal(end, {
            survivesHangup: flags.log !== undefined,
            onForced: () => sinks.stderr(say`ended at once: requests in progress were cut`),
          }),
        ),
    };
    const { serve, serveAsWorker } = await import('../../server/run/serve.ts');
    const pool = flags.workers > 1 ? await import('../../server/run/worker-pool.ts') : null;
    if (pool?.isWorker) {
      ignoreEndSignals();
      await serveAsWorker(run).catch((error) => {
        pool.leavePrimary();
        throw error;
      });
    } else {
      process.exitCode = await serve(run);
      // Without an edition the process ends by itself; the download of one would delay its end.
      if (flags.edition === undefined) return;
    }
    await this.finally(undefined);
    process.exit();
  }
}
