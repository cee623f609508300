import { resolve } from 'node:path';
import { isBucketAddress } from '../export/bucket.ts';
import { type CopyAccess, searchCopy } from '../export/copy-search.ts';
import { displayAddress } from '../export/postgres/address.ts';
import { type Copy, type CopyKind, copiesPath, readCopies, saveCopy } from '../store/copies.ts';
import type { Mirror } from '../store/mirror.ts';
import { openMirror } from '../store/open.ts';
import { createWithheldScanner } from '../store/withheld-traces.ts';
import { figure, type Phrase, say, saying } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { toHemicycleError } from './error-output.ts';

/** The unique name of a location in the list of copies: a path, a bucket or database address, its schema. */
function canonicalLocation(location: string, schema?: string): string {
  if (isBucketAddress(location)) return location.replace(/\/+$/, '');
  if (schema === undefined) return resolve(location);
  const address = new URL(location);
  address.password = '';
  address.searchParams.delete('password');
  return `${address} ${schema}`;
}

const copyAccess = (command: HemicycleCommand, address?: string): CopyAccess => ({
  network: command.network,
  env: process.env,
  warn: (line) => command.note(line),
  ...(address === undefined ? {} : { address }),
});

/** Where an export, backup, site… is written: a path, a bucket address, or a database address with a schema. */
export type CopyTarget = { kind: CopyKind; location: string; schema?: string | undefined };

/** Deletes files or rows with newly withheld records before the copy is rewritten, which may fail; returns a count. */
export async function cleanCopy(command: HemicycleCommand, db: string, { kind, location, schema }: CopyTarget) {
  // Only a registered copy: nothing proves that anything else was written by this program.
  const copy = readCopies(db).find((each) => each.location === canonicalLocation(location, schema));
  if (copy?.kind !== kind) return 0;
  const scan = createWithheldScanner(command.closeAtEnd(openMirror(db)));
  if (scan === null || copy.mark === scan.mark) return 0; // nothing withheld since its last check
  const access = copyAccess(command, schema === undefined ? undefined : location);
  const finding = await searchCopy(copy, scan, { ...access, isRemoving: true });
  const removedCount = finding?.parts.length ?? 0;
  if (removedCount > 0)
    command.note(say`${displayLocation(copy)}: removed ${figure(removedCount)} files or rows with withheld records`);
  if (!finding?.hasUnread) await saveOrNote(command, db, { ...copy, mark: scan.mark });
  return removedCount;
}

/** Adds the copy to the list of copies with the current time, or updates its time. */
export async function registerCopy(command: HemicycleCommand, db: string, target: CopyTarget): Promise<void> {
  const location = canonicalLocation(target.location, target.schema);
  const formerCopy = readCopies(db).find((each) => each.location === location && each.kind === target.kind);
  const written_at = new Date().toISOString();
  await saveOrNote(command, db, { location, kind: target.kind, written_at, mark: formerCopy?.mark ?? null });
}

const saveOrNote = (command: HemicycleCommand, db: string, copy: Copy) =>
  saveCopy(db, copy).catch((error: unknown) =>
    command.note(
      say`${copiesPath(db)} cannot be written (${(error as Error).message}): \`withhold --check\` will not check ${displayLocation(copy)}`,
    ),
  );

/** The location as users may see it: a database address without its password, then the schema. */
const displayLocation = ({ location, kind }: Pick<Copy, 'location' | 'kind'>): string =>
  kind === 'postgres' ? `${displayAddress(location.split(' ')[0]!)} ${location.split(' ')[1]}` : location;

/** A copy by `state`: `followed` (no withheld record), `holds` (some, in `parts`), `missing`, `unreadable` (why). */
export type CheckedCopy = Awaited<ReturnType<typeof checkCopies>>[number];

/** Searches every registered copy for withheld records; only local copies if `isOffline`. */
export async function checkCopies(command: HemicycleCommand, mirror: Mirror, isOffline = false) {
  const scan = createWithheldScanner(mirror);
  const copies = readCopies(mirror.path).filter(({ location }) => !isOffline || !/^\w+:\/\//.test(location));
  return Array.fromAsync(copies, async (copy) => {
    const records: Record<string, number> = {}; // withheld records in the copy, by kind
    const report = {
      copy: displayLocation(copy),
      kind: copy.kind,
      written_at: copy.written_at,
      state: 'followed',
      records,
      parts: [] as string[],
      reason: null as Phrase | null,
    };
    if (scan === null) return report;
    try {
      const finding = await searchCopy(copy, scan, copyAccess(command));
      if (finding === null) return { ...report, state: 'missing' };
      for (const each of finding.records.values()) records[each] = (records[each] ?? 0) + 1;
      return { ...report, state: finding.parts.length > 0 ? 'holds' : 'followed', parts: finding.parts };
    } catch (error) {
      return { ...report, state: 'unreadable', reason: toHemicycleError(error as Error).phrase };
    }
  });
}

/** True for a copy that may still contain withheld records. */
export const mayContainWithheld = ({ state }: CheckedCopy): boolean => state === 'holds' || state === 'unreadable';

/** Advice for copies that may still contain withheld records. */
export const copyAdvice = say`run the command that wrote it again; delete or replace backups, evidence and dossiers`;

/** The state of a copy, in words. */
export function copyPhrase({ state, records, parts, reason }: CheckedCopy): Phrase {
  if (state === 'followed') return say`up to date`;
  if (state === 'missing') return say`no longer there`;
  if (state === 'unreadable') return say`cannot be read: ${reason!}`;
  const count = Object.values(records).reduce((sum, each) => sum + each, 0);
  const ellipsis = parts.length > 3 ? ', …' : '';
  return saying(
    (speech) =>
      speech.say`still contains ${speech.count(count, 'record')} withheld by this mirror: ${parts.slice(0, 3).join(', ')}${ellipsis}`,
  );
}
