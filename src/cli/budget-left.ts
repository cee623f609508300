import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NoStateError, orNull } from '../errors.ts';
import { whileOpen } from '../store/mirror.ts';
import type { Settings } from './settings.ts';

/** Requests allowed per minute and left (null if uncounted); end of a pause that the service requested (ISO 8601). */
export type BudgetLeft = { limit: number; left: number | null; blocked_until: string | null };

/** The request budget left for the configured service; null if none is set. */
export async function readBudgetLeft(settings: Settings | null): Promise<BudgetLeft | null> {
  if (!settings?.baseUrl) return null;
  const { baseUrl, rate, stateFolder, token } = settings;
  const unusedBudget = { limit: rate, left: rate, blocked_until: null };
  if (!existsSync(join(stateFolder, 'budget.db'))) return unusedBudget;
  const { bootClock, openSharedBudget } = await import('../sync/connect.ts');
  const bootNowMs = bootClock().now();
  const open = () => openSharedBudget({ stateFolder, rate, baseUrl, token });
  const available = orNull(() => whileOpen(open(), (budget) => budget.readAvailability(bootNowMs)), NoStateError);
  if (available === null) return { ...unusedBudget, left: null };
  const { requests, blockedUntilMs } = available;
  const blockedUntil = blockedUntilMs === null ? null : new Date(Date.now() + blockedUntilMs - bootNowMs);
  return { limit: rate, left: requests, blocked_until: blockedUntil?.toISOString() ?? null };
}
