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
export function escapeXml(text: string): string {
  return escapeHtml(sanitise(text).replace(/[\ufffe\uffff]/g, ''));
}
