import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { attributionText, checksums, dataDictionary, licenceText } from './companions.ts';
import { dataPackage, type Resource } from './data-package.ts';
import type { ExportOptions, ExportOutcome } from './files.ts';
import { stageFolder } from './folder-swap.ts';
import { companionNames, formerFolder, hashOfFile, refuseShrunken, refuseVanished } from './former.ts';
import type { ExportPart } from './part.ts';
import { isOpenData, withoutDay } from './table.ts';

const sums = 'SHA256SUMS';

/**
 * Writes files into a folder as a data package: the files, their description, dictionary, licence, attribution and
 * sums. The folder takes the place of the one before as a whole; whatever fails leaves that one as it was.
 */
export async function exportFolder(
  parts: ExportPart[],
  folder: string,
  options: ExportOptions & { told?: (remark: string) => void },
): Promise<ExportOutcome> {
  const staged = await stageFolder(folder);
  try {
    // A folder that a killed run had put aside is back by now.
    const former = await formerFolder(folder);
    await refuseOthers(folder, { ours: former.owned, parts });
    const tables = parts.map(({ name }) => name);
    refuseVanished(former.files, tables, options.maxShrink);
    const resources: Resource[] = [];
    for (const part of parts) {
      const resource = await writeResource(part, { staged: staged.path, folder }, parts);
      refuseShrunken(resource, former.files.get(part.name), options.maxShrink);
      resources.push(resource);
    }
    const names = await describe(
      parts,
      { staged: staged.path, folder },
      { resources, created: options.created },
    );
    if (
      options.ifChanged &&
      (await isSame(folder, { listed: former.listed, staged: staged.path, resources, names }))
    ) {
      await staged.abort();
      return 'unchanged';
    }
    const owned = new Set([...former.owned, ...names]);
    const isSwapped = await staged.commit({ owned, last: sums });
    if (!isSwapped)
      options.told?.(`${folder} also holds files of others: ours were replaced one by one, ${sums} last`);
    for (const [at, { path, rows, bytes }] of resources.entries())
      options.done?.({ part: parts[at]!, path: join(folder, path), rows, bytes });
    return 'written';
  } catch (error) {
    await staged.abort();
    throw error;
  }
}

/** Throws a BadTargetError where a file of somebody else has a name that one of this export would take. */
async function refuseOthers(
  folder: string,
  { ours, parts }: { ours: string[]; parts: ExportPart[] },
): Promise<void> {
  const names = new Set([...parts.map(pathOf), ...companionNames, sums]);
  const held = await readdir(folder).catch(() => []);
  const others = held.filter((name) => names.has(name) && !ours.includes(name));
  if (others.length > 0)
    throw new BadTargetError(
      folder,
      `it holds files that no export of the folder wrote, and that this one would replace: ${others.sort().join(', ')}`,
      'move them, or export into another folder',
    );
}

const pathOf = ({ name, format }: ExportPart) => `${name}.${format}`;

/** Where files are written, and the folder that they are meant for, by which people know them. */
type Place = { staged: string; folder: string };

const writeIn = ({ staged, folder }: Place, path: string, write: Parameters<typeof writeAtomically>[1]) =>
  writeAtomically(join(staged, path), write, join(folder, path));

async function writeResource(part: ExportPart, place: Place, parts: ExportPart[]): Promise<Resource> {
  const { name, description, columns, attribution, format, verbatim, dialect } = part;
  const path = pathOf(part);
  let rows = 0;
  const file = await writeIn(place, path, async (sink) => {
    rows = await part.write(sink);
  });
  const inPackage = new Set(parts.map((each) => each.name));
  const references = part.references.filter((each) => inPackage.has(each.table));
  const [bytes, sha256] = [file.bytes, file.sha256()];
  return {
    name,
    path,
    format,
    description,
    columns,
    references,
    licence: attribution.licence,
    verbatim,
    dialect,
    rows,
    bytes,
    sha256,
  };
}

/** Writes what stands beside the files; the names of all that the folder then holds. */
async function describe(
  parts: ExportPart[],
  place: Place,
  { resources, created }: { resources: Resource[]; created: string },
): Promise<string[]> {
  const hashes = resources.map(({ path, sha256 }) => ({ path, sha256 }));
  for (const [path, text] of Object.entries(companions(parts, { resources, created }))) {
    const file = await writeIn(place, path, (sink) => sink.write(text));
    hashes.push({ path, sha256: file.sha256() });
  }
  await writeIn(place, sums, (sink) => sink.write(checksums(hashes)));
  return [...hashes.map(({ path }) => path), sums];
}

/** What stands beside the tables and says nothing of a day: terms, whom to cite, what the columns mean. */
const dayless = ['LICENSE.txt', 'DICTIONARY.md'];

/**
 * True if the folder already holds these files, byte for byte, on the same terms, and all that belongs beside them; on
 * another day is no change.
 */
async function isSame(
  folder: string,
  {
    listed,
    staged,
    resources,
    names,
  }: { listed: string[]; staged: string; resources: Resource[]; names: string[] },
): Promise<boolean> {
  const held = new Set(await readdir(folder).catch(() => []));
  if (names.some((name) => !held.has(name))) return false;
  if (listed.length + 1 !== names.length) return false;
  for (const { path, sha256 } of resources)
    if ((await hashOfFile(join(folder, path))) !== sha256) return false;
  for (const path of dayless)
    if ((await hashOfFile(join(folder, path))) !== (await hashOfFile(join(staged, path)))) return false;
  return true;
}

function companions(
  parts: ExportPart[],
  { resources, created }: { resources: Resource[]; created: string },
): Record<string, string> {
  const paths = new Map(resources.map(({ name, path }) => [name, path]));
  const { attributions, general, licence } = terms(parts, ({ name }) => paths.get(name) ?? name);
  const title = `Export of ${general.name}`;
  return {
    'datapackage.json': dataPackage({ title, created, attribution: general, resources }),
    'DICTIONARY.md': dataDictionary(title, resources),
    'LICENSE.txt': licence,
    'ATTRIBUTION.txt': attributionText(attributions),
  };
}

type Attributed = Pick<ExportPart, 'name' | 'attribution'>;

/** On what terms tables may be used, each by the name that it has here. */
function terms(tables: Attributed[], nameOf: (table: Attributed) => string) {
  const attributions = tables.map(({ attribution }) => attribution);
  const general = attributions.find(({ licence }) => licence === null) ?? attributions[0]!;
  const licence = licenceText({
    datasets: tables.filter(isOpenData).map(nameOf),
    others: tables.filter((table) => !isOpenData(table)).map(nameOf),
    attribution: general,
  });
  return { attributions, general, licence };
}

/**
 * What a file that holds several tables says about itself: source, attribution and licence, without the day, so that the
 * same data has the same bytes whenever it was retrieved.
 */
export function aboutTables(tables: Attributed[]): Record<string, string> {
  const always = tables.map((table) => ({ ...table, attribution: withoutDay(table.attribution) }));
  const { attributions, general, licence } = terms(always, ({ name }) => name);
  return {
    source: general.name,
    ...(general.url ? { source_url: general.url } : {}),
    attribution: attributionText(attributions).trim(),
    licence: licence.trim(),
  };
}
