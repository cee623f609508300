import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Builds all of `dist/` in the order of dependencies; run it from the folder of package.json. */
rmSync('dist', { recursive: true, force: true });
await import('./client-interface.ts');
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { stdio: 'inherit' });
await import('./bundle.ts');
await import('./assets.ts');
await import('./manifest.ts');
