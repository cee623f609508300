import { NodeHtmlMarkdown, type TranslatorConfigObject } from 'node-html-markdown';
import { standaloneDocument } from '../../format/html.ts';
import type { Document } from '../../model/document.ts';
import { hasColumn, kindCount, kinds } from '../../model/kinds.ts';
import { listFeed } from '../../store/records/feed.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { countRows } from '../../store/rows.ts';
import { capitalise } from '../../words/speech.ts';
import type { AlternateForm, FormSource } from './alternate-forms.ts';
import { line, section } from './elements.ts';
import { html, htmlType } from './html.ts';
import { type PageContext, pageAttributionText } from './page-context.ts';
import { items } from './parts.ts';

/** The formats of a dossier: the content of a page as one file, HTML or Markdown, that needs no server. */
export const dossierForms: Record<string, AlternateForm> = {
  'dossier.html': { mediaType: htmlType, isDownload: true, make: dossierHtml },
  'dossier.md': { mediaType: 'text/markdown; charset=utf-8', isDownload: true, make: dossierMarkdown },
};

/** Returns a page as an HTML file, followed by which kinds have no records about its subject, and the citation. */
function dossierHtml(page: PageContext, { render, question }: FormSource): string {
  const { mirror, values, language } = page;
  const kind = question?.answers === 'record' ? question.kind(values) : null;
  // A file cannot link to pages of sources, so sources appear below each record.
  const fileContext = {
    ...page,
    isStatic: true,
    values: { ...values, ...('limit' in values && { limit: Number.POSITIVE_INFINITY }) },
    holds: () => false,
    sourcesOf: (record: Document) => sourcesOf(mirror, record),
  };
  const { title = page.title, heading, kicker, lead, body } = render(fileContext);
  const key = String(values.slug);
  const bodyHtml = html`<h1>${heading ?? title}</h1>
<p>${line(kicker, lead)}</p>
${body}
${kind === 'party' && partyRecordSections(fileContext, key)}
${(kind === 'politician' || kind === 'party') && missingKindsSection(page, kind, key)}
<p class="meta">${pageAttributionText(page)}</p>`;
  const { text } = standaloneDocument({ language, title, body: bodyHtml });
  return text
    .replace(/<p[^>]*>(?:\s*<a [^>]*?href="\/[^"]*"[^>]*>[^<]*<\/a>)+\s*<\/p>/g, '') // Paragraphs of server links only.
    .replace(/<section[^>]*><h2>[^<]*<\/h2>\s*<\/section>/g, '') // Sections that this leaves empty.
    .replace(/<a [^>]*?href="\/[^"]*"[^>]*>(.*?)<\/a>/gs, '$1') // Other links to the server; their text stays.
    .replaceAll('<details', '<details open'); // For printing.
}

/** Returns a section per kind with the newest records of a party's politicians; the party's page only links to them. */
function partyRecordSections(page: PageContext, party: string) {
  return kinds
    .filter((kind) => hasColumn(kind, 'politician'))
    .map(({ name, plural }) => {
      const feedItems = listFeed(page.mirror, { types: [name], party, limit: maxRecordsPerKind }).items;
      const documents = feedItems.map((text): Document => JSON.parse(text));
      return section(capitalise(page.speech.word(plural)), items(page, documents));
    });
}

const maxRecordsPerKind = 40;

/** Returns a section that names the kinds without records about a subject, and counts the records of other kinds. */
function missingKindsSection({ speech, mirror }: PageContext, subjectKind: 'politician' | 'party', key: string) {
  const counts = kinds
    .filter((kind) => kind.name !== subjectKind && (hasColumn(kind, subjectKind) || hasColumn(kind, 'politician')))
    .map((kind) => ({ kind, count: countRows(mirror, kind, { [subjectKind]: key }) }));
  const missingKinds = counts.filter(({ count }) => count === 0).map(({ kind }) => speech.word(kind.plural));
  const storedCounts = counts.filter(({ count }) => count > 0).map(({ kind, count }) => kindCount(speech, kind, count));
  return section(
    speech.say`What is missing`,
    html`${missingKinds.length > 0 && html`<p>${speech.say`The mirror contains no records of these kinds: ${missingKinds.join(', ')}.`}</p>`}
${storedCounts.length > 0 && html`<p>${speech.say`It contains ${storedCounts.join(', ')}; lists above may show only the newest.`}</p>`}
<p>${speech.say`A record that is missing here may still exist.`}</p>`,
  );
}

/** Markdown of a page: no pictures, captions or forms; definition lists become list items. */
const markdownOptions = { ignore: ['head', 'svg', 'figure', 'style', 'form'], bulletMarker: '-' };
const markdownTranslators: TranslatorConfigObject = {
  dt: { prefix: '- **', postfix: '**: ', surroundingNewlines: false },
  dd: { postfix: '\n', surroundingNewlines: false },
  summary: { prefix: '**', postfix: '**', surroundingNewlines: 2 },
};

/** Returns a dossier as Markdown: headings, paragraphs, lists, facts, tables and links; no pictures. */
function dossierMarkdown(page: PageContext, source: FormSource): string {
  return `${NodeHtmlMarkdown.translate(dossierHtml(page, source), markdownOptions, markdownTranslators).trim()}\n`;
}
