import { documentsIn, slugOf } from '../model/document.ts';
import { facetsOf } from '../model/facets.ts';
import { type Kind, kinds } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { canFilter, type RowFilter, rows } from '../store/rows.ts';
import { citedBy } from './tidy.ts';

/** What the selected records reference: source ids, and slugs of parties and groups. */
export type Dossier = { sources: string[]; parties: string[] };

/** True if records of the kind are exported because selected records reference them. */
export function comesAlong(kind: Kind, { politician, party }: RowFilter): boolean {
  if (kind.name === 'source') return politician !== undefined || party !== undefined;
  return kind.name === 'party' && politician !== undefined;
}

/** Collects the references of all records that match the filter; sorted. */
export function dossierOf(mirror: Mirror, filter: RowFilter): Dossier {
  const [sources, parties] = [new Set<string>(), new Set<string>()];
  for (const kind of kinds.filter((each) => !comesAlong(each, filter) && canFilter(each, filter)))
    for (const document of rows(mirror, kind, filter)) {
      for (const id of citedBy(document)) sources.add(id);
      const { party, group } = facetsOf(kind, document);
      const affiliated = documentsIn(document.affiliations).map((part) => slugOf(part.party));
      for (const slug of [party, group, ...affiliated]) if (slug !== null) parties.add(slug);
    }
  return { sources: [...sources].sort(), parties: [...parties].sort() };
}
