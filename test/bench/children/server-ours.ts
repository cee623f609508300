import { fileURLToPath } from 'node:url';
import { createApp } from '../../../src/server/app.ts';
import { openMirror } from '../../../src/store/open.ts';

const mirror = openMirror(process.argv[2]!);
const app = await createApp({
  mirror,
  assetsFolder: fileURLToPath(new URL('../../../src/server/pages/assets', import.meta.url)),
  settings: { citation: { name: 'bench', siteUrl: null }, rateLimit: false, semantic: false },
  // Asked for the same again and again, only a server that keeps nothing reads the mirror.
  ...(process.argv[3] === 'uncached' ? { bounds: { cacheBytes: 0 } } : {}),
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('SIGTERM', () => process.exit(0));
