import { globSync, readFileSync } from 'node:fs';
import { TextDecoder } from 'node:util';
import { createThesaurus, type Thesaurus } from '../../language/thesaurus.ts';

/** Paths at which Debian's mythes-fr and LibreOffice install a French thesaurus. */
const places = [
  '/usr/share/mythes/th_fr_FR_v2.dat',
  '/usr/share/mythes/th{es,}_fr*.dat',
  '/usr/share/myspell/dicts/th_fr*.dat',
  '/{usr/lib,usr/lib64,usr/share,opt}/libreoffice*/share/extensions/dict-fr/thes_fr.dat',
  '/Applications/LibreOffice.app/Contents/Resources/extensions/dict-fr/thes_fr.dat',
];

/** A thesaurus, or why it could not be read. */
type OpenedThesaurus = { thesaurus: Thesaurus | null; trouble: string | null };

/**
 * Opens the thesaurus of a setting: a path, `off` for none, or null for the first installed one. It is cached. `trouble`
 * says why a file cannot be read.
 */
export function openThesaurus(setting: string | null): OpenedThesaurus {
  if (setting === 'off') return { thesaurus: null, trouble: null };
  const path = setting ?? placed();
  if (path === null) return { thesaurus: null, trouble: null };
  const before = opened.get(path);
  if (before) return { thesaurus: before, trouble: null };
  try {
    const thesaurus = readThesaurus(path);
    opened.set(path, thesaurus);
    return { thesaurus, trouble: null };
  } catch (error) {
    const reason = (error as { code?: string }).code ?? (error as Error).message;
    return { thesaurus: null, trouble: `the thesaurus ${path} cannot be read (${reason})` };
  }
}

const opened = new Map<string, Thesaurus>();
let found: string | null | undefined;

function placed(): string | null {
  found ??= places.map((place) => globSync(place).sort()[0] ?? null).find((path) => path !== null) ?? null;
  return found;
}

/** The index is beside the file of meanings; the first line of both is the encoding. */
function readThesaurus(path: string): Thesaurus {
  const index = readFileSync(path.replace(/\.dat$/, '.idx'));
  const meanings = readFileSync(path);
  const decoder = decoderOf(index);
  return createThesaurus(decoder.decode(index), (offset) => {
    const head = lineAt(meanings, offset);
    const count = Number(/\|(\d+)\s*$/.exec(head.text.toString('latin1'))?.[1] ?? 0);
    const lines: string[] = [];
    for (let from = head.end; lines.length < count && from < meanings.length; ) {
      const { text, end } = lineAt(meanings, from);
      lines.push(decoder.decode(text));
      from = end;
    }
    return lines;
  });
}

function lineAt(bytes: Buffer, from: number): { text: Buffer; end: number } {
  const at = bytes.indexOf(10, from);
  const end = at === -1 ? bytes.length : at;
  return { text: bytes.subarray(from, end), end: end + 1 };
}

function decoderOf(index: Buffer): TextDecoder {
  const encoding = index
    .subarray(0, 64)
    .toString('latin1')
    .split(/\r?\n/, 1)[0]!
    .trim()
    .replace(/^microsoft-cp/i, 'windows-');
  return new TextDecoder(encoding);
}
