import { chamberNames } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Phrase, type Speech, say } from '../words/speech.ts';
import { ink, mutedInk, paper, round, svgText } from './svg.ts';

/** Labels of the values of `group` and `other` that are no group. */
export const sideLabels: Record<string, Phrase> = {
  majority: say`the side with more votes`,
  direction: say`the position stated in the list`,
};

/** States how ballots that record only votes in favour are compared. */
export const oneSidedNote = say`Only ballots that record only votes in favour are compared: as for, where most members voted for, and as not for, which includes absence.`;

/** Returns an agreement as a percentage, with a decimal from 1,000 ballots on; for few ballots as `2 of 2`. */
export function agreementText(speech: Speech, { agreement, same, n, few }: Document): string {
  if (few) return speech.say`${speech.number(Number(same))} of ${speech.number(Number(n))}`;
  return speech.share(Number(agreement), Number(n) < 1000 ? 0 : 1);
}

/** Says how often a pair took the same position; `usesFullNames` selects full names instead of requested ones. */
function pairSentence(pair: Document, speech: Speech, usesFullNames: boolean): string {
  const [one, other] = ['group', 'other'].map(
    (side) => sideLabels[String(pair[side])] ?? String((usesFullNames && pair[`${side}_name`]) || pair[side]),
  );
  const scope = [pair.part, chamberNames[String(pair.chamber)] ?? pair.chamber].filter(Boolean).join(' · ');
  const share = pair.few ? '' : ` (${agreementText(speech, pair)})`;
  const reason = pair.chamber === null ? say`no ballot matches` : say`no ballot in which both have a position`;
  const sentence = pair.n
    ? speech.say`${one} and ${other} took the same position in ${speech.number(Number(pair.same))} of ${speech.count(Number(pair.n), 'ballot')}${share}`
    : speech.say`no figure for ${one} and ${other}: ${reason}`;
  return scope === '' ? sentence : speech.say`${scope}: ${sentence}`;
}

const sideMargin = 60;
const legendHeight = 34;
const rowHeight = 66; // Two lines of text and a bar.

const textAt = (content: string, [x, y]: [number, number], colour = ink) =>
  `<text x="${x}" y="${y}" font-size="19" fill="${colour}">${svgText(content)}</text>`;

const barAt = (share: number, [x, y]: [number, number], length = 1080) =>
  `<rect x="${x}" y="${y}" width="${length}" height="14" fill="${paper}" stroke="${ink}" stroke-width="1.5"/><rect x="${x}" y="${y}" width="${round(share * length)}" height="14" fill="${ink}"/>`;

/** Returns texts and chart (a bar per pair) of a `ShareCard` for rows of `compare` and two of its parameters. */
export function pairCard(pairs: readonly Document[], speech: Speech, { one_sided, by }: Record<string, unknown>) {
  const isOnlyPair = pairs.length === 1;
  const isMissing = pairs.every(({ n }) => !n);
  const texts = pairs.map((pair) => {
    const reasons = ['not_listed', 'no_position', ...(one_sided ? [] : ['one_sided'])];
    const counts = reasons.map((field) => `${speech.field(field)} ${speech.number(Number(pair[field]))}`);
    return [pairSentence(pair, speech, isOnlyPair), speech.say`left out: ${counts.join(', ').replaceAll('_', ' ')}`];
  });
  const heading = isMissing ? say`no figure for these groups` : say`Groups that took the same position, pair by pair`;
  const [title = '', ...lines] = isOnlyPair ? texts[0]! : [speech.render(heading)];
  const details = isOnlyPair ? [] : texts;
  const noFigureNote = pairs.some((pair) => !pair.n && pair.one_sided) && say`one sided: only votes for are recorded`;
  const notes = [one_sided ? oneSidedNote : noFigureNote].flatMap((note) => (note ? speech.render(note) : []));
  const chart = (top: number, bottom: number) => {
    const legend = (isMissing ? [] : [speech.say`the same position`, speech.say`another position`]).map(
      (meaning, at) => barAt(1 - at, [sideMargin + at * 300, top], 24) + textAt(meaning, [94 + at * 300, top + 15]),
    );
    const maxRows = Math.max(0, Math.floor((bottom - top - legendHeight) / rowHeight));
    const rowCount = isOnlyPair ? 1 : Math.min(pairs.length, maxRows);
    if (rowCount < pairs.length) legend.push(textAt(speech.say`${rowCount} of ${pairs.length} pairs`, [694, top + 15]));
    // Pairs by month or session are in order of time: show the latest.
    const firstRow = by && by !== 'topic' ? pairs.length - rowCount : 0;
    const rows = pairs.slice(firstRow, firstRow + rowCount).flatMap(({ agreement, n }, at) => {
      const y = round(top + legendHeight + at * rowHeight);
      const labels = (details[firstRow + at] ?? []).map((label, line) =>
        textAt(label, [sideMargin, y + 16 + 20 * line], line > 0 ? mutedInk : ink),
      );
      return n ? [...labels, barAt(Number(agreement), [sideMargin, y + 3 + 20 * labels.length])] : labels;
    });
    return [...legend, ...rows];
  };
  return { title, lines, details: details.flat(), notes, chart };
}
