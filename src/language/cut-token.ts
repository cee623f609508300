const maxTokenLength = 64;

/** Returns the token cut at 64 UTF-16 units, never in the middle of a surrogate pair. */
export function cutToken(token: string): string {
  return token.length > maxTokenLength
    ? token.slice(0, maxTokenLength).replace(/[\ud800-\udbff]$/, '')
    : token;
}
