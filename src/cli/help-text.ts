import { styleOf, type Terminal } from '../terminal/terminal.ts';
import { wrap } from '../terminal/view.ts';
import { cutToWidth, displayWidth } from '../terminal/width.ts';
import type { Speech } from '../words/speech.ts';
import type { HelpItem, HelpPage, HelpSection } from './help-page.ts';

const widest = 100;
const widestTerm = 30;

/** Renders help as text, wrapped to the terminal, or to 80 columns in a pipe; examples stay on one line. */
export function helpText(page: HelpPage, terminal: Terminal, speech: Speech): string {
  const style = styleOf(terminal);
  const width = Number.isFinite(terminal.columns) ? Math.min(widest, terminal.columns) : 80;
  const sections = page.sections.map(({ heading, items }) => {
    const lines = itemLines(items, { width: width - 2, speech });
    return [style.bold(speech.word(heading)), ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
  });
  return [wrap(speech.word(page.summary), width), ...sections]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Translates a whole sentence, or else each placeholder (`FILE`, `[FLAG…]`) in a term or a usage. */
function inWords(text: string, { word }: Speech): string {
  const value = (each: string) => (/^\[?[A-Z]{2}/.test(each) ? word(each) : each);
  return word(text) === text ? text.split(' ').map(value).join(' ') : word(text);
}

type Layout = { width: number; speech: Speech };

function itemLines(items: HelpSection['items'], layout: Layout): string[] {
  const { width, speech } = layout;
  const terms = items.flatMap((item) => ('term' in item ? displayWidth(inWords(item.term, speech)) : []));
  const column = Math.min(widestTerm, Math.max(0, ...terms)) + 2;
  return items.flatMap((item) => {
    if ('command' in item) return [...wrap(speech.word(item.text), width), `  $ ${item.command}`];
    if (!('term' in item)) return wrap(inWords(item.text, speech), width);
    return termLines(item, { column, width, speech });
  });
}

function termLines(
  { term: english, text, isBrief, words = '' }: Extract<HelpItem, { term: string }>,
  { column, width, speech }: Layout & { column: number },
): string[] {
  const room = Math.max(20, width - column);
  const term = inWords(english, speech);
  const told = `${speech.word(text)} ${words}`.trim();
  const lines = isBrief ? [cutToWidth(told, room)] : wrap(told, room);
  const space = ' '.repeat(column);
  const isLong = displayWidth(term) > column - 2;
  const first = isLong
    ? [term, `${space}${lines[0]}`]
    : [`${term}${space.slice(displayWidth(term))}${lines[0]}`];
  return [...first, ...lines.slice(1).map((line) => `${space}${line}`)].map((line) => line.trimEnd());
}
