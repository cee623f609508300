import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';

/** The folder of a package in the name of a source, which plugins write before it may change. */
const folderPattern = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Names in each bundle whose code it holds, and writes the licences of all of it into THIRD-PARTY-NOTICES.txt. */
export function noteBuiltIn(metafiles: Metafile[]): void {
  const noted = new Map<string, string>();
  for (const [bundle, { inputs }] of metafiles.flatMap(({ outputs }) => Object.entries(outputs))) {
    const folders = new Set(Object.keys(inputs).flatMap((path) => folderPattern.exec(path)?.[0] ?? []));
    const packages = new Map([...folders].map(builtIn));
    for (const [title, text] of packages) noted.set(title, text);
    if (packages.size > 0) appendFileSync(bundle, copyrights(packages));
  }
  const notices = [...noted].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = notices.map(([title, text]) => `${title}\n\n${text}\n`);
  const head = 'Hemicycle holds code of others, under these licences.\n';
  writeFileSync('THIRD-PARTY-NOTICES.txt', [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
}

/** Name and version of the package in a folder, and its licence; throws for one that hands none on. */
function builtIn(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0) throw new Error(`${folder} is built in, and holds no licence`);
  return [`${name} ${version} (${license})`, textOf(files.map((file) => `${folder}/${file}`))];
}

function textOf(files: string[]): string {
  return files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n');
}

/** A comment with the packages of a bundle and their copyright lines, in ASCII as `program-sources.ts` wants it. */
function copyrights(packages: ReadonlyMap<string, string>): string {
  const lines = [...packages].flatMap(([title, text]) => [
    title,
    ...(text.match(/^ *Copyright (?!\[|in\b).*$/gm) ?? []),
  ]);
  const ascii = lines
    .join('\n')
    .normalize('NFD')
    .replace(/[^\n -~]|\*\//g, '');
  return `/*! With code of others: THIRD-PARTY-NOTICES.txt\n${ascii}\n*/\n`;
}
