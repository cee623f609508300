import type { Article, Fact } from '../format/article.ts';
import { changeTypeText, withdrawalText } from '../format/change-text.ts';
import { compareItems, compareWords } from '../format/difference.ts';
import { sanitiseLine, sanitiseProse } from '../format/sanitise.ts';
import { type Document, documentsIn, isDocument, type Json, textOf } from '../model/document.ts';
import { kinds } from '../model/kinds.ts';
import { ownValue } from '../model/shape.ts';
import type { Page } from '../questions/question.ts';
import { capitalise } from '../words/speech.ts';
import type { NameLookup } from './feed-view.ts';
import { labelOf, localiseDay } from './profile-view.ts';
import { terminalCell } from './table.ts';
import { type Colour, linkAddress, type Style, styleOf, type Terminal } from './terminal.ts';
import { factLines, flowParts, joinLines, joinWithDots, proseWidth, wrap, wrapAtMost } from './view.ts';

/** Returns the word diff, unchanged parts shortened to `context` words beside a change; null if too long to compare. */
function shortenedParts(before: string, after: string, context: number | undefined) {
  const parts = compareWords(before, after);
  if (!parts || context === undefined) return parts;
  return parts.map((part, at) => {
    if (part.added || part.removed) return part;
    return { ...part, value: shortenMiddle(part.value, context, at === 0, at === parts.length - 1) };
  });
}

/** Returns a word diff as `git diff --word-diff` prints it, with `context` words per side; null if too long. */
export function wordDiff(
  before: string,
  after: string,
  { context, style }: { context: number | undefined; style: Style },
): string | null {
  const diffParts = shortenedParts(before, after, context)?.map(({ value, added, removed }) => {
    if (removed) return paintWords(`[-${value}-]`, 'red', style);
    return added ? paintWords(`{+${value}+}`, 'green', style) : value;
  });
  return diffParts?.join('') ?? null;
}

/** Returns two texts shortened around their differences; whole if they are too long and too different to compare. */
export function shortenAroundChanges(before: string, after: string): [before: string, after: string] {
  const parts = shortenedParts(before, after, terminalContextWords);
  if (!parts) return [before, after];
  const textWithout = (side: 'added' | 'removed') => parts.flatMap((part) => (part[side] ? [] : part.value)).join('');
  return [textWithout('added'), textWithout('removed')];
}

function shortenMiddle(text: string, context: number, isFirst: boolean, isLast: boolean): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const contextWords = (isFirst ? 0 : context) + (isLast ? 0 : context);
  if (words.length <= contextWords + 2) return text;
  const head = isFirst ? '' : `${words.slice(0, context).join('').trimEnd()} `;
  const tail = isLast ? '' : ` ${words.slice(-context).join('')}`;
  return `${head}…${tail}`;
}

const shortTextLength = 60; // longer texts are shown as a word diff

const terminalContextWords = 8; // unchanged words on each side of a change

const typeColours = {
  added: 'green',
  edited: 'yellow',
  returned: 'cyan',
  renamed: 'cyan',
  withdrawn: 'red',
} as const;

const changeTypes = Object.keys(typeColours) as (keyof typeof typeColours)[];

const colourOf = (word: string): Colour => ownValue<Colour>(typeColours, word) ?? 'blue';

/** Renders one change in a pipe: a line with time, type, kind, key and title, then each field, old → new. */
export function renderChange(change: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const changeType = String(change.change);
  const head = [
    momentText(change.seen_at),
    style.colour(colourOf(changeType), changeType.padEnd(9)),
    sanitiseLine(String(change.kind)).padEnd(10),
    style.bold(keyText(change)),
    titleText(change),
  ];
  const lines = retractionLines(change, terminal, '  ');
  return joinLines([head.join('  ').trimEnd(), ...lines, ...fieldLines(change.fields, terminal)]);
}

type ChangeCounts = NonNullable<ReturnType<NonNullable<Page['countAll']>>>;

/** Returns lines with the number of changes by kind and type; none if they were not counted. */
export function changeSummary(summary: ChangeCounts | null, terminal: Terminal) {
  if (summary === null) return [];
  const { columns, speech } = terminal;
  const style = styleOf(terminal);
  const facts = kinds.flatMap(({ name, plural }): Fact[] => {
    const counts = summary.counts.get(name);
    if (!counts) return [];
    const countTexts = changeTypes
      .filter((changeType) => counts.has(changeType))
      .map((type) => style.colour(typeColours[type], speech.count(counts.get(type)!, type)));
    return [{ label: speech.word(plural), value: countTexts.join(', ') }];
  });
  const head = speech.say`${speech.count(summary.total, 'change')} seen since ${speech.moment(summary.since)}`;
  return [...wrap(head, columns).map((line) => style.bold(line)), ...factLines(facts, terminal, '  ')];
}

type ChangeTest = (change: Document) => boolean;

/** Returns a note if records of a first fill are omitted or `summary` is null, with the `command` that lists them. */
export function firstFillLines(
  summary: ChangeCounts | null,
  isFirstFill: ChangeTest,
  { command, terminal: { columns, speech } }: { command: string; terminal: Terminal },
): string[] {
  const kindNames = summary === null ? [] : [...summary.counts.keys()];
  const omitsFirstFill = kindNames.some((kind) => isFirstFill({ change: 'added', kind, seen_at: summary!.since }));
  if (summary !== null && !omitsFirstFill) return [];
  const note = speech.say`records of the first import or sync are counted, not listed; \`${command}\` lists them`;
  return wrap(note, columns);
}

/** Creates a renderer of changes in order: a heading for each new time; an empty text for changes to omit. */
export const createChangeRenderer = (isOmitted: ChangeTest | null) => (nameOf: NameLookup) => {
  let heading: string | null = null;
  return (change: Document, terminal: Terminal): string => {
    if (isOmitted?.(change)) return '';
    const style = styleOf(terminal);
    const { speech } = terminal;
    const moment = speech.moment(String(change.seen_at));
    const headingLines = moment === heading ? [] : [...(heading === null ? [] : ['']), style.bold(moment)];
    heading = moment;
    const type = String(change.change);
    const slug = change.kind === 'politician' ? null : textOf(change, 'politician');
    const titleLine = joinWithDots([titleText(change), slug && (nameOf('politician', slug) ?? slug)]);
    const kind = speech.word(sanitiseLine(String(change.kind)));
    const changeText = [sanitiseLine(changeTypeText(type, speech)), kind].join(speech.language === 'en' ? ' ' : ' · ');
    const parts = [style.colour(colourOf(type), changeText), style.dim(keyText(change))];
    const head = flowParts(parts, { width: terminal.columns - 2 }).map((line) => `  ${line}`);
    const width = proseWidth(terminal, 4);
    const titleLines = titleLine === '' ? [] : wrapAtMost(2, titleLine, width).map((line) => `    ${line}`);
    const lines = [...titleLines, ...retractionLines(change, terminal, '    ')];
    return joinLines([...headingLines, ...head, ...lines, ...fieldLines(change.fields, terminal)]);
  };
};

function retractionLines(change: Document, terminal: Terminal, indent: string): string[] {
  const text = withdrawalText(change, terminal.speech);
  return text === null ? [] : wrap(text, proseWidth(terminal, indent.length)).map((line) => `${indent}${line}`);
}

/** Colours each word, since pagers reset colour at line ends. */
const paintWords = (text: string, colour: Colour, style: Style) =>
  text.replace(/[^ ]+/g, (word) => style.colour(colour, word));

const titleText = ({ title, key }: Document) => (title === key ? '' : terminalCell(title));

function keyText({ key, former_key: formerKey }: Document): string {
  const text = sanitiseLine(String(key));
  return formerKey === undefined ? text : `${sanitiseLine(String(formerKey))} → ${text}`;
}

/** Renders one version of a record: its validity interval, and its changes or, if it is the first, its fields. */
export function renderVersion(version: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const { speech } = terminal;
  const from = localiseMoment(version.seen_from, terminal);
  const until = localiseMoment(version.seen_to, terminal);
  const time =
    version.seen_to === null
      ? speech.say`${from} to now`
      : speech.say`${from} to ${until}, then ${changeTypeText(String(version.ended_by), speech)}`;
  const partText = version.part === 'detail' ? speech.say`full document` : speech.say`record`;
  const head = [style.bold(time), style.dim(partText)];
  const headLines = terminal.isTTY ? flowParts(head, { width: terminal.columns }) : [head.join('  ')];
  const changeLines = fieldLines(version.changes, terminal);
  const facts = Object.entries(isDocument(version.document) ? version.document : {})
    .filter(([, value]) => value !== null)
    .map(([field, value]): Fact => ({ label: fieldText(field, terminal), value: valueText(value, terminal) }));
  return joinLines([...headLines, ...(changeLines.length > 0 ? changeLines : factLines(facts, terminal, '    '))]);
}

function fieldLines(fields: Json | undefined, terminal: Terminal): string[] {
  const facts = documentsIn(fields).map(
    ({ field, old, new: next }): Fact => ({
      label: fieldText(String(field), terminal),
      value: fieldDifference(old ?? null, next ?? null, terminal),
    }),
  );
  return factLines(facts, terminal, '    ');
}

/** Renders a field's change: short values as `old → new`, long texts as word diff, lists by item. */
export function fieldDifference(old: Json, next: Json, terminal: Terminal): string {
  if (Array.isArray(old) || Array.isArray(next)) return listDifference(old, next, terminal);
  const style = styleOf(terminal.isTTY ? terminal : { ...terminal, colour: false });
  if (typeof old === 'string' && typeof next === 'string' && Math.max(old.length, next.length) > shortTextLength) {
    const context = terminal.isTTY ? terminalContextWords : undefined;
    const diff = wordDiff(sanitiseLine(old), sanitiseLine(next), { context, style });
    if (diff !== null) return diff;
  }
  const before = valueText(old, terminal);
  const after = valueText(next, terminal);
  return `${paintWords(before, 'red', style)} → ${paintWords(after, 'green', style)}`;
}

function listDifference(old: Json, next: Json, terminal: Terminal): string {
  const { removedItems, addedItems } = compareItems(old, next);
  const lines = [
    ...removedItems.map((item) => `- ${valueText(item, terminal)}`),
    ...addedItems.map((item) => `+ ${valueText(item, terminal)}`),
  ];
  return lines.length > 0 ? lines.join('\n') : terminal.speech.say`in another order`;
}

function valueText(value: Json, terminal: Terminal): string {
  if (value === null) return terminal.speech.say`(nothing)`;
  if (terminal.isTTY && Array.isArray(value) && value.length > 0)
    return value.map((item) => valueText(item, terminal)).join(value.some(isDocument) ? '\n' : ', ');
  if (terminal.isTTY && isDocument(value) && isFlat(value)) {
    const filledFields = Object.entries(value).filter(([, each]) => each !== null);
    return filledFields
      .map(([name, each]) => `${labelOf(name, terminal.speech)} ${valueText(each, terminal)}`)
      .join(', ');
  }
  return sanitiseLine(typeof value === 'string' ? localiseDay(value, terminal) : JSON.stringify(value));
}

const isFlat = (value: Document) => Object.values(value).every((each) => typeof each !== 'object' || each === null);

/** Returns the label of a field at a terminal, its name in a pipe, where scripts read it. */
function fieldText(field: string, { isTTY, speech }: Terminal): string {
  return sanitiseLine(isTTY ? speech.field(field) : field);
}

function localiseMoment(moment: Json | undefined, { isTTY, speech }: Terminal): string {
  return isTTY ? sanitiseLine(speech.moment(String(moment ?? ''))) : momentText(moment);
}

function momentText(moment: Json | undefined): string {
  return sanitiseLine(String(moment ?? ''))
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** Returns a paragraph per section: each item's summary, reason (`why`), and URL or command that shows the record. */
export function sectionParagraphs(items: Document[], speech: Terminal['speech']): Article['paragraphs'] {
  const lineOf = (item: Document) => {
    const summary = sanitiseProse(String(item[speech.language === 'fr' ? 'summary_fr' : 'summary']));
    const why = textOf(item, 'why');
    const link = linkAddress(textOf(item, 'url')) ?? `\`${sanitiseLine(String(item.show))}\``;
    return `${summary}${why === null ? '' : ` (${sanitiseLine(why)})`} ${link}`;
  };
  return [...Map.groupBy(items, ({ section }) => String(section))].map(([section, rows]) => {
    const total = Number(rows[0]!.section_total ?? 0);
    const part =
      total > rows.length ? ` (${speech.say`${speech.number(rows.length)} of ${speech.number(total)}`})` : '';
    return { label: `${capitalise(speech.word(section))}${part}`, text: rows.map(lineOf).join('\n\n') };
  });
}
