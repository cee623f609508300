import { Flags } from '@oclif/core';
import { citationOf, HemicycleCommand } from '../command.ts';
import { ConfigurationError } from '../errors.ts';
import { contents } from '../store/contents.ts';
import { viewerTokensFlag, viewerTokensPath } from '../token-command.ts';

export default class Serve extends HemicycleCommand {
  static override summary = 'run the whole service on this machine, from the mirror';
  static override examples = [
    { description: 'On http://127.0.0.1:8000/api/v1', command: '<%= config.bin %> serve' },
    {
      description: 'On any free port, without limits',
      command: '<%= config.bin %> serve --port 0 --rate-limit off',
    },
  ];
  static override flags = {
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
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const settings = this.settingsWith(flags);
    const mirror = this.mirror(settings);
    const { createApp } = await import('../server/app.ts');
    const { parseProxies } = await import('../server/trusted-proxies.ts');
    const app = await createApp({
      mirror,
      settings: {
        citation: citationOf(settings, mirror),
        rateLimit: flags['rate-limit'] === 'on',
        semantic: settings.semanticSearch,
        viewerTokenFile: viewerTokensPath(settings, flags['viewer-tokens']),
        trustedProxies: flags['trust-proxy'] === undefined ? [] : parseProxies(flags['trust-proxy']),
      },
      onFailure: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`),
    });
    const address = await app
      .listen({ host: flags.host, port: flags.port })
      .catch((error: NodeJS.ErrnoException) => {
        throw new ConfigurationError(
          `cannot listen on ${flags.host}:${flags.port} (${error.code ?? error.message})`,
          'choose another --port, or --port 0 for a free one',
        );
      });
    const records = contents(mirror).reduce((sum, each) => sum + each.records, 0);
    await this.sinks().stdout.write(`${address}/api/v1\n`);
    if (!flags.quiet) process.stderr.write(`serving ${records} records of ${settings.db}; Ctrl-C ends it\n`);
    const signal = await new Promise<NodeJS.Signals>((resolve) => {
      for (const each of ['SIGINT', 'SIGTERM'] as const) process.once(each, () => resolve(each));
    });
    await app.close();
    process.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}
