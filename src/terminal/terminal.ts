import process from 'node:process';
import { styleText } from 'node:util';
import { type Language, localeLanguage } from '../words/language.ts';
import { type Speech, speechOf } from '../words/speech.ts';

/** What the reader's end can show; in a pipe `columns` is Infinity where none are stated, and nothing is ever cut. */
export type Terminal = {
  isTTY: boolean;
  columns: number;
  colour: boolean;
  hyperlinks: boolean;
  /** True where any colour can be shown, false for the 256 that every terminal has. */
  trueColour?: boolean;
  /** True where no line may move: a dumb terminal, or a reader who asked for it. */
  isStill?: boolean;
  /** True where nothing may be told by shape or colour alone, and what is drawn is told in words. */
  inWords?: boolean;
  /** True where its locale shows no more than ASCII. */
  isAscii?: boolean;
  /** How its reader is spoken to. */
  speech: Speech;
};

type Environment = Record<string, string | undefined>;

type TerminalFlags = { colour?: boolean | undefined; language?: Language | undefined };

/** The terminal behind a stream, as its environment and the flags describe it. */
export function terminalOf(
  stream: { isTTY?: boolean | undefined; columns?: number | undefined },
  environment: Environment,
  flags: TerminalFlags = {},
): Terminal {
  const isTTY = stream.isTTY === true;
  const colour = coloured(isTTY, environment, flags.colour);
  return {
    isTTY,
    columns: statedColumns(environment) ?? (isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY),
    colour,
    hyperlinks: isTTY && colour && showsHyperlinks(environment),
    isStill: isAccessible(environment) || environment.TERM === 'dumb',
    inWords: isAccessible(environment),
    trueColour: /^(truecolor|24bit)$/.test(environment.COLORTERM ?? ''),
    isAscii: isAsciiLocale(environment),
    speech: speechOf(flags.language ?? localeLanguage(environment), { atTerminal: isTTY }),
  };
}

/** `COLUMNS` is for programs only where somebody exported it: shells keep theirs to themselves. */
function statedColumns({ COLUMNS = '' }: Environment): number | null {
  return /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : null;
}

/** As other programs have it: set, to anything but what means no. */
function isAccessible({ ACCESSIBLE = '' }: Environment): boolean {
  return !/^(0|false|)$/.test(ACCESSIBLE);
}

/** POSIX and its C, or a set of characters that is stated and is not UTF-8; where nothing is stated terminals show UTF-8. */
function isAsciiLocale({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  const [, characters] = /^[^.@]*\.([^@]*)/.exec(locale) ?? [];
  return characters === undefined ? /^(C|POSIX)$/.test(locale) : !/^utf-?8$/i.test(characters);
}

/** The terminal behind this process's own stdout or stderr. */
export function processTerminal(name: 'stdout' | 'stderr' = 'stdout', flags: TerminalFlags = {}): Terminal {
  return terminalOf(process[name], process.env, flags);
}

/** A refusal beats a demand (https://bixense.com/clicolors, https://no-color.org), and a flag beats both. */
function coloured(isTTY: boolean, environment: Environment, flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return !/^(0|false)$/.test(environment.FORCE_COLOR);
  if (environment.CLICOLOR_FORCE && environment.CLICOLOR_FORCE !== '0') return true;
  return isTTY && environment.CLICOLOR !== '0' && environment.TERM !== 'dumb';
}

/** Terminals that are known to draw OSC 8 links; others might print the address as rubbish. */
function showsHyperlinks(environment: Environment): boolean {
  if (environment.FORCE_HYPERLINK) return environment.FORCE_HYPERLINK !== '0';
  if (environment.CI || environment.TERM === 'dumb') return false;
  if (Number(environment.VTE_VERSION) >= 5000) return true;
  if (environment.WT_SESSION || environment.KONSOLE_VERSION || environment.DOMTERM) return true;
  if (/^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio)$/.test(environment.TERM_PROGRAM ?? '')) return true;
  return /^(xterm-kitty|xterm-ghostty|alacritty|foot(-.*)?)$/.test(environment.TERM ?? '');
}

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

/** Ways to set a text off; each gives the text back untouched where the terminal cannot show it. */
export type Style = {
  bold(text: string): string;
  dim(text: string): string;
  colour(name: Colour, text: string): string;
  /** The text in a colour as the web writes it (`#2e7d9a`); as it is where the colour would not be seen. */
  tint(hex: string | null | undefined, text: string): string;
  link(text: string, url: string | null | undefined): string;
};

/** The styles that a terminal can show; the texts given to them must be sanitised already. */
export function styleOf(terminal: Terminal): Style {
  // Whether there is colour was decided for this terminal, not for the stream of this process.
  const styled = (format: Colour | 'bold' | 'dim', text: string) =>
    terminal.colour && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: (text) => styled('bold', text),
    dim: (text) => styled('dim', text),
    colour: styled,
    tint: (hex, text) => tinted(terminal, { hex, text }),
    link: (text, url) => {
      const address = terminal.hyperlinks ? linkAddress(url) : null;
      return address ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\` : text;
    },
  };
}

/** The address as printable ASCII if it is one of the web, otherwise null: `file:` and the like stay dead. */
export function linkAddress(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
}

/** Light enough for a dark terminal, and dark enough for a light one; nobody knows which it is. */
const visible = { from: 0.12, to: 0.88 };

function tinted(terminal: Terminal, { hex, text }: { hex: string | null | undefined; text: string }): string {
  const [, digits] = /^#([0-9a-f]{6})$/i.exec(hex ?? '') ?? [];
  if (!terminal.colour || digits === undefined || text === '') return text;
  const rgb = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  const [red, green, blue] = rgb as [number, number, number];
  const light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  if (light < visible.from || light > visible.to) return text;
  // The cube of 6 x 6 x 6 colours that begins at 16.
  const [r, g, b] = rgb.map((value) => Math.round((value / 255) * 5)) as [number, number, number];
  const code = terminal.trueColour ? `2;${red};${green};${blue}` : `5;${16 + 36 * r + 6 * g + b}`;
  return `\x1b[38;${code}m${text}\x1b[39m`;
}
