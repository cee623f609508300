import { sanitise } from './sanitise.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML or XML, as element content or quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

/** Escapes a text for XML 1.0, without the characters that it forbids (section 2.2). */
export const escapeXml = (text: string): string => escapeHtml(sanitise(text).replace(/[\ufffe\uffff]/g, ''));

/** Escaped HTML made by `html`; every other value is treated as text. */
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
  for (let at = 0; at < contents.length; at++) {
    const content = contents[at];
    text += typeof content === 'string' ? escapeContent(content) : contentText(content);
    text += parts[at + 1]!;
  }
  return new Html(text);
}

type StandaloneDocument = { language: string; title: string; style: string; body: Html };

/** A standalone HTML document that runs no script and loads nothing. */
export function standaloneDocument({ language, title, style, body }: StandaloneDocument): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function contentText(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === 'string') return escapeContent(content);
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'number') return String(content);
  let text = '';
  for (const each of content) text += contentText(each);
  return text;
}

/** Matches the common texts that need no escaping. */
const plainTextPattern = /^[\t\n !#-%(-;=?-~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u202f-\u205e]*$/;

/** Removes bidirectional controls, which would affect the text that follows. */
const escapeContent = (text: string): string => (plainTextPattern.test(text) ? text : escapeHtml(sanitise(text)));
