import { meantHint, UsageError } from '../errors.ts';
import { catalogName, catalogText } from '../format/catalog.ts';
import { type FormatName, formatNamed } from '../format/formats.ts';
import { nearWords } from '../language/near-miss.ts';
import { say } from '../words/speech.ts';
import { croissantText } from './croissant.ts';
import { csvwText } from './csvw.ts';
import type { Resource } from './data-package.ts';

type Described = {
  /** What an export goes into that has it. */
  to: 'folder' | 'sqlite';
  /** True where it is about files of CSV alone. */
  isOfCsv?: boolean;
  /** The name of the file in a folder, and its text; null where there is nothing to say. */
  file?: { path: string; text(resources: Resource[], created: string): string | null };
};

/** What can stand beside an export for the programs of others, by the word that asks for it. */
const table = {
  csvw: { to: 'folder', isOfCsv: true, file: { path: 'csv-metadata.json', text: csvwText } },
  croissant: { to: 'folder', file: { path: 'croissant.json', text: croissantText } },
  dcat: { to: 'folder', file: { path: catalogName, text: catalogOf } },
  datasette: { to: 'sqlite' },
} as const satisfies Record<string, Described>;

export type MetadataName = keyof typeof table;

const known = Object.entries(table) as [MetadataName, Described][];

/** The words that ask for descriptions. */
const metadataNames: readonly string[] = known.map(([name]) => name);

/** The names of the files that descriptions are in. */
export const metadataFiles = (names: readonly MetadataName[]): string[] =>
  names.flatMap((name) => (table[name] as Described).file?.path ?? []);

/**
 * The descriptions that a person asks for (`csvw,dcat`, or `all` for those that fit); throws a UsageError on a word that
 * names none, and on one that has no place in the export.
 */
export function metadataNamed(
  words: string,
  { to, format }: { to: string; format: FormatName },
): MetadataName[] {
  const asked = words.split(',').map((word) => word.trim().toLowerCase());
  const isAll = asked.includes('all');
  for (const word of asked)
    if (word !== 'all' && !metadataNames.includes(word))
      throw new UsageError(
        say`there is no metadata called "${word}"`,
        meantHint(nearWords(word, metadataNames)) ?? say`name one of ${metadataNames.join(', ')}, or all`,
      );
  if (!known.some(([, each]) => each.to === to))
    throw new UsageError(
      say`--metadata is for a folder or an SQLite file`,
      say`name one: -o out/, or --sqlite facts.db`,
    );
  const chosen = known.filter(([name]) => isAll || asked.includes(name));
  const fits = chosen.filter(([, each]) => each.to === to && (!each.isOfCsv || format === 'csv'));
  const misplaced = chosen.find((each) => !fits.includes(each));
  if (misplaced && !isAll) {
    const [name, { isOfCsv }] = misplaced;
    throw isOfCsv
      ? new UsageError(say`--metadata ${name} is for CSV files in a folder`, say`leave it out`)
      : new UsageError(say`--metadata ${name} is not for this export`, say`leave it out`);
  }
  return fits.map(([name]) => name);
}

/** The texts of descriptions by the names of their files. */
export function metadataTexts(
  names: readonly MetadataName[],
  resources: Resource[],
  created: string,
): Record<string, string> {
  const texts = names.flatMap((name) => {
    const { file }: Described = table[name];
    const text = file?.text(resources, created) ?? null;
    return file && text !== null ? [[file.path, text] as const] : [];
  });
  return Object.fromEntries(texts);
}

/** The folder as a catalog, in the words of that of `serve`. */
function catalogOf(resources: Resource[], created: string): string {
  const { name, url } = resources[0]!.attribution;
  const text = catalogText({
    home: './',
    citation: { name, siteUrl: url },
    retrievedAt: created,
    tables: resources.map((resource) => ({
      ...resource,
      records: resource.rows,
      page: null,
      distributions: [
        {
          address: `./${resource.path}`,
          mediaType: formatNamed(resource.format as FormatName).mediaType,
          bytes: resource.bytes,
          sha256: resource.sha256,
        },
      ],
    })),
  });
  return `${text}\n`;
}
