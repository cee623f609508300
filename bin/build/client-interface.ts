import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = 'src/questions/saved';

/** Writes the saved questions of the program, by name, which the commands and the server import. */
const texts = readdirSync(folder)
  .sort()
  .map((file) => [file.replace(/\.sql$/, ''), readFileSync(`${folder}/${file}`, 'utf8')]);
writeFileSync('src/questions/saved-questions.json', JSON.stringify(Object.fromEntries(texts)));

await import('./guide.ts');
const { writeClientInterface } = await import('../../src/server/client-interface.ts');

await writeClientInterface('src/client/interface.ts');
