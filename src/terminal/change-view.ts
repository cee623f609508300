import { sortText } from '../format/change-text.ts';
import { itemsCompared, wordsCompared } from '../format/difference.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, documentsIn, isDocument, type Json, textOf } from '../model/document.ts';
import { kinds } from '../model/kinds.ts';
import { own } from '../model/shape.ts';
import type { Page } from '../questions/question.ts';
import type { Noun } from '../words/nouns.ts';
import type { NameOf } from './feed-view.ts';
import { dayIn, labelOf } from './profile-view.ts';
import { terminalCell } from './table.ts';
import { type Colour, type Style, styleOf, type Terminal } from './terminal.ts';
import { dotted, ended, type Fact, factLines, flowed, proseWidth, wrap, wrapAtMost } from './view.ts';

/** Shortens unchanged text to `context` words beside a change; null if the texts cannot be compared. */
function partsShown(before: string, after: string, context: number | undefined) {
  const parts = wordsCompared(before, after);
  if (!parts || context === undefined) return parts;
  return parts.map((part, at) =>
    part.in === 'both' ? { ...part, text: shortened(part.text, context, at === 0, at === parts.length - 1) } : part,
  );
}

/** Returns a word diff as `git diff --word-diff` prints it, with `context` words per side; null if too long. */
export function wordDiff(
  before: string,
  after: string,
  { context, style }: { context?: number | undefined; style?: Style } = {},
): string | null {
  // Colour each word, since pagers reset colour at line ends.
  const painted = (name: Colour, text: string) => (style ? eachWord(text, (word) => style.colour(name, word)) : text);
  const drawn = partsShown(before, after, context)?.map(({ text, in: where }) => {
    if (where === 'both') return text;
    return where === 'old' ? painted('red', `[-${text}-]`) : painted('green', `{+${text}+}`);
  });
  return drawn?.join('') ?? null;
}

/** Returns two texts shortened around their differences; whole if they are too long and too different to compare. */
export function beforeAndAfter(before: string, after: string): [before: string, after: string] {
  const parts = partsShown(before, after, contextAtTerminal);
  if (!parts) return [before, after];
  const without = (other: 'old' | 'new') => parts.flatMap((part) => (part.in === other ? [] : part.text)).join('');
  return [without('new'), without('old')];
}

function shortened(text: string, context: number, isFirst: boolean, isLast: boolean): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const contextWords = (isFirst ? 0 : context) + (isLast ? 0 : context);
  if (words.length <= contextWords + 2) return text;
  const head = isFirst ? '' : `${words.slice(0, context).join('').trimEnd()} `;
  const tail = isLast ? '' : ` ${words.slice(-context).join('')}`;
  return `${head}…${tail}`;
}

const shortText = 60;

const contextAtTerminal = 8;

const colours = {
  added: 'green',
  edited: 'yellow',
  returned: 'cyan',
  renamed: 'cyan',
  withdrawn: 'red',
} as const satisfies Partial<Record<Noun, Colour>>;

const sorts = Object.keys(colours) as (keyof typeof colours)[];

const colourOf = (word: string): Colour => own<Colour>(colours, word) ?? 'blue';

/** Renders one change in a pipe: a line with what changed and when, then each field, old → new. */
export function changeBlock(change: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const word = String(change.change);
  const head = [
    momentText(change.seen_at),
    style.colour(colourOf(word), word.padEnd(9)),
    sanitiseLine(String(change.kind)).padEnd(10),
    style.bold(keyText(change)),
    titleText(change),
  ];
  return ended([head.join('  ').trimEnd(), ...fieldLines(change.fields, terminal)]);
}

/** Returns lines with the number of changes by kind. */
export function changeSummary(summary: ReturnType<NonNullable<Page['countAll']>>, terminal: Terminal) {
  if (summary === null) return [];
  const { columns, speech } = terminal;
  const style = styleOf(terminal);
  const facts = kinds.flatMap(({ name, plural }): Fact[] => {
    const counts = summary.counts.get(name);
    if (!counts) return [];
    const countTexts = sorts
      .filter((sort) => counts.has(sort))
      .map((sort) => style.colour(colours[sort], speech.count(counts.get(sort)!, sort)));
    return [{ label: speech.word(plural), value: countTexts.join(', ') }];
  });
  const head = speech.say`${speech.count(summary.total, 'change')} seen since ${speech.moment(summary.since)}`;
  return [...wrap(head, columns).map((line) => style.bold(line)), ...factLines(facts, terminal, '  ')];
}

/** Renders changes at a terminal, with a heading for each time at which changes were recorded. */
export function changeBlocks(nameOf: NameOf): (change: Document, terminal: Terminal) => string {
  let heading: string | null = null;
  return (change, terminal) => {
    const style = styleOf(terminal);
    const { speech } = terminal;
    const moment = speech.moment(String(change.seen_at));
    const above = moment === heading ? [] : [...(heading === null ? [] : ['']), style.bold(moment)];
    heading = moment;
    const sort = String(change.change);
    const slug = change.kind === 'politician' ? null : textOf(change, 'politician');
    const titleLine = dotted([titleText(change), slug && (nameOf('politician', slug) ?? slug)]);
    const kind = speech.word(sanitiseLine(String(change.kind)));
    const words = [sanitiseLine(sortText(sort, speech)), kind].join(speech.language === 'en' ? ' ' : ' · ');
    const parts = [style.colour(colourOf(sort), words), style.dim(keyText(change))];
    const head = flowed(parts, { width: terminal.columns - 2 }).map((line) => `  ${line}`);
    const width = proseWidth(terminal, 4);
    const below = titleLine === '' ? [] : wrapAtMost(2, titleLine, width).map((line) => `    ${line}`);
    return ended([...above, ...head, ...below, ...fieldLines(change.fields, terminal)]);
  };
}

const eachWord = (text: string, draw: (word: string) => string) => text.split(' ').map(draw).join(' ');

const titleText = ({ title, key }: Document) => (title === key ? '' : terminalCell(title));

function keyText({ key, former_key: formerKey }: Document): string {
  const text = sanitiseLine(String(key));
  return formerKey === undefined ? text : `${sanitiseLine(String(formerKey))} → ${text}`;
}

/** Renders one version: its validity interval, and the difference from the version before. */
export function versionBlock(version: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const { speech } = terminal;
  const from = momentIn(version.seen_from, terminal);
  const until = momentIn(version.seen_to, terminal);
  const time =
    version.seen_to === null
      ? speech.say`${from} to now`
      : speech.say`${from} to ${until}, then ${sortText(String(version.ended_by), speech)}`;
  const part = version.part === 'detail' ? speech.say`full document` : speech.say`record`;
  const head = [style.bold(time), style.dim(part)];
  const heads = terminal.isTTY ? flowed(head, { width: terminal.columns }) : [head.join('  ')];
  const changed = fieldLines(version.changes, terminal);
  const isFirst = changed.length === 0 && isDocument(version.document);
  return ended([...heads, ...(isFirst ? documentLines(version.document as Document, terminal) : changed)]);
}

function documentLines(document: Document, terminal: Terminal): string[] {
  const facts = Object.entries(document)
    .filter(([, value]) => value !== null)
    .map(([field, value]): Fact => ({ label: fieldText(field, terminal), value: shown(value, terminal) }));
  return factLines(facts, terminal, '    ');
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
  if (typeof old === 'string' && typeof next === 'string' && Math.max(old.length, next.length) > shortText) {
    const context = terminal.isTTY ? contextAtTerminal : undefined;
    const diff = wordDiff(sanitiseLine(old), sanitiseLine(next), { context, style });
    if (diff !== null) return diff;
  }
  const before = shown(old, terminal);
  const after = shown(next, terminal);
  const red = eachWord(before, (word) => style.colour('red', word));
  return `${red} → ${eachWord(after, (word) => style.colour('green', word))}`;
}

function listDifference(old: Json, next: Json, terminal: Terminal): string {
  const { removedItems, come } = itemsCompared(old, next);
  const lines = [
    ...removedItems.map((item) => `- ${shown(item, terminal)}`),
    ...come.map((item) => `+ ${shown(item, terminal)}`),
  ];
  return lines.length > 0 ? lines.join('\n') : terminal.speech.say`in another order`;
}

function shown(value: Json, terminal: Terminal): string {
  if (value === null) return terminal.speech.say`(nothing)`;
  if (terminal.isTTY && Array.isArray(value) && value.length > 0) {
    return value.map((item) => shown(item, terminal)).join(value.some(isDocument) ? '\n' : ', ');
  }
  if (terminal.isTTY && isDocument(value) && isFlat(value)) return fieldPairs(value, terminal);
  return sanitiseLine(typeof value === 'string' ? dayIn(value, terminal) : JSON.stringify(value));
}

const isFlat = (value: Document) => Object.values(value).every((each) => typeof each !== 'object' || each === null);

function fieldPairs(item: Document, terminal: Terminal): string {
  return Object.entries(item)
    .filter(([, value]) => value !== null)
    .map(([field, value]) => `${labelOf(field, terminal.speech)} ${shown(value, terminal)}`)
    .join(', ');
}

/** Scripts read field names in a pipe; a terminal shows labels. */
function fieldText(field: string, { isTTY, speech }: Terminal): string {
  return sanitiseLine(isTTY ? speech.field(field) : field);
}

function momentIn(moment: Json | undefined, { isTTY, speech }: Terminal): string {
  return isTTY ? sanitiseLine(speech.moment(String(moment ?? ''))) : momentText(moment);
}

function momentText(moment: Json | undefined): string {
  return sanitiseLine(String(moment ?? ''))
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}
