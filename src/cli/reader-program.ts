import { join } from 'node:path';

/** The program of the processes that read for `serve` and `mcp`: from the sources where these run, else as the build left it. */
export function readerProgram(root: string): string {
  return join(
    root,
    import.meta.url.endsWith('.ts') ? 'src/server/run/reader.ts' : 'dist/server/run/reader.js',
  );
}
