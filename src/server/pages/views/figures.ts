import { type MonthSeries, monthLinesSvg, mostSeries } from '../../../format/month-line.ts';
import { onPage } from '../../../format/svg.ts';
import type { Document } from '../../../model/document.ts';
import type { ListQuestion } from '../../../questions/question.ts';
import { sumOfChambers } from '../../../store/records/agreement.ts';
import { allGroupFacts } from '../../../store/records/parties.ts';
import { say } from '../../../words/speech.ts';
import type { AlternateForm } from '../alternate-forms.ts';
import type { FilterField } from '../filter-form.ts';
import { Html, html } from '../html.ts';
import { attributionOn, type PageContext, type Rendering } from '../page-context.ts';
import type { PageColumn } from '../parts.ts';
import { chamberName } from './ballots.ts';

export type MonthFigure = { groups: readonly string[]; value: unknown; n: unknown };

type MonthFigures = { figureOf: (item: Document) => MonthFigure; nameOf: (slug: string) => string };

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

/** Null without figures, or with more lines than readers can distinguish. */
export function monthLines(page: Rendering, items: readonly Document[], figures: MonthFigures): Html | null {
  const series = linesOf(items, figures);
  if (series.length === 0 || series.length > mostSeries) return null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${page.speech.say`Month by month`}">${new Html(onPage(pictureOf(page, series)))}</div>`;
}

/** Short names of groups, and a label for the side with the majority. */
export function groupNames({ once, speech }: PageContext): (slug: string) => string {
  const facts = once('group facts', allGroupFacts);
  return (slug) => (slug === 'majority' ? speech.say`the majority` : (facts.get(slug)?.shortName ?? slug));
}

export const monthForm = (question: ListQuestion, figureOf: MonthFigures['figureOf']): AlternateForm => ({
  mediaType: 'image/svg+xml',
  make(page) {
    const { items } = page.list(question, { ...page.values, by: 'month' });
    return pictureOf(page, linesOf(items, { figureOf, nameOf: groupNames(page) }));
  },
});

export const partField: FilterField = {
  name: 'by',
  label: say`Figures by`,
  options: [
    ['', say`whole period`],
    ['month', say`month`],
    ['session', say`session`],
    ['topic', say`topic`],
  ],
};

export const chamberCell = ({ speech }: Rendering): PageColumn<Document> => [
  speech.say`Chamber`,
  ({ chamber }) => (chamber === sumOfChambers ? speech.say`both, summed` : chamber && chamberName(String(chamber))),
];

export const partCells = ({ speech, queryParameters }: Rendering): PageColumn<Document>[] =>
  queryParameters.by ? [[speech.say`Period`, ({ part }) => (part as string | null) ?? speech.say`not stated`]] : [];
