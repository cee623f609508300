import type { Sink } from '../format/sink.ts';
import replacements from './ascii.json' with { type: 'json' };
import type { Terminal } from './terminal.ts';
import { displayWidth } from './width.ts';

/** `ascii.json` holds ASCII texts with the characters that they replace; other letters lose their diacritics, the rest becomes `?`. */
const signs = new Map(
  Object.entries(replacements).flatMap(([ascii, from]) => [...from].map((sign) => [sign, ascii])),
);

/**
 * Transliterates a text to ASCII. Characters that grow (`œ`) take width from the next gap of their line, so that columns
 * stay aligned.
 */
export function asciiText(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  let [result, debt] = ['', 0];
  for (const [part] of text.matchAll(/\n| {2,}|\p{ASCII}|[^\p{ASCII}]\p{M}*/gu)) {
    if (part === '\n') debt = 0;
    if (part.startsWith('  ')) {
      const taken = Math.min(debt, part.length - 1);
      debt -= taken;
      result += part.slice(taken);
      continue;
    }
    const isPlain = part.length === 1 && part <= '\x7f';
    const sign = isPlain ? part : signOf(part);
    if (!isPlain) debt += Math.max(0, sign.length - displayWidth(part));
    result += sign;
  }
  return result;
}

function signOf(part: string): string {
  const known = signs.get(part) ?? signs.get(part.normalize('NFC'));
  if (known !== undefined) return known;
  const bare = part.normalize('NFKD').replace(/\p{M}/gu, '');
  if (/^\p{ASCII}*$/u.test(bare)) return bare;
  return '?'.repeat(displayWidth(part));
}

/** Wraps a sink to write ASCII if the terminal shows nothing else; files and pipes get the text unchanged. */
export function asciiSink(sink: Sink, { isTTY, isAscii = false }: Pick<Terminal, 'isTTY' | 'isAscii'>): Sink {
  if (!isTTY || !isAscii) return sink;
  return {
    get closed() {
      return sink.closed;
    },
    write: (chunk) => sink.write(typeof chunk === 'string' ? asciiText(chunk) : chunk),
    end: () => sink.end(),
    abort: () => sink.abort(),
  };
}
