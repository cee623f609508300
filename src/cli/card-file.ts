import { adviseOtherTarget, UsageError } from '../errors.ts';
import { htmlPage } from '../format/html-page.ts';
import { renderPng } from '../format/png.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type ShareCard, shareSvg } from '../format/share-svg.ts';
import type { Attribution } from '../model/attribution.ts';
import { isDocument } from '../model/document.ts';
import { coveragePhrase } from '../parliament/coverage.ts';
import { selectionPhrase } from '../questions/ballot-selection.ts';
import type { Listing } from '../questions/question.ts';
import { attributionLine } from '../terminal/list.ts';
import { type Speech, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { valueFlag } from './oclif.ts';

/** The flag `--card` of commands whose figures can be published. */
export const cardFlag = valueFlag('write a card to publish: a picture (.png, .svg), or a page with it (.html)', 'FILE');

/** A card with its address; `svg` replaces the drawing in .svg and .html, but not in the fixed 1200 × 630 .png. */
type Card = ShareCard & { url?: string | null; svg?: () => string };

const cardFormats = {
  png: (card: Card) => renderPng(shareSvg(card)),
  svg: (card: Card) => card.svg?.() ?? shareSvg(card),
  html(card: Card, speech: Speech) {
    const { title, url = null, lines, details = [], notes = [], attribution } = card;
    const paragraphs = [...lines, ...details, ...notes].map((text) => ({ label: '', text }));
    const head = htmlPage.document.open({ title, url, paragraphs, facts: [], sections: [] }, speech);
    return `${head}<figure>\n${cardFormats.svg(card)}</figure>\n${htmlPage.document.close([attribution])}`;
  },
};

/** The file of a card: its path, its format, and the flag that named it. */
export type CardFile = { path: string; format: keyof typeof cardFormats; flag: string };

/** The file of --card or its aliases --svg and --png (with these, - is stdout); null without. Throws a UsageError. */
export function cardFileOf(path: string | undefined, argv: readonly string[]): CardFile | null {
  if (path === undefined) return null;
  const formats = ['png', 'svg', 'html'] as const;
  // oclif does not report which alias was typed.
  const alias = formats.find((name) => argv.some((word) => word.split('=', 1)[0] === `--${name}`));
  const format = alias ?? formats.find((extension) => path.toLowerCase().endsWith(`.${extension}`));
  if (format) return { path, format, flag: alias ? `--${alias}` : '--card' };
  throw new UsageError(say`"${path}" is no name for a card`, say`end it in .png, .svg or .html`);
}

/** Writes a card to stdout (-), or atomically to a file, with a note. */
export async function writeCard(command: HemicycleCommand, file: CardFile, card: Card): Promise<void> {
  const { path, format, flag } = file;
  const bytes = await cardFormats[format](card, command.speech);
  if (path === '-') return command.sinks().stdout.write(bytes);
  const { writeAtomically } = await import('../format/atomic-file.ts');
  await writeAtomically(path, (sink) => sink.write(bytes)).catch(adviseOtherTarget(flag));
  command.note(say`wrote ${sanitiseLine(path)}`);
}

/** Writes the card of a list, with notes on the selected ballots, the coverage, and the command for all figures. */
export async function writeListCard(
  command: HemicycleCommand,
  file: CardFile,
  card: Omit<Card, 'kicker' | 'attribution' | 'notes'> & { notes: string[] },
  { listing, attribution, commandLine }: { listing: Listing; attribution: Attribution; commandLine: string },
): Promise<void> {
  const { extra: { selection } = {}, coverage = [] } = listing;
  const scope = [isDocument(selection) ? selectionPhrase(selection) : null, coveragePhrase(coverage)];
  const scopeNotes = [...scope.filter((text) => text !== null), say`all figures: ${commandLine}`];
  const notes = [...card.notes, ...scopeNotes.map(command.speech.render)];
  const kicker = attribution.name;
  await writeCard(command, file, { ...card, kicker, attribution: attributionLine(attribution, command.speech), notes });
}
