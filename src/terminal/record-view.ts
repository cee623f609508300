import { jsonRecord, type Origin } from '../format/json.ts';
import { markdownText } from '../format/markdown.ts';
import { pickColumns } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { OutputSinks } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import { readBallot } from '../model/ballot.ts';
import { ballotSentence } from '../model/ballot-sentence.ts';
import type { Document } from '../model/document.ts';
import type { KindName } from '../model/kinds.ts';
import { groupRowColumns, groupRows } from '../parliament/group-rows.ts';
import type { RecordContext } from '../store/records/record-context.ts';
import { type Speech, say } from '../words/speech.ts';
import { type BallotContext, ballotView } from './ballot-view.ts';
import {
  attributionLine,
  hasNotesBelow,
  noteLines,
  type OutputOptions,
  refuseUnknownColumns,
  writeFormat,
} from './list.ts';
import { profilePage } from './profile-page.ts';
import { profileView, sourceLine } from './profile-view.ts';
import { renderTable } from './table.ts';
import { styleOf } from './terminal.ts';
import { headed, joinLines, type RecordView, renderView, wrap, wrapProse } from './view.ts';

/** The answer of a record command. */
export type RecordAnswer = {
  item: Document;
  kind: KindName;
  origin: Origin;
  attribution: Attribution;
  sources?: readonly Document[] | undefined;
  /** Present with a whole ballot. */
  ballot?: BallotContext | undefined;
  context?: RecordContext | undefined;
};

/** Writes one record in the requested format. */
export async function writeRecord(record: RecordAnswer, options: OutputOptions, sinks: OutputSinks) {
  const { stdout } = sinks;
  const { item, ballot, origin, attribution } = record;
  const { format, terminal } = options;
  const groupColumns = ballot ? groupRowColumns : [];
  const knownColumns = [...new Set([...Object.keys(item), ...groupColumns])];
  refuseUnknownColumns(options.columns, knownColumns);
  const notes = noteLines(record, options);
  if (!hasNotesBelow(options)) notes.map(sinks.stderr);
  const chosenFields = options.columns ? pickColumns(item, options.columns) : item;
  const derived = options.columns ? undefined : ballot?.derived;
  if (format === 'json')
    return stdout.write(jsonRecord(chosenFields, { derived, origin, attribution, pretty: terminal.isTTY }));
  if (format === 'table') {
    await stdout.write(renderRecordPage(record, options));
    const { dim } = styleOf(terminal);
    const remarks = [...(hasNotesBelow(options) ? notes : []), attributionLine(attribution, terminal.speech)];
    const lines = remarks.flatMap((line) => wrapProse(line, terminal));
    return stdout.write(`\n${joinLines(lines.map(dim))}`);
  }
  if (format === 'markdown' && record.kind !== 'ballot' && options.columns === undefined)
    return stdout.write(
      `${articleOf(profileView(record.kind, item, { ...terminal, isTTY: false }, record.sources))}${attributionLine(attribution, terminal.speech)}\n`,
    );
  const { rows, columns, heading } = tableOf(record, options, knownColumns);
  const nothing = () => say`the votes of groups are not published`;
  await stdout.write(heading);
  const table = { ...record, items: rows, columns, fileColumns: columns, isEmpty: rows.length === 0, nothing };
  await writeFormat({ ...table, total: null, nextCursor: null }, options, sinks);
}

/** A ballot has a row per group; Markdown puts its facts in a heading. */
function tableOf({ item, ballot }: RecordAnswer, { columns, format, terminal }: OutputOptions, knownColumns: string[]) {
  if (!ballot || format === 'ndjson') return { rows: [item], columns: knownColumns, heading: '' };
  const isArticle = format === 'markdown' && columns === undefined;
  return {
    rows: groupRows(item),
    columns: isArticle ? articleColumns : groupRowColumns,
    heading: isArticle ? ballotHeading(item, terminal.speech) : '',
  };
}

function articleOf({ title, facts, paragraphs, sections, other }: RecordView): string {
  const bullets = (lines: string[]) => lines.map((line) => `- ${line}\n`).join('');
  const factTexts = [...facts, ...other].map(
    ({ label, value }) => `**${markdownText(label)}**: ${markdownText(value)}`,
  );
  const parts = [
    ...paragraphs.map(({ label, text }) => [
      label,
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => `${markdownText(line)}\n`)
        .join('\n'),
    ]),
    ...sections.map(({ label, lines }) => [label, bullets(lines.map(markdownText))]),
  ];
  const sectionTexts = parts.map(([label, text]) => `## ${markdownText(label!)}\n\n${text}`);
  return [`# ${markdownText(title)}\n`, bullets(factTexts), ...sectionTexts, ''].join('\n');
}

const articleColumns = groupRowColumns.slice(groupRowColumns.indexOf('party_name'));

function ballotHeading(item: Document, speech: Speech): string {
  const ballot = readBallot(item);
  const facts = [ballot.date, `${ballot.chamber} ${ballot.scrutin_id}`, ballot.result];
  const lines = [
    `## ${ballot.title ?? ballot.scrutin_id}`,
    facts.filter((fact) => fact !== null).join(' · '),
    speech.render(ballotSentence(ballot)),
  ];
  return lines.map((line) => `${markdownText(sanitiseLine(line))}\n\n`).join('');
}

/** Chosen columns make a one-row table: a page would present the other fields as not stated. */
function renderRecordPage(
  { kind, item, ballot, context, sources }: RecordAnswer,
  { columns, header, terminal }: OutputOptions,
): string {
  if (columns) return renderTable([item], { columns, header, terminal });
  if (terminal.isTTY && context && (kind === 'politician' || kind === 'party'))
    return profilePage(kind, item, { context, terminal });
  if (kind !== 'ballot') return renderView(profileView(kind, item, terminal, sources), terminal);
  const lines = (sources ?? [])
    .flatMap((each) => wrap(sourceLine(each, terminal), terminal.columns - 2))
    .map((line) => `  ${line}`);
  const sourceLines = headed(terminal.speech.say`Sources`, lines, { style: styleOf(terminal) });
  return `${ballotView(item, terminal, ballot)}${sourceLines.length > 0 ? `\n${joinLines(sourceLines)}` : ''}`;
}
