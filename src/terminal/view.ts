import type { Article, Fact } from '../format/article.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { linkAddress, type Style, styleOf, type Terminal } from './terminal.ts';
import { displayWidth, packLines, padText, truncateToWidth } from './width.ts';

/** Wraps a text at spaces to `width` columns; longer words stay whole. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (displayWidth(line) <= width) return [line.trimEnd()];
    return [...packLines(line.split(' ').filter(Boolean), { width, separator: ' ' })];
  });
}

/** Wraps a text to lines: the first one begins with `prefix`, all others with as many spaces. */
export const wrapWithHangingIndent = (text: string, width: number, prefix: string): string[] =>
  wrap(text, width).map((line, at) => `${at === 0 ? prefix : ' '.repeat(prefix.length)}${line}`);

/** Wraps prose at a terminal and keeps indentation; commands in backquotes or at a line end are not broken. */
export function wrapProse(text: string, { isTTY, columns }: Pick<Terminal, 'isTTY' | 'columns'>): string[] {
  if (!isTTY) return text.split('\n');
  const prose = text.replace(/`[^`\n]*`|\bhemicycle [^`\n]*$/gm, (match) => match.replaceAll(' ', unbreakableSpace));
  return prose.split('\n').flatMap((line) => {
    const [indent = ''] = /^ */.exec(line)!;
    return wrap(line.trimStart(), Math.max(20, columns - indent.length)).map(
      (part) => `${indent}${part.replaceAll(unbreakableSpace, ' ')}`,
    );
  });
}

/** Private-use character in place of a space at which a line must not be broken. */
const unbreakableSpace = '\ue000';

/** Joins lines, each with a line end. */
export const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Joins blocks of lines with an empty line between blocks; empty blocks are omitted. */
export const blocksText = (blocks: readonly (readonly string[])[]): string =>
  blocks.map(joinLines).filter(Boolean).join('\n');

/** Returns lines below a bold heading; an empty list for an empty list. */
export function withHeading(title: string, lines: string[], { style }: { style: Style }): string[] {
  return lines.length === 0 ? [] : [style.bold(title), ...lines];
}

/** Joins parts with ` · ` and sanitises the line; absent and empty parts are omitted. */
export function joinWithDots(parts: readonly (string | null | undefined)[]): string {
  return sanitiseLine(parts.filter((part) => part).join(' · '));
}

/** Wraps a text to at most `maxLines` lines; ends with `…` if it was truncated. */
export function wrapAtMost(maxLines: number, text: string, width: number): string[] {
  const allLines = wrap(text, width);
  const visibleLines = allLines.slice(0, maxLines).map((line) => truncateToWidth(line, width));
  if (allLines.length <= maxLines) return visibleLines;
  const lastWords = visibleLines.pop()!.split(' ');
  while (lastWords.length > 1 && displayWidth(`${lastWords.join(' ')}…`) > width) lastWords.pop();
  return [...visibleLines, truncateToWidth(`${lastWords.join(' ').replace(/…$/, '')}…`, width)];
}

/** Joins parts with `gap` into lines of at most `width`; lines after the first begin with `indent`. */
export function flowParts(
  parts: readonly string[],
  { width, gap = '  ', indent = '  ' }: { width: number; gap?: string; indent?: string },
): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const lastLine = lines.at(-1);
    if (lastLine !== undefined && displayWidth(lastLine) + gap.length + displayWidth(part) <= width) {
      lines[lines.length - 1] = `${lastLine}${gap}${part}`;
      continue;
    }
    const partWidth = Math.max(20, width - (lines.length === 0 ? 0 : indent.length));
    for (const line of wrap(part, partWidth)) lines.push(lines.length === 0 ? line : `${indent}${line}`);
  }
  return lines;
}

/** Returns the line width of prose with a margin: at most 100 columns, to stay readable. */
export const proseWidth = ({ columns }: Terminal, margin = 0): number => Math.max(20, Math.min(100, columns) - margin);

/** Renders a view: wrapped, truncated and styled for a terminal; complete and plain for a pipe. */
export function renderView(
  { title = '', url = null, facts = [], paragraphs = [], sections = [] }: Partial<Article>,
  terminal: Terminal,
): string {
  const style = styleOf(terminal);
  const titleLines = title === '' ? [] : wrap(title, terminal.columns).map((line) => style.link(style.bold(line), url));
  const prose = { isTTY: true, columns: terminal.isTTY ? proseWidth(terminal, 2) : Math.max(20, terminal.columns) };
  return blocksText([
    [...titleLines, ...factLines(facts, terminal)],
    ...paragraphs.map(({ label, text }) => [
      ...wrap(label, terminal.columns).map(style.bold),
      ...wrapProse(text, prose).map((line) => (line === '' ? '' : `  ${line}`)),
    ]),
    ...sections.map(({ label, lines, total }) => {
      const countedLabel = total === undefined ? label : `${label} (${total})`;
      return withHeading(countedLabel, sectionLines(lines, terminal, total), { style });
    }),
  ]);
}

/** Returns aligned `label  value` lines; a value that does not fit beside its label is wrapped below it. */
export function factLines(facts: Fact[], terminal: Terminal, indent = ''): string[] {
  const { dim } = styleOf(terminal);
  const labelWidth = Math.max(0, ...facts.map(({ label }) => displayWidth(label)));
  const margin = indent.length + labelWidth + 2;
  const width = Math.max(12, terminal.columns - margin);
  return facts.flatMap(({ label, value }) => {
    const lines = wrap(value, width);
    const isTooWide = lines.some((line) => displayWidth(line) > width);
    if (isTooWide) return [`${indent}${dim(label)}`, ...wrapWithHangingIndent(value, terminal.columns - 4, '    ')];
    return lines.map((line, index) =>
      index === 0 ? `${indent}${dim(padText(label, labelWidth))}  ${line}`.trimEnd() : `${' '.repeat(margin)}${line}`,
    );
  });
}

/** Returns the lines of a section, wrapped at a terminal, where only a URL may exceed the width. */
function sectionLines(lines: string[], terminal: Terminal, total = lines.length): string[] {
  if (!terminal.isTTY) return lines.map((line) => `  ${line}`);
  const width = proseWidth(terminal, 4);
  const fitPart = (part: string) => (linkAddress(part) === null ? truncateToWidth(part, width) : part);
  const wrappedLines = lines.flatMap((line) =>
    wrap(line, width).map((part, at) => `${at === 0 ? '  ' : '    '}${fitPart(part)}`),
  );
  const remainingCount = total - lines.length;
  const remainingLine = `  … ${terminal.speech.say`and ${remainingCount} more (--json shows all)`}`;
  return remainingCount > 0 ? [...wrappedLines, styleOf(terminal).dim(remainingLine)] : wrappedLines;
}
