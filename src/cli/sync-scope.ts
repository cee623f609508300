import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { readBallotRanges } from '../sync/ballots.ts';
import type { SyncScope } from '../sync/context.ts';
import { readSyncedKinds } from '../sync/stages.ts';
import { say } from '../words/speech.ts';

type SyncFlags = {
  only?: string | undefined;
  full: boolean;
  details: string;
  ballots?: string | undefined;
  'ids-from'?: string | undefined;
};

/** Parses the flags that limit a sync; throws a UsageError for an unknown kind or an invalid ballot. */
export function readSyncScope(flags: SyncFlags): SyncScope {
  const listed = flags['ids-from'] === undefined ? '' : readIds(flags['ids-from']);
  return {
    only: flags.only === undefined ? null : readSyncedKinds(flags.only),
    full: flags.full,
    details: flags.details as SyncScope['details'],
    ballots: [...readBallotRanges(flags.ballots ?? ''), ...readBallotRanges(listed)],
  };
}

/** Reads ballot ids from a file (`-` for stdin), separated by commas as `--ballots` takes them. */
function readIds(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
      .split(/\s+/)
      .join(',');
  } catch (error) {
    throw new UsageError(say`--ids-from ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
