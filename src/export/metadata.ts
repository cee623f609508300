import { meantHint, UsageError } from '../errors.ts';
import { catalogName, catalogText } from '../format/catalog.ts';
import { type FormatName, formatNamed } from '../format/formats.ts';
import { nearWords } from '../language/near-miss.ts';
import { say } from '../words/speech.ts';
import type { Resource } from './data-package.ts';

/** What can stand beside an export for the programs of others, by the word that asks for it, and where it goes. */
const targets = { dcat: 'folder', datasette: 'sqlite' } as const;

export type MetadataName = keyof typeof targets;

const metadataNames = Object.keys(targets) as MetadataName[];

/** The names of the files that descriptions are in. */
export const metadataFiles = (names: readonly MetadataName[]): string[] =>
  names.includes('dcat') ? [catalogName] : [];

/**
 * The descriptions that a person asks for (`dcat`, or `all` for those that fit); throws a UsageError on a word that names
 * none, and on one that has no place in the export.
 */
export function metadataNamed(words: string, to: string): MetadataName[] {
  const asked = words.split(',').map((word) => word.trim().toLowerCase());
  for (const word of asked)
    if (word !== 'all' && !metadataNames.some((name) => name === word))
      throw new UsageError(
        say`there is no metadata called "${word}"`,
        meantHint(nearWords(word, metadataNames)) ?? say`name one of ${metadataNames.join(', ')}, or all`,
      );
  const fits = metadataNames.filter((name) => targets[name] === to);
  if (fits.length === 0)
    throw new UsageError(
      say`--metadata is for a folder or an SQLite file`,
      say`name one: -o out/, or --sqlite facts.db`,
    );
  if (asked.includes('all')) return fits;
  const misplaced = asked.find((word) => !fits.some((name) => name === word));
  if (misplaced !== undefined)
    throw new UsageError(say`--metadata ${misplaced} is not for this export`, say`leave it out`);
  return fits;
}

/** The texts of descriptions by the names of their files. */
export const metadataTexts = (
  names: readonly MetadataName[],
  resources: Resource[],
  created: string,
): Record<string, string> => (names.includes('dcat') ? { [catalogName]: catalogOf(resources, created) } : {});

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
