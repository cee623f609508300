import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, slugOf, textOf } from '../model/document.ts';
import { sourceLine } from './profile-view.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { dotted, ended, proseWidth, withSlug, wrap, wrapAtMost } from './view.ts';

/** Looks up the name of a slug; null if unknown. */
export type NameOf = (of: 'politician' | 'party', slug: string) => string | null;

/** Reads the sources of a record. */
export type SourcesOf = (document: Document) => readonly Document[];

/** Renders feed items under a heading per day and person; a source equal to the one above is omitted. */
export function feedBlocks(nameOf: NameOf, sourcesOf: SourcesOf): (item: Document, terminal: Terminal) => string {
  let heading: string | null = null;
  let [title, source]: (string | null)[] = [null, null];
  return (item, terminal) => {
    const next = headingOf(item, nameOf, terminal);
    const isNew = next !== heading;
    const gap = heading === null ? '' : '\n';
    const own = textOf(item, 'title');
    const isRepeated = !isNew && own !== null && own === title;
    const [first] = sourcesOf(item);
    const sourceText = first === undefined ? null : sourceLine(first, terminal);
    const isSame = !isNew && sourceText === source;
    [heading, title, source] = [next, own, sourceText];
    const lines = factLinesOf(item, isSame ? null : sourceText, { terminal, isRepeated });
    return `${isNew ? `${gap}${next}` : ''}${lines}`;
  };
}

function headingOf(item: Document, nameOf: NameOf, terminal: Terminal): string {
  const style = styleOf(terminal);
  const date = textOf(item, 'date');
  const day = date === null ? terminal.speech.say`no day stated` : terminal.speech.day(date);
  const politician = slugOf(item.politician);
  const slug = politician ?? slugOf(item.party);
  const name = slug === null ? null : nameOf(politician === null ? 'party' : 'politician', slug);
  const lines = wrap(dotted([day, name ?? slug]), terminal.columns);
  return ended(withSlug(lines, name === null ? null : slug, { terminal, draw: style.bold }));
}

function factLinesOf(
  item: Document,
  source: string | null,
  { terminal, isRepeated }: { terminal: Terminal; isRepeated: boolean },
): string {
  const style = styleOf(terminal);
  const width = proseWidth(terminal, 2);
  const title = textOf(item, 'title');
  const text = textOf(item, 'text', 'statement');
  const bodyText = title === null || title === text ? null : text;
  const facts = [
    terminal.speech.word(String(item.type ?? '')),
    textOf(item, 'topic'),
    textOf(item, 'stance'),
    textOf(item, 'id'),
  ];
  const lines = [
    ...(isRepeated ? [] : wrapAtMost(2, sanitiseLine(title ?? text ?? ''), width)),
    ...(bodyText === null ? [] : wrapAtMost(1, sanitiseLine(bodyText), width - 2).map((line) => `  ${line}`)),
    ...wrap(dotted(facts), width - 2).map((line) => `  ${style.dim(line)}`),
    ...(source ? wrap(source, width - 2).map((line) => `  ${style.dim(line)}`) : []),
  ];
  return ended(lines.map((line) => `  ${line}`));
}
