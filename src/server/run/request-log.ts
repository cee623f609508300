import { once } from 'node:events';
import { pino } from 'pino';
import { BadTargetError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import type { Observed } from '../observed.ts';

/** A log with one JSON object per line. */
export type RequestLog = {
  answered(answered: Observed): void;
  /** Logs an error that callers do not see, with its stack. */
  failed(error: unknown): void;
  note(text: string, fields?: Record<string, unknown>): void;
  close(): Promise<void>;
};

const stderr = 2;

/**
 * Opens a log that appends to a file, or writes to stderr (`-`). For privacy it contains no client address,
 * and no query string unless `withQuery`.
 */
export async function openRequestLog(
  path: string,
  { withQuery }: { withQuery: boolean },
): Promise<RequestLog> {
  const target = pino.destination({
    dest: path === '-' ? stderr : path,
    append: true,
    sync: false,
    mode: 0o640,
  });
  await once(target, 'ready').catch((error) => {
    throw new BadTargetError(
      path,
      say`the log cannot be written (${error.code})`,
      say`choose another file with --log`,
    );
  });
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, target);
  return {
    answered({ method, url, status, ms, caller }) {
      const path = withQuery ? url : url.split('?', 1)[0];
      log.info({ method, path, status, ms: Math.round(ms * 10) / 10, caller }, 'answered');
    },
    failed: (error) => log.error({ err: error }, 'failed'),
    note: (text, fields = {}) => log.info(fields, text),
    close: () => new Promise((resolve) => target.flush(() => resolve())),
  };
}
