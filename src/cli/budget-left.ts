import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NoStateError } from '../errors.ts';
import type { Settings } from './settings.ts';

/** Requests left this minute (null if they cannot be counted), and the end of a block (ISO 8601). */
export type BudgetLeft = { limit: number; left: number | null; blocked_until: string | null };

/** The request budget left for the configured service; null if none is set. */
export async function readBudgetLeft(settings: Settings | null): Promise<BudgetLeft | null> {
  if (!settings?.baseUrl) return null;
  const { baseUrl, rate, stateFolder, token } = settings;
  const unusedBudget = { limit: rate, left: rate, blocked_until: null };
  if (!existsSync(join(stateFolder, 'budget.db'))) return unusedBudget;
  const { bootClock, openSharedBudget } = await import('../sync/connect.ts');
  try {
    const budget = openSharedBudget({ stateFolder, rate, baseUrl, token });
    const nowMs = bootClock().now();
    const { requests, blockedUntilMs } = budget.readAvailability(nowMs);
    budget.close();
    const blockedUntil = blockedUntilMs === null ? null : new Date(Date.now() + blockedUntilMs - nowMs);
    return { limit: rate, left: requests, blocked_until: blockedUntil?.toISOString() ?? null };
  } catch (error) {
    if (error instanceof NoStateError) return { ...unusedBudget, left: null };
    throw error;
  }
}
