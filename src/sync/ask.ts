import type { Query } from '../service/client.ts';
import type { Validator } from '../service/headers.ts';
import { type KnownAnswer, knownAnswer, noteUnchanged } from '../store/answer.ts';
import type { SyncContext } from './context.ts';

/** A body is asked for again after that time even if its validators never move: some never do. */
const longestTrustMs = 7 * 86_400_000;

type Asking = Pick<SyncContext, 'mirror' | 'client' | 'now'> & { scope: Pick<SyncContext['scope'], 'full'> };

/** The validator to ask an address with, or null where its body has to come whole. */
export function validatorFor(context: Asking, path: string, query: Query = {}): Validator | null {
  const known = knownAnswer(context.mirror, context.client.address(path, query));
  if (context.scope.full || !known || (known.etag === null && known.lastModified === null)) return null;
  return isTrusted(known, context.now()) ? known : null;
}

function isTrusted({ readAt }: KnownAnswer, nowMs: number): boolean {
  return nowMs - Date.parse(readAt) < longestTrustMs;
}

/** Notes that an address was asked and its answer has not changed. */
export function markUnchanged(context: Asking, path: string, query: Query = {}): void {
  const { mirror, client, now } = context;
  noteUnchanged(mirror, client.address(path, query), new Date(now()).toISOString());
}
