import { jsonRecord, type Origin } from '../format/json.ts';
import { picked, writeRows } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { OutputSinks } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import type { KindName } from '../model/kinds.ts';
import { ballotView } from './ballot-view.ts';
import { attributionLine, type OutputOptions, originLine, refuseUnknown, rowFormatOf } from './list.ts';
import { profileView } from './profile-view.ts';
import { renderTable } from './table.ts';
import { styleOf } from './terminal.ts';
import { renderView } from './view.ts';

/** One record that a command found. */
export type RecordAnswer = {
  item: Document;
  kind: KindName;
  /** Columns of a file; those of the record where they are not given. */
  allColumns?: string[] | undefined;
  origin: Origin;
  attribution: Attribution;
  notes?: string[] | undefined;
};

/** Writes one record in the format asked for: at a terminal as a page for people, a row or JSON elsewhere. */
export async function writeRecord(
  record: RecordAnswer,
  options: OutputOptions,
  { stdout, stderr }: OutputSinks,
): Promise<void> {
  const { item, origin, attribution } = record;
  const { format, terminal } = options;
  const known = [...new Set([...(record.allColumns ?? []), ...Object.keys(item)])];
  refuseUnknown(options.columns, known);
  for (const note of record.notes ?? []) stderr(sanitiseLine(note));
  const chosen = options.columns ? picked(item, options.columns) : item;
  if (!options.quiet) stderr(originLine(origin));
  if (format === 'json')
    return stdout.write(jsonRecord(chosen, { origin, attribution, pretty: terminal.isTTY }));
  if (format === 'table') {
    await stdout.write(await pageOf(record, options));
    return stdout.write(`\n${styleOf(terminal).dim(attributionLine(attribution))}\n`);
  }
  const columns = options.columns ?? record.allColumns ?? known;
  await writeRows([item], rowFormatOf(options, columns), stdout, { ...options, columns });
  if (format === 'markdown') return stdout.write(`\n${attributionLine(attribution)}\n`);
  if (!stdout.closed) stderr(attributionLine(attribution));
}

/** Columns that were named make a table of one row: a page made of a part would call the rest unstated. */
async function pageOf(
  { kind, item }: RecordAnswer,
  { columns, header, terminal }: OutputOptions,
): Promise<string> {
  if (columns) return renderTable([item], { columns, header, terminal });
  return kind === 'ballot' ? ballotView(item, terminal) : renderView(profileView(kind, item), terminal);
}
