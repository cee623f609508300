import { type KindName, kinds, schemaNameOf } from '../../model/kinds.ts';
import { resolveNames } from '../../questions/names.ts';
import type { ListQuestion } from '../../questions/question.ts';
import { answerText } from '../answer-text.ts';
import { csvText, csvType } from './alternate-forms.ts';
import { embeddedPage, framePage } from './frame.ts';
import { createPageContext, type Mirrors, type PageContext, type RequestedPage } from './page-context.ts';
import { views } from './table.ts';
import { type AlternateForm, emptyAnswer, type View } from './view.ts';

const byName = new Map(views.map((view) => [view.name, view]));

/** The text of a page in the requested form; throws a RefusedRequestError if it names no record. */
export function pageText(mirrors: Mirrors, asked: RequestedPage): string {
  const view = byName.get(asked.page)!;
  const page = createPageContext(mirrors, asked);
  if (asked.form === null) return wholePage(page, view);
  if (asked.form !== 'json' || view.question === null)
    return alternateForms(view)[asked.form]!.make(page, view);
  if (view.isEmpty(page)) return JSON.stringify({ items: [], total: 0, next_cursor: null });
  const { now, mirror: ofMoment } = mirrors;
  const question = view.question!;
  const mirror = question.looksBack ? now : ofMoment;
  const whole = page.withDefaults(question, view.questionValues(asked.values));
  // Addresses of pages may have names in place of slugs.
  const values = question.answers === 'list' ? resolveNames(mirror, question.parameters, whole) : whole;
  return answerText(mirror, question, { values, reading: asked.reading }).text;
}

/** The HTML of a page within its frame, with links to its other forms. */
export function wholePage(page: PageContext, view: View, shown = view.render(page)): string {
  if (view.isEmbedded) return embeddedPage(page, shown).text;
  const forms = Object.entries(alternateForms(view))
    .filter(([ending]) => !shown.missingForms?.includes(ending))
    .map(([ending, { mediaType }]): [string, string] => [ending, mediaType]);
  return framePage(page, shown, { section: view.section, forms }).text;
}

/** The page with that name. */
export function viewNamed(name: string): View {
  return byName.get(name)!;
}

/** The kinds that a page needs; see View. */
export function kindsOfPage({ page, values }: RequestedPage): readonly KindName[] {
  const view = byName.get(page)!;
  return view.reads(view.questionValues(values));
}

/** Other forms of a page, by ending. */
export function alternateForms(view: View): Record<string, AlternateForm> {
  return formsByView.get(view)!;
}

const csv: AlternateForm = {
  mediaType: csvType,
  make(page, { question, questionValues, isEmpty }) {
    const list = question as ListQuestion;
    const { items } = isEmpty(page) ? emptyAnswer : page.list(list, questionValues(page.values));
    return csvText(columnsOf(list), list.flat ? items.map(list.flat) : items);
  },
};

const formsByView = new Map(
  views.map((view) => {
    const { question, forms } = view;
    const json = { mediaType: 'application/json; charset=utf-8', make: () => '' };
    return [view, { ...(question?.answers === 'list' && { csv }), ...(question && { json }), ...forms }];
  }),
);

/** Columns of a list's CSV file. */
function columnsOf({ allColumns, fields, schema, columns }: ListQuestion): string[] {
  const kind = kinds.find(({ name }) => schemaNameOf(name) === schema);
  return allColumns ?? (kind?.columns ?? fields)?.map(({ name }) => name) ?? columns;
}
