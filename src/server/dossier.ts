import { NodeHtmlMarkdown, type TranslatorConfigObject } from 'node-html-markdown';
import { standaloneDocument } from '../format/html.ts';
import type { Citation } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import { hasColumn, kindCount, kindOf, kinds } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { listFeed } from '../store/records/feed.ts';
import { sourcesOf } from '../store/records/profile.ts';
import { countRows } from '../store/rows.ts';
import type { Language } from '../words/language.ts';
import { capitalise, section } from './pages/elements.ts';
import { type Html, html } from './pages/html.ts';
import { type PageContext, pageAttributionText } from './pages/page-context.ts';
import { createStaticContext, viewOf } from './pages/page-text.ts';
import { items } from './pages/parts.ts';

/** Subject of a dossier: a record with a page, or a text with ballots. */
export type DossierSubject = { page: 'politician' | 'party' | 'text'; key: string };

/** Returns an HTML file about a person, party or text: its page, the kinds without records, and the citation. */
export function dossierHtml(
  mirror: Mirror,
  { page, key }: DossierSubject,
  { citation, language }: { citation: Citation; language: Language },
): string {
  const view = viewOf(page === 'text' ? '/texts/{text}' : kindOf(page).page);
  const values = page === 'text' ? { text: key, limit: Number.POSITIVE_INFINITY } : { slug: key };
  const context = createStaticContext(mirror, view, { values, path: `/${page}`, language, citation });
  // `holds` is false for every record: a file has no pages to link to; sources appear below each record.
  const fileContext = {
    ...context,
    holds: () => false,
    sourcesOf: (record: Document) => sourcesOf(mirror, record),
  };
  const { title = context.title, heading, kicker, lead, body } = view.render(fileContext);
  const attributionText = pageAttributionText(context);
  const bodyHtml = html`<p class="meta">${kicker}</p>
<h1>${heading ?? title}</h1>
<p>${lead}</p>
${body}
${page === 'party' ? partyRecordSections(fileContext, key) : null}
${page === 'text' ? null : missingKindsSection(context, mirror, { kind: page, key })}
<p class="meta">${attributionText}</p>`;
  const { text } = standaloneDocument({ language, title, body: bodyHtml });
  // Removes links within a server and lines of them, which lead nowhere in a file; opens details, for printing.
  return text
    .replace(/<p[^>]*>(?:\s*<a [^>]*?href="\/[^"]*"[^>]*>[^<]*<\/a>)+\s*<\/p>/g, '')
    .replace(/<section[^>]*><h2>[^<]*<\/h2>\s*<\/section>/g, '')
    .replace(/<a [^>]*?href="\/[^"]*"[^>]*>(.*?)<\/a>/gs, '$1')
    .replaceAll('<details', '<details open');
}

/** Returns sections of the newest records of a party and its politicians; the party's page only links to them. */
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

/** Returns a section with the kinds without records about a subject, and the counts of the others. */
function missingKindsSection(
  { speech }: PageContext,
  mirror: Mirror,
  { kind: subjectKind, key }: { kind: 'politician' | 'party'; key: string },
): Html | null {
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

/** Markdown of a page: no pictures or forms; definition lists become list items. */
const markdownOptions = { ignore: ['head', 'svg', 'style', 'form'], bulletMarker: '-' };
const markdownTranslators: TranslatorConfigObject = {
  dt: { prefix: '- **', postfix: '**: ', surroundingNewlines: false },
  dd: { postfix: '\n', surroundingNewlines: false },
  summary: { prefix: '**', postfix: '**', surroundingNewlines: 2 },
};

/** Returns a page of this server as Markdown: headings, paragraphs, lists, facts, tables and links; no pictures. */
export const pageMarkdown = (page: string): string =>
  `${NodeHtmlMarkdown.translate(page, markdownOptions, markdownTranslators).trim()}\n`;
