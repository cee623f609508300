import { type Ballot, ballotKey } from '../model/ballot.ts';
import { ballotSentence } from '../model/ballot-sentence.ts';
import { isMotionOfCensure } from '../model/heading.ts';
import { groupLabel, groupSeats, type SeatState, seatStateNames, seatTotals, totalSize } from '../model/seats.ts';
import type { PictureContext } from './ballot-svg.ts';
import { barHeight, groupBar } from './seats-svg.ts';
import { breakLines, colourOf, ink, type Line, mutedInk, paper, svgText } from './svg.ts';

/** The content of a link preview, from the top: `kicker`, title, lines, chart between two y coordinates, notes. */
export type ShareCard = {
  kicker: string;
  title: string;
  lines: readonly string[];
  chart?: (top: number, bottom: number) => string[];
  /** The chart in words, for the description of the image (`<desc>`). */
  details?: readonly string[];
  notes?: readonly string[];
  attribution: string;
};

/** Returns the link preview of a ballot: title, day, result, and a bar of votes for each group. */
export function ballotCard(ballot: Ballot, { context, kicker }: { context: PictureContext; kicker: string }) {
  const { attribution, speech } = context;
  const day = ballot.date === null ? [] : [speech.day(ballot.date)];
  const resultLine = [...day, speech.render(ballotSentence(ballot))].join(' · ');
  const chart = (top: number, bottom: number) => ballotBars(ballot, context, { top, bottom });
  return { kicker, title: ballot.title ?? ballotKey(ballot), lines: [resultLine], chart, attribution };
}

/** Size in pixels of link previews (https://ogp.me/#structured). */
const width = 1200;
const height = 630;

const sideMargin = 60;
const contentWidth = width - 2 * sideMargin;
const lineWidth = contentWidth * 1.12; // Letters of the bundled font are narrower than `breakLines` assumes.
const footerTop = 572;
const maxBars = 12;

/** Returns a link preview as SVG; texts that do not fit end with an ellipsis. */
export function shareSvg({ kicker, title, lines, chart, details = [], notes = [], attribution }: ShareCard): string {
  const chartTitleSize = breakLines({ text: title, size: 46 }, lineWidth).length > 2 ? 36 : 46;
  const titleSize = chart ? chartTitleSize : 64;
  let y = 44; // Baseline of the previous line; `addLines` moves it.
  const addLines = ({ gap = 0, ...line }: Line & { gap?: number }, maxLines: number) => {
    y += gap;
    const parts = breakLines(line, lineWidth);
    const shownLines = parts.slice(0, maxLines);
    if (parts.length > maxLines) shownLines[maxLines - 1] = `${shownLines[maxLines - 1]}…`;
    return shownLines.map((text) => {
      y += Math.round(line.size * 1.25);
      return `<text x="${sideMargin}" y="${y}" font-size="${line.size}" fill="${line.fill ?? ink}">${svgText(text)}</text>`;
    });
  };
  const head = [
    addLines({ text: kicker, size: 26, fill: mutedInk }, 1),
    addLines({ text: title, size: titleSize }, chart ? 3 : 4),
    lines.map((text) => addLines({ text, size: chart ? 29 : 36, fill: mutedInk, gap: 8 }, 2)),
  ].flat(2);
  const noteLines = notes.flatMap((text) => breakLines({ text, size: 19 }, lineWidth));
  const bottom = footerTop - 24 * noteLines.length;
  const bars = chart?.(y + 26, bottom - 8) ?? [];
  y = bottom;
  const foot = [...noteLines, attribution].flatMap((text) => addLines({ text, size: 19, fill: mutedInk }, 2));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="'Source Sans 3', system-ui, sans-serif"><title>${svgText(title)}</title><desc>${svgText([...lines, ...details, ...notes].join('. '))}</desc><rect width="${width}" height="${height}" fill="${paper}"/><rect width="${width}" height="14" fill="${ink}"/>${[...head, ...bars, ...foot].join('\n')}</svg>`;
}

const labelWidth = 190;
const figureWidth = 78;
const legendHeight = 26;

/** The legend, and a row for each group: name, bar of votes, count in each state; nothing for over 12 groups. */
function ballotBars(
  ballot: Ballot,
  { facts, order, speech }: PictureContext,
  { top, bottom }: { top: number; bottom: number },
): string[] {
  const groups = groupSeats(ballot, order).filter(({ size }) => size > 0);
  // A motion of censure records only votes for: without group sizes, the bars would seem to show all members.
  if (isMotionOfCensure(ballot) && totalSize(ballot) === null) return [];
  if (groups.length === 0 || groups.length > maxBars) return [];
  const states = seatTotals(groups);
  const figuresX = sideMargin + contentWidth - figureWidth * states.length;
  const rowHeight = Math.min(34, (bottom - top - legendHeight) / groups.length);
  const scale = (figuresX - 16 - sideMargin - labelWidth) / Math.max(...groups.map(({ size }) => size));
  // A text beside a bar of 24 pixels in the style of a state, as in a legend (`at: -1`).
  const figureAt = (state: SeatState, text: string, { x, y, colour }: { x: number; y: number; colour: string }) =>
    `${groupBar({ seats: { [state]: 24 } }, { at: -1, colour, x, y, scale: 1 })}<text x="${x + 30}" y="${y + barHeight}" font-size="17" fill="${ink}">${svgText(text)}</text>`;
  let x = sideMargin;
  const legend = states.map(({ state, total }) => {
    const text = `${speech.word(seatStateNames[state])} ${speech.number(total)}`;
    const figure = figureAt(state, text, { x, y: top, colour: mutedInk });
    x += 54 + text.length * 9;
    return figure;
  });
  const rows = groups.map((group, at) => {
    const y = top + legendHeight + at * rowHeight;
    const [label = ''] = breakLines({ text: groupLabel(group.votes, facts), size: 19 }, labelWidth);
    const colour = colourOf(facts.get(group.votes.party ?? '')?.colour);
    const bar = groupBar(group, { at, colour, x: sideMargin + labelWidth, y, scale });
    // Empty for 0: the source may not state the count.
    const figures = states.map(({ state }, column) => {
      const count = group.seats[state];
      return count > 0 ? figureAt(state, `${count}`, { x: figuresX + column * figureWidth, y, colour }) : '';
    });
    return `<text x="${sideMargin}" y="${y + barHeight}" font-size="19" fill="${ink}">${svgText(label)}</text>${bar}${figures.join('')}`;
  });
  return [...legend, ...rows];
}
