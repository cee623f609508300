import { isFew, minBallots } from '../parliament/group-position.ts';
import type { Speech } from '../words/speech.ts';
import { ink, innerWidth, lightGrey, margin, mutedInk, paper, paragraph, pictureText, round, svgText } from './svg.ts';

/** A line: shares from 0 to 1 by month (`2026-03`), null if there is none; `n` is the number of ballots. */
export type MonthSeries = { label: string; points: { month: string; value: number | null; n: number }[] };

type MonthPicture = {
  /** Prefix of element ids in the SVG: letters, digits and hyphens. */
  id: string;
  title: string;
  series: readonly MonthSeries[];
  attribution: string;
  speech: Speech;
};

/** Most lines that readers can distinguish. */
export const maxSeries = 6;

const dashes = ['', '7 4', '2 4', '12 4', '8 3 2 3', '1 6']; // `stroke-dasharray` by line; the first is solid.
const plotHeight = 260;
const labelWidth = 130;
const axisWidth = 44;

const monthNumber = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1; // Since year 0.

/** Returns an SVG of lines with a dash pattern and a label each; months with few ballots have hollow dots. */
export function monthLinesSvg({ id, title, series, attribution, speech }: MonthPicture): string {
  const head = paragraph({ text: title, size: 20, weight: 600 }, margin);
  const top = margin + head.height + 20;
  const months = series.flatMap(({ points }) => points.map(({ month }) => monthNumber(month)));
  const [first, last] = months.length === 0 ? [0, -1] : [Math.min(...months), Math.max(...months)]; // or empty range
  const plotWidth = innerWidth - axisWidth - labelWidth;
  const x = (month: number) => round(margin + axisWidth + ((month - first) / Math.max(1, last - first)) * plotWidth);
  const y = (value: number) => round(top + (1 - value) * plotHeight);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<path d="M${margin + axisWidth} ${y(value)}h${plotWidth}" stroke="${lightGrey}"/><text x="${margin + axisWidth - 8}" y="${y(value) + 4}" font-size="12" text-anchor="end" fill="${mutedInk}">${svgText(speech.share(value))}</text>`,
  );
  const yearLines = Array.from({ length: last - first + 1 }, (_, at) => first + at)
    .filter((month) => month === first || month % 12 === 0)
    .map(
      (month) =>
        `<path d="M${x(month)} ${top}v${plotHeight}" stroke="${lightGrey}"/><text x="${x(month)}" y="${top + plotHeight + 18}" font-size="12" fill="${mutedInk}">${svgText(month % 12 === 0 ? String(month / 12) : `${(month % 12) + 1}/${Math.floor(month / 12)}`)}</text>`,
    );
  const labelYs = spreadLabels(series.map(({ points }) => y(points.findLast(hasValue)?.value ?? 0)));
  const lines = series.map(({ label, points }, at) => {
    const countedPoints = points.filter(hasValue);
    const path = countedPoints.map(({ month, value }, index) => {
      // Months without a value are a gap.
      const followsPrevious = monthNumber(countedPoints[index - 1]?.month ?? '') === monthNumber(month) - 1;
      return `${followsPrevious ? 'L' : 'M'}${x(monthNumber(month))} ${y(value)}`;
    });
    const dots = countedPoints.map(
      ({ month, value, n }) =>
        `<circle cx="${x(monthNumber(month))}" cy="${y(value)}" r="3.5" fill="${isFew(n) ? paper : ink}" stroke="${ink}" data-month="${month}"/>`,
    );
    return `<g class="line"><path d="${path.join('')}" fill="none" stroke="${ink}" stroke-width="1.5" stroke-dasharray="${dashes[at % dashes.length]}"/>${dots.join('')}<text x="${margin + innerWidth - labelWidth + 12}" y="${labelYs[at]! + 4}" font-size="13">${svgText(label)}</text></g>`;
  });
  const legendTop = top + plotHeight + 30;
  const legendText = speech.say`hollow: month with fewer than ${minBallots} ballots`;
  const legend = paragraph({ text: legendText, size: 12, fill: mutedInk }, legendTop);
  const foot = paragraph({ text: attribution, size: 12, fill: mutedInk }, legendTop + legend.height + 4);
  return pictureText({
    id,
    title,
    description: series.map(({ label, points }) => speech.say`${label}: ${pointsText(points, speech)}`).join('. '),
    height: legendTop + legend.height + foot.height + margin,
    parts: [head.markup, ...grid, ...yearLines, ...lines, legend.markup, foot.markup],
  });
}

const hasValue = (each: MonthSeries['points'][number]): each is typeof each & { value: number } => each.value !== null;

const pointsText = (points: MonthSeries['points'], speech: Speech) =>
  Array.from(points.filter(hasValue), ({ month, value, n }) => `${month} ${speech.share(value)} (${n})`).join(', ');

/** Y coordinates of the labels at the ends of lines, each at least 16 pixels below the previous one. */
function spreadLabels(lineEnds: readonly number[]): number[] {
  const positions = [...lineEnds];
  let lastPosition = Number.NEGATIVE_INFINITY;
  for (const at of lineEnds.map((_, index) => index).sort((one, other) => lineEnds[one]! - lineEnds[other]!)) {
    positions[at] = Math.max(lineEnds[at]!, lastPosition + 16);
    lastPosition = positions[at];
  }
  return positions;
}
