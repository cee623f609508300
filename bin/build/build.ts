import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/** All of `dist/`, in the order in which its parts need each other, from the folder of package.json. */
rmSync('dist', { recursive: true, force: true });
await import('./client-interface.ts');
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { stdio: 'inherit' });
await import('./bundle.ts');
await import('./assets.ts');
await import('./manifest.ts');
