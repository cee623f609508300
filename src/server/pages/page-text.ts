import { formatNamed } from '../../format/formats.ts';
import type { Document } from '../../model/document.ts';
import { type KindName, kinds, schemaNameOf } from '../../model/kinds.ts';
import { resolveNames } from '../../questions/names.ts';
import type { ListQuestion } from '../../questions/question.ts';
import { answerText } from '../answer-text.ts';
import { embeddedPage, framePage } from './frame.ts';
import { createPageContext, type Mirrors, type PageContext, type RequestedPage } from './page-context.ts';
import { views } from './table.ts';
import { type AlternateForm, emptyAnswer, type View } from './view.ts';

const byName = new Map(views.map((view) => [view.name, view]));

/** The page, or the form of it that was asked for, as text; throws a RefusedRequestError for what names nothing. */
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
  // People write names where programs write slugs.
  const values = question.answers === 'list' ? resolveNames(mirror, question.parameters, whole) : whole;
  return answerText(mirror, question, { values, reading: asked.reading }).text;
}

/** A page with what all have around it; of its other forms it names those that there are. */
export function wholePage(page: PageContext, view: View): string {
  const shown = view.render(page);
  return view.isEmbedded ? embeddedPage(page, shown).text : framedPage(page, view, shown);
}

/** The frame of a page around what it shows, with links to the other forms that there are. */
export function framedPage(page: PageContext, view: View, shown: ReturnType<View['render']>): string {
  const forms = Object.entries(alternateForms(view))
    .filter(([ending]) => !shown.missingForms?.includes(ending))
    .map(([ending, { mediaType }]): [string, string] => [ending, mediaType]);
  return framePage(page, shown, { section: view.section, forms }).text;
}

/** The page of that name. */
export function viewNamed(name: string): View {
  return byName.get(name)!;
}

/** The kinds that a page cannot do without. */
export function kindsOfPage({ page, values }: RequestedPage): readonly KindName[] {
  const view = byName.get(page)!;
  return view.reads(view.questionValues(values));
}

/** The forms in which a page can be had beside itself, by ending. */
export function alternateForms(view: View): Record<string, AlternateForm> {
  return formsByView.get(view)!;
}

const csv: AlternateForm = {
  mediaType: formatNamed('csv').mediaType,
  make(page, { question, questionValues, isEmpty }) {
    const list = question as ListQuestion;
    const columns = columnsOf(list);
    const format = formatNamed('csv').rowFormat!(columns, { isPicked: false });
    const { items } = isEmpty(page) ? emptyAnswer : page.list(list, questionValues(page.values));
    const flat = list.flat ?? ((item: Document) => item);
    return format.head(columns) + items.map((item) => format.row(flat(item))).join('') + format.foot();
  },
};

const formsByView = new Map(
  views.map((view) => {
    const { question, forms } = view;
    const json = { mediaType: 'application/json; charset=utf-8', make: () => '' };
    return [view, { ...(question?.answers === 'list' && { csv }), ...(question && { json }), ...forms }];
  }),
);

/** The columns of a list in a file. */
function columnsOf({ allColumns, fields, schema, columns }: ListQuestion): string[] {
  const kind = kinds.find(({ name }) => schemaNameOf(name) === schema);
  return allColumns ?? (kind?.columns ?? fields)?.map(({ name }) => name) ?? columns;
}
