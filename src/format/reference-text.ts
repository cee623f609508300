import { lastStatePhrase } from '../model/attribution.ts';
import type { CitedWork } from '../model/cited-work.ts';
import { mapTexts } from '../model/document.ts';
import type { Speech } from '../words/speech.ts';
import { escapeHtml } from './html.ts';
import { sanitiseLine } from './sanitise.ts';

export const citationStyles = ['text', 'html', 'bibtex', 'csl-json', 'ris'] as const;
export type CitationStyle = (typeof citationStyles)[number];

/** Returns the citation of a work in one style, with a line end. */
export function citationText(work: CitedWork, { style, speech }: { style: CitationStyle; speech: Speech }) {
  const cleanWork = mapTexts(work, (text) => sanitiseLine(text).trim());
  return `${writers[style](cleanWork, speech).normalize('NFC')}\n`;
}

const writers: Record<CitationStyle, (work: CitedWork, speech: Speech) => string> = {
  text: (work, speech) => sentence(work, speech),
  html: (work, speech) =>
    `<cite lang="${speech.language}">${sentence(mapTexts(work, escapeHtml), speech, { isHtml: true })}</cite>`,
  bibtex,
  'csl-json': cslJson,
  ris,
};

/** `Author, “Title”, 4 March 2031, Service (https://…), KIND:KEY, retrieved … (sha256 …), https://…`; HTML: links. */
function sentence(work: CitedWork, speech: Speech, { isHtml = false } = {}): string {
  const withLink = (text: string, url: string | null) =>
    isHtml && url !== null ? `<a href="${url}">${text}</a>` : text;
  const day = (iso: string) => speech.day(iso).replace(/^(\d+) /, '$1\u00a0');
  const retrievedText = work.retrievedAt && speech.say`retrieved ${day(work.retrievedAt)}`;
  const site = isHtml ? null : work.publisherUrl;
  const page = work.url === work.publisherUrl ? null : work.url;
  const source = [
    work.sourcePublisher,
    work.sourceTitle && speech.quoted(work.sourceTitle),
    work.sourceDate && day(work.sourceDate),
  ]
    .filter(Boolean)
    .join(', ');
  const parts = [
    work.author,
    speech.quoted(withLink(work.title, page)),
    work.date && day(work.date),
    site ? `${work.publisher} (${site})` : withLink(work.publisher, work.publisherUrl),
    work.id,
    work.asOf && speech.say`as of ${day(work.asOf)}`,
    [retrievedText, `(sha256 ${work.hash})`].filter(Boolean).join(' '),
    work.goneSince && speech.render(lastStatePhrase(work.goneSince)),
    source && speech.say`source: ${source}`,
    isHtml ? null : page,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The note field: facts that bibliographies have no field for, and the link that every reuse must show. */
function noteText({ id, hash, asOf, publisher, publisherUrl, ...work }: CitedWork): string {
  const source = [work.sourcePublisher, work.sourceTitle, work.sourceDate].filter(Boolean).join(', ');
  return [
    id,
    publisherUrl && `${publisher}: ${publisherUrl}`,
    `sha256 ${hash}`,
    asOf && `as of ${asOf}`,
    work.goneSince && `${lastStatePhrase(work.goneSince)}`,
    source && `source: ${source}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function dateParts(iso: string | null): { 'date-parts': number[][] } | null {
  const match = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/.exec(iso ?? '');
  if (!match) return null;
  return { 'date-parts': [match.slice(1).filter(Boolean).map(Number)] };
}

/** CSL-JSON (https://docs.citationstyles.org/en/stable/specification.html#appendix-iv-variables): one item. */
function cslJson(work: CitedWork): string {
  const item = {
    id: work.id,
    type: 'webpage',
    title: work.title,
    author: work.author === null ? null : [{ literal: work.author }],
    issued: dateParts(work.date),
    accessed: dateParts(work.retrievedAt),
    publisher: work.publisher,
    'container-title': work.publisher,
    URL: work.url,
    note: noteText(work),
  };
  return JSON.stringify([Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))], null, 2);
}

/** BibTeX as biber and natbib read it; braces around a title keep its capitals. */
function bibtex(work: CitedWork): string {
  const [year, month] = (work.date ?? '').split('-');
  const fields: [string, string | null][] = [
    ['title', `{${escapeLatex(work.title)}}`],
    ['author', work.author === null ? null : `{${escapeLatex(work.author)}}`],
    ['year', year || null],
    ['month', month ? String(Number(month)) : null],
    ['publisher', `{${escapeLatex(work.publisher)}}`],
    ['url', work.url?.replace(/[{}]/g, encodeURIComponent) ?? null],
    ['urldate', work.retrievedAt?.slice(0, 10) ?? null],
    ['note', escapeLatex(noteText(work))],
  ];
  const lines = fields.filter(([, value]) => value !== null).map(([name, value]) => `  ${name} = {${value}}`);
  return `@misc{${work.id.replace(/[^A-Za-z0-9:-]+/g, '-')},\n${lines.join(',\n')}\n}`;
}

const latexSigns: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
};

const escapeLatex = (text: string): string => text.replace(/[\\~^{}&%$#_]/g, (sign) => latexSigns[sign] ?? `\\${sign}`);

/** RIS (https://refdb.sourceforge.net/manual/sect1-ris-format.html); lines end with CR and LF, as readers expect. */
function ris(work: CitedWork): string {
  const slashDate = (iso: string | null) => iso && `${iso.slice(0, 10).replaceAll('-', '/')}`;
  const lines: [string, string | null][] = [
    ['TY', 'ELEC'],
    ['ID', work.id],
    ['TI', work.title],
    ['AU', work.author],
    ['PY', work.date?.slice(0, 4) ?? null],
    ['DA', slashDate(work.date)],
    ['PB', work.publisher],
    ['UR', work.url],
    ['Y2', slashDate(work.retrievedAt)],
    ['N1', noteText(work)],
    ['ER', ''],
  ];
  const filledLines = lines.filter(([, value]) => value !== null);
  return filledLines.map(([tag, value]) => `${tag}  - ${value}`).join('\r\n');
}
