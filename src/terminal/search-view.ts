import { sanitiseLine } from '../format/sanitise.ts';
import { marked } from '../language/snippet.ts';
import type { Document } from '../model/document.ts';
import { say, type Told } from '../words/speech.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { wrap } from './view.ts';
import { shorten } from './width.ts';

const [opening, closing] = ['\ue000', '\ue001'];
const widestText = 100;

/** One hit as a person reads it: what it is, then two lines of its text with the matches in bold. */
export function hitBlock(hit: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const line = (value: unknown) => (typeof value === 'string' ? sanitiseLine(value) : '');
  const width = Math.max(20, Math.min(widestText, terminal.columns) - 2);
  const key = line(hit.slug ?? hit.id);
  const facts = [line(hit.type), line(hit.date), line(hit.politician), key].filter(Boolean).join(' · ');
  const text = wrap(excerptOf(hit), width).slice(0, 3);
  const lines = [
    style.bold(shorten(line(hit.title), terminal.columns)),
    `  ${style.dim(shorten(facts, width))}`,
    ...boldLines(text, style.bold).map((each) => `  ${each}`),
    ...(Number(hit.copies) > 0
      ? [`  ${style.dim(terminal.speech.say`+${Number(hit.copies)} with the same text`)}`]
      : []),
    ...(typeof hit.why === 'string' ? wrap(line(hit.why), width).map((each) => `  ${style.dim(each)}`) : []),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** The snippet on one line, with a sign before and behind each match. */
function excerptOf({ snippet, offsets }: Document): string {
  if (typeof snippet !== 'string') return '';
  const text = snippet.replaceAll(opening, ' ').replaceAll(closing, ' ');
  const whole = Array.isArray(offsets)
    ? marked({ text, offsets: offsets as [number, number][] }, { open: opening, close: closing })
    : text;
  return sanitiseLine(whole);
}

/** The lines with what stands between the signs in bold, also where a match goes on in the next line. */
function boldLines(lines: string[], bold: (text: string) => string): string[] {
  let isOpen = false;
  return lines.map((line) => {
    let result = '';
    for (const part of line.split(/([\ue000\ue001])/)) {
      if (part === opening || part === closing) isOpen = part === opening;
      else result += isOpen ? bold(part) : part;
    }
    return result;
  });
}

type Said = {
  trouble?: string | null | undefined;
  fallback?: unknown;
  relaxed?: unknown;
  corrected?: { from: string; to: string }[];
  suggestions?: ({ slug: string; full_name: string } | { word: string })[];
  remarks?: string[];
};

/** What was done to a query and what may have been meant, in sentences for people. */
export function searchNotes(said: Said): Told[] {
  const { trouble, fallback, relaxed, corrected, suggestions, remarks } = said;
  const meant = (suggestions ?? []).map((each) =>
    'word' in each ? each.word : `${each.full_name} (${each.slug})`,
  );
  const words = (corrected ?? []).map(({ to }) => to).join(', ');
  const instead = (corrected ?? []).map(({ from }) => from).join(', ');
  return [
    ...(trouble && fallback !== true ? [trouble] : []),
    ...(fallback === true
      ? [say`semantic search is not available here${trouble ? ` (${trouble})` : ''}; full text answered`]
      : []),
    ...(words === '' ? [] : [say`showing results for ${words}: no record holds ${instead}`]),
    ...(relaxed === 'any-word' ? [say`too few records hold all of these words: any of them was enough`] : []),
    ...(remarks ?? []),
    ...(meant.length > 0 ? [say`did you mean: ${meant.join(', ')}?`] : []),
  ];
}
