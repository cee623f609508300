import { join } from 'node:path';

/** Path of the program of `serve`'s and `mcp`'s reader processes: a source file, or the built one. */
export function readerProgram(root: string): string {
  return join(
    root,
    import.meta.url.endsWith('.ts') ? 'src/server/run/reader.ts' : 'dist/server/run/reader.js',
  );
}
