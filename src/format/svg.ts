import { ensureContrast } from './contrast.ts';
import { escapeXml } from './html.ts';
import { sanitiseLine } from './sanitise.ts';

/** Width and margins of pictures, in pixels. */
export const width = 800;
export const margin = 24;
export const inner = width - 2 * margin;

export const ink = '#1a1a1a';
export const soft = '#4d4d4d';
export const paper = '#ffffff';
export const wash = '#e6e6e6';

const defaultColour = '#6b6b6b';

/** A part of a picture and its height in pixels; `markup()` draws it on demand. */
export type Block = { markup(): string; height: number };

/** A text of any origin as one escaped line of a picture. */
export const svgText = (text: string) => escapeXml(sanitiseLine(text));

/** Rounds to two decimals. */
export const round = (value: number) => Number(value.toFixed(2));

/** The colour of a record, or grey if the value is not a colour. */
export function colourOf(colour: string | null | undefined): string {
  return colour && /^#[0-9a-f]{6}$/i.test(colour) ? colour : defaultColour;
}

/** Parts of a picture: markup is safe, words are not escaped yet. */
export type Picture = {
  id: string;
  title: string;
  description: string;
  defs?: string;
  height: number;
  parts: string[];
};

/** A self-contained picture (SVG 1.1) with `title` and `desc`. */
export function pictureText({ id, title, description, defs = '', height, parts }: Picture): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-desc" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif" fill="${ink}">
<title id="${id}-title">${svgText(title)}</title>
<desc id="${id}-desc">${svgText(description)}</desc>
${defs === '' ? '' : `<defs>${defs}</defs>\n`}<rect width="${width}" height="${height}" fill="${paper}"/>
${parts.filter((part) => part !== '').join('\n')}
</svg>
`;
}

/** A text and its type size. */
export type Line = { text: string; size: number; weight?: number; fill?: string };

/** Breaks a line at spaces: letters of these fonts are about half as wide as high. */
export function breakLines({ text, size, weight }: Line, maxWidth = inner): string[] {
  const maxChars = Math.floor(maxWidth / (size * (weight ? 0.6 : 0.54)));
  const lines: string[] = [];
  for (const word of sanitiseLine(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxChars) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > maxChars ? `${word.slice(0, maxChars - 1)}…` : word);
  }
  return lines;
}

/** Sets a text from `y` down, broken into lines. */
export function paragraph(line: Line, y: number): Block {
  const lineHeight = Math.round(line.size * 1.35);
  const lines = breakLines(line);
  const weight = line.weight ? ` font-weight="${line.weight}"` : '';
  const textLine = (text: string, at: number) =>
    `<text x="${margin}" y="${y + line.size + at * lineHeight}" font-size="${line.size}"${weight} fill="${line.fill ?? ink}">${escapeXml(text)}</text>`;
  return { markup: () => lines.map(textLine).join('\n'), height: lines.length * lineHeight };
}

/** The colour, darkened until its contrast on paper is 3 to 1 (WCAG 2.2). */
export const rimOf = (colour: string): string => contrastColour(paper, colour);

/** Background of dark pages (`--paper` in colours.css). */
const darkPaper = '#14171a';

/** The colour in hex with sufficient contrast. */
function contrastColour(background: string, colour: string): string {
  const legibleRgb = ensureContrast(colour, [background]);
  return `#${legibleRgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const pageColours: Record<string, string> = {
  [paper]: 'var(--paper)',
  [ink]: 'var(--ink)',
  [soft]: 'var(--soft)',
  [wash]: 'var(--wash)',
};

/** The picture for a Hemicycle page: it uses the page's colours, legible on light and dark backgrounds. */
export function onPage(svg: string): string {
  return svg.replace(/ (fill|stroke)="(#[0-9a-f]{6})"/gi, (whole, name, colour) => {
    const pageColour = pageColours[colour.toLowerCase()];
    const darkColour = contrastColour(darkPaper, colour);
    if (pageColour === undefined && darkColour === colour.toLowerCase()) return whole;
    return ` ${name}="${pageColour ?? `light-dark(${colour}, ${darkColour})`}"`;
  });
}

/** A striped pattern in a colour; `name` is its id for `fill`. */
export function stripes(name: string, colour: string): string {
  return `<pattern id="${name}" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="3" fill="${paper}"/><rect width="1.4" height="3" fill="${rimOf(colour)}"/></pattern>`;
}
