import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Renders an SVG as PNG with a bundled font, so that every machine returns the same bytes. */
export async function renderPng(svg: string): Promise<Buffer> {
  renderer ??= loadRenderer();
  const { Resvg, fontBuffers } = await renderer;
  const picture = new Resvg(svg, { font: { fontBuffers, loadSystemFonts: false, defaultFontFamily } });
  using _ = { [Symbol.dispose]: () => picture.free() };
  return Buffer.from(picture.render().asPng());
}

const defaultFontFamily = 'Source Sans 3';
let renderer: ReturnType<typeof loadRenderer> | undefined;

/** Loads the font and resvg, which a process can initialise only once. */
async function loadRenderer() {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  const { resolve } = createRequire(import.meta.url);
  await initWasm(await readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const files = ['latin', 'latin-ext'].map((part) =>
    readFile(resolve(`@fontsource/source-sans-3/files/source-sans-3-${part}-600-normal.woff2`)),
  );
  return { Resvg, fontBuffers: await Promise.all(files) };
}
