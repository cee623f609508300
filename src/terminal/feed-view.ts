import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, slugOf, textOf } from '../model/document.ts';
import { sourceLine } from './profile-view.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { joinLines, joinWithDots, proseWidth, wrap, wrapAtMost } from './view.ts';

/** Looks up the name of a slug; null if unknown. */
export type NameLookup = (kind: 'politician' | 'party', slug: string) => string | null;

/** Returns the sources of a record. */
export type SourcesOf = (document: Document) => readonly Document[];

/** Creates a renderer of feed items in order: a heading per day and person; repeated titles and sources are omitted. */
export function createFeedRenderer(nameOf: NameLookup, sourcesOf: SourcesOf) {
  let lastHeading: string | null = null;
  let [lastTitle, lastSource]: (string | null)[] = [null, null];
  return (item: Document, terminal: Terminal): string => {
    const newHeading = headingText(item, nameOf, terminal);
    const isNewHeading = newHeading !== lastHeading;
    const gap = lastHeading === null ? '' : '\n';
    const itemTitle = textOf(item, 'title');
    const isRepeated = !isNewHeading && itemTitle !== null && itemTitle === lastTitle;
    const [firstSource] = sourcesOf(item);
    const sourceText = firstSource === undefined ? null : sourceLine(firstSource, terminal);
    const isSameSource = !isNewHeading && sourceText === lastSource;
    [lastHeading, lastTitle, lastSource] = [newHeading, itemTitle, sourceText];
    const lines = itemLines(item, isSameSource ? null : sourceText, { terminal, isRepeated });
    return `${isNewHeading ? `${gap}${newHeading}` : ''}${lines}`;
  };
}

function headingText(item: Document, nameOf: NameLookup, terminal: Terminal): string {
  const date = textOf(item, 'date');
  const day = date === null ? terminal.speech.say`no day stated` : terminal.speech.day(date);
  const politician = slugOf(item.politician);
  const slug = politician ?? slugOf(item.party);
  const name = slug === null ? null : nameOf(politician === null ? 'party' : 'politician', slug);
  return joinLines(wrap(joinWithDots([day, name, slug]), terminal.columns).map(styleOf(terminal).bold));
}

function itemLines(
  item: Document,
  source: string | null,
  { terminal, isRepeated }: { terminal: Terminal; isRepeated: boolean },
): string {
  const style = styleOf(terminal);
  const width = proseWidth(terminal, 2);
  const title = textOf(item, 'title');
  const text = textOf(item, 'text', 'statement');
  const bodyText = title === null || title === text ? null : text;
  const type = terminal.speech.word(String(item.type ?? ''));
  const facts = [type, ...['topic', 'stance', 'id'].map((field) => textOf(item, field))];
  const lines = [
    ...(isRepeated ? [] : wrapAtMost(2, sanitiseLine(title ?? text ?? ''), width)),
    ...(bodyText === null ? [] : wrapAtMost(1, sanitiseLine(bodyText), width - 2).map((line) => `  ${line}`)),
    ...wrap(joinWithDots(facts), width - 2).map((line) => `  ${style.dim(line)}`),
    ...(source ? wrap(source, width - 2).map((line) => `  ${style.dim(line)}`) : []),
  ];
  return joinLines(lines.map((line) => `  ${line}`));
}
