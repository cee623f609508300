/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Returns the RGB of a colour as `display` shows it, changed to contrast 3:1 with all backgrounds (WCAG 1.4.11). */
export function ensureContrast(colour: string, backgrounds: readonly string[], display = (rgb: Rgb): Rgb => rgb): Rgb {
  const backgroundLuminances = backgrounds.map((each) => luminance(rgbOf(each)));
  let rgb = rgbOf(colour);
  for (let step = 0; step < maxSteps; step += 1) {
    const ownLuminance = luminance(display(rgb));
    const closeLuminance = backgroundLuminances.find((each) => contrast(ownLuminance, each) < 3);
    if (closeLuminance === undefined) break;
    // Black and white have the same contrast with a luminance of 0.18.
    const lightens = closeLuminance < 0.18;
    rgb = mapRgb(rgb, (value) => (lightens ? Math.ceil(value + (255 - value) * 0.1) : Math.floor(value * 0.9)));
  }
  return display(rgb);
}

const maxSteps = 40; // Steps of 10%: the fortieth is almost black or white.

const mapRgb = (rgb: Rgb, change: (value: number) => number) => rgb.map(change) as unknown as Rgb;

const rgbOf = (hex: string): Rgb => mapRgb([1, 3, 5], (at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = mapRgb(rgb, (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
