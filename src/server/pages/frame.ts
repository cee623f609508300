import { odbl, webAddress } from '../../model/attribution.ts';
import { type AddressQuery, addressOf } from '../../model/kinds.ts';
import { withheldNote } from '../../questions/answering.ts';
import { languages } from '../../words/language.ts';
import { type Speech, say } from '../../words/speech.ts';
import { conformityPhrase } from './conformity.ts';
import { ageText } from './elements.ts';
import { hiddenInputs, suggestionAttribute } from './filter-form.ts';
import { type Content, type Html, html, staticPolicy } from './html.ts';
import { type FrameContext, formHref, type PageContent, pageAttributionText } from './page-context.ts';

/** Menu entries: address, label, and the first path segments of pages for which the entry is current. */
export const menuEntries = [
  { path: '/', sections: [''], text: say`Today` },
  { path: '/politicians', sections: ['politicians', 'departments', 'affiliations'], text: say`Politicians` },
  { path: '/parties', sections: ['parties'], text: say`Parties and groups` },
  { path: '/votes', sections: ['votes', 'texts', 'oembed'], text: say`Votes` },
  { path: '/compare', sections: ['compare', 'cohesion'], text: say`Compare` },
  { path: '/topics', sections: ['topics', 'subjects'], text: say`Topics` },
  { path: '/feed', sections: ['feed'], text: say`Facts` },
  { path: '/changes', sections: ['changes', 'history'], text: say`Changes` },
  { path: '/about', sections: ['about', 'audit', 'catalog', 'accessibility'], text: say`About` },
];

/** Filters in the addresses of menu entries; static sites have only unfiltered lists. */
const menuQueries: Record<string, AddressQuery> = { '/politicians': { in_office: 'true' } };

/** Matches an attribute up to its address on this server; addresses without a scheme (`//host`) do not match. */
const localUrl = / (href|src|action|data-completes)="(?=\/[^/]|\/")/g;

/** Returns an HTML document; addresses on this server get the base path as prefix. */
export function htmlDocument(
  { language, basePath, assetsPath, isStatic }: FrameContext,
  { title, head, body, className }: { title: string; head: Content; body: Html; className?: string },
): string {
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${isStatic && html`<meta http-equiv="Content-Security-Policy" content="${staticPolicy}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${assetsPath}/icon.svg" type="image/svg+xml">
<title>${title}</title>
${head}</head>
<body${className && html` class="${className}"`}>
${body}
</body>
</html>
`;
  return basePath === '' ? text : text.replace(localUrl, `$&${basePath}`);
}

type TitledContent = PageContent & { title: string };

type FormLink = readonly [extension: string, { mediaType: string }];

/** Menu section, alternate formats, and number of records that are withheld from what the page shows. */
type FrameOptions = { section?: string | null; forms?: FormLink[]; withheld?: number };

/** Returns a whole page with header, menu and footer, and links to its alternate formats. */
export function framePage(
  page: FrameContext,
  pageContent: TitledContent,
  { section = null, forms = [], withheld = 0 }: FrameOptions = {},
): string {
  const { speech, citation, language, hrefWith, isStatic, path, reading, assetsPath } = page;
  // Pages about the past can contain withdrawn data: readable here, but kept out of search engines.
  const isOfPast = reading.asOf !== null || /^\/(?:history|changes)\b/.test(path);
  const otherLanguages = isStatic ? [] : languages.filter((each) => each !== language);
  const head = html`${isOfPast && html`<meta name="robots" content="noindex">\n`}${pageContent.description && html`<meta name="description" content="${pageContent.description}">\n`}<link rel="stylesheet" href="${assetsPath}/pages.css">
${!isStatic && html`<script src="${assetsPath}/pages.js" defer></script>\n`}${otherLanguages.map(
  (each) => html`<link rel="alternate" hreflang="${each}" href="${hrefWith({ lang: each })}">\n`,
)}${forms.map(
  ([extension, form]) => html`<link rel="alternate" type="${form.mediaType}" href="${hrefOfForm(page, extension)}">\n`,
)}${pageContent.head}`;
  const body = html`<a class="skip" href="#content">${speech.say`Skip to the content`}</a>
${masthead(page, section)}
${bannerOf(page)}<main id="content">
${contentHtml(page, pageContent, forms)}
</main>
${footer(page, withheld)}`;
  return htmlDocument(page, { title: `${pageContent.title} · ${citation.name}`, head, body });
}

function contentHtml(page: FrameContext, pageContent: TitledContent, forms: FormLink[]): Html {
  const { title, heading = title, kicker, lead, body, article } = pageContent;
  const content = html`<header class="head">${kicker && html`<p class="kicker">${kicker}</p>\n`}<h1>${heading}</h1>${
    lead && html`\n<p class="lead">${lead}</p>`
  }${actionLinks(page, pageContent, forms)}</header>
${body}`;
  if (article === undefined) return content;
  return html`<article${article && html` class="${article}"`}>${content}</article>`;
}

function hrefOfForm(page: FrameContext, extension: string, query: AddressQuery = {}): string {
  // Feed readers send no language preference and would get English.
  const lang = extension === 'atom' && page.language === 'fr' && !page.isStatic ? 'fr' : null;
  const csvQuery = extension === 'csv' && { cursor: null };
  return formHref(page, extension, { ...(!extension.startsWith('dossier.') && { lang }), ...csvQuery, ...query });
}

/** Links to subscribe, download, embed and cite, as far as the page has them; null for a page without a citation. */
function actionLinks(page: FrameContext, pageContent: TitledContent, forms: FormLink[]) {
  const { speech, origin, path, queryParameters, isStatic } = page;
  const { title, rows = null, isEmbeddable, isCited = true } = pageContent;
  // Pages outside the table of views, such as errors, have no origin and are not cited.
  if (origin === undefined || !isCited) return null;
  const feed = forms.find(([extension]) => extension === 'atom');
  const list = forms.map(([extension, { mediaType }]) => {
    const rowCountText = extension === 'csv' && rows !== null && ` (${speech.count(rows, 'row')})`;
    const link = html`<li><a href="${hrefOfForm(page, extension)}" type="${mediaType}">${formLabels[extension] ?? extension}${rowCountText}</a></li>`;
    if (extension !== 'csv' || isStatic) return link;
    const spreadsheet = speech.language === 'fr' ? 'fr' : 'safe';
    return html`${link}<li><a href="${hrefOfForm(page, extension, { spreadsheet })}">${speech.say`CSV for spreadsheets`}</a></li>`;
  });
  const address = origin && `${origin}${addressOf(path, { ...queryParameters, lang: null, cursor: null })}`;
  const source = pageAttributionText(isStatic ? { ...page, filledAt: null } : page);
  const citationParts = [title.replace(/\.$/, ''), source, address].filter(Boolean);
  const feedHref = feed && `${origin}${hrefOfForm(page, feed[0])}`;
  return html`<div class="actions">${feedHref && html`<details><summary>${speech.say`Subscribe`}</summary><p>${speech.say`Paste this address into a feed reader, or a mail program that reads feeds: it then shows what is new in this list.`}</p>${copyField(speech, speech.say`Address of the feed`, feedHref)}</details>`}${
    list.length > 0 && html`<details><summary>${speech.say`Download`}</summary><ul class="plain">${list}</ul></details>`
  }${isEmbeddable && html`<a href="#take-away">${speech.say`Embed`}</a>`}<details><summary>${speech.say`Cite`}</summary>${copyField(speech, speech.say`Cite`, citationParts.join('. '))}</details></div>`;
}

/** Returns a read-only text field; a script adds a button that copies its text. */
export function copyField(speech: Speech, label: string, text: string): Html {
  return html`<textarea class="paste" rows="4" readonly aria-label="${label}" data-copy="${speech.say`Copy`}" data-copied="${speech.say`copied`}">${text}</textarea>`;
}

/** Returns a page for an iframe on another site, without header and footer. */
export function embeddedPage(page: FrameContext, { title, body }: TitledContent): string {
  return htmlDocument(page, {
    title: `${title} · ${page.citation.name}`,
    head: html`<meta name="robots" content="noindex">\n<link rel="stylesheet" href="${page.assetsPath}/pages.css">\n`,
    className: 'embedded',
    body: html`<main>\n${body}\n</main>`,
  });
}

/** Returns the header of every page: name of the service, search, languages and menu. */
export function masthead(page: FrameContext, section: string | null): Html {
  const { speech, citation, href, hrefWith, language, reading, isStatic, assetsPath } = page;
  const hiddenFields = [
    ...hiddenInputs('as_of', reading.asOf === null ? [] : [reading.asOf]),
    ...hiddenInputs('lang', language === 'fr' && !isStatic ? ['fr'] : []),
  ];
  return html`<header class="masthead">
<div class="title-row">
<a class="brand" href="${href('/')}"><img src="${assetsPath}/icon.svg" alt="" width="32" height="32"><span>${citation.name}</span></a>
<form class="search" action="/search" role="search">
<label class="unseen" for="q">${speech.say`Search`}</label>
<input id="q" name="q" type="search" placeholder="${speech.say`A name or words`}" maxlength="2000" autocomplete="off"${!isStatic && suggestionAttribute(page, 'all')}>
${hiddenFields}<button>${speech.say`Search`}</button>
</form>
${
  !isStatic &&
  html`<p class="languages">${languages.map((each) =>
    each === language
      ? html`<span aria-current="true" lang="${each}">${nameOfLanguage[each]}</span>`
      : html`<a href="${hrefWith({ lang: each })}" hreflang="${each}" lang="${each}">${nameOfLanguage[each]}</a>`,
  )}</p>
`
}</div>
<nav aria-label="${speech.say`Main menu`}"><button type="button" popovertarget="menu">${speech.say`Menu`}</button><ul id="menu" popover>${menuEntries.map(
    ({ path, sections, text }) =>
      html`<li><a href="${href(path, isStatic ? {} : menuQueries[path])}"${section !== null && sections.includes(section) && html` aria-current="page"`}>${speech.render(text)}</a></li>`,
  )}</ul></nav>
</header>`;
}

const nameOfLanguage = { en: 'English', fr: 'Français' } as const;

function bannerOf({ speech, reading, citation, hrefWith }: FrameContext): Html {
  const unavailableBanner =
    citation.goneSince &&
    html`<aside class="banner" aria-label="${speech.say`Last known state`}"><p>${speech.say`The service has not responded since ${speech.day(citation.goneSince)}. These pages show the last known state.`}</p></aside>
`;
  const pastBanner =
    reading.asOf !== null &&
    html`<aside class="banner" aria-label="${speech.say`The past`}"><p>${speech.say`This page shows a past state of this copy: ${speech.moment(reading.asOf)}.`} <a href="${hrefWith({ as_of: null })}">${speech.say`Show today`}</a></p></aside>
`;
  return html`${unavailableBanner}${pastBanner}`;
}

function footer(page: FrameContext, withheld: number): Html {
  const { speech, citation, href, isStatic } = page;
  const address = webAddress(citation.siteUrl ?? '');
  const name = address === null ? citation.name : html`<a href="${address}">${citation.name}</a>`;
  // In static pages, the age of the data would change every file with every sync.
  const dataAge = !isStatic && html` ${ageText(page, speech.say`Data as retrieved on`)}`;
  const programs =
    !isStatic &&
    html`<a href="/docs">${speech.say`For programs: the interface`}</a> · <a href="${href('/sitemap')}">${speech.say`Plan of the site`}</a> · `;
  return html`<footer>
${pastForm(page)}${withheld > 0 && html`<p>${speech.render(withheldNote(withheld))}</p>\n`}<p>${speech.say`Source:`} ${name} · ${speech.say`free for non-commercial use`}.${dataAge}</p>
<p>${speech.say`Whole datasets are licensed under the`} <a href="${odbl.url}" rel="license">Open Database License (ODbL) 1.0</a>. <a href="${href('/about')}">${speech.say`Whose data, how to cite it, what is missing`}</a></p>
<p>${programs}<a href="${href('/accessibility')}">${speech.say`Accessibility: ${speech.render(conformityPhrase)}`}</a></p>
</footer>`;
}

function pastForm({ speech, queryParameters, reading, path, origin, filledAt, isStatic }: FrameContext): Html | null {
  if (filledAt === null || origin === undefined || isStatic) return null;
  const hiddenFields = Object.entries(queryParameters)
    .filter(([name]) => !['as_of', 'cursor'].includes(name))
    .map(([name, texts]) => hiddenInputs(name, texts));
  const day = (reading.asOf ?? filledAt).slice(0, 10);
  return html`<form class="past" action="${path}"><label for="past">${speech.say`State of this mirror at the end of`}</label> <input id="past" name="as_of" type="date" value="${day}" required> ${hiddenFields}<button>${speech.say`Show`}</button></form>
`;
}

const formLabels: Record<string, string> = {
  json: 'JSON',
  csv: 'CSV',
  atom: 'Atom',
  jsonld: 'JSON-LD',
  svg: 'SVG',
  'dossier.html': 'Dossier (HTML)',
  'dossier.md': 'Dossier (Markdown)',
};
