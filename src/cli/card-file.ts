import { BadTargetError, otherTargetHint, UsageError } from '../errors.ts';
import { htmlPage } from '../format/html-page.ts';
import { renderPng } from '../format/png.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type ShareCard, shareSvg } from '../format/share-svg.ts';
import { type Speech, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { valueFlag } from './oclif.ts';

/** The flag of commands whose figures can be published. */
export const cardFlag = valueFlag('write a card to publish: a picture (.png, .svg), or a page with it (.html)', 'FILE');

/** A card with its address; `svg` draws it for .svg and .html, while PNG always has the layout of 1200 × 630. */
type Card = ShareCard & { url?: string | null; svg?: () => string };

const cardForms = {
  png: (card: Card) => renderPng(shareSvg(card)),
  svg: (card: Card) => card.svg?.() ?? shareSvg(card),
  html(card: Card, speech: Speech) {
    const { title, url = null, lines, details = [], notes = [], attribution } = card;
    const paragraphs = [...lines, ...details, ...notes].map((text) => ({ label: '', text }));
    const head = htmlPage.document.open({ title, url, paragraphs, facts: [], sections: [] }, speech);
    return `${head}<figure>\n${cardForms.svg(card)}</figure>\n${htmlPage.document.close([attribution])}`;
  },
};
type CardFile = { path: string; form: keyof typeof cardForms; flag: string };

/** Returns the target of --card or its aliases --svg and --png; null if none. With an alias, - is stdout. */
export function cardFileOf(path: string | undefined, argv: readonly string[]): CardFile | null {
  if (path === undefined) return null;
  const forms = ['png', 'svg', 'html'] as const;
  // oclif does not report which alias was typed.
  const aliasForm = forms.find((name) => argv.some((word) => word.split('=', 1)[0] === `--${name}`));
  const form = aliasForm ?? forms.find((ending) => path.toLowerCase().endsWith(`.${ending}`));
  if (form) return { path, form, flag: aliasForm ? `--${aliasForm}` : '--card' };
  throw new UsageError(say`"${path}" is no name for a card`, say`end it in .png, .svg or .html`);
}

/** Writes a card to stdout (-), or atomically to a file, with a note. */
export async function writeCard(command: HemicycleCommand, { path, form, flag }: CardFile, card: Card): Promise<void> {
  const bytes = await cardForms[form](card, command.speech);
  if (path === '-') return command.sinks().stdout.write(bytes);
  const { writeAtomically } = await import('../format/atomic-file.ts');
  await writeAtomically(path, (sink) => sink.write(bytes)).catch((error: unknown) => {
    if (error instanceof BadTargetError) error.advice = otherTargetHint(flag);
    throw error;
  });
  command.note(say`wrote ${sanitiseLine(path)}`);
}
