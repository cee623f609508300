import { join } from 'node:path';
import { type ServeRun, syncEvery } from '../../server/run/settings.ts';
import { type CommonFlags, HemicycleCommand } from '../base-command.ts';
import { examples } from '../oclif.ts';
import { keepHeapSmall, leaveEndSignals, onEndSignal } from '../process.ts';
import { readerProgram } from '../reader-program.ts';
import { serveFlags } from '../serve-flags.ts';
import { viewerTokensPath } from '../token-command.ts';

export default class Serve extends HemicycleCommand {
  static override summary = 'run the whole service on this machine, from the mirror';
  static override examples = examples(
    ['On http://127.0.0.1:8000/api/v1', 'serve'],
    ['On any free port, without limits', 'serve --port 0 --rate-limit off'],
    [
      'Behind a proxy on this machine, brought up to date four times a day',
      'serve --trust-proxy 127.0.0.1 --allow-host data.example --sync-every 6h',
    ],
  );
  static override flags = serveFlags;

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
      socket: openedSocket(flags),
      program: [process.execPath, process.argv[1] ?? ''],
      openMirror: () => this.mirror(settings),
      closing: (opened) => this.closing(opened),
      ended: () => new Promise<number>(onEndSignal),
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

/** The first socket that systemd opened for this process, or for the one that started it as a worker. */
function openedSocket({ workers }: CommonFlags & { workers: number }): { fd: number } | null {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  const isOurs = Number(LISTEN_PID) === process.pid || (workers > 1 && Number(LISTEN_PID) === process.ppid);
  // https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html
  return isOurs && Number(LISTEN_FDS) >= 1 ? { fd: 3 } : null;
}
