import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf } from './help.ts';
import type { HelpItem, HelpPage } from './help-page.ts';
import { subjectNames } from './help-subjects.ts';
import { readManifest } from './manifest.ts';

/** Writes manual pages of the package at `root`: program, commands and help subjects; returns their names. */
export function writeManPages(root: string, folder: string): string[] {
  const manifest = readManifest(root);
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words = [
    [],
    ...Object.keys(manifest.commands).map((id) => id.split(':')),
    ...subjectNames.map((name) => [name]),
  ];
  const pages = words.map((each) => ['hemicycle', ...each].join('-'));
  mkdirSync(folder, { recursive: true });
  for (const [at, each] of words.entries()) {
    const page = pageOf(each, { program: { pjson }, manifest });
    // The main page links to all others, and each of them links back.
    const others = at === 0 ? pages : ['hemicycle'];
    const text = manPage(pages[at]!, page, { version: pjson.version, pages: others });
    writeFileSync(join(folder, `${pages[at]}.1`), text);
  }
  return pages;
}

/** A manual page of section 1 in roff, of the same content as help. */
export function manPage(
  name: string,
  page: HelpPage,
  { version, pages }: { version: string; pages: string[] },
): string {
  const sections = page.sections.flatMap(({ heading, items }) => [
    `.SH ${quoted(heading)}`,
    ...items.flatMap(itemLines),
  ]);
  const others = pages.filter((each) => each !== name);
  return [
    `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`hemicycle ${version}`)} "Hemicycle"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(page.summary)}`,
    ...sections,
    ...(others.length > 0 ? ['.SH SEE ALSO', others.map((each) => `.BR ${each} (1)`).join(',\n')] : []),
    '',
  ].join('\n');
}

function itemLines(item: HelpItem): string[] {
  if ('command' in item)
    return ['.PP', escaped(item.text), '.RS 4', '.nf', `$ ${escaped(item.command)}`, '.fi', '.RE'];
  if (!('term' in item)) return ['.PP', escaped(item.text)];
  const told = [item.text, item.words].filter(Boolean).join(' ');
  return ['.TP', `.B ${escaped(item.term)}`, escaped(told)];
}

/** Escapes text for roff: no escapes, no requests, hyphens that can be copied. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}
