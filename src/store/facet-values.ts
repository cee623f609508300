import { nameSortKey } from '../language/name.ts';
import { type Document, textOf } from '../model/document.ts';
import type { Facets } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';

/** The columns of `record` that a document gives, in the order of `facetColumns`. */
export function facetValues(kind: Kind, document: Document, facets: Facets): (string | null)[] {
  const name = kind.search.name.length > 0 ? textOf(document, kind.search.name[0]!) : null;
  const sortName = name === null ? '' : sortNameOf(kind, document, name);
  return [
    name,
    sortName,
    facets.politician,
    facets.party,
    facets.group,
    facets.topic,
    facets.date,
    facets.updatedAt,
  ];
}

export const facetColumns = [
  'name',
  'sort_name',
  'politician',
  'party',
  'group_slug',
  'topic',
  'date',
  'updated_at',
] as const;

function sortNameOf(kind: Kind, document: Document, name: string): string {
  if (kind.name !== 'politician') return nameSortKey(name, name, '');
  return nameSortKey(
    name,
    textOf(document, 'last_name') ?? undefined,
    textOf(document, 'first_name') ?? undefined,
  );
}
