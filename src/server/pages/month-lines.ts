import { type MonthSeries, maxSeries, monthLinesSvg } from '../../format/month-lines-svg.ts';
import { themeForPage } from '../../format/svg.ts';
import type { Document } from '../../model/document.ts';
import type { ListQuestion } from '../../questions/question.ts';
import { groupFacts } from '../../store/records/parties.ts';
import type { AlternateForm } from './alternate-forms.ts';
import { Html, html } from './html.ts';
import { type PageContext, pageAttributionText, type ViewPage } from './page-context.ts';

/** Names of fields of a list's items: groups that label the line, share (`value`), and number of ballots (`n`). */
export type MonthFields = { groups: readonly string[]; value: string; n: string };

/** Returns the monthly figures of a list as a line for each group or pair, labelled with short names. */
export function monthSeries(
  { mirror, speech }: PageContext,
  items: readonly Document[],
  { groups, value, n }: MonthFields,
): MonthSeries[] {
  const facts = groupFacts(mirror);
  const nameOf = (slug: string) =>
    slug === 'majority' ? speech.say`the majority` : (facts.get(slug)?.shortName ?? slug);
  const monthItems = items.filter(({ part }) => /^\d{4}-\d\d$/.test(String(part))); // not the part without a month
  const labelOf = (item: Document) => groups.map((field) => nameOf(String(item[field]))).join(' – ');
  return [...Map.groupBy(monthItems, labelOf)].map(([label, lineItems]) => {
    const points = lineItems.map((item) => {
      return { month: String(item.part), value: item[value] as number | null, n: Number(item[n]) };
    });
    return { label, points: points.sort((one, other) => (one.month < other.month ? -1 : 1)) };
  });
}

function pictureOf(page: ViewPage, series: readonly MonthSeries[]): string {
  const { speech, title } = page;
  return monthLinesSvg({ id: page.page.slice(1), title, series, attribution: pageAttributionText(page), speech });
}

/** Returns a picture of the lines; null without lines, or with more than `maxSeries`. */
export function monthLines(page: ViewPage, series: readonly MonthSeries[]): Html | null {
  if (series.length === 0 || series.length > maxSeries) return null;
  const picture = new Html(themeForPage(pictureOf(page, series)));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${page.speech.say`Month by month`}">${picture}</div>`;
}

/** Returns the SVG format of a page: lines of its question's figures by month. */
export const monthForm = (fields: MonthFields): AlternateForm => ({
  mediaType: 'image/svg+xml',
  make(page, { question }) {
    const { items } = page.list(question as ListQuestion, { ...page.values, by: 'month' });
    return pictureOf(page, monthSeries(page, items, fields));
  },
});
