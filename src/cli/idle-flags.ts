import { UsageError } from '../errors.ts';
import { say, type UserText } from '../words/speech.ts';
import type { ExportFlags } from './export-flags.ts';
import type { ExportRequest } from './export-request.ts';

/** Flags that only some exports use: which exports, and the error for all others. */
const heededBy: {
  flag: keyof ExportFlags;
  can(asked: ExportRequest, flags: ExportFlags): boolean;
  message: UserText;
  hint: UserText;
}[] = [
  {
    flag: 'schema',
    can: (_, { postgres, ddl }) => postgres !== undefined || ddl !== undefined,
    message: say`--schema is for --postgres and --ddl`,
    hint: say`leave it out, or name the database: --postgres URL`,
  },
  {
    flag: 'header',
    can: (asked, { header }) => header || isCsv(asked),
    message: say`--no-header is for CSV`,
    hint: say`leave it out`,
  },
  { flag: 'bom', can: isCsv, message: say`--bom is for CSV`, hint: say`leave it out` },
  {
    flag: 'french-headers',
    can: (asked) => isCsv(asked) || asked.target.to === 'workbook',
    message: say`--french-headers is for CSV and workbooks`,
    hint: say`leave it out`,
  },
  {
    flag: 'releases',
    can: ({ target }) => target.to === 'folder',
    message: say`--releases goes into a folder`,
    hint: say`name one: -o releases/`,
  },
  ...(['if-changed', 'max-shrink'] as const).map((flag) => ({
    flag,
    can: ({ target }: ExportRequest) => target.to !== 'stdout',
    message: say`--${flag} compares with the export before, and of what went to stdout there is none`,
    hint: say`leave it out, or name a place with -o`,
  })),
  {
    flag: 'max-shrink',
    can: ({ changedSince }) => changedSince === null,
    message: say`--max-shrink is for whole tables: how many rows changed since then says nothing of a loss`,
    hint: say`leave it out`,
  },
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
  const idle = heededBy.find(
    ({ flag, can }) => flags[flag] !== undefined && isTyped(flag) && !can(asked, flags),
  );
  if (idle) throw new UsageError(idle.message, idle.hint);
}
