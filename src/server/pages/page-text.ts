import type { KindName } from '../../model/kinds.ts';
import { countLacking } from '../../store/tombstones.ts';
import { embeddedPage, framePage } from './frame.ts';
import { html } from './html.ts';
import { openGraph, shareForm, sharePicture } from './open-graph.ts';
import { createPageContext, type Mirrors, type PageContext, type RequestedPage } from './page-context.ts';
import { views } from './table.ts';
import type { View } from './view.ts';

const byName = new Map(views.map((view) => [view.name, view]));

/** The text of a page in the requested form; throws a RefusedRequestError if it names no record. */
export function pageText(mirrors: Mirrors, asked: RequestedPage): string {
  const view = viewNamed(asked.page);
  const page = createPageContext(mirrors, asked, view.title);
  if (asked.form === shareForm) return sharePicture(page, view.render(page));
  return asked.form === null ? wholePage(page, view) : view.forms[asked.form]!.make(page, view);
}

/** The HTML of a page within its frame, with links to its other forms. */
export function wholePage(page: PageContext, view: View, shown = view.render(page)): string {
  const content = { ...shown, title: shown.title ?? page.title };
  if (view.isEmbedded) return embeddedPage(page, content);
  const forms = Object.entries(view.forms)
    .filter(([ending]) => !shown.missingForms?.includes(ending))
    .map(([ending, { mediaType }]): [string, string] => [ending, mediaType]);
  const withheld = countLacking(page.mirror, view.reads(view.questionValues(page.values)));
  const shared = view.isShared && openGraph(page, content);
  const head = html`${content.head}${shared}`;
  return framePage(page, { ...content, head }, { section: view.section, forms, withheld });
}

/** The page with that name. */
export const viewNamed = (name: string): View => byName.get(name)!;

/** The kinds that a page needs; see View. */
export function kindsOfPage({ page, values }: RequestedPage): readonly KindName[] {
  const view = viewNamed(page);
  return view.reads(view.questionValues(values));
}
