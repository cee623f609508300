import { setTimeout as delay } from 'node:timers/promises';
import { LockTimeoutError } from '../../errors.ts';
import { backoffMs } from '../../service/headers.ts';
import { literal } from '../../store/schema.ts';
import { say } from '../../words/speech.ts';
import { type DependentView, dependentViewsError, readBlocker } from './catalogue.ts';
import { nameIn, type TargetSchema } from './structure.ts';

/** Statements that lock out readers, and the views and tables to lock before them. */
type Reshaping = {
  /** Dependent views of other owners; they select NULL during the change. */
  dependents?: DependentView[];
  views?: string[];
  tables: string[];
  statements: string[];
};

/** How long one attempt waits for locks: new readers queue behind it. */
const attemptMs = 100;

/** Default limit on waiting for locks, over all attempts of one transaction. */
export const defaultLockWaitMs = 20_000;

/** Locks on these relations were not granted within `attemptMs`: a retry may succeed. */
class RefusedLocksError extends Error {
  relations: string[] = [];
}

const isCancelled = (error: unknown) => (error as { code?: string }).code === '57014'; // query_canceled
const isLockTimeout = (error: unknown) => (error as { code?: string }).code === '55P03'; // lock_not_available

/** Executes changes in one message, so that no lock lasts a round trip; throws RefusedLocksError, BadTargetError. */
export async function reshape(target: TargetSchema, changes: Reshaping[]): Promise<void> {
  const dependents = changes.flatMap((each) => each.dependents ?? []);
  // Our views, then our tables, in the order in which readers of views lock them.
  const views = changes.flatMap((each) => each.views ?? []);
  const tables = changes.flatMap((each) => each.tables);
  const relations = [...new Set([...tables, ...views])];
  const qualify = (names: string[]) => [...new Set(names)].map((name) => nameIn(target, name));
  const lockStatements = [
    ...dependents.map(({ nullSql }) => nullSql),
    // Locks the view only; LOCK TABLE would also lock all that it selects from.
    ...qualify(views).map((relation) => `ALTER VIEW ${relation} RESET (security_barrier)`),
    ...(tables.length > 0 ? [`LOCK TABLE ${qualify(tables).join(', ')} IN ACCESS EXCLUSIVE MODE`] : []),
  ];
  const mainSql = [
    `SET LOCAL statement_timeout = ${attemptMs}`,
    // One statement, so that the timeout covers all locks together.
    `DO ${literal(`BEGIN ${lockStatements.join('; ')}; END`)}`,
    'SET LOCAL statement_timeout = DEFAULT',
    `SET LOCAL lock_timeout = ${attemptMs}`,
    ...changes.flatMap(({ statements }) => statements),
  ].join(';\n');
  const restoreStatements = dependents.map(({ restoreSql }) => restoreSql);
  await target.client.query([mainSql, ...restoreStatements].join(';\n')).catch((error: unknown) => {
    if (isLockTimeout(error) || isCancelled(error))
      throw Object.assign(new RefusedLocksError('locks were not granted', { cause: error }), { relations });
    const { code = '', position } = error as { code?: string; position?: string };
    // The position of the error in the message shows which view could not be restored.
    const restoreEnds = dependents.map((_, at) => [mainSql, ...restoreStatements.slice(0, at + 1)].join(';\n').length);
    const brokenView = dependents[restoreEnds.findIndex((end) => Number(position) < end)];
    const isSyntaxOrAccessError = /^42/.test(code);
    if (isSyntaxOrAccessError && Number(position) > mainSql.length && brokenView)
      throw dependentViewsError(target.displayName, [brokenView]);
    throw error;
  });
}

type WaitOptions = TargetSchema & {
  lockWaitMs: number;
  relations: string[];
  /** Called before each further attempt; may throw. */
  onRetry?: () => Promise<void> | undefined;
};

/** Returns the result of `work`, retried while locks are refused; throws a LockTimeoutError after `lockWaitMs`. */
export async function retryUntilGranted<Result>(target: WaitOptions, work: () => Promise<Result>): Promise<Result> {
  const { lockWaitMs, onRetry } = target;
  const deadline = performance.now() + lockWaitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefusedLocksError || isLockTimeout(error))) throw error;
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0)
        throw await lockTimeoutError(target, error instanceof RefusedLocksError ? error.relations : target.relations);
      await delay(Math.min(remainingMs, backoffMs(attempt, Math.random) / 4)); // shorter than between requests
      await onRetry?.();
    }
  }
}

async function lockTimeoutError(target: WaitOptions, relations: string[]) {
  const { displayName, lockWaitMs } = target;
  const blocker = await readBlocker(target, relations);
  const table = blocker?.table ?? relations[0]!;
  const seconds = Math.ceil(lockWaitMs / 1000);
  if (blocker?.pid == null)
    return new LockTimeoutError(table, say`${displayName}: ${table} was locked by other sessions for ${seconds} s`);
  return new LockTimeoutError(
    table,
    say`${displayName}: ${table} was locked for ${seconds} s by process ${blocker.pid} (${blocker.application})`,
    say`nothing was written; run this again once that session has ended, or end it in psql: SELECT pg_terminate_backend(${blocker.pid})`,
  );
}
