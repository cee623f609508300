import { bucketLocation, isBucketAddress } from '../export/bucket.ts';
import { openBucketStorage, openFolderStorage } from '../export/lake/storage.ts';
import { interruptibleWatch } from '../export/part.ts';
import { containsPassword } from '../export/postgres/address.ts';
import { historyName, type WarehouseTable } from '../export/warehouse.ts';
import { openBucket } from '../service/bucket.ts';
import type { Mirror } from '../store/mirror.ts';
import { finalUntil } from '../store/syncs/runs.ts';
import { countWithheld } from '../store/tombstones.ts';
import { amount, figure, say } from '../words/speech.ts';
import { type ExportRun, sanityChecks } from './export-request.ts';
import { parseDurationFlag } from './flag-values.ts';

const kindNames = ({ kinds }: WarehouseTable) => kinds.map(({ name }) => name);

/** Writes tables and histories to the folder or bucket of `--lake`, and prints the changed tables. */
export async function copyToLake(tables: WarehouseTable[], mirror: Mirror, run: ExportRun): Promise<void> {
  const { request, flags, note } = run;
  const { path } = request.target;
  const { exportLake } = await import('../export/lake/lake.ts');
  const nowMs = Date.now();
  const storage = isBucketAddress(path)
    ? await openBucketStorage(await openBucket(bucketLocation(path, process.env), run.network))
    : await openFolderStorage(path);
  const exportedTables = await exportLake(tables, storage, {
    ...sanityChecks(run),
    hasLostFiles: (run.removedParts ?? 0) > 0,
    countWithheld: (table) => countWithheld(mirror, kindNames(table)),
    watch: interruptibleWatch(run.createProgressWatch(), run.createStopSignal()),
    moment: finalUntil(mirror) ?? new Date(nowMs).toISOString(),
    keepMs: flags.keep === undefined ? null : parseDurationFlag('--keep', flags.keep),
    nowMs,
  }).finally(() => storage.close());
  const writtenTables = exportedTables.filter(({ outcome }) => outcome === 'written');
  if (writtenTables.length === 0) note(say`${path}: nothing changed`);
  for (const each of writtenTables) note(say`${each.path}: ${amount(each.rows, 'row')}`);
}

/** Writes tables and histories to the database of `--postgres`, and prints the changed tables. */
export async function copyToPostgres(tables: WarehouseTable[], run: ExportRun): Promise<void> {
  const { request, flags, note, warn } = run;
  const { path } = request.target;
  const { schema = 'hemicycle' } = flags;
  const { exportPostgres } = await import('../export/postgres/export.ts');
  if (containsPassword(flags.postgres!))
    warn(say`warning: the process list shows the password in the address; use PGPASSWORD or ~/.pgpass instead`);
  const copiedTables = await exportPostgres(tables, flags.postgres!, {
    ...sanityChecks(run),
    schema,
    ...(flags.grant === undefined ? {} : { grant: flags.grant.split(',').map((role) => role.trim()) }),
    hasTextIndexes: flags['text-index'],
    env: process.env,
    warn,
    watch: interruptibleWatch(run.createProgressWatch(), run.createStopSignal()),
    now: new Date().toISOString(),
  });
  const changedTables = copiedTables.filter(({ written, removed }) => written + removed > 0);
  if (changedTables.length === 0) note(say`${path}: nothing changed`);
  for (const { name, rows, written, removed } of changedTables)
    note(
      say`${path}: ${schema}.${name}: ${amount(rows, 'row')}, ${figure(written)} written, ${figure(removed)} removed`,
    );
  for (const { name, misfits } of copiedTables) {
    const rawValuesColumn = `${historyName(name.replace(/_history$/, ''))}.raw_values`; // only histories have it
    for (const [column, count] of misfits)
      warn(
        say`warning: ${name}: ${figure(count)} values of ${column} cannot be stored unchanged and are kept in ${rawValuesColumn}`,
      );
  }
}
