import process from 'node:process';
import { styleText } from 'node:util';
import { ensureContrast, type Rgb } from '../format/contrast.ts';
import { type Language, localeLanguage } from '../words/language.ts';
import { type Speech, speechOf } from '../words/speech.ts';

/** Capabilities of the output; in a pipe `columns` is Infinity unless COLUMNS is set. */
export type Terminal = {
  isTTY: boolean;
  columns: number;
  colour: boolean;
  hyperlinks: boolean;
  trueColour?: boolean; // true for 24-bit colour, false for the 256-colour palette
  /** True if lines are only appended: at a dumb terminal, or for accessibility. */
  forbidsRedraw?: boolean;
  /** True if words replace drawings, for accessibility. */
  usesTextForGraphics?: boolean;
  speech: Speech;
};

type Environment = Record<string, string | undefined>;

type TerminalFlags = { colour?: boolean | undefined; language?: Language | undefined };

/** Detects a stream's capabilities from the environment and flags. */
export function terminalOf(
  stream: { isTTY?: boolean | undefined; columns?: number | undefined },
  environment: Environment,
  flags: TerminalFlags = {},
): Terminal {
  const isTTY = stream.isTTY === true;
  const colour = usesColour(isTTY, environment, flags.colour);
  // COLUMNS is only present if the user exported it.
  const { COLUMNS = '' } = environment;
  const envColumns = /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : null;
  return {
    isTTY,
    columns: envColumns ?? (isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY),
    colour,
    hyperlinks: isTTY && colour && supportsHyperlinks(environment),
    forbidsRedraw: isAccessible(environment) || environment.TERM === 'dumb',
    usesTextForGraphics: isAccessible(environment),
    trueColour: /^(truecolor|24bit)$/.test(environment.COLORTERM ?? ''),
    speech: speechOf(flags.language ?? localeLanguage(environment), { atTerminal: isTTY }),
  };
}

const isAccessible = ({ ACCESSIBLE = '' }: Environment): boolean => !/^(0|false|)$/.test(ACCESSIBLE);

/** Returns the terminal of this process's stdout or stderr. */
export function processTerminal(name: 'stdout' | 'stderr' = 'stdout', flags: TerminalFlags = {}): Terminal {
  return terminalOf(process[name], process.env, flags);
}

/** Flags take precedence, then NO_COLOR, then the variables that force colour (https://bixense.com/clicolors). */
function usesColour(isTTY: boolean, environment: Environment, flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return !/^(0|false)$/.test(environment.FORCE_COLOR);
  if (environment.CLICOLOR_FORCE && environment.CLICOLOR_FORCE !== '0') return true;
  return isTTY && environment.CLICOLOR !== '0' && environment.TERM !== 'dumb';
}

/** True for terminals known to support OSC 8 links. */
function supportsHyperlinks(environment: Environment): boolean {
  if (environment.FORCE_HYPERLINK) return environment.FORCE_HYPERLINK !== '0';
  if (environment.CI || environment.TERM === 'dumb') return false;
  if (Number(environment.VTE_VERSION) >= 5000) return true;
  if (environment.WT_SESSION || environment.KONSOLE_VERSION || environment.DOMTERM) return true;
  if (/^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio)$/.test(environment.TERM_PROGRAM ?? '')) return true;
  return /^(xterm-kitty|xterm-ghostty|alacritty|foot(-.*)?)$/.test(environment.TERM ?? '');
}

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

/** Text styles; a style that the terminal does not support returns its text unchanged. */
export type Style = ReturnType<typeof styleOf>;

/** Creates the styles of a terminal; their texts must be sanitised already. */
export function styleOf(terminal: Terminal) {
  // `terminal.colour` decides, so do not check this process's stream.
  const applyStyle = (format: Colour | 'bold' | 'dim', text: string) =>
    terminal.colour && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: (text: string) => applyStyle('bold', text),
    dim: (text: string) => applyStyle('dim', text),
    colour: (name: Colour, text: string) => applyStyle(name, text),
    /** The text in a hex colour (`#2e7d9a`), lightened or darkened to be legible on any background. */
    tint: (hex: string | null | undefined, text: string) => tintText(terminal, { hex, text }),
    link: (text: string, url: string | null | undefined) => {
      const address = terminal.hyperlinks ? linkAddress(url) : null;
      return address ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\` : text;
    },
  };
}

/** Returns an http(s) URL as printable ASCII; null for other schemes such as `file:`. */
export function linkAddress(url: string | null | undefined): string | null {
  const parsedUrl = URL.parse(url ?? '');
  return parsedUrl && /^https?:$/.test(parsedUrl.protocol) ? parsedUrl.href : null;
}

const cubeLevels = [0, 95, 135, 175, 215, 255]; // of each channel in the 256-colour palette

const nearestLevelIndex = (value: number): number => (value < 48 ? 0 : Math.max(1, Math.ceil((value - 75) / 40)));

function tintText(terminal: Terminal, { hex, text }: { hex: string | null | undefined; text: string }): string {
  const [, hexDigits] = /^#([0-9a-f]{6})$/i.exec(hex ?? '') ?? [];
  if (!terminal.colour || hexDigits === undefined || text === '') return text;
  // The terminal's background is unknown, so the colour must be legible on black and white.
  const displayedColour = (rgb: Rgb) =>
    terminal.trueColour ? rgb : (rgb.map((value) => cubeLevels[nearestLevelIndex(value)]!) as unknown as Rgb);
  const rgb = ensureContrast(`#${hexDigits}`, ['#000000', '#ffffff'], displayedColour);
  // The 6 × 6 × 6 colour cube starts at palette index 16.
  const code = terminal.trueColour
    ? `2;${rgb.join(';')}`
    : `5;${rgb.reduce((sum, value) => sum * 6 + nearestLevelIndex(value), 0) + 16}`;
  return `\x1b[38;${code}m${text}\x1b[39m`;
}
