import { jsonRecord, type Origin } from '../format/json.ts';
import { markdownText } from '../format/markdown.ts';
import { picked, writeRows } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { OutputSinks } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import { readBallot } from '../model/ballot.ts';
import { ballotSentence } from '../model/ballot-sentence.ts';
import type { Document } from '../model/document.ts';
import { groupRowColumns, groupRows } from '../model/group-rows.ts';
import type { KindName } from '../model/kinds.ts';
import type { RecordContext } from '../store/records/record-context.ts';
import { type Speech, say, type UserText } from '../words/speech.ts';
import { type BallotContext, ballotView } from './ballot-view.ts';
import { attributionLine, type OutputOptions, originLine, refuseUnknown, rowFormatOf } from './list.ts';
import { profilePage } from './profile-page.ts';
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
  notes?: UserText[] | undefined;
  /** Of a ballot: what is known of its groups. */
  ballot?: BallotContext | undefined;
  /** What the mirror says beside it. */
  context?: RecordContext | undefined;
};

/** Writes one record in the format asked for: at a terminal as a page for people, a row or JSON elsewhere. */
export async function writeRecord(
  record: RecordAnswer,
  options: OutputOptions,
  { stdout, stderr }: OutputSinks,
): Promise<void> {
  const { item, origin, attribution } = record;
  const { format, terminal } = options;
  const ofGroups = record.kind === 'ballot' ? groupRowColumns : [];
  const known = [...new Set([...(record.allColumns ?? []), ...Object.keys(item), ...ofGroups])];
  refuseUnknown(options.columns, known);
  for (const note of record.notes ?? []) stderr(sanitiseLine(terminal.speech.tell(note)));
  const chosen = options.columns ? picked(item, options.columns) : item;
  if (!options.quiet) stderr(originLine(origin));
  if (format === 'json')
    return stdout.write(jsonRecord(chosen, { origin, attribution, pretty: terminal.isTTY }));
  if (format === 'table') {
    await stdout.write(await pageOf(record, options));
    const { dim } = styleOf(terminal);
    return stdout.write(`\n${dim(attributionLine(attribution, terminal.speech))}\n`);
  }
  const { rows, columns, heading } = tableOf(record, options, known);
  if (rows.length === 0) stderr(say`the votes of groups are not published`);
  await stdout.write(heading);
  await writeRows(rows, rowFormatOf(options, columns), stdout, { ...options, columns });
  if (format === 'markdown') return stdout.write(`\n${attributionLine(attribution, terminal.speech)}\n`);
  if (!stdout.closed) stderr(attributionLine(attribution, terminal.speech));
}

/** A record as rows: itself, or of a ballot one row for each group; what stands above these in an article. */
function tableOf(
  { item, kind, allColumns }: RecordAnswer,
  { columns, format, terminal }: OutputOptions,
  known: string[],
): { rows: Document[]; columns: string[]; heading: string } {
  if (kind !== 'ballot' || format === 'ndjson')
    return { rows: [item], columns: columns ?? allColumns ?? known, heading: '' };
  const isArticle = format === 'markdown' && columns === undefined;
  return {
    rows: groupRows(item),
    columns: columns ?? (isArticle ? articleColumns : groupRowColumns),
    heading: isArticle ? ballotHeading(item, terminal.speech) : '',
  };
}

/** Columns that a heading says nothing about. */
const articleColumns = groupRowColumns.slice(groupRowColumns.indexOf('party_name'));

function ballotHeading(item: Document, speech: Speech): string {
  const ballot = readBallot(item);
  const facts = [ballot.date, `${ballot.chamber} ${ballot.scrutin_id}`, ballot.result];
  const lines = [
    `## ${ballot.title ?? ballot.scrutin_id}`,
    facts.filter((fact) => fact !== null).join(' · '),
    speech.tell(ballotSentence(ballot)),
  ];
  return lines.map((line) => `${markdownText(sanitiseLine(line))}\n\n`).join('');
}

/** Columns that were named make a table of one row: a page made of a part would call the rest unstated. */
async function pageOf(
  { kind, item, ballot, context }: RecordAnswer,
  { columns, header, terminal }: OutputOptions,
): Promise<string> {
  if (columns) return renderTable([item], { columns, header, terminal });
  if (terminal.isTTY && context && (kind === 'politician' || kind === 'party'))
    return profilePage(kind, item, { context, terminal });
  return kind === 'ballot'
    ? ballotView(item, terminal, ballot)
    : renderView(profileView(kind, item, terminal), terminal);
}
