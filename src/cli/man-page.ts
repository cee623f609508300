import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../store/folder.ts';
import { speechOf } from '../words/speech.ts';
import { helpText } from './help.ts';
import { subjectNames } from './help-subjects.ts';
import { readManifest } from './manifest.ts';

/** Writes manual pages of the package at `root`: program, commands and help subjects; returns their names. */
export async function writeManPages(root: string, folder: string): Promise<string[]> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commands = Object.keys(readManifest(root).commands).map((id) => id.split(':'));
  const pageArguments = [[], ...commands, ...subjectNames.map((name) => [name])];
  const names = pageArguments.map((each) => ['hemicycle', ...each].join('-'));
  createFolder(folder);
  for (const [at, name] of names.entries()) {
    // Long lines: man wraps them.
    const text = await helpText(pageArguments[at]!, { root, pjson }, { width: 10_000, speech: speechOf('en') });
    const [summary = '', ...lines] = text.split('\n').filter(Boolean);
    // The main page links to all others, and each of them links back.
    const relatedPages = at === 0 ? names.slice(1) : ['hemicycle'];
    const roff = [
      `.TH ${quoteRoff(name.toUpperCase())} 1 "" ${quoteRoff(`hemicycle ${pjson.version}`)} "Hemicycle"`,
      `.SH NAME\n${escapeRoff(name)} \\- ${escapeRoff(summary)}`,
      // Left-align: a line filled by one long choice has no space to stretch.
      '.ad l',
      ...lines.map(roffLine),
      `.SH SEE ALSO\n${relatedPages.map((each) => `.BR ${each} (1)`).join(',\n')}\n`,
    ];
    writeFileSync(join(folder, `${name}.1`), roff.join('\n'));
  }
  return names;
}

/** A line of help text as roff: an example, a term with its meaning, a heading or text. */
function roffLine(line: string): string {
  const [, example] = /^ +(\$ .*)$/.exec(line) ?? [];
  const [, term, text] = /^ +(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
  if (example) return `.RS 4\n.nf\n${escapeRoff(example)}\n.fi\n.RE`;
  if (term && text) return `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(text)}`;
  if (!line.startsWith(' ')) return `.SH ${quoteRoff(line)}`;
  // Deeper lines continue the meaning of a term.
  return `${line.startsWith('   ') ? '' : '.PP\n'}${escapeRoff(line.trim())}`;
}

/** Escapes backslashes, an initial dot or quote, and hyphens, for copied flags; allows line breaks after a `|`. */
function escapeRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/(?<=\w)\|(?=\w)/g, '|\\:')
    .replace(/^(?=[.'])/, '\\&');
}

const quoteRoff = (text: string): string => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;
