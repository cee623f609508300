import { escapeHtml } from '../../format/markup.ts';

/** What a page may load: this server's own files, and what `more` allows beside them. */
export function pagePolicy(...more: string[]): string {
  return ["default-src 'self'", ...more, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

/** A page of HTML; `head` and `body` are HTML already. */
export function htmlPage({ title, head, body }: { title: string; head: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
