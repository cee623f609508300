import { chamberNames } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Phrase, type Speech, say } from '../words/speech.ts';
import { ink, paper, round, soft, svgText } from './svg.ts';

const otherSides: Record<string, Phrase> = {
  majority: say`the side with more votes`,
  direction: say`the position stated in the list`,
};

/** An agreement with no more digits than its number of ballots carries; of few ballots the numbers, `2 of 2`. */
export function agreementText(speech: Speech, { agreement, same, n, few }: Document): string {
  if (few) return speech.say`${speech.number(Number(same))} of ${speech.number(Number(n))}`;
  return speech.share(Number(agreement), Number(n) < 1000 ? 0 : 1);
}

/** How often both of a pair, by full name or as requested, took the same position; no share of few ballots. */
function pairSentence(pair: Document, speech: Speech, isFull: boolean): string {
  const [one, other] = ['group', 'other'].map(
    (side) => otherSides[String(pair[side])] ?? String((isFull && pair[`${side}_name`]) || pair[side]),
  );
  const scope = [pair.part, chamberNames[String(pair.chamber)] ?? pair.chamber].filter(Boolean).join(' · ');
  const share = pair.few || pair.agreement === null ? '' : ` (${agreementText(speech, pair)})`;
  return speech.say`${scope}: ${one} and ${other} took the same position in ${speech.number(Number(pair.same))} of ${speech.count(Number(pair.n), 'ballot')}${share}`;
}

/** Pairs that fit in one picture. */
const maxPairs = 4;

const text = (content: string, [x, y]: [number, number], colour = ink) =>
  `<text x="${x}" y="${y}" font-size="19" fill="${colour}">${svgText(content)}</text>`;

const bar = (share: number, [x, y]: [number, number], length = 1080) =>
  `<rect x="${x}" y="${y}" width="${length}" height="14" fill="${paper}" stroke="${ink}" stroke-width="1.5"/><rect x="${x}" y="${y}" width="${round(share * length)}" height="14" fill="${ink}"/>`;

/**
 * The card of pairs of groups: of one pair its sentence as the title, of several a sentence above each bar. Bars are
 * filled for ballots in which both took the same position.
 */
export function pairCard(pairs: readonly Document[], speech: Speech, { one_sided }: { one_sided?: unknown }) {
  const isAlone = pairs.length === 1;
  const shownPairs = pairs.slice(0, maxPairs);
  const texts = shownPairs.map((pair) => {
    const reasons = ['not_listed', 'no_position', ...(one_sided ? [] : ['one_sided'])];
    const counts = reasons.map((field) => `${speech.field(field)} ${speech.number(Number(pair[field]))}`);
    return [pairSentence(pair, speech, isAlone), speech.say`left out: ${counts.join(', ').replaceAll('_', ' ')}`];
  });
  const [title = '', ...lines] = isAlone ? texts[0]! : [speech.say`Groups that took the same position, pair by pair`];
  const details = isAlone ? [] : texts;
  const notes = [
    ...(one_sided ? [speech.say`only ballots that record votes for alone, as for and not for`] : []),
    ...(pairs.length > maxPairs ? [speech.say`shown ${maxPairs} of ${pairs.length}`] : []),
  ];
  const chart = (top: number, bottom: number) => {
    const legend = [speech.say`the same position`, speech.say`another position`].map(
      (meaning, at) => bar(1 - at, [60 + at * 300, top], 24) + text(meaning, [94 + at * 300, top + 15]),
    );
    const height = Math.min(70, (bottom - top - 34) / shownPairs.length);
    const rows = shownPairs.flatMap(({ agreement }, at) => {
      const y = round(top + 34 + at * height);
      const labels = (details[at] ?? []).map((label, row) =>
        text(label, [60, y + 20 + 20 * row], row > 0 ? soft : ink),
      );
      return [...labels, bar(Number(agreement), [60, y + 6 + 20 * labels.length])];
    });
    return [...legend, ...rows];
  };
  return { title, lines, details: details.flat(), notes, chart };
}
