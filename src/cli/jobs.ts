import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isBucket } from '../export/bucket-place.ts';
import { say } from '../words/speech.ts';
import { namesFile } from './export-request.ts';
import { durationTyped } from './flag-values.ts';
import { Flags, type Interfaces, valueFlag } from './oclif.ts';
import type { Settings } from './settings.ts';

type JobFlags = Record<string, string | undefined>;

type Job = {
  name: string;
  title: string;
  /** True for a job that runs every few minutes rather than once a night. */
  isOften?: true;
  flags: Interfaces.FlagInput;
  /** The flag that enables the job; it always runs if absent. */
  requiredFlag?: string;
  /** The command after `hemicycle`, without the mirror. */
  words(flags: JobFlags, settings: Settings): string[];
};

/** Every job that `schedule print` writes. */
export const jobs: readonly Job[] = [
  {
    name: 'sync',
    title: 'Mirror with Hemicycle, and tell what its watches noticed',
    flags: { report: valueFlag('file for the report of each sync', 'FILE') },
    words: ({ report }, { baseUrl }) => [
      ...['sync', '--quiet', '--watch', '--wait-lock', '1h'],
      ...(baseUrl === null ? [] : ['--from', baseUrl]),
      ...(report === undefined ? [] : ['--report', resolve(report)]),
    ],
  },
  {
    name: 'export',
    title: 'Export with Hemicycle',
    requiredFlag: 'output',
    flags: {
      output: valueFlag('export to this folder or bucket', 'DIR', { char: 'o' }),
      'max-age': Flags.string({
        description: 'maximum age of exported tables (exit 8 for older ones)',
        helpValue: 'DURATION',
        default: '36h',
        async parse(typed) {
          durationTyped('--max-age', typed);
          return typed;
        },
      }),
    },
    words({ output = '', 'max-age': maxAge = '' }) {
      const options = ['--all', '--max-age', maxAge, '--if-changed', '--quiet'];
      return ['export', ...options, '-o', folderOf('-o', output)];
    },
  },
  {
    name: 'lake',
    title: 'Bring a lake of Hemicycle up to date',
    requiredFlag: 'lake',
    flags: {
      lake: valueFlag('update a lake in this folder or bucket', 'DIR'),
      keep: valueFlag('retention period of old lake versions', 'DURATION', { dependsOn: ['lake'] }),
    },
    words({ lake = '', keep }) {
      if (keep !== undefined) durationTyped('--keep', keep);
      const options = keep === undefined ? [] : ['--keep', keep];
      return ['export', '--all', '--quiet', ...options, '--lake', folderOf('--lake', lake)];
    },
  },
  {
    name: 'postgres',
    title: 'Bring a copy of Hemicycle in PostgreSQL up to date',
    requiredFlag: 'postgres',
    flags: { postgres: valueFlag('update a copy in this PostgreSQL database', 'URL') },
    words: ({ postgres = '' }) => ['export', '--all', '--quiet', '--postgres', postgres],
  },
  {
    name: 'sqlite',
    title: 'Write an SQLite file of Hemicycle',
    requiredFlag: 'sqlite',
    flags: { sqlite: valueFlag('write all tables to this SQLite file', 'FILE') },
    words: ({ sqlite = '' }) => ['export', '--all', '--quiet', '--if-changed', '--sqlite', resolve(sqlite)],
  },
  {
    name: 'site',
    title: 'Write the pages of Hemicycle',
    requiredFlag: 'site',
    flags: {
      site: valueFlag('write all pages to this folder or bucket', 'DIR'),
      'site-url': valueFlag('public URL of these pages', 'URL', { dependsOn: ['site'] }),
    },
    words({ site = '', 'site-url': url }) {
      const options = url === undefined ? [] : ['--url', url];
      return ['site', '--quiet', ...options, '-o', folderOf('--site', site)];
    },
  },
  {
    name: 'backup',
    title: 'Back Hemicycle up',
    requiredFlag: 'backup',
    flags: { backup: valueFlag('back up everything to this file', 'FILE') },
    words: ({ backup = '' }) => ['backup', '--quiet', '-o', resolve(backup)],
  },
  {
    name: 'watch',
    title: 'Try again what the watches of Hemicycle could not deliver',
    isOften: true,
    flags: {},
    words: () => ['watch', 'run', '--quiet', '--wait-lock', '4m'],
  },
];

/** The flags of all jobs. */
export const jobFlags: Interfaces.FlagInput = Object.assign({}, ...jobs.map(({ flags }) => flags));

/** The absolute path or bucket location of a flag; throws a UsageError for an invalid one. */
function folderOf(flag: string, location: string): string {
  if (isBucket(location)) return location;
  const hint = say`give a folder: ${flag} /srv/hemicycle`;
  if (location === '-' || location === '') throw new UsageError(say`${flag} needs a folder`, hint);
  const path = resolve(location);
  const isOther = statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  if (isOther || (namesFile(location) && !existsSync(path)))
    throw new UsageError(say`${location} is a file, and ${flag} needs a folder`, hint);
  return path.endsWith('/') ? path : `${path}/`;
}
