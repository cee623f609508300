import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeAtomically } from '../format/atomic-file.ts';
import { catalogName } from '../format/catalog.ts';
import { pour } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import {
  attributionText,
  checksums,
  dataDictionary,
  fileMeta,
  type LicensedTable,
  licenceText,
} from './companions.ts';
import { dataPackage, exportTitle, keptResources } from './data-package.ts';
import { refuseForeignFiles, stageFolder, sums, writeTexts } from './folder-switch.ts';
import {
  companionNames,
  type FormerFolder,
  formerFile,
  formerFolder,
  type Gates,
  hashOfFile,
  refuseShrunken,
  refuseVanished,
} from './former.ts';
import { catalogOf, type MetadataName } from './metadata.ts';
import type { ExportPart, Resource, WrittenTable } from './part.ts';
import { stageRelease } from './releases.ts';
import { type ExportTable, heldReferences, pastFacts, withoutDay } from './table.ts';

export type ExportOptions = Gates & {
  /** When the newest data was retrieved, ISO 8601. */
  created: string;
  /** Leaves files untouched whose data has not changed. */
  ifChanged: boolean;
};

/** One exported table; `unchanged` if its bytes equal those of the previous export. */
export type ExportedTable = {
  name: string;
  outcome: 'written' | 'unchanged';
  path: string;
  rows: number;
  /** Null for a table within a file. */
  bytes: number | null;
  sha256: string | null;
};

/** The result of an export; `unchanged` if it changed no file. */
export type ExportResult = { outcome: ExportedTable['outcome']; tables: ExportedTable[] };

/** Writes one file, and `FILE.meta.json` beside it. */
export async function exportFile(
  part: ExportPart,
  path: string,
  { created, ifChanged, ...gates }: ExportOptions,
): Promise<ExportResult> {
  const former = await formerFile(path);
  let [rows, isKept] = [0, false];
  const file = await writeAtomically(path, async (sink) => {
    rows = await part.write(sink);
    refuseShrunken({ ...part, rows }, former, gates);
    // Hashing rereads the file, so only `ifChanged` pays for it.
    if (ifChanged && former && termsOf(part.attribution) === termsOf(former.description.attribution))
      isKept = sink.sha256() === (await hashOfFile(path));
    return !isKept;
  });
  const [bytes, sha256] = [file.bytes, file.sha256()];
  const outcome = former?.sha256 === sha256 ? 'unchanged' : 'written';
  const table: ExportedTable = { name: part.name, outcome, path, rows, bytes, sha256 };
  if (isKept) return { outcome: 'unchanged', tables: [table] };
  const described = { ...part, columns: part.written(), path: basename(path), rows, bytes, sha256 };
  const meta = fileMeta(described, created);
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(meta));
  return { outcome: 'written', tables: [table] };
}

const termsOf = (attribution: unknown) => {
  const { name, url, licence, as_of, gone_since } = (attribution ?? {}) as Partial<Attribution>;
  return JSON.stringify([name, url, licence, as_of, gone_since]);
};

type FolderOptions = ExportOptions & {
  /** Tables without a part here: their files from the previous export are kept. */
  kept?: string[];
  /** The names of all tables in the order in which the package describes them. */
  order?: string[];
  /** Writes an immutable release into a folder of releases. */
  isRelease?: boolean;
  /** Further metadata files for other programs. */
  metadata?: MetadataName[];
};

/** Writes a data package into a folder; files are renamed into place once all are written, checksums last. */
export async function exportFolder(
  parts: ExportPart[],
  folder: string,
  options: FolderOptions,
): Promise<ExportResult> {
  const { isRelease = false, created, ifChanged, metadata = [] } = options;
  const staged = isRelease ? await stageRelease(folder, created) : await stageFolder(folder);
  try {
    // Staging has finished any interrupted switch, so the previous export is complete.
    const former = await formerFolder(staged.former);
    if (!isRelease) await refuseOthers(folder, { ours: former.owned, parts, metadata });
    const place = { staged: staged.path, former: staged.former ?? staged.path, folder };
    const resources = await writeResources(parts, place, { former, options });
    const { attribution } = parts[0]!;
    const names = await describe(place, resources, { created, metadata });
    const tablesIn = (shown: string) =>
      resources.map(({ name, path, rows, bytes, sha256 }): ExportedTable => {
        const outcome = former.files.get(name)?.sha256 === sha256 ? 'unchanged' : 'written';
        return { name, outcome, path: join(shown, path), rows, bytes, sha256 };
      });
    if (
      (ifChanged || isRelease) &&
      former.asOf === (attribution.as_of ?? null) &&
      (await isSame(place, { listed: former.listed, resources, names }))
    ) {
      await staged.abort();
      return { outcome: 'unchanged', tables: tablesIn(staged.shown) };
    }
    return { tables: tablesIn(await staged.commit(former.owned)), outcome: 'written' };
  } catch (error) {
    await staged.abort();
    throw error;
  }
}

/** Writes the files of parts and copies those that stay; returns their descriptions in package order. */
async function writeResources(
  parts: ExportPart[],
  place: Place,
  { former, options }: { former: FormerFolder; options: FolderOptions },
): Promise<Resource[]> {
  const { kept = [], order = [], maxShrink } = options;
  const stays = await keptResources(place.former, former, { names: kept, source: parts[0]!.attribution });
  const names = [...parts, ...stays].map(({ name }) => name);
  refuseVanished(former.files, names, maxShrink);
  const resources: Resource[] = [];
  for (const part of parts) {
    const resource = await writeResource(part, place, names);
    refuseShrunken(resource, former.files.get(part.name), options);
    resources.push(resource);
  }
  for (const resource of stays) {
    await writeIn(place, resource.path, (sink) =>
      pour(createReadStream(join(place.former, resource.path)), sink),
    );
    const references = resource.references.filter(({ table }) => names.includes(table));
    resources.push({ ...resource, references });
  }
  return resources.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

async function refuseOthers(
  folder: string,
  { ours, parts, metadata }: { ours: string[]; parts: ExportPart[]; metadata: MetadataName[] },
): Promise<void> {
  const names = new Set([...parts.map(pathOf), ...companionNames, sums]);
  if (metadata.includes('dcat')) names.add(catalogName);
  const held = await readdir(folder).catch(() => []);
  refuseForeignFiles(
    folder,
    held.filter((name) => names.has(name) && !ours.includes(name)),
  );
}

const pathOf = ({ name, format }: ExportPart) => `${name}.${format}`;

/** The staging folder, the folder of the previous export, and the target as the user named it. */
type Place = { staged: string; former: string; folder: string };

const writeIn = ({ staged, folder }: Place, path: string, write: Parameters<typeof writeAtomically>[1]) =>
  writeAtomically(join(staged, path), write, join(folder, path));

async function writeResource(part: ExportPart, place: Place, names: string[]): Promise<Resource> {
  const { name, description, key, attribution, format, verbatim, dialect } = part;
  const path = pathOf(part);
  let rows = 0;
  const file = await writeIn(place, path, async (sink) => {
    rows = await part.write(sink);
  });
  return {
    ...{ name, path, format, description, key, attribution, verbatim, dialect, rows },
    columns: part.written(),
    references: heldReferences(part.references, names),
    bytes: file.bytes,
    sha256: file.sha256(),
  };
}

/** Writes the companion files and checksums; returns the names of all files. */
async function describe(
  place: Place,
  resources: Resource[],
  { created, metadata }: { created: string; metadata: MetadataName[] },
): Promise<string[]> {
  const texts = {
    'datapackage.json': dataPackage({ created, resources }),
    'DICTIONARY.md': dataDictionary(exportTitle(resources), resources),
    'LICENSE.txt': licenceText(resources),
    'ATTRIBUTION.txt': attributionText(resources.map(({ attribution }) => attribution)),
    ...(metadata.includes('dcat') ? { [catalogName]: catalogOf(resources, created) } : {}),
  };
  const files = [...resources, ...(await writeTexts(texts, place))];
  await writeTexts({ [sums]: checksums(files) }, place);
  return [...files.map(({ path }) => path), sums];
}

const dayless = ['LICENSE.txt', 'DICTIONARY.md'];

/** True if the folder holds the same bytes under the same terms; a new retrieval day alone is no change. */
async function isSame(
  { staged, former: folder }: Place,
  { listed, resources, names }: { listed: string[]; resources: Resource[]; names: string[] },
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

/** Describes a file that holds several tables, in `FILE.meta.json`. */
export async function writeTablesMeta(
  path: string,
  file: { format?: 'sqlite'; created: string; bytes: number; sha256: string },
  { written, tables }: { written: WrittenTable[]; tables: ExportTable[] },
): Promise<void> {
  const resources = written.map(({ name, columns, ...counts }) => {
    const { description, attribution } = tables.find((table) => table.name === name)!;
    return { name, description, ...counts, columns: columns.map((column) => column.name), attribution };
  });
  const text = JSON.stringify({ path: basename(path), ...file, resources }, null, 2);
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(`${text}\n`));
}

/** Source, attribution and licence of a file of several tables, without the day, so that same data gives same bytes. */
export function aboutTables(tables: Omit<LicensedTable, 'path'>[]): Record<string, string> {
  const always = tables.map((table) => ({
    ...table,
    path: table.name,
    attribution: withoutDay(table.attribution),
  }));
  const { name, url } = always[0]!.attribution;
  return {
    source: name,
    ...(url ? { source_url: url } : {}),
    ...pastFacts(always[0]!.attribution),
    attribution: attributionText(always.map(({ attribution }) => attribution)).trim(),
    licence: licenceText(always).trim(),
  };
}
