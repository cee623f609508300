import { UsageError } from '../errors.ts';
import { say, type UserText } from '../words/speech.ts';
import type { ExportFlags } from './export-flags.ts';
import type { ExportRequest } from './export-request.ts';

/** True for an export whose files are CSV. */
const isCsv = ({ target, format }: ExportRequest): boolean =>
  format.format === 'csv' && ['stdout', 'file', 'folder'].includes(target.to);

/** Flags that only some exports use: whether this one does, and what they are for. */
const idleFlags: [
  flag: keyof ExportFlags,
  isUsed: (asked: ExportRequest, flags: ExportFlags) => boolean,
  use: UserText,
][] = [
  ['header', (asked, { header }) => header || isCsv(asked), say`for CSV`],
  ['bom', isCsv, say`for CSV`],
  ['french-headers', (asked) => isCsv(asked) || asked.target.to === 'workbook', say`for CSV and workbooks`],
  ['excel-fr', isCsv, say`for CSV`],
  ['spreadsheet-safe', isCsv, say`for CSV`],
  ['json', ({ target }) => target.to !== 'workbook', say`for NDJSON`],
  ['releases', ({ target }) => target.to === 'folder', say`for a folder: -o releases/`],
  ['if-changed', ({ target }) => target.to !== 'stdout', say`for a place with a previous export: -o DIR/`],
];

/** Throws a UsageError for a typed flag (`isTyped`) that this export would ignore. */
export function refuseIdleFlags(
  asked: ExportRequest,
  flags: ExportFlags,
  isTyped: (flag: string) => boolean,
): void {
  for (const [flag, isUsed, use] of idleFlags)
    if (flags[flag] !== undefined && isTyped(flag) && !isUsed(asked, flags))
      throw new UsageError(say`--${flag === 'header' ? 'no-header' : flag} is ${use}`, say`leave it out`);
}
