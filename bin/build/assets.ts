import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Copies the assets of pages to dist/: our own files, Swagger UI, and Redoc, patched to load our logo. */
const to = 'dist/assets';
const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

mkdirSync(to, { recursive: true });
cpSync('src/server/pages/assets', to, { recursive: true });
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
  copyFileSync(`node_modules/@fastify/swagger-ui/static/${name}`, `${to}/${name}`);
const redoc = 'redoc.standalone.js';
copyFileSync(`node_modules/redoc/bundles/${redoc}.LICENSE.txt`, `${to}/${redoc}.LICENSE.txt`);
const script = readFileSync(`node_modules/redoc/bundles/${redoc}`, 'utf8');
if (!script.includes(logo)) throw new Error('redoc has its logo elsewhere');
writeFileSync(`${to}/${redoc}`, script.replaceAll(logo, 'assets/icon.svg'));
