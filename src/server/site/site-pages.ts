import { HemicycleError } from '../../errors.ts';
import { historyPath, kinds, pageParameters, recordPath } from '../../model/kinds.ts';
import { changes } from '../../questions/changes.ts';
import { changeCounts } from '../../store/history/change-counts.ts';
import type { Mirror } from '../../store/mirror.ts';
import { isFileError } from '../../store/mirror-errors.ts';
import { lastChangeAt, recordOrdinals, recordsWithHistory } from '../../store/record.ts';
import { capitalise, type Phrase, type Speech, verbatim } from '../../words/speech.ts';
import { day, onward } from '../pages/elements.ts';
import { Html, html } from '../pages/html.ts';
import type { ListAnswer, PageContent, PageContext, RequestedPage } from '../pages/page-context.ts';
import { createStaticContext, pageHtml, viewOf } from '../pages/page-text.ts';
import type { View } from '../pages/view.ts';
import { type FilePosition, insertSiteUrls, listPartFile, rewriteLinks, type SiteLinks, viewAt } from './site-links.ts';

export type SiteFile = { path: string; text: string }; // path relative to the folder of the site

/** Input of the generators of a site's pages. */
export type SiteParts = Pick<RequestedPage, 'citation' | 'language' | 'groupOrder'> & {
  mirror: Mirror;
  links: SiteLinks;
  failures: SiteFailure[];
};

/** An address whose page could not be rendered, and the reason. */
export type SiteFailure = { address: string; reason: Phrase };

/** Returns what `make` returns; adds a thrown error to the failures and returns null. Rethrows mirror file errors. */
export function attempt<Result>({ failures }: { failures: SiteFailure[] }, address: string, make: () => Result) {
  try {
    return make();
  } catch (error) {
    if (isFileError(error)) throw error;
    const reason = error instanceof HemicycleError ? error.phrase : verbatim((error as Error).message);
    failures.push({ address, reason });
    return null;
  }
}

/** Placeholder for a page that could not be rendered, so that links to it do not break. */
const placeholderContent = ({ speech }: PageContext): PageContent => ({
  title: speech.say`This page could not be generated`,
  body: html`<p>${speech.say`A record that belongs here cannot be shown. The other pages are here.`}</p>\n`,
});

/** A page outside the table of views, such as `404.html`; header and footer are those of `/about`. */
function standalonePage(parts: SiteParts, at: FilePosition, contentIn: (page: PageContext) => PageContent): SiteFile {
  const view = viewOf('/about');
  const context = contextOf(parts, view, { address: '/about' });
  const content = { ...contentIn(context), missingForms: Object.keys(view.forms), isCited: false };
  return { path: at.file, text: rewriteLinks(pageHtml(context, view, content), parts.links, at) };
}

/** A page to write; `queryParameters` are its values as written in a query. */
type SitePage = {
  address: string;
  values?: Record<string, unknown>;
  queryParameters?: RequestedPage['queryParameters'];
  /** Last change of the record, shown as its retrieval time so that the file stays the same. */
  changedAt?: string | null;
  /** Answers the question of the view in place of the mirror. */
  read?: (cursor: string | undefined) => ListAnswer;
};

const maxItemsPerFile = 60; // Items of a list in one file.

/** Yields the files of all records and their histories; a record with its own file also in alternate formats. */
export function* recordFiles(parts: SiteParts): Generator<SiteFile> {
  const { mirror } = parts;
  for (const kind of kinds) {
    const view = viewAt(kind.page);
    const pages = recordOrdinals(mirror, kind.name).map(({ key }) => ({
      address: recordPath(kind.name, key),
      values: pageParameters(kind, key),
      changedAt: lastChangeAt(mirror, kind.name, key),
    }));
    if (view.sharesFile) yield* sharedFiles(parts, view, pages, ({ word }) => word(kind.plural));
    else for (const page of pages) yield* filesOf(parts, view, page);
  }
  const histories = recordsWithHistory(mirror).map(({ kind, key }) => ({
    address: historyPath(kind, key),
    values: { kind, key, limit: maxItemsPerFile },
    changedAt: lastChangeAt(mirror, kind, key),
  }));
  yield* sharedFiles(parts, viewOf('/history/{kind}/{key}'), histories, ({ noun }) => noun(2, 'version'));
}

/** Yields the alternate formats of a page, and the HTML files of its list, each with a link to the next one. */
function* filesOf(parts: SiteParts, view: View, { read, ...pageOptions }: SitePage): Generator<SiteFile> {
  const { links } = parts;
  const { address, values, queryParameters } = pageOptions;
  const baseFile = fileFor(parts, address);
  if (baseFile === null) return;
  let cursor: string | undefined;
  for (let number = 1; ; number += 1) {
    const pageCursor: string | undefined = cursor;
    const context = contextOf(parts, view, {
      ...pageOptions,
      values: { ...values, limit: maxItemsPerFile, cursor: pageCursor },
      queryParameters: pageCursor === undefined ? queryParameters : { ...queryParameters, cursor: [pageCursor] },
    });
    let nextCursor: string | undefined;
    const list: PageContext['list'] = (question, questionValues) => {
      const isMainQuestion = question === view.question;
      const answer = isMainQuestion && read ? read(pageCursor) : context.list(question, questionValues);
      if (isMainQuestion) nextCursor = answer.nextCursor ?? undefined;
      return answer;
    };
    const rendered = attempt(parts, address, () => view.render({ ...context, list }));
    cursor = nextCursor as string | undefined; // TypeScript does not see the assignment in `list`
    const next = cursor === undefined ? null : { cursor, file: listPartFile(baseFile, number + 1) };
    const position = { file: listPartFile(baseFile, number), next };
    const missingForms = Object.keys(view.forms).filter(
      (ending) => address.includes('?') || !links.fileOf(`${address}.${ending}`),
    );
    const content = rendered && { ...rendered, missingForms: [...missingForms, ...(rendered.missingForms ?? [])] };
    // `formsOf` comes before the page: it adds forms that fail to `missingForms`, which the page does not link to.
    if (content && number === 1) yield* formsOf(parts, view, { context, baseFile, content });
    const text =
      content && attempt(parts, address, () => rewriteLinks(pageHtml(context, view, content), links, position));
    yield text ? { path: position.file, text } : placeholderPage(parts, position);
    if (next === null) return;
  }
}

/** Returns the file of an address; null if it has none, which is added to the failures. */
const fileFor = (parts: SiteParts, address: string): string | null =>
  attempt(parts, address, () => {
    const file = parts.links.fileOf(address);
    if (file === null) throw new TypeError('its key makes no address');
    return file;
  });

/** Returns a placeholder page; it links to the next file, so that a failed page does not cut a long list. */
const placeholderPage = (parts: SiteParts, position: FilePosition): SiteFile =>
  standalonePage(parts, position, (page) => {
    const content = placeholderContent(page);
    const next = position.next && onward(page.hrefWith({ cursor: position.next.cursor }), page.speech.say`More`);
    return { ...content, body: html`${content.body}${next}` };
  });

/** Renders records that share a file below each other, each under its own heading. */
function* sharedFiles(parts: SiteParts, view: View, pages: SitePage[], titleOf: (speech: Speech) => string) {
  const { links } = parts;
  const pagesWithFile = pages.flatMap((page) => {
    const [file, anchor] = fileFor(parts, page.address)?.split('#') ?? [];
    return file === undefined ? [] : [{ page, file, anchor }];
  });
  for (const [file, filePages] of Map.groupBy(pagesWithFile, (each) => each.file)) {
    const articles = filePages.map(({ page, anchor }) => {
      const context = contextOf(parts, view, page);
      const content = attempt(parts, page.address, () => view.render(context)) ?? placeholderContent(context);
      return articleOf(content, anchor!);
    });
    const context = contextOf(parts, view, filePages[0]!.page);
    const title = capitalise(titleOf(context.speech));
    const content = { title, body: html`${articles}`, missingForms: Object.keys(view.forms), isCited: false };
    yield { path: file, text: rewriteLinks(pageHtml(context, view, content), links, { file }) };
  }
}

/** Demotes headings by one level and removes ids, which would be repeated on a page of several records. */
function articleOf({ title, heading = title, lead, body }: PageContent, anchor: string): Html {
  const inner = html`${lead && html`<p class="lead">${lead}</p>\n`}${body}`.text
    .replaceAll(/ id="[^"]*"/g, '')
    .replaceAll(/(?<tag><\/?h)2/g, '$<tag>3');
  return html`<article id="${anchor}"><h2>${heading}</h2>\n${new Html(inner)}</article>\n`;
}

/** Yields the alternate formats, each with the whole list; adds those that fail to `missingForms`. */
function* formsOf(
  parts: SiteParts,
  view: View,
  { context, baseFile, content }: { context: PageContext; baseFile: string; content: { missingForms: string[] } },
): Generator<SiteFile> {
  const { links } = parts;
  const list: PageContext['list'] = (question, values) => ({ ...context.list(question, values), nextCursor: null });
  for (const extension of links.extensionsOf(view)) {
    if (content.missingForms.includes(extension)) continue;
    const form = view.forms[extension]!;
    const address = `${context.path}.${extension}`;
    const text = attempt(parts, address, () => insertSiteUrls(form.make({ ...context, list }, view), links));
    if (text === null) content.missingForms.push(extension);
    else yield { path: baseFile.replace(/html$/, extension), text };
  }
}

function contextOf(
  { mirror, links, ...settings }: SiteParts,
  view: View,
  { address, values, queryParameters = {}, changedAt }: SitePage,
): PageContext {
  const context = createStaticContext(mirror, view, {
    values: values ?? {},
    path: address.split('?')[0]!,
    queryParameters,
    origin: links.site === null ? '' : links.origin,
    ...settings,
  });
  return changedAt ? { ...context, filledAt: changedAt } : context;
}

/** Hosts serve `404.html` from any folder, so its links are absolute if the site has a URL. */
function notFoundPage(parts: SiteParts): SiteFile {
  const { text } = standalonePage(parts, { file: '404.html' }, ({ speech }) => ({
    title: speech.say`Page not found`,
    body: html`<p>${speech.say`Check the spelling, or search above: this copy may not contain it.`}</p>
<p>${speech.say`Withdrawn records have no page here. A server would respond with 410 (gone); a host of static files responds with 404.`}</p>`,
  }));
  const { site } = parts.links;
  const absoluteLink = (_: string, name: string, target: string) => ` ${name}="${site}${target}"`;
  const relativeLink = / (href|src|action)="(?![a-z]+:|#)([^"]*)"/g;
  return { path: '404.html', text: site === null ? text : text.replace(relativeLink, absoluteLink) };
}

/** Yields all pages that are not about one record; the home page last, since it links to all others. */
export function* listFiles(parts: SiteParts): Generator<SiteFile> {
  const { listedPages } = parts.links;
  const filesAt = (address: string) => {
    const { view, ...page } = listedPages.get(address)!;
    return filesOf(parts, view, { address, ...page });
  };
  for (const address of listedPages.keys()) if (address !== '/' && address !== '/changes') yield* filesAt(address);
  yield* changeFiles(parts);
  yield notFoundPage(parts);
  yield* filesAt('/');
}

/** Yields `/changes`: a list of days, and a file per day, which later days leave unchanged. */
function* changeFiles(parts: SiteParts): Generator<SiteFile> {
  const { mirror, links } = parts;
  const view = viewOf('/changes');
  const context = contextOf(parts, view, { address: '/changes' });
  const days = new Map<string, number>();
  attempt(parts, '/changes', () => {
    for (const { day, count } of changeCounts(mirror, { since: '', until: null })!)
      days.set(day, (days.get(day) ?? 0) + count);
  });
  for (const date of days.keys()) {
    // `since` is exclusive.
    const since = new Date(Date.parse(date) - 1).toISOString();
    const until = new Date(Date.parse(date) + 86_399_999).toISOString();
    const read = (cursor: string | undefined) => ({
      ...context.list(changes, { since, until, limit: maxItemsPerFile, cursor }),
      extra: {},
    });
    yield* filesOf(parts, view, { address: `/changes/${date}`, values: { since: date }, read });
  }
  const { speech } = context;
  const list = [...days].map(
    ([date, count]) =>
      html`<li><a href="/changes/${date}">${day(speech, date)}</a><p class="meta">${speech.count(count, 'change')}</p></li>\n`,
  );
  const lead = speech.say`Records added, edited, withdrawn or renamed, on the dates at which this mirror detected it.`;
  const content = { lead, body: html`<ul class="brief">${list}</ul>`, missingForms: [] };
  const baseFile = 'changes.html';
  yield* formsOf(parts, view, { context, baseFile, content });
  yield { path: baseFile, text: rewriteLinks(pageHtml(context, view, content), links, { file: baseFile }) };
}
