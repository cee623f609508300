import { sanitiseLine } from '../format/sanitise.ts';
import { markMatches } from '../language/snippet.ts';
import { type Document, isDocument } from '../model/document.ts';
import { type KindName, kindCount, kindOf } from '../model/kinds.ts';
import { relatedPhrases } from '../questions/related-texts.ts';
import { type Phrase, say, verbatim } from '../words/speech.ts';
import type { NameLookup } from './feed-view.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { proseWidth, wrap, wrapAtMost } from './view.ts';

const matchStart = '\ue000'; // private-use characters around matches until these are printed in bold
const matchEnd = '\ue001';

/** Creates a renderer of hits: kind, day and title, two lines with matches in bold, and the command `show`. */
export function createHitRenderer(nameOf: NameLookup): (hit: Document, terminal: Terminal) => string {
  return (hit, terminal) => {
    const { speech } = terminal;
    const style = styleOf(terminal);
    const lineText = (value: unknown) => (typeof value === 'string' ? sanitiseLine(value) : '');
    const width = proseWidth(terminal, 2);
    const type = lineText(hit.type);
    const date = lineText(hit.date);
    const slug = lineText(hit.politician);
    const person = slug === '' ? '' : sanitiseLine(nameOf('politician', slug) ?? slug);
    const facts = [speech.word(type), date && speech.day(date), person].filter(Boolean).join(' · ');
    const head = `${facts} · ${matchStart}${lineText(hit.title)}${matchEnd}`;
    const copies = Number(hit.copies);
    const excerpt = lineText(hit.title) === lineText(hit.snippet) ? '' : excerptOf(hit);
    const excerptLines = excerpt === '' ? [] : bestTwoLines(excerpt, width);
    const lines = [
      ...boldMatches(wrapAtMost(2, head, proseWidth(terminal)), style.bold),
      ...boldMatches(excerptLines, style.bold).map((each) => `  ${each}`),
      ...(copies > 0 ? wrap(copiesText(hit, speech, nameOf), width).map((each) => `  ${style.dim(each)}`) : []),
      ...(typeof hit.why === 'string' ? wrap(lineText(hit.why), width).map((each) => `  ${style.dim(each)}`) : []),
      `  ${style.dim(`hemicycle show ${type} ${lineText(hit.slug ?? hit.id)}`)}`,
    ];
    return `${lines.join('\n')}\n\n`;
  };
}

/** Returns the number of copies of a hit, with the names of their authors. */
function copiesText({ copies, co_authors: slugs }: Document, speech: Terminal['speech'], nameOf: NameLookup): string {
  const count = speech.say`+${speech.number(Number(copies))} with the same text`;
  if (!Array.isArray(slugs)) return count;
  const names = slugs.map((slug) => sanitiseLine(nameOf('politician', String(slug)) ?? String(slug)));
  return speech.say`${count}: ${[...names, ...(slugs.length < Number(copies) ? ['…'] : [])].join(', ')}`;
}

/** Returns lines with the number of hits by kind, the most first; empty if not counted. */
export function hitCountLines({ counts }: Document, { speech, columns }: Terminal): string[] {
  const countTexts = kindCountTexts(counts, speech);
  return countTexts.length === 0 ? [] : wrap(speech.say`Results: ${countTexts.join(', ')}`, columns);
}

/** Returns lines with the hits in kinds that were not searched and the option that includes them. */
export function unsearchedHitLines(counts: Document, { speech, columns }: Terminal): string[] {
  const countTexts = kindCountTexts(counts, speech);
  if (countTexts.length === 0) return [];
  const kinds = Object.keys(counts).filter((kind) => counts[kind] !== 0);
  return wrap(speech.say`Not searched: ${countTexts.join(', ')} (--type ${kinds.join(',')})`, columns);
}

function kindCountTexts(counts: unknown, speech: Terminal['speech']): string[] {
  if (!isDocument(counts)) return [];
  const countTexts = Object.entries(counts)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => kindCount(speech, kindOf(kind as KindName), count));
  const uncountedKinds = Object.entries(counts)
    .filter(([, count]) => count === null)
    .map(([kind]) => speech.word(kindOf(kind as KindName).plural));
  if (uncountedKinds.length === 0) return countTexts;
  return [...countTexts, speech.say`too many to count: ${uncountedKinds.join(', ')}`];
}

function excerptOf({ snippet, offsets }: Document): string {
  if (typeof snippet !== 'string') return '';
  const text = snippet.replaceAll(matchStart, ' ').replaceAll(matchEnd, ' ');
  const markedText = Array.isArray(offsets)
    ? markMatches({ text, offsets: offsets as [number, number][] }, { open: matchStart, close: matchEnd })
    : text;
  return sanitiseLine(markedText);
}

const maxCandidateLines = 20;

/** Returns the two lines of an excerpt with the most matches; they start at a wrapped line outside a match. */
function bestTwoLines(excerpt: string, width: number): string[] {
  const lines = wrap(excerpt, width).slice(0, maxCandidateLines);
  const countMatches = (text: string) => text.split(matchEnd).length - 1;
  const [bestCandidate] = lines
    .map((_, at) => ({ before: lines.slice(0, at).join(' '), after: lines.slice(at).join(' ') }))
    .filter(({ before }) => countMatches(before) === before.split(matchStart).length - 1) // not within a match
    .map(({ before, after }) => wrapAtMost(2, before === '' ? after : `…${after}`, width))
    .map((twoLines) => ({ twoLines, count: countMatches(twoLines.join('')) }))
    .sort((one, other) => other.count - one.count);
  return bestCandidate?.twoLines ?? [];
}

function boldMatches(lines: string[], bold: (text: string) => string): string[] {
  let isInMatch = false;
  return lines.map((line) => {
    let result = '';
    for (const part of line.split(/([\ue000\ue001])/)) {
      if (part === matchStart || part === matchEnd) isInMatch = part === matchStart;
      else result += isInMatch ? bold(part) : part;
    }
    return result;
  });
}

type SearchRemarks = {
  trouble?: string | null | undefined; // why the semantic search failed
  fallback?: unknown;
  corrected?: { from: string; to: string }[];
  suggestions?: ({ slug: string; full_name: string } | { word: string })[];
  related_texts?: unknown;
  remarks?: readonly Phrase[] | undefined;
};

/** Returns notes on a failed semantic search, corrected words, related texts and suggestions. */
export function searchNotes(searchRemarks: SearchRemarks): Phrase[] {
  const { trouble, fallback, corrected, suggestions, remarks } = searchRemarks;
  const suggestionTexts = (suggestions ?? []).map((each) =>
    'word' in each ? each.word : `${each.full_name} (${each.slug})`,
  );
  const prefixCorrections = (corrected ?? []).filter(({ to }) => to.endsWith('*')); // `*` follows a prefix
  const spellings = (corrected ?? []).filter((each) => !prefixCorrections.includes(each));
  const wordsOf = (side: 'from' | 'to', corrections = spellings) => corrections.map((each) => each[side]).join(', ');
  return [
    fallback === true
      ? say`semantic search is not available${trouble ? ` (${trouble})` : ''}; full-text search was used`
      : trouble && verbatim(trouble),
    prefixCorrections.length > 0 &&
      say`no record contains ${wordsOf('from', prefixCorrections)} as a word; the suggestions have words that begin so`,
    spellings.length > 0 && say`no record contains ${wordsOf('from')}; nearest spelling: ${wordsOf('to')}`,
    ...(remarks ?? []),
    ...relatedPhrases(searchRemarks).map(({ phrase }) => phrase),
    suggestionTexts.length > 0 && say`did you mean: ${suggestionTexts.join(', ')}?`,
  ].flatMap((note) => note || []);
}
