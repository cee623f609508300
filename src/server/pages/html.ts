import { html } from '../../format/html.ts';

export { type Content, Html, html } from '../../format/html.ts';

/** What a page may load: this server's own files, and what `more` allows beside them. */
export function pagePolicy(...more: string[]): string {
  return ["default-src 'self'", ...more, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

/** The same for a page that stands in those of others, wherever they are. */
export const embeddedPolicy = "default-src 'self'; base-uri 'none'; frame-ancestors *";

/** What every page for people has in its head, behind its title. */
export const headOfPages = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">`;
