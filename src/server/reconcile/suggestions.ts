import { fold } from '../../language/fold.ts';
import { type NamedKind, namedKinds } from '../../names/database.ts';
import { searchNames } from '../../names/search.ts';
import type { Mirror } from '../../store/mirror.ts';
import { speechOf } from '../../words/speech.ts';
import { type Html, html } from '../pages/html.ts';
import {
  type Called,
  comparable,
  descriptionOf,
  entityOf,
  idOf,
  type PropertySettings,
  properties,
  types,
} from './vocabulary.ts';

const mostSuggested = 20;

/** Entities whose names match the prefix, or the one whose id it is. */
export function suggestedEntities(mirror: Mirror, prefix: string, type: string | undefined): object[] {
  const kinds = namedKinds.filter((kind) => type === undefined || type === '' || type === kind);
  const known = entityOf(mirror, prefix.trim());
  if (known !== null) return [suggested(mirror, known.kind, known.slug)];
  const { names } = searchNames(mirror, prefix.slice(0, 500), { kinds, limit: mostSuggested });
  return names.map(({ kind, key }) => suggested(mirror, kind, key));
}

function suggested(mirror: Mirror, kind: NamedKind, slug: string): object {
  const entity = entityOf(mirror, idOf(kind, slug));
  return {
    id: idOf(kind, slug),
    name: entity?.name ?? slug,
    description: entity ? descriptionOf(mirror, kind, entity.document) : '',
    notable: types.filter(({ id }) => id === kind),
  };
}

/** Types, or comparable properties, whose name or id contains the text. */
export function suggestedWords(what: 'type' | 'property', prefix: string): Called[] {
  const all = what === 'type' ? types : comparable;
  const asked = fold(prefix).trim();
  return all.filter(({ id, name }) => fold(name).includes(asked) || fold(id).includes(asked));
}

/** The properties that can be added to a table of a type. */
export function proposedProperties(type: string | undefined, limit: number): object {
  const own = properties.filter(({ of }) => type === undefined || type === '' || of === type);
  const known = [...new Map(own.map(({ id, name }) => [id, { id, name }])).values()];
  return { type: type ?? '', limit, properties: limit > 0 ? known.slice(0, limit) : known };
}

const now: PropertySettings = { limit: 0, date: null };

/** Preview of an entity as HTML: its properties by name; null if there is no such entity. */
export function entityHtml(
  mirror: Mirror,
  id: string,
  language: 'en' | 'fr',
): { title: string; body: Html } | null {
  const entity = entityOf(mirror, id);
  if (entity === null) return null;
  const speech = speechOf(language);
  const rows = properties
    .filter(({ of, id: own }) => of === entity.kind && own !== 'slug' && !own.startsWith('affiliation_'))
    .flatMap((property) => {
      const texts = property
        .values(mirror, entity.document, now)
        .flatMap((value) => ('name' in value ? value.name : (Object.values(value)[0] ?? [])))
        .map(String);
      const shown = [...new Set(texts)].slice(0, 6).join(', ');
      return shown === '' ? [] : [html`<dt>${speech.field(property.id)}</dt><dd>${shown.slice(0, 400)}</dd>`];
    });
  return { title: entity.name, body: html`<h1>${entity.name}</h1><dl>${rows}</dl>` };
}

/** A short description as HTML for a list of suggestions; null for an unknown id. */
export function flyoutOf(mirror: Mirror, what: string, id: string): { id: string; html: string } | null {
  if (what === 'entity') {
    const entity = entityOf(mirror, id);
    if (entity === null) return null;
    const said = descriptionOf(mirror, entity.kind, entity.document);
    return { id, html: html`<p><strong>${entity.name}</strong></p><p>${said}</p>`.text };
  }
  const known = [...types, ...comparable].find((each) => each.id === id);
  if (known === undefined) return null;
  const said = 'description' in known ? String(known.description) : '';
  return { id, html: html`<p><strong>${known.name}</strong></p><p>${said}</p>`.text };
}
