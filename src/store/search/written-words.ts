import { nameWords } from '../../language/name.ts';
import { analyseLexeme, lexemes } from '../../language/prose.ts';
import { type Document, documentOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';

/** A token as a record with it writes it: people and parties come first, whose ids are the highest. */
export function wordOfToken(mirror: Mirror, token: string): string {
  const id = mirror
    .column<number>('SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT 1')
    .get(`"${token}"`);
  if (id === undefined) return token;
  const stored = mirror
    .sql<{ row: string | null; detail: string | null }>('SELECT row, detail FROM record WHERE id = ?')
    .get(id);
  return (stored && writtenAs(token, kindOfRecord(id), documentOf(stored))) ?? token;
}

/** The word of a record that the index has as a token, as written there; null if there is none. */
function writtenAs(token: string, { search }: Kind, document: Document): string | null {
  for (const field of [...search.name, ...search.about]) {
    const text = document[field];
    const words = typeof text === 'string' ? text.split(/[\s-]+/) : [];
    const word = words.find((each) => nameWords(each).includes(token));
    if (word !== undefined) return word;
  }
  for (const field of [...search.body, ...search.title]) {
    const text = document[field];
    const written = typeof text === 'string' ? wordsWritten(text, token.split(' ')) : null;
    if (written !== null) return written.toLowerCase().replace(/^(?:\p{L}|qu)['’]/u, '');
  }
  return null;
}

/** The first consecutive words of a text with these tokens, with the text between them; null if there are none. */
function wordsWritten(text: string, tokens: string[]): string | null {
  const words = lexemes(text);
  const whole = words.find((word) => analyseLexeme(word) === tokens.join(' '));
  if (whole !== undefined) return whole;
  const isFrom = (from: number) =>
    tokens.every((token, by) => analyseLexeme(words[from + by] ?? '') === token);
  const at = words.findIndex((_, from) => isFrom(from));
  if (at === -1) return null;
  const letters = words.slice(at, at + tokens.length).map((word) => word.replace(/[^\p{L}\p{N}]/gu, '.'));
  return new RegExp(letters.join('[^\\p{L}\\p{N}]+'), 'u').exec(text)?.[0] ?? words[at]!;
}
