import { type MonthSeries, monthLinesSvg, mostSeries } from '../../../format/month-line.ts';
import { onPage } from '../../../format/svg.ts';
import type { Document } from '../../../model/document.ts';
import type { ListQuestion } from '../../../questions/question.ts';
import { allGroupFacts } from '../../../store/records/parties.ts';
import type { AlternateForm } from '../alternate-forms.ts';
import { Html, html } from '../html.ts';
import { attributionOn, type PageContext, type Rendering } from '../page-context.ts';

/** A figure of one month: the groups that it is of, its value, and the number of ballots. */
export type MonthFigure = { groups: readonly string[]; value: unknown; n: unknown };

/** How items become figures, and what groups are called. */
export type MonthFigures = { figureOf: (item: Document) => MonthFigure; nameOf: (slug: string) => string };

/** Figures by month, a line for each group or pair. */
function linesOf(items: readonly Document[], { figureOf, nameOf }: MonthFigures): MonthSeries[] {
  const dated = items.filter(({ part }) => /^\d{4}-\d\d$/.test(String(part)));
  const lines = Map.groupBy(dated, (item) => figureOf(item).groups.map(nameOf).join(' – '));
  return [...lines].map(([label, of]) => {
    const points = of.map((item) => {
      const { value, n } = figureOf(item);
      return { month: String(item.part), value: value as number | null, n: Number(n) };
    });
    return { label, points: points.sort((one, other) => (one.month < other.month ? -1 : 1)) };
  });
}

function pictureOf(page: Rendering, series: readonly MonthSeries[]): string {
  const { speech, title } = page;
  return monthLinesSvg({ id: page.page, title, series, attribution: attributionOn(page), speech });
}

/** The picture of figures by month on their page; null where there are none, or more lines than one can tell apart. */
export function monthLines(page: Rendering, items: readonly Document[], figures: MonthFigures): Html | null {
  const series = linesOf(items, figures);
  if (series.length === 0 || series.length > mostSeries) return null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${page.speech.say`Month by month`}">${new Html(onPage(pictureOf(page, series)))}</div>`;
}

/** What groups are called in few letters, the side of the majority included. */
export function groupNames({ once, speech }: PageContext): (slug: string) => string {
  const facts = once('group facts', allGroupFacts);
  return (slug) => (slug === 'majority' ? speech.say`the majority` : (facts.get(slug)?.shortName ?? slug));
}

/** Figures by month as a file (SVG). */
export const monthForm = (question: ListQuestion, figureOf: MonthFigures['figureOf']): AlternateForm => ({
  mediaType: 'image/svg+xml',
  make(page) {
    const { items } = page.list(question, { ...page.values, by: 'month' });
    return pictureOf(page, linesOf(items, { figureOf, nameOf: groupNames(page) }));
  },
});
