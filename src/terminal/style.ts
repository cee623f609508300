import type { Terminal } from './terminal.ts';

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

/** Ways to set a text off; each gives the text back untouched where the terminal cannot show it. */
export type Style = {
  bold(text: string): string;
  dim(text: string): string;
  colour(name: Colour, text: string): string;
  link(text: string, url: string | null | undefined): string;
};

const codes: Record<Colour, number> = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 };

/** The styles that a terminal can show; the texts given to them must be sanitised already. */
export function styleOf(terminal: Terminal): Style {
  const sgr = (on: number, off: number, text: string) =>
    terminal.colour && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    bold: (text) => sgr(1, 22, text),
    dim: (text) => sgr(2, 22, text),
    colour: (name, text) => sgr(codes[name], 39, text),
    link: (text, url) => {
      const address = terminal.hyperlinks ? webAddress(url) : null;
      return address ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\` : text;
    },
  };
}

/** The address as printable ASCII if it is one of the web, otherwise null: `file:` and the like stay dead. */
export function webAddress(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
}
