import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/folder.ts';
import { speechOf } from '../words/speech.ts';
import { helpText } from './help.ts';
import { subjectNames } from './help-subjects.ts';
import { readManifest } from './manifest.ts';

/** Writes manual pages of the package at `root`: program, commands and help subjects; returns their names. */
export async function writeManPages(root: string, folder: string): Promise<string[]> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const typed = [...Object.keys(readManifest(root).commands).map((id) => id.split(':')), ...subjectNames];
  const words = [[], ...typed].map((each) => [each].flat());
  const names = words.map((each) => ['hemicycle', ...each].join('-'));
  makeFolder(folder);
  for (const [at, name] of names.entries()) {
    // Long lines: man wraps them.
    const text = await helpText(words[at]!, { root, pjson }, { width: 10_000, speech: speechOf('en') });
    const [summary = '', ...lines] = text.split('\n').filter(Boolean);
    // The main page links to all others, and each of them links back.
    const relatedPages = at === 0 ? names.slice(1) : ['hemicycle'];
    const roff = [
      `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`hemicycle ${pjson.version}`)} "Hemicycle"`,
      `.SH NAME\n${escaped(name)} \\- ${escaped(summary)}`,
      // Left-align: a line filled by one long choice has no space to stretch.
      '.ad l',
      ...lines.map(roffLine),
      `.SH SEE ALSO\n${relatedPages.map((each) => `.BR ${each} (1)`).join(',\n')}\n`,
    ];
    writeFileSync(join(folder, `${name}.1`), roff.join('\n'));
  }
  return names;
}

function roffLine(line: string): string {
  const [, typed] = /^ +(\$ .*)$/.exec(line) ?? [];
  const [, term, text] = /^ +(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
  if (typed) return `.RS 4\n.nf\n${escaped(typed)}\n.fi\n.RE`;
  if (term && text) return `.TP\n.B ${escaped(term)}\n${escaped(text)}`;
  if (!line.startsWith(' ')) return `.SH ${quoted(line)}`;
  // Deeper lines continue the meaning of a term.
  return `${line.startsWith('   ') ? '' : '.PP\n'}${escaped(line.trim())}`;
}

/** Escapes text for roff: no escapes, no requests, hyphens that can be copied. */
function escaped(text: string): string {
  return (
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      // Allows a line break between the words of a choice, which have no space.
      .replaceAll(/(?<=\w)\|(?=\w)/g, '|\\:')
      .replace(/^(?=[.'])/, '\\&')
  );
}

const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\(dq')}"`;
