import { fileURLToPath } from 'node:url';
import { createApp } from '../../../src/server/app.ts';
import { openMirror } from '../../../src/store/open.ts';

// Hemicycle's server over a mirror, without rate limit. With `uncached`, every response is read from the mirror.
const [path, caching] = process.argv.slice(2) as [string, 'uncached' | undefined];
const app = await createApp({
  mirror: openMirror(path),
  assetsFolder: fileURLToPath(new URL('../../../src/server/pages/assets', import.meta.url)),
  settings: { citation: { name: 'bench', siteUrl: null }, rateLimit: false, semantic: false },
  ...(caching === 'uncached' ? { bounds: { cacheBytes: 0 } } : {}),
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('SIGTERM', () => process.exit(0));
