import { shareSvg } from '../../format/share-svg.ts';
import { addressOf } from '../../model/kinds.ts';
import { readValues } from '../../questions/parameter.ts';
import type { Mirror } from '../../store/mirror.ts';
import { countWithheldInResult } from '../../store/tombstones.ts';
import { activeFilters } from './filter-form.ts';
import { embeddedPage, framePage } from './frame.ts';
import { html } from './html.ts';
import {
  createPageContext,
  type Mirrors,
  type PageContent,
  type PageContext,
  pageAttributionText,
  type RequestedPage,
} from './page-context.ts';
import { views } from './table.ts';
import type { View } from './view.ts';

/** Returns a page in the requested format as text; throws a RefusedRequestError if its record is missing. */
export function pageText(mirrors: Mirrors, requestedPage: RequestedPage): string {
  const view = viewOf(requestedPage.page);
  const page = createPageContext(mirrors, requestedPage, view.title);
  if (requestedPage.form === previewFile) {
    const { title = page.title, description, share } = view.render(page);
    const lines = description ? [description] : [];
    return shareSvg({ kicker: page.citation.name, title, lines, attribution: pageAttributionText(page), ...share });
  }
  return requestedPage.form === null ? pageHtml(page, view) : view.forms[requestedPage.form]!.make(page, view);
}

/** Returns the HTML of a page with header and footer, or without for an embedded page. */
export function pageHtml(page: PageContext, view: View, pageContent = view.render(page)): string {
  const { title = page.title, heading = title } = pageContent;
  const content = { ...pageContent, heading, title: [title, ...scopeTexts(page, pageContent)].join(' · ') };
  if (view.isEmbedded) return embeddedPage(page, content);
  const forms = Object.entries(view.forms).filter(([extension]) => !pageContent.missingForms?.includes(extension));
  const withheld = countWithheldInResult(page.mirror, view.kindsRead(view.questionValues(page.values)));
  const head = html`${content.head}${view.hasPreview && openGraph(page, content)}`;
  return framePage(page, { ...content, head }, { section: view.path.split('/')[1]!, forms, withheld });
}

/** Returns what distinguishes this page from others with its title: filters not in the title, and the past moment. */
function scopeTexts(page: PageContext, { title = '', fields = [] }: PageContent): string[] {
  const { speech, reading } = page;
  const filters = activeFilters(page, fields, 80).flatMap(({ name, valueText, text }) => {
    const isNamedByTitle = name === 'group' && title !== ''; // The title of `/compare` has short names of groups.
    return isNamedByTitle || title.includes(valueText) ? [] : [text];
  });
  return reading.asOf === null ? filters : [...filters, speech.moment(reading.asOf)];
}

/** Creates the context of a page of a static site; `values` not given have the parameters' defaults. */
export function createStaticContext(
  mirror: Mirror,
  view: View,
  { values, ...page }: Partial<RequestedPage> & Pick<RequestedPage, 'path' | 'language' | 'citation'>,
): PageContext {
  const requestedPage: RequestedPage = {
    page: view.path,
    form: null,
    values: { ...readValues(view.parameters, {}).values, ...values },
    queryParameters: {},
    origin: '',
    basePath: '',
    assetsPath: '/assets',
    reading: { searchesByMeaning: false, asOf: null },
    isStatic: true,
    ...page,
  };
  return createPageContext({ mirror, currentMirror: mirror }, requestedPage, view.title);
}

/** Returns the view at a path template, such as `/votes/{chamber}/{scrutin_id}`. */
export const viewOf = (template: string): View => views.find(({ path }) => path === template)!;

/** Last path segment of a page's preview image; `pageText` returns it as SVG, which the reader converts to PNG. */
export const previewFile = 'share.png';

/** Path of the preview image of the page at a path. */
export const previewPath = (path: string): string => `${path === '/' ? '' : path}/${previewFile}`;

/** Open Graph tags (https://ogp.me/) and canonical address; null without an origin. */
function openGraph(page: PageContext, { title, description }: PageContent & { title: string }) {
  const { origin, citation, language, path, queryParameters, isStatic, filledAt, hrefWith } = page;
  if (origin === '') return null;
  // The retrieval time in the address of the preview image keeps caches from showing outdated data.
  const v = filledAt?.replace(/\D/g, '').slice(0, 14) ?? null;
  const tags = {
    'og:type': path === '/' ? 'website' : 'article',
    'og:site_name': citation.name,
    'og:title': title,
    'og:description': description,
    'og:url': `${origin}${hrefWith({})}`,
    'og:locale': language === 'fr' ? 'fr_FR' : 'en_GB',
    ...(!isStatic && {
      'og:image': `${origin}${addressOf(previewPath(path), { ...queryParameters, lang: language, v })}`,
      'og:image:type': 'image/png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': title,
    }),
  };
  const definedTags = Object.entries(tags).filter(([, content]) => content !== undefined);
  return html`${definedTags.map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)}<meta name="twitter:card" content="${isStatic ? 'summary' : 'summary_large_image'}">
<link rel="canonical" href="${origin}${addressOf(path, { ...queryParameters, lang: null, cursor: null })}">
`;
}
