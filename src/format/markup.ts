import { sanitise } from './sanitise.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it must stand in HTML or XML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

/** A text of any origin as it must stand in XML 1.0, which has no place for some characters (section 2.2). */
export function escapeXml(text: string): string {
  return escapeHtml(sanitise(text).replace(/[\ufffe\uffff]/g, ''));
}
