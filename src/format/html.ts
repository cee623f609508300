import { sanitise } from './sanitise.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for HTML or XML, as element content or quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** Escapes a text for XML 1.0, without the characters that it forbids (section 2.2). */
export const escapeXml = (text: string): string => escapeHtml(sanitise(text).replace(/[\ufffe\uffff]/g, ''));

/** Escaped HTML, which templates insert unchanged; they escape every other value. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Template values: `Html` passes unchanged, other values are escaped; null, undefined and false print nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Template tag for HTML that escapes every value but `Html`. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Html {
  let text = parts[0]!;
  for (let at = 0; at < contents.length; at++) text += contentText(contents[at]) + parts[at + 1]!;
  return new Html(text);
}

type DocumentHead = { language: string; title: string };

/** The style of standalone documents. */
const style = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: #1a1a1a; background: #fff }
table { border-collapse: collapse } [role=region] { overflow-x: auto } .number { text-align: right }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ccc }
code, pre, del, ins { overflow-wrap: anywhere; white-space: pre-wrap } pre { background: #f4f4f4; padding: .75rem }
.meta, footer { color: #4d4d4d; font-size: .9rem } dt { font-weight: 600 } h1::first-letter { text-transform: uppercase } svg { max-width: 100%; height: auto }
@media print { body { max-width: none; padding: 0 } a { color: inherit } li, tr { break-inside: avoid } }`;

/** Returns a standalone HTML document that runs no script and loads nothing. */
export const standaloneDocument = ({ body, ...head }: DocumentHead & { body: Html }): Html =>
  html`${documentHead(head)}${body}\n${documentEnd}`;

/** Returns the start of a standalone document, up to `<body>`. */
export const documentHead = ({ language, title }: DocumentHead): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
`;

export const documentEnd = new Html('</body>\n</html>\n');

function contentText(content: Content): string {
  // Control characters are removed: bidirectional ones would affect the text that follows.
  if (typeof content === 'string') return plainTextPattern.test(content) ? content : escapeHtml(sanitise(content));
  if (content instanceof Html) return content.text;
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'number') return String(content);
  return content.map(contentText).join('');
}

/** Texts without characters to escape or remove: most texts, which need no further work. */
const plainTextPattern = /^[\t\n !#-%(-;=?-~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u202f-\u205e]*$/;
