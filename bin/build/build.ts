import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

// This script builds `dist/`, each part after those it needs; run it from the folder of package.json.
rmSync('dist', { recursive: true, force: true });
await import('./client-interface.ts');
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { stdio: 'inherit' });
replaceJsonImports('dist');
await import('./bundle.ts');
cpSync('src/server/pages/assets', 'dist/assets', { recursive: true });
cpSync('src/cli/completions', 'dist/completions', { recursive: true });
await import('./manifest.ts');

/** In .d.ts files, replaces imports of JSON files, which the package lacks, with declarations of their shape. */
function replaceJsonImports(folder: string): void {
  for (const path of globSync(`${folder}/**/*.d.ts`)) {
    const text = readFileSync(path, 'utf8');
    const newText = text.replace(/^import (\w+) from '(\.[^']+\.json)'.*;$/gm, (_, name: string, file: string) => {
      const source = join('src', relative(folder, dirname(path)), file);
      return `declare const ${name}: ${shapeOf(JSON.parse(readFileSync(source, 'utf8')), 2)};`;
    });
    if (newText !== text) writeFileSync(path, newText);
  }
}

/** The type of a value as text: objects to this depth, `unknown` for anything else. */
function shapeOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return 'unknown';
  const keys = Object.entries(value).map(([key, nested]) => `${JSON.stringify(key)}: ${shapeOf(nested, depth - 1)}`);
  return `{ ${keys.join('; ')} }`;
}
