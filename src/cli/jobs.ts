import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isBucketAddress } from '../export/bucket.ts';
import type { ScheduledJob } from '../terminal/schedule-text.ts';
import { say } from '../words/speech.ts';
import { hasFileExtension } from './export-request.ts';
import { parseDurationFlag } from './flag-values.ts';
import { Flags, type Interfaces, switchFlag, valueFlag } from './oclif.ts';
import type { Settings } from './settings.ts';

/** Flags of `schedule print`: each adds a job or sets an option of one. */
export const jobFlags = {
  report: valueFlag('file for the report of each sync', 'FILE'),
  output: valueFlag('export to this folder or bucket', 'DIR', { char: 'o' }),
  'max-age': Flags.string({
    description: 'maximum age of exported tables (exit 8 for older ones)',
    helpValue: 'DURATION',
    default: '36h',
    parse: async (typed) => validDuration('--max-age', typed),
  }),
  brief: switchFlag('print the news of each sync, which cron sends by mail'),
  lake: valueFlag('update a lake in this folder or bucket', 'DIR'),
  keep: valueFlag('retention period of old lake versions', 'DURATION', { dependsOn: ['lake'] }),
  postgres: valueFlag('update a copy in this PostgreSQL database', 'URL'),
  sqlite: valueFlag('write all tables to this SQLite file', 'FILE'),
  site: valueFlag('write all pages to this folder or bucket', 'DIR'),
  'site-url': valueFlag('public URL of these pages', 'URL', { dependsOn: ['site'] }),
  backup: valueFlag('back up everything to this file or object', 'FILE'),
};

type JobFlags = Interfaces.InferredFlags<typeof jobFlags>;

/** The jobs that the flags choose, in the order in which to run them; throws a UsageError for an invalid flag. */
export function jobsFor(flags: JobFlags, { db, baseUrl }: Settings, program: string[]): ScheduledJob[] {
  const { report, output, lake, keep, postgres, sqlite, site, 'site-url': url, backup } = flags;
  const exportAll = ['export', '--all', '--quiet'];
  const jobs: ScheduledJob[] = [];
  const add = (name: string, title: string, words: string[], isFrequent = false) =>
    jobs.push({ name, title, isFrequent, command: [...program, ...words, '--db', resolve(db)] });
  const fromFlags = baseUrl === null ? [] : ['--from', baseUrl];
  const reportFlags = report === undefined ? [] : ['--report', resolve(report)];
  const syncWords = ['sync', '--quiet', '--watch', '--wait-lock', '1h', ...fromFlags, ...reportFlags];
  add('sync', 'Sync the mirror of Hemicycle and run its watches', syncWords);
  if (flags.brief) add('brief', 'Print the news in the mirror of Hemicycle', ['brief', '--quiet']);
  if (output !== undefined) {
    const exportWords = ['export', '--all', '--max-age', flags['max-age'], '--if-changed', '--quiet'];
    add('export', 'Export the tables of Hemicycle', [...exportWords, '-o', parseFolder('-o', output)]);
  }
  if (lake !== undefined) {
    const keepFlags = keep === undefined ? [] : ['--keep', validDuration('--keep', keep)];
    const words = [...exportAll, ...keepFlags, '--lake', parseFolder('--lake', lake)];
    add('lake', 'Update the data lake of Hemicycle', words);
  }
  if (postgres !== undefined)
    add('postgres', 'Update the copy of Hemicycle in PostgreSQL', [...exportAll, '--postgres', postgres]);
  if (sqlite !== undefined)
    add('sqlite', 'Write the SQLite file of Hemicycle', [...exportAll, '--if-changed', '--sqlite', resolve(sqlite)]);
  if (site !== undefined) {
    const urlFlags = url === undefined ? [] : ['--url', url];
    add('site', 'Write the pages of Hemicycle', ['site', '--quiet', ...urlFlags, '-o', parseFolder('--site', site)]);
  }
  if (backup !== undefined)
    add('backup', 'Back up Hemicycle', ['backup', '--quiet', '-o', isBucketAddress(backup) ? backup : resolve(backup)]);
  const retryWords = ['watch', 'run', '--quiet', '--wait-lock', '4m'];
  add('watch', 'Retry undelivered messages of the watches of Hemicycle', retryWords, true);
  return jobs;
}

function validDuration(flag: string, text: string): string {
  parseDurationFlag(flag, text);
  return text;
}

/** The bucket, or the absolute path of the folder with a final slash; throws a UsageError if it names a file. */
function parseFolder(flag: string, location: string): string {
  if (isBucketAddress(location)) return location;
  const hint = say`give a folder: ${flag} /srv/hemicycle`;
  if (location === '-' || location === '') throw new UsageError(say`${flag} needs a folder`, hint);
  const path = resolve(location);
  const isExistingFile = statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  if (isExistingFile || (hasFileExtension(location) && !existsSync(path)))
    throw new UsageError(say`${location} is a file, and ${flag} needs a folder`, hint);
  return path.endsWith('/') ? path : `${path}/`;
}
