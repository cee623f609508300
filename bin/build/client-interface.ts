import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = 'src/questions/saved';

/** Writes the program's saved questions, by name, for the commands and the server. */
const texts = readdirSync(folder)
  .sort()
  .map((file) => [file.replace(/\.sql$/, ''), readFileSync(`${folder}/${file}`, 'utf8')]);
writeFileSync('src/questions/saved-questions.json', JSON.stringify(Object.fromEntries(texts)));

await import('./guide.ts');
const { apiDescription, clientInterfaceSource } = await import('../../src/server/client-interface.ts');

writeFileSync('src/client/interface.ts', await clientInterfaceSource(await apiDescription()));
