import type { Language } from '../../words/language.ts';

export { type Content, Html, html } from '../../format/html.ts';

/** Content-Security-Policy of a page: this server's files only, and what `more` allows. */
export function pagePolicy(...more: string[]): string {
  return ["default-src 'self'", ...more, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

/** Content-Security-Policy of a page in a file, which states it itself; `file:` for one that is opened from a disk. */
export const staticPolicy = "default-src 'self' file:; base-uri 'none'";

/** Content-Security-Policy of a page that any site may frame. */
export const embeddedPolicy = "default-src 'self'; base-uri 'none'; frame-ancestors *";

/** Media type of pages. */
export const htmlType = 'text/html; charset=utf-8';

/** Headers of a page whose language follows the request. */
export const pageHeaders = (language: Language, policy = pagePolicy()) => ({
  vary: 'Accept-Language, Accept-Encoding, Authorization',
  'content-security-policy': policy,
  'content-language': language,
});
