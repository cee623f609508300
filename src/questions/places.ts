import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConfigurationError, NotFoundError } from '../errors.ts';
import { delimiterIn, whyNotCsv } from '../format/csv.ts';
import { fold } from '../language/fold.ts';
import { departments, placeName, postcodeDepartment } from '../names/department.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Phrase, say } from '../words/speech.ts';

/** A row of the table of communes, or a department; a null constituency stands for all of its department. */
export type Place = Record<'commune' | 'postcode', string | null> & { department: string; constituency: number | null };

/** Folded letters of headings, as INSEE, La Poste and the Ministry of the Interior write them, or in English. */
const headings = {
  postcode: /^(codepostal|cp|postcode|postalcode|zip)$/,
  commune: /^(nom|lib|libelle)(dela)?(commune|com)$|^(commune|ville|town|city|municipality)$/,
  department: /^(code|nom|lib|libelle)?(du)?(dep|dpt|dept|departement|department)(code|name)?$/,
  constituency: /^(code|numero|n)?(dela)?(circo|circ|circonscription|constituency)(legislative|number)?$/,
};

const headingOf = (name: string) =>
  Object.entries(headings).find(([, pattern]) => pattern.test(fold(name).replace(/[^a-z]/g, '')))?.[0] ?? false;

/** A commune in plain words: "ST", and the arrondissements of Paris, Lyon and Marseille, are written in several ways. */
const communeKey = (name: string) =>
  placeName(name)
    .replace(/\bst(e?)\b/g, 'saint$1')
    .replace(/ \d+(er?|e?me)?( arrondissement)?$/, '');

/** Reads a table of communes, by plain name; throws a ConfigurationError that says what is wrong with it. */
export function readPlaces(path: string): ReadonlyMap<string, Place[]> {
  const { parse } = createRequire(import.meta.url)('csv-parse/sync') as typeof import('csv-parse/sync');
  const columns = (names: string[]) => names.map(headingOf);
  let rows: Record<keyof typeof headings, string | undefined>[];
  try {
    const bytes = readFileSync(path);
    const text = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
    const delimiter = delimiterIn(text.split(/\r?\n/, 1)[0]!);
    rows = parse(text, { columns, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new ConfigurationError(say`the table of communes ${path} cannot be read: ${whyNotCsv(error)}`);
  }
  const places = rows.flatMap(({ commune, postcode: written, constituency = '', ...row }) => {
    // Spreadsheets drop the first 0 of a postcode.
    const postcode = written ? written.padStart(5, '0') : null;
    const department = row.department || postcodeDepartment(postcode ?? '');
    const number = Number(/(\d{1,2})\D*$/.exec(constituency)?.[1]) || null;
    return commune && department ? [{ commune, postcode, department, constituency: number }] : [];
  });
  if (places.length > 0) return Map.groupBy(places, ({ commune }) => communeKey(commune));
  const needed = 'postcode, commune, department, constituency';
  throw new ConfigurationError(say`${path} is no table of communes`, say`its header line needs ${needed}`);
}

/** The rows of the table for a commune, a postcode, or both; none without a table. */
export function communesOf(mirror: Mirror, text: string, path: string | null): Place[] {
  if (path === null) return [];
  const table = mirror.readOnce(`places ${path}`, () => readPlaces(path));
  const [, postcode, name = ''] = /^(\d{5})?\s*(.*)$/s.exec(text.trim())!;
  const rows = name === '' ? [...table.values()].flat() : (table.get(communeKey(name)) ?? []);
  const matchingRows = rows.filter((row) => postcode === undefined || row.postcode === postcode);
  return [...new Map(matchingRows.map((each) => [JSON.stringify(each), each])).values()];
}

/** All communes that a text names, else the department of a postcode; throws a NotFoundError for neither. */
export function findPlaces(mirror: Mirror, text: string, path: string | null): Place[] {
  const communes = communesOf(mirror, text, path);
  const department = departments[postcodeDepartment(text) ?? ''];
  if (communes.length > 0) return communes;
  if (department) return [{ commune: null, postcode: text, department, constituency: null }];
  const fault = path ? say`is in no row of the table of communes` : say`needs a table of communes, which is not set`;
  const hint = say`\`hemicycle config set places FILE.csv\` names the table; a postcode leads to its department`;
  throw new NotFoundError(say`--place ${text} ${fault}`, hint).withFault('place', fault);
}

/** What an answer about places covers: the constituencies of each commune, or why all of a department are listed. */
export function placeRemarks(places: readonly Place[], path: string | null): Phrase[] {
  const communes = Map.groupBy(places, ({ commune, department }) => `${commune} (${department})`);
  return [...communes].map(([name, own]) => {
    const numbers = new Set(own.flatMap(({ constituency }) => constituency ?? []).sort((one, other) => one - other));
    if (numbers.size > 0) return say`${name}: constituencies ${[...numbers].join(', ')}`;
    const reason = path ? say`the table of communes states none there` : say`no table of communes is set (places)`;
    return say`all constituencies of ${own[0]!.department}: ${reason}`;
  });
}
