import { documentsIn, slugOf } from '../model/document.ts';
import { facetsOf } from '../model/facets.ts';
import { type Kind, kinds } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { canFilter, type RowFilter, rows } from '../store/rows.ts';
import { citedBy } from './tidy.ts';

/** What chosen records rest on and name: the ids of their sources, the slugs of their parties and groups. */
export type Dossier = { sources: string[]; parties: string[] };

/** True for a kind whose records come along with those that name them, when a politician or a party is chosen. */
export function comesAlong(kind: Kind, { politician, party }: RowFilter): boolean {
  if (kind.name === 'source') return politician !== undefined || party !== undefined;
  return kind.name === 'party' && politician !== undefined;
}

/** Reads the records that a filter chooses, for what comes along with them. */
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
