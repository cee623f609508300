import type { OutputSinks, Sink } from '../../src/format/sink.ts';
import type { Attribution } from '../../src/model/attribution.ts';
import { attributionOf, odbl } from '../../src/model/attribution.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { speechOf } from '../../src/words/speech.ts';

/** A sink that keeps its text; it closes itself once it holds `closeAfter` characters. */
export function memorySink(closeAfter = Number.POSITIVE_INFINITY): Sink & { text: string; writes: number } {
  const decoder = new TextDecoder();
  return {
    text: '',
    writes: 0,
    get closed() {
      return this.text.length >= closeAfter;
    },
    write(chunk) {
      this.writes++;
      this.text += typeof chunk === 'string' ? chunk : decoder.decode(chunk);
    },
    end: async () => {},
    abort: async () => {},
  };
}

/** Both ends of an answer, kept apart. */
export function memorySinks(): OutputSinks & { stdout: ReturnType<typeof memorySink>; lines: string[] } {
  const lines: string[] = [];
  return { stdout: memorySink(), stderr: (line) => void lines.push(`${line}`), lines };
}

export const pipe: Terminal = {
  isTTY: false,
  columns: Number.POSITIVE_INFINITY,
  colour: false,
  hyperlinks: false,
  speech: speechOf('en'),
};

/** A plain terminal of that many columns. */
export const terminalOfWidth = (columns: number): Terminal => ({
  isTTY: true,
  columns,
  colour: false,
  hyperlinks: false,
  speech: speechOf('en', { atTerminal: true }),
});

export const attribution: Attribution = attributionOf(
  { name: 'Vitrine', siteUrl: 'https://vitrine.example' },
  { licence: odbl, retrievedAt: '2031-05-06T07:08:09Z' },
);

export const attributionText =
  'Source: Vitrine (https://vitrine.example), retrieved 2031-05-06; ' +
  'Open Database License (ODbL) 1.0, https://opendatacommons.org/licenses/odbl/1-0/';
