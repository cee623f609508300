import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Builds all of `dist/` in the order of dependencies; run it from the folder of package.json. */
rmSync('dist', { recursive: true, force: true });
await import('./client-interface.ts');
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { stdio: 'inherit' });
await import('./bundle.ts');
copyAssets('dist/assets');
cpSync('src/cli/completions', 'dist/completions', { recursive: true });
await import('./manifest.ts');

/** Copies the assets of pages: our own files, Swagger UI, and Redoc, patched to load our logo. */
function copyAssets(to: string): void {
  cpSync('src/server/pages/assets', to, { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    copyFileSync(`node_modules/@fastify/swagger-ui/static/${name}`, `${to}/${name}`);
  const redoc = 'redoc.standalone.js';
  copyFileSync(`node_modules/redoc/bundles/${redoc}.LICENSE.txt`, `${to}/${redoc}.LICENSE.txt`);
  const script = readFileSync(`node_modules/redoc/bundles/${redoc}`, 'utf8');
  const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
  if (!script.includes(logo)) throw new Error('redoc has its logo elsewhere');
  writeFileSync(`${to}/${redoc}`, script.replaceAll(logo, 'assets/icon.svg'));
}
