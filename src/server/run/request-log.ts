import cluster from 'node:cluster';
import { once } from 'node:events';
import { BadTargetError, HemicycleError } from '../../errors.ts';
import { sanitiseText } from '../../format/sanitise.ts';
import { codeOf } from '../../format/sink.ts';
import { say } from '../../words/speech.ts';
import type { ObservedResponse } from '../response-observers.ts';
import type { ServeRun } from './settings.ts';

/** Log of a server: JSON lines in the file of `--log` (`-`: stderr), without it text on stderr. */
export type ServerLog = {
  observe?(responseFields: ObservedResponse): void; // logs a response; only with `--log`
  logError(error: unknown): void;
  note(text: string): void;
  logExit(command: string, exit: number): void; // exit code of a child process
};

const stderrDescriptor = 2;

/** Signals that reopen the log file after a program such as logrotate moved it; without effect on stderr. */
const reopenSignals = ['SIGHUP', 'SIGUSR2'] as const;

/** Opens the log of a server; it contains no client addresses, and query strings only with `--log-query`. */
export async function openServerLog({ flags, sinks, closeAtEnd, remark }: ServeRun): Promise<ServerLog> {
  if (flags.log === undefined)
    return {
      logError: (error) => sinks.stderr(failureText(error)),
      note: remark,
      logExit: (command, exit) => remark(exit === 0 ? `${command}: done` : `${command} failed: exit ${exit}`),
    };
  const { pino } = await import('pino');
  const dest = flags.log === '-' ? stderrDescriptor : flags.log;
  const target = pino.destination({ dest, append: true, sync: false, mode: 0o640 });
  await once(target, 'ready').catch((error) => {
    const hint = say`choose another file with --log`;
    throw new BadTargetError(flags.log!, say`the log cannot be written (${error.code})`, hint);
  });
  target.on('error', (error) => sinks.stderr(say`the log cannot be written (${codeOf(error) ?? error.message})`));
  for (const signal of reopenSignals)
    process.on(signal, () => {
      if (flags.log !== '-') target.reopen();
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    });
  closeAtEnd({ close: () => new Promise<void>((resolve) => target.flush(() => resolve())) });
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, target);
  return {
    observe({ url, ms, ...responseFields }) {
      const path = flags['log-query'] ? url : url.split('?', 1)[0];
      log.info({ ...responseFields, path, ms: Math.round(ms * 10) / 10 }, 'answered');
    },
    logError: (error) => log.error({ err: error }, 'failed'),
    note: (text) => log.info(text),
    logExit: (command, exit) => log.info({ command, exit }, 'ended'),
  };
}

/** Returns message and hint of a HemicycleError; the stack of any other error. */
export function failureText(error: unknown): string {
  if (error instanceof HemicycleError) return sanitiseText([error.message, error.hint].join('\n').trim());
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
