/** What a service gives with an answer to ask later whether it changed (RFC 9110, section 8.8). */
export type Validator = { etag: string | null; lastModified: string | null };

/** The validator that came with an answer, or null if there was none. */
export function validatorOf(headers: Headers): Validator | null {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')];
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

/** The headers that ask for an answer only if it changed. */
export function conditionalHeaders(known: Validator | null): Record<string, string> {
  return {
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
  };
}
