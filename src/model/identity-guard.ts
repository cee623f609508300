import type { Document } from './document.ts';

/** Field names that would identify a person in the moderation log. */
const identifying =
  /(^|_)(name|full_?name|user_?name|user|user_?id|moderator_?id|actor|actor_?id|author|author_?id|e?mail|ip|ip_?address|phone|login|account)$/i;

/** The fields of a moderation entry that identify a person; such an entry must not be stored or served. */
export function identifyingFields(document: Document): string[] {
  return Object.keys(document).filter((field) => identifying.test(field) && document[field] !== null);
}
