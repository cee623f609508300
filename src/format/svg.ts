import { ensureContrast } from './contrast.ts';
import { escapeXml } from './html.ts';
import { sanitiseLine } from './sanitise.ts';

/** Width, margin, and width between the margins of pictures, in pixels. */
export const width = 800;
export const margin = 24;
export const innerWidth = width - 2 * margin;

export const ink = '#1a1a1a'; // main text and lines
export const mutedInk = '#4d4d4d'; // secondary text
export const paper = '#ffffff'; // background
export const lightGrey = '#e6e6e6'; // grid lines and backgrounds of bars

const defaultColour = '#6b6b6b';

/** A part of a picture as SVG markup, and its height in pixels. */
export type Block = { markup: string; height: number };

/** Returns any text as one sanitised line, escaped for SVG. */
export const svgText = (text: string) => escapeXml(sanitiseLine(text));

export const round = (value: number) => Number(value.toFixed(2)); // to two decimals

/** Returns a colour as it is, or grey if the value is not a colour in hex. */
export function colourOf(colour: string | null | undefined): string {
  return colour && /^#[0-9a-f]{6}$/i.test(colour) ? colour : defaultColour;
}

/** A picture: `defs` and `parts` are SVG markup; `title` and `description` are texts, not yet escaped. */
export type Picture = {
  id: string;
  title: string;
  description: string;
  defs?: string;
  height: number;
  parts: string[];
};

/** Returns a standalone picture (SVG 1.1) with `title` and `desc`. */
export function pictureText({ id, title, description, defs = '', height, parts }: Picture): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-desc" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif" fill="${ink}">
<title id="${id}-title">${svgText(title)}</title>
<desc id="${id}-desc">${svgText(description)}</desc>
${defs === '' ? '' : `<defs>${defs}</defs>\n`}<rect width="${width}" height="${height}" fill="${paper}"/>
${parts.filter((part) => part !== '').join('\n')}
</svg>
`;
}

/** A text and its type size in pixels. */
export type Line = { text: string; size: number; weight?: number; fill?: string };

/** Breaks a text into lines at spaces; cuts longer words. */
export function breakLines({ text, size, weight }: Line, maxWidth = innerWidth): string[] {
  const maxChars = Math.floor(maxWidth / (size * (weight ? 0.6 : 0.54))); // Average letter width in em: bold, regular.
  const lines: string[] = [];
  for (const word of sanitiseLine(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxChars) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > maxChars ? `${word.slice(0, maxChars - 1)}…` : word);
  }
  return lines;
}

/** Returns a text, broken into lines, whose top is at `y`. */
export function paragraph(line: Line, y: number): Block {
  const lineHeight = Math.round(line.size * 1.35);
  const lines = breakLines(line);
  const weight = line.weight ? ` font-weight="${line.weight}"` : '';
  const textLine = (text: string, at: number) =>
    `<text x="${margin}" y="${y + line.size + at * lineHeight}" font-size="${line.size}"${weight} fill="${line.fill ?? ink}">${escapeXml(text)}</text>`;
  return { markup: lines.map(textLine).join('\n'), height: lines.length * lineHeight };
}

/** Returns a colour for outlines: darkened until its contrast on `paper` is 3 to 1 (WCAG 2.2). */
export const outlineColour = (colour: string): string => contrastColour(paper, colour);

const darkPaper = '#14171a'; // Background of dark pages (`--paper` in colours.css).

/** The colour in hex, changed until its contrast with the background is 3 to 1. */
function contrastColour(background: string, colour: string): string {
  return `#${ensureContrast(colour, [background])
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

const pageColours: Record<string, string> = {
  [paper]: 'var(--paper)',
  [ink]: 'var(--ink)',
  [mutedInk]: 'var(--soft)',
  [lightGrey]: 'var(--wash)',
};

/** Returns a picture with its colours replaced by those of Hemicycle's pages, for light and dark backgrounds. */
export function themeForPage(svg: string): string {
  return svg.replace(/ (fill|stroke)="(#[0-9a-f]{6})"/gi, (attribute, name, colour) => {
    const pageColour = pageColours[colour.toLowerCase()];
    const darkColour = contrastColour(darkPaper, colour);
    if (pageColour === undefined && darkColour === colour.toLowerCase()) return attribute;
    return ` ${name}="${pageColour ?? `light-dark(${colour}, ${darkColour})`}"`;
  });
}

/** Returns a striped pattern in a colour; `name` is its element id, for `fill="url(#…)"`. */
export function stripes(name: string, colour: string): string {
  return `<pattern id="${name}" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="3" fill="${paper}"/><rect width="1.4" height="3" fill="${outlineColour(colour)}"/></pattern>`;
}
