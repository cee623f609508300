import { UsageError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import type { Answerer } from '../questions/answering.ts';
import type { Mirror } from '../store/mirror.ts';
import { lastFilled } from '../store/records/contents.ts';
import { figure, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { readerProgram } from './process.ts';

type ListBody = {
  items: Document[];
  total: number | null;
  next_cursor: null;
  columns: string;
  cut_after: number | null;
};

/** Answers list questions of a mirror in a process of its own, which is ended after some time: SQLite gives way to nobody. */
export async function killableAnswerer(command: HemicycleCommand, mirror: Mirror): Promise<Answerer> {
  const { ReaderPool } = await import('../server/reader-pool.ts');
  const { RefusedRequestError } = await import('../server/problem.ts');
  const { defaultBounds } = await import('../server/bounds.ts');
  const one = { edition: () => 0, most: 1, mostOfOne: 1, limitMs: defaultBounds.readMs };
  const program = readerProgram(command.config.root);
  const pool = command.closing(new ReaderPool({ program, mirrorPath: mirror.path, ...one }));
  const { pastOf: asOf } = mirror;
  const { questions } = command.settingsWith();
  return {
    async list({ name }, values) {
      const asked = { question: name, values, reading: { searchesByMeaning: false, asOf, questions } };
      const { text } = await pool.read(asked, { key: '' }).catch((error) => {
        throw error instanceof RefusedRequestError ? new UsageError(error.said, error.advice) : error;
      });
      const { items, total, next_cursor, columns, ...extra }: ListBody = JSON.parse(text);
      const cut = extra.cut_after;
      return {
        ...{ items, total, nextCursor: next_cursor },
        extra: { columns, ...extra },
        columns: columns.split(','),
        origin: { from: 'mirror', as_of: asOf ?? lastFilled(mirror) },
        notes: () =>
          cut === null ? [] : [say`cut after ${figure(cut)} rows: --limit says how many are read`],
      };
    },
    record: () => Promise.reject(new Error('no record is asked for by a statement')),
  };
}
