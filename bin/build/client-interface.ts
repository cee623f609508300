import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = 'src/questions/saved';

// This script generates sources: saved-questions.json, guide.json, and the client's types in src/client/interface.ts.
const files = readdirSync(folder).sort();
const texts = files.map((file) => [file.replace(/\.sql$/, ''), readFileSync(`${folder}/${file}`, 'utf8')]);
writeFileSync('src/questions/saved-questions.json', JSON.stringify(Object.fromEntries(texts)));

await import('./guide.ts'); // writes guide.json
// Not a static import: these modules import the JSON files written above.
const { apiDescription, clientInterfaceSource } = await import('../../src/server/client-interface.ts');
writeFileSync('src/client/interface.ts', await clientInterfaceSource(await apiDescription()));
