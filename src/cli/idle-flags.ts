import { UsageError } from '../errors.ts';
import { say, type UserText } from '../words/speech.ts';
import type { ExportFlags } from './export-flags.ts';
import type { ExportRequest } from './export-request.ts';

/** A flag that only some exports use: whether this one does, and what is told of all others, with a hint. */
type IdleFlag = [
  flag: keyof ExportFlags,
  isUsed: (asked: ExportRequest, flags: ExportFlags) => boolean,
  message: UserText,
  hint?: UserText,
];

const leaveOut = say`leave it out`;

const idleFlags: IdleFlag[] = [
  [
    'schema',
    (_, { postgres }) => postgres !== undefined,
    say`--schema is for --postgres`,
    say`leave it out, or name the database: --postgres URL`,
  ],
  ['header', (asked, { header }) => header || isCsv(asked), say`--no-header is for CSV`],
  ['bom', isCsv, say`--bom is for CSV`],
  [
    'french-headers',
    (asked) => isCsv(asked) || asked.target.to === 'workbook',
    say`--french-headers is for CSV and workbooks`,
  ],
  [
    'releases',
    ({ target }) => target.to === 'folder',
    say`--releases goes into a folder`,
    say`name one: -o releases/`,
  ],
  ...(['if-changed', 'max-shrink'] as const).map(
    (flag): IdleFlag => [
      flag,
      ({ target }) => target.to !== 'stdout',
      say`--${flag} compares with the previous export, and stdout has none`,
      say`leave it out, or name a place with -o`,
    ],
  ),
  [
    'max-shrink',
    ({ changedSince }) => changedSince === null,
    say`--max-shrink is for whole tables: a count of changed rows says nothing about a loss`,
  ],
];

/** True for an export whose files are CSV. */
function isCsv({ target, format }: ExportRequest): boolean {
  return format.format === 'csv' && ['stdout', 'file', 'folder'].includes(target.to);
}

/** Throws a UsageError for a typed flag (`isTyped`) that this export would ignore. */
export function refuseIdleFlags(
  asked: ExportRequest,
  flags: ExportFlags,
  isTyped: (flag: string) => boolean,
): void {
  for (const [flag, isUsed, message, hint = leaveOut] of idleFlags)
    if (flags[flag] !== undefined && isTyped(flag) && !isUsed(asked, flags))
      throw new UsageError(message, hint);
}
