import { sanitiseLine, sanitiseText } from '../format/sanitise.ts';
import { affiliationsIn } from '../model/affiliation.ts';
import { composedText } from '../model/composition.ts';
import { type Document, documentsIn, isDocument, type Json, textOf } from '../model/document.ts';
import { type KindName, kindCount, kindOf } from '../model/kinds.ts';
import { memberParts } from '../parliament/membership.ts';
import type { RecordContext, RecordCounts } from '../store/records/record-context.ts';
import type { Phrase } from '../words/speech.ts';
import {
  affiliationLines,
  createProfileContext,
  headOfParty,
  headOfPolitician,
  nameOrSlug,
  type ProfileContext,
} from './profile-head.ts';
import { itemLine, labelOf } from './profile-view.ts';
import { linkAddress, type Terminal } from './terminal.ts';
import { blocksText, flowParts, headed, joinWithDots, wrap, wrapAtMost } from './view.ts';
import { cutToWidth, displayWidth, padded } from './width.ts';

const maxMembers = 12;
const maxSources = 12;
const maxStatements = 3;

/** Renders the profile of a politician or party for a terminal. */
export function profilePage(
  kind: 'politician' | 'party',
  document: Document,
  { context, terminal }: { context: RecordContext; terminal: Terminal },
): string {
  const page = createProfileContext(context, terminal);
  const blocks = [
    kind === 'politician' ? headOfPolitician(document, page) : headOfParty(document, page),
    proseLines(textOf(document, 'bio', 'description'), page),
    affiliationLines(affiliationsIn(document), page),
    ...Object.entries(memberParts).map((part) => memberLines(document, part, page)),
    recordLines(kind, document, page),
    ...(['promises', 'positions', 'quotes'] as const).map((field) => statementLines(field, document, page)),
    sourceLines(listField(document, 'sources'), page),
    otherListLines(document, page),
    document.composed === true ? proseLines(page.speech.render(composedText), page) : [],
  ];
  return blocksText(blocks.map((lines) => lines.map((line) => line.trimEnd())));
}

function proseLines(text: string | null, { width }: ProfileContext): string[] {
  return text === null ? [] : wrap(sanitiseText(text), width);
}

function memberLines(document: Document, [part, heading]: [string, Phrase], page: ProfileContext): string[] {
  const { speech, style, terminal } = page;
  const memberList = listField(document, part);
  const slug = sanitiseLine(textOf(document, 'slug') ?? '');
  const lines = memberList.slice(0, maxMembers).map((member) => {
    const role = isDocument(member) ? textOf(member, 'current_role', 'role') : null;
    const name = nameOrSlug('politician', member, page);
    const line = `  ${name}${role === null ? '' : `  ${style.dim(sanitiseLine(role))}`}`;
    return displayWidth(line) <= terminal.columns ? line : `  ${wrap(name, terminal.columns - 4).join('\n    ')}`;
  });
  const more = moreLines(memberList.length - lines.length, `hemicycle politicians --party ${slug} --all`, page);
  return headed(speech.say`${heading}: ${speech.number(memberList.length)}`, [...lines, ...more], page);
}

function moreLines(remainingCount: number, command: string, { speech, style, terminal }: ProfileContext): string[] {
  if (remainingCount <= 0) return [];
  const text = `  ${speech.say`and ${speech.number(remainingCount)} more`}:`;
  return flowParts([text, command], { width: terminal.columns, gap: ' ', indent: '    ' }).map(style.dim);
}

const isAmendment = (textKind: string | null) => /^amend(e)?ments?$/i.test(textKind ?? '');

function recordLines(kind: 'politician' | 'party', document: Document, page: ProfileContext): string[] {
  const { speech, style, terminal, context } = page;
  const countText = ({ kind: of, count, textKind }: RecordCounts) =>
    isAmendment(textKind) ? speech.count(count, 'amendment') : kindCount(speech, kindOf(of), count);
  const counts = context.heldRecords.map(countText);
  const width = Math.max(...counts.map(displayWidth));
  const lines = context.heldRecords.flatMap((kindSummary, at) => {
    const latest = kindSummary.latest === null ? '' : speech.say`the latest of ${speech.day(kindSummary.latest)}`;
    const text = `  ${padded(counts[at]!, width)}  ${latest}`.trimEnd();
    const command = listing(kind, document, kindSummary.kind);
    if (displayWidth(`${text}  ${command}`) <= terminal.columns) return [`${text}  ${style.dim(command)}`];
    const isOneLine = displayWidth(text) <= terminal.columns;
    const commandWidth = Math.max(16, terminal.columns - 4);
    const commandLines = [...(isOneLine ? [] : wrap(latest, commandWidth)), ...wrap(command, commandWidth)];
    return [isOneLine ? text : `  ${counts[at]}`, ...commandLines.map((line) => `    ${style.dim(line)}`)];
  });
  return headed(speech.say`In this mirror`, lines, page);
}

function listing(subjectKind: 'politician' | 'party', document: Document, kind: KindName): string {
  return `hemicycle feed --${subjectKind} ${sanitiseLine(textOf(document, 'slug') ?? '')} --types ${kind}`;
}

function statementLines(field: 'promises' | 'positions' | 'quotes', document: Document, page: ProfileContext) {
  const { speech, style, width, context } = page;
  const items = documentsIn(document[field]);
  const kind = field.slice(0, -1) as KindName;
  const lines = items.slice(0, maxStatements).flatMap((item) => {
    const date = textOf(item, 'date');
    const id = textOf(item, 'id');
    const facts = [date && speech.day(date), textOf(item, 'topic'), textOf(item, 'stance', 'status'), id];
    const text = sanitiseLine(textOf(item, 'title', 'text', 'statement') ?? itemLine(item));
    return [
      ...wrapAtMost(2, kind === 'quote' ? speech.quoted(text) : text, width - 2).map((line) => `  ${line}`),
      ...wrap(joinWithDots(facts), width - 2).map((line) => `  ${style.dim(line)}`),
    ];
  });
  const kindSummary = context.heldRecords.find((each) => each.kind === kind);
  const command = kindSummary ? listing('politician', document, kind) : `hemicycle politicians ${document.slug} --json`;
  const more = moreLines(items.length - maxStatements, sanitiseLine(command), page);
  const number = speech.number(items.length);
  const headings = {
    promises: speech.say`Promises: ${number}`,
    positions: speech.say`Positions: ${number}`,
    quotes: speech.say`Quotes: ${number}`,
  };
  return headed(headings[field], [...lines, ...more], page);
}

/** A terminal without hyperlinks shows the address below its source. */
function sourceLines(sourceItems: Json[], page: ProfileContext): string[] {
  const { speech, style, terminal } = page;
  const lines = sourceItems.slice(0, maxSources).flatMap((source, at) => {
    if (!isDocument(source)) return [`  [${at + 1}] ${itemLine(source)}`];
    const url = linkAddress(textOf(source, 'url'));
    const number = `  [${at + 1}] `;
    const margin = ' '.repeat(number.length);
    const date = textOf(source, 'date');
    const facts = joinWithDots([textOf(source, 'publisher'), date && speech.day(date)]);
    const title = sanitiseLine(textOf(source, 'title') ?? textOf(source, 'url') ?? itemLine(source));
    const width = Math.max(16, terminal.columns - number.length);
    const sourceFacts = [facts, style.dim(sanitiseLine(textOf(source, 'id') ?? ''))];
    return [
      ...wrap(title, width).map((line, index) => `${index === 0 ? number : margin}${style.link(line, url)}`),
      ...wrap(sourceFacts.filter((part) => part !== '').join('  '), width).map((line) => `${margin}${line}`),
      ...(url === null || terminal.hyperlinks ? [] : [`${margin}${url}`]),
    ];
  });
  const remainingCount = sourceItems.length - maxSources;
  const more =
    remainingCount > 0 ? [style.dim(speech.say`  and ${speech.number(remainingCount)} more (--json shows all)`)] : [];
  return headed(speech.say`Sources`, [...lines, ...more], page);
}

const shownLists = 'affiliations promises positions quotes sources source_ids'
  .split(' ')
  .concat(Object.keys(memberParts));

function otherListLines(document: Document, page: ProfileContext): string[] {
  return Object.entries(document).flatMap(([field, value]) => {
    if (!Array.isArray(value) || value.length === 0 || shownLists.includes(field)) return [];
    const lines = value
      .slice(0, maxMembers)
      .map((item) => `  ${cutToWidth(itemLine(item), page.terminal.columns - 2)}`);
    return headed(`${labelOf(field, page.speech)} (${value.length})`, lines, page);
  });
}

function listField(document: Document, field: string): Json[] {
  const value = document[field];
  return Array.isArray(value) ? value : [];
}
