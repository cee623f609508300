import { ServiceAnswerError } from '../errors.ts';
import type { Json } from '../model/document.ts';

/** The body as JSON; throws a ServiceAnswerError that names what came instead. */
export function readJson(url: string, body: Uint8Array, contentType: string | null): Json {
  const text = decode(url, body, contentType).trim();
  if (text === '') throw new ServiceAnswerError(url, 'the answer is empty');
  if (text.startsWith('<')) throw new ServiceAnswerError(url, 'the answer is a web page (HTML), not JSON');
  try {
    return JSON.parse(text);
  } catch (error) {
    const isCut = placeOf(error as Error, text) >= text.length;
    throw new ServiceAnswerError(
      url,
      isCut
        ? 'the answer is JSON that ends too early'
        : `the answer is not JSON: it begins with ${JSON.stringify(text.slice(0, 40))}`,
    );
  }
}

/** Where parsing stopped: V8 names the position, except where the text ends. */
function placeOf({ message }: Error, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined && /end of JSON|Unterminated/i.test(message)
    ? text.length
    : Number(position ?? 0);
}

/** The sentence in an error body: `detail`, `message` or `error` of JSON, the title of a page, or the text. */
export function errorSentence(body: string): string {
  const text = body.trim();
  try {
    const problem = JSON.parse(text);
    const inner =
      problem.detail ?? problem.message ?? problem.error?.message ?? problem.error ?? problem.title;
    if (typeof inner === 'string') return inner.slice(0, 300);
    if (inner !== undefined) return JSON.stringify(inner).slice(0, 300);
  } catch {
    // Not JSON: a page or plain text follows.
  }
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return (
    title ||
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200)
  );
}

/** JSON is UTF-8; another charset is believed only where the bytes are not UTF-8. */
function decode(url: string, body: Uint8Array, contentType: string | null): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    const charset = /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1];
    if (charset && !/^utf-?8$/i.test(charset)) {
      try {
        return new TextDecoder(charset, { fatal: true }).decode(body);
      } catch {
        // An unknown or wrong charset is an unreadable answer, as below.
      }
    }
    throw new ServiceAnswerError(url, 'the answer is not UTF-8 text');
  }
}
