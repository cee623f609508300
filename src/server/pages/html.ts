import type { Language } from '../../words/language.ts';

export { type Content, Html, html } from '../../format/html.ts';

/** Content-Security-Policy in the HTML of static pages; `file:` allows opening them from a disk. */
export const staticPolicy = "default-src 'self' file:; base-uri 'none'";

/** Content-Security-Policy of a page that any site may frame. */
export const embeddedPolicy = "default-src 'self'; base-uri 'none'; frame-ancestors *";

export const htmlType = 'text/html; charset=utf-8';

/** Returns the headers of a page; the default policy lets it load only files of this server, and forbids framing. */
export const pageHeaders = (
  language: Language,
  policy = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
) => ({
  vary: 'Accept-Language, Accept-Encoding, Authorization',
  'content-security-policy': policy,
  'content-language': language,
});
