import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConfigurationError, NotFoundError, orNull } from '../errors.ts';
import { delimiterIn } from '../format/csv.ts';
import { fold } from '../language/fold.ts';
import { namesByCode, placeName, postcodeDepartment } from '../names/department.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Phrase, say } from '../words/speech.ts';

/** A row of the table of communes, or a department (commune null); constituency null means the whole department. */
export type Place = Record<'commune' | 'postcode', string | null> & { department: string; constituency: number | null };

/** Path of the table of communes (CSV); null if not set. */
export type PlaceOptions = { places?: string | null };

/**
 * Finds the communes that a text names, else the department of a postcode; undefined if no text is given.
 * Throws a NotFoundError for neither.
 */
export function findPlaces(mirror: Mirror, text: string | undefined, { places: path = null }: PlaceOptions) {
  if (text === undefined) return undefined;
  const communes = findCommunes(mirror, text, path);
  const department = namesByCode[postcodeDepartment(text) ?? ''];
  if (communes.length > 0) return communes;
  if (department) return [{ commune: null, postcode: text, department, constituency: null }];
  const fault = path
    ? say`names "${text}", which is in no row of the table of communes`
    : say`needs a table of communes, which is not set`;
  const hint = say`\`hemicycle config set places FILE.csv\` names the table; a postcode leads to its department`;
  throw new NotFoundError(say`--place ${fault}`, hint).withFault('place', fault);
}

/** Returns one remark per commune: its constituencies, or why all constituencies of its department are listed. */
export function communeRemarks(places: readonly Place[], path: string | null): Phrase[] {
  const communes = Map.groupBy(places, ({ commune, postcode, department }) => `${commune ?? postcode} (${department})`);
  return [...communes].map(([name, rows]) => {
    const numbers = new Set(rows.flatMap(({ constituency }) => constituency ?? []).sort((one, other) => one - other));
    const list = [...numbers].join(', ');
    if (numbers.size > 0)
      return numbers.size > 1 ? say`${name}: constituencies ${list}` : say`${name}: constituency ${list}`;
    const reason = path ? say`the table of communes states none there` : say`no table of communes is set (places)`;
    return say`${name}: all constituencies of the department, since ${reason}`;
  });
}

/** Returns the remarks on the `place` in the values; empty without one. */
export function remarksForValues(mirror: Mirror, { place }: { place?: string | undefined }, options: PlaceOptions) {
  const seats = findPlaces(mirror, place, options);
  return seats === undefined ? [] : communeRemarks(seats, options.places ?? null);
}

/** Patterns of folded headings in files of INSEE, La Poste, the Ministry of the Interior, or in English. */
const headings = {
  postcode: /^(codepostal|cp|postcode|postalcode|zip)$/,
  commune: /^(nom|lib|libelle)(dela)?(commune|com)$|^(commune|ville|town|city|municipality)$/,
  department: /^(code|nom|lib|libelle)?(du)?(dep|dpt|dept|departement|department)(code|name)?$/,
  constituency: /^(code|numero|n)?(dela)?(circo|circ|circonscription|constituency)(legislative|number)?$/,
};

/** Returns the key of `headings` that matches a column; false, which drops the column, for none. */
const findHeading = (name: string) =>
  Object.entries(headings).find((each) => each[1].test(fold(name).replace(/[^a-z]/g, '')))?.[0] ?? false;

/** Splits a commune's name into a normalised key and the number of an arrondissement, if any; "St" becomes "saint". */
function parseCommune(name: string): { key: string; district: string | undefined } {
  const words = placeName(name).replace(/\bst(e?)\b/g, 'saint$1');
  const numberedName = /^(?<key>.*) 0*(?<district>\d+)(?:er?|e?me)?(?: arrondissement)?$/;
  const { key = words, district } = numberedName.exec(words)?.groups ?? {};
  return { key, district };
}

/** Parses lines of a table of communes, the first its header; restores the first 0 of postcodes, which Excel drops. */
function parsePlaces(lines: readonly string[]): Place[] {
  const { parse } = createRequire(import.meta.url)('csv-parse/sync') as typeof import('csv-parse/sync');
  const delimiter = delimiterIn(lines[0]!);
  const columns = (names: string[]) => names.map(findHeading);
  const options = { delimiter, columns, trim: true, relax_column_count: true, skip_records_with_error: true };
  const rows: Record<keyof typeof headings, string | undefined>[] = parse(lines.join('\n'), options);
  return rows.flatMap(({ commune, postcode: rawPostcode, constituency = '', ...row }) => {
    const postcode = rawPostcode ? rawPostcode.padStart(5, '0') : null;
    const code = row.department || postcodeDepartment(postcode ?? '');
    const department = code && (namesByCode[code] ?? code);
    const constituencyNumber = Number(/(\d{1,2})\D*$/.exec(constituency)?.[1]) || null;
    return commune && department ? [{ commune, postcode, department, constituency: constituencyNumber }] : [];
  });
}

/** Reads the lines of a table of communes, as written and folded; throws a ConfigurationError for no such table. */
export function readCommuneLines(path: string) {
  const bytes = orNull(() => readFileSync(path)) ?? Buffer.alloc(0);
  const text = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes).replace(/[\r\n]+/g, '\n');
  const lines = text.split('\n');
  if (parsePlaces(lines.slice(0, 1000)).length > 0) return { lines, folded: fold(text).split('\n') };
  throw new ConfigurationError(say`${path} is no table of communes with postcode, department and constituency`);
}

/** Finds the rows of the table for a text such as `75001 Paris`, a commune or a postcode; none without a table. */
export function findCommunes(mirror: Mirror, text: string, path: string | null): Place[] {
  const { postcode, name = '' } = /^(?<postcode>\d{5})?\s*(?<name>.*)$/s.exec(text.trim())!.groups!;
  const { key, district } = parseCommune(name);
  if (path === null || (postcode === undefined && key === '')) return [];
  const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const { lines, folded } = mirror.readOnce(`places ${path} ${modifiedMs}`, () => readCommuneLines(path));
  // Parsing all 39,000 rows takes a second: parse only lines where a cell ends in the last word, or is the postcode.
  const cellEnd = key.split(' ').at(-1) || `0?${Number(postcode)}`; // Excel drops the first 0
  // A number may follow: `paris` matches the line `75001,paris 1er arrondissement,paris`.
  const linePattern = new RegExp(`\\b${cellEnd}(?: \\d+\\w*(?: arrondissement)?)?"?\\s*(?:[,;\\t|]|$)`);
  const rows = parsePlaces(lines.filter((_, at) => at === 0 || linePattern.test(folded[at]!)));
  return rows.filter((row) => {
    const commune = parseCommune(row.commune!);
    const hasOtherDistrict = district && commune.district && district !== commune.district;
    const isSameCommune = key === '' || (commune.key === key && !hasOtherDistrict);
    return isSameCommune && (postcode === undefined || row.postcode === postcode);
  });
}
