import { once } from 'node:events';
import { BadTargetError, HemicycleError } from '../../errors.ts';
import { sanitiseText } from '../../format/sanitise.ts';
import { codeOf } from '../../format/sink.ts';
import { say } from '../../words/speech.ts';
import type { Observed } from '../observed.ts';
import type { ServeRun } from './settings.ts';

/** Log of a server: the file of `--log` as JSON lines, else stderr. */
export type ServerLog = {
  /** Logs a response; only with `--log`. */
  answered?(answered: Observed): void;
  failed(error: unknown): void;
  note(text: string): void;
  ended(command: string, exit: number): void;
};

const stderr = 2;

/** Opens the log of a server, without client addresses, and without query strings unless `--log-query`. */
export async function openServerLog({ flags, sinks, closing, remark }: ServeRun): Promise<ServerLog> {
  if (flags.log === undefined)
    return {
      failed: (error) => sinks.stderr(failureText(error)),
      note: remark,
      ended: (command, exit) => remark(exit === 0 ? `${command}: done` : `${command} failed: exit ${exit}`),
    };
  const { pino } = await import('pino');
  const dest = flags.log === '-' ? stderr : flags.log;
  const target = pino.destination({ dest, append: true, sync: false, mode: 0o640 });
  await once(target, 'ready').catch((error) => {
    throw new BadTargetError(
      flags.log!,
      say`the log cannot be written (${error.code})`,
      say`choose another file with --log`,
    );
  });
  target.on('error', (error) => sinks.stderr(say`the log cannot be written (${codeOf(error) ?? error.message})`));
  closing({ close: () => new Promise<void>((resolve) => target.flush(() => resolve())) });
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, target);
  return {
    answered({ url, ms, ...answered }) {
      const path = flags['log-query'] ? url : url.split('?', 1)[0];
      log.info({ ...answered, path, ms: Math.round(ms * 10) / 10 }, 'answered');
    },
    failed: (error) => log.error({ err: error }, 'failed'),
    note: (text) => log.info(text),
    ended: (command, exit) => log.info({ command, exit }, 'ended'),
  };
}

/** Returns message and hint of a HemicycleError; the stack of any other error. */
export function failureText(error: unknown): string {
  if (error instanceof HemicycleError) return sanitiseText([error.message, error.hint].join('\n').trim());
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
