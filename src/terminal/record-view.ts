import type { Article } from '../format/article.ts';
import { formatByName } from '../format/formats.ts';
import { jsonRecord, type Origin } from '../format/json.ts';
import { pickColumns } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { OutputSinks } from '../format/sink.ts';
import { affiliationsIn } from '../model/affiliation.ts';
import type { Attribution } from '../model/attribution.ts';
import { chamberNames, readBallot } from '../model/ballot.ts';
import { ballotSentence } from '../model/ballot-sentence.ts';
import { type Document, type Json, slugOf, textOf } from '../model/document.ts';
import { type KindName, kindCount, kindOf } from '../model/kinds.ts';
import { ballotRemarks } from '../parliament/group-position.ts';
import { groupRowColumns, groupRows } from '../parliament/group-rows.ts';
import type { RecordContext, RecordCounts } from '../store/records/record-context.ts';
import { say } from '../words/speech.ts';
import { type BallotContext, ballotFacts, ballotView } from './ballot-view.ts';
import { attributionLine, checkColumns, hasNotesBelow, noteLines, type OutputOptions, writeFormat } from './list.ts';
import { profileView } from './profile-view.ts';
import { renderTable } from './table.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { joinLines, joinWithDots, renderView, wrapProse } from './view.ts';

/** The answer of a command that shows one record. */
export type DisplayedRecord = {
  item: Document;
  kind: KindName;
  title: string;
  origin: Origin;
  attribution: Attribution;
  sources?: readonly Document[] | undefined;
  /** Groups and derived values of a ballot; absent for other kinds. */
  ballot?: BallotContext | undefined;
  context?: RecordContext | undefined;
};

/** Writes one record in the requested format. */
export async function writeRecord(record: DisplayedRecord, options: OutputOptions, sinks: OutputSinks) {
  const { stdout } = sinks;
  const { item, ballot, origin, attribution } = record;
  const { format, terminal } = options;
  const knownColumns = [...new Set([...Object.keys(item), ...(ballot ? groupRowColumns : [])])];
  checkColumns(options.columns, knownColumns);
  const notes = noteLines(record, options);
  if (!hasNotesBelow(options)) notes.map(sinks.stderr);
  const row = options.columns ? pickColumns(item, options.columns) : item;
  const derived = options.columns ? undefined : ballot?.derived;
  if (format === 'json') return stdout.write(jsonRecord(row, { derived, origin, attribution, pretty: terminal.isTTY }));
  if (format === 'table') {
    await stdout.write(renderRecordPage(record, options));
    const { dim } = styleOf(terminal);
    const remarks = [...(hasNotesBelow(options) ? notes : []), attributionLine(attribution, terminal.speech)];
    return stdout.write(`\n${joinLines(remarks.flatMap((line) => wrapProse(line, terminal)).map(dim))}`);
  }
  const { document } = formatByName(format);
  const article = document && options.columns === undefined ? articleOf(record, terminal) : null;
  if (document && article && !ballot) {
    const foot = document.close([attributionLine(attribution, terminal.speech)]);
    return stdout.write(`${document.open(article, terminal.speech).trimEnd()}\n${foot}`);
  }
  // A ballot has a row per group; in a document, below the ballot's facts, its columns begin with the group's name.
  const hasGroupRows = ballot !== undefined && format !== 'ndjson';
  const rows = hasGroupRows ? groupRows(item, document !== undefined) : [item];
  const columns = !hasGroupRows ? knownColumns : article ? documentColumns : groupRowColumns;
  const emptyMessage = () => say`the votes of groups are not published`;
  const items = { items: rows, isEmpty: rows.length === 0, total: null, nextCursor: null };
  const table = { ...record, article, ...items, columns, fileColumns: columns, emptyMessage };
  await writeFormat(table, { ...options, title: () => record.title }, sinks);
}

/** Returns the view of a record for a document, with dates as in the source; for a ballot, also its sentence. */
function articleOf({ kind, item, ballot, sources }: DisplayedRecord, outputTerminal: Terminal): Article {
  const terminal = { ...outputTerminal, isTTY: false };
  if (!ballot) return profileView(kind, item, terminal, sources);
  const parsedBallot = readBallot(item);
  const texts = [ballotSentence(parsedBallot), ...ballotRemarks(parsedBallot)];
  const paragraphs = texts.map((text) => ({ label: '', text: sanitiseLine(terminal.speech.render(text)) }));
  const article = ballotFacts(parsedBallot, terminal, sources);
  return { ...article, paragraphs: [...paragraphs, ...article.paragraphs] };
}

const documentColumns = groupRowColumns.slice(groupRowColumns.indexOf('party_name'));

/** Renders a record for a terminal or pipe: chosen columns as a table of one row, else a page of all fields. */
function renderRecordPage(
  { kind, item, ballot, context, sources }: DisplayedRecord,
  { columns, header, terminal }: OutputOptions,
): string {
  if (columns) return renderTable([item], { columns, header, terminal });
  if (terminal.isTTY && context && (kind === 'politician' || kind === 'party'))
    return profilePage(kind, item, { context, terminal });
  if (kind !== 'ballot') return renderView(profileView(kind, item, terminal, sources), terminal);
  return ballotView(item, terminal, ballot && { ...ballot, sources });
}

/** Renders the profile of a politician or party for a terminal: its facts, its records in this mirror, its lists. */
export function profilePage(
  kind: 'politician' | 'party',
  document: Document,
  { context, terminal }: { context: RecordContext; terminal: Terminal },
): string {
  const view = profileView(kind, withNames(document, context), terminal);
  const command = `hemicycle feed --${kind} ${textOf(document, 'slug')} --types`;
  const lines = context.relatedCounts.map((counted) => countLine(counted, command, terminal));
  const counts = { label: terminal.speech.say`In this mirror`, lines };
  return renderView({ ...view, sections: [counts, ...view.sections] }, terminal);
}

/** Returns the document with names in place of its chamber's code and beside the slugs of parties and groups. */
function withNames(document: Document, { nameOf }: RecordContext): Document {
  const withName = (reference: Json = null): Json => {
    const slug = slugOf(reference);
    const name = slug && nameOf('party', slug);
    return name ? `${name} · ${slug}` : reference;
  };
  const affiliations = affiliationsIn(document).map((each) => ({ ...each, party: withName(each.party) }));
  const chamber = chamberNames[textOf(document, 'chamber') ?? ''] ?? document.chamber ?? null;
  return { ...document, chamber, party: withName(document.party), group: withName(document.group), affiliations };
}

/** Returns the number of records of a kind, the day of the latest, and the command that lists them. */
function countLine({ kind, count, latest, jsonKind }: RecordCounts, command: string, { speech }: Terminal): string {
  const isAmendment = /^amend(e)?ments?$/i.test(jsonKind ?? '');
  const label = isAmendment ? speech.count(count, 'amendment') : kindCount(speech, kindOf(kind), count);
  const days = latest && speech.say`the latest of ${speech.day(latest)}`;
  return `${joinWithDots([label, days])}\n${sanitiseLine(`${command} ${kind}`)}`;
}
