import {
  type CatalogedTable,
  catalogText,
  type Distribution,
  linkedDataType,
} from '../../../format/catalog.ts';
import { formats } from '../../../format/formats.ts';
import { addressOf, listAddress } from '../../../model/addresses.ts';
import { attributionOf, odbl } from '../../../model/attribution.ts';
import { type Kind, kinds } from '../../../model/kinds.ts';
import { countRows } from '../../../store/rows.ts';
import { html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading } from '../parts.ts';
import { type Form, plainView } from '../view.ts';

/** What there is of a kind: whole files where the service exports it, else the list. */
function cataloged({ mirror, citation, filledAt, reading, origin }: Making, kind: Kind): CatalogedTable {
  const { path, query } = listAddress(kind);
  const kept = reading.asOf === null ? {} : { as_of: reading.asOf };
  const at = (path: string, query: Record<string, string> = {}) =>
    `${origin}${addressOf(path, { ...query, ...kept })}`;
  const files: Distribution[] = formats
    .filter(({ isOfInterface }) => isOfInterface)
    .map(({ name, mediaType }) => ({
      address: at('/api/v1/export/dataset', { entity: kind.plural, format: name }),
      mediaType,
    }));
  const listed = [
    { address: at(`${path}.json`, query), mediaType: 'application/json' },
    { address: at(`${path}.csv`, query), mediaType: 'text/csv' },
  ];
  return {
    name: kind.plural,
    description: kind.description,
    columns: kind.columns,
    records: countRows(mirror, kind),
    attribution: attributionOf(citation, {
      licence: kind.dataset ? odbl : null,
      retrievedAt: filledAt,
      asOf: reading.asOf,
    }),
    page: at(path, query),
    distributions: kind.dataset ? files : listed,
  };
}

const held = (making: Making) => [...kinds].reverse().map((kind) => cataloged(making, kind));

const jsonld: Form = {
  mediaType: linkedDataType,
  isAbsolute: true,
  make: (making) =>
    catalogText({
      home: `${making.origin}/`,
      citation: making.citation,
      retrievedAt: making.filledAt,
      tables: held(making),
    }),
};

/** What this mirror holds as data to take away; as JSON-LD it is a catalog for machines. */
export const catalogPage = plainView({
  name: 'catalog',
  path: '/catalog',
  section: 'about',
  forms: { jsonld },
  isAbsolute: true,
  render(making) {
    const { speech } = making;
    const title = speech.say`Data to take away`;
    const lead = speech.say`Whole files where the service exports a kind of record, lists of the others.`;
    const rows = held(making).map(
      ({ name, records, attribution, distributions }) =>
        html`<tr><th scope="row">${speech.word(name)}</th><td class="number">${speech.number(records)}</td><td>${distributions.map(
          ({ address, mediaType }) =>
            html`<a href="${address.slice(making.origin.length)}" type="${mediaType}">${shortName(mediaType)}</a> `,
        )}</td><td>${
          attribution.licence === null
            ? speech.say`free for non-commercial use`
            : html`<a href="${attribution.licence.url}" rel="license">${attribution.licence.id}</a>`
        }</td></tr>
`,
    );
    const table = html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><thead><tr><th scope="col">${speech.say`Kind`}</th><th scope="col" class="number">${speech.say`Records`}</th><th scope="col">${speech.say`Files`}</th><th scope="col">${speech.say`Licence`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    return { title, body: html`${heading(title, { lead })}${table}` };
  },
});

/** A media type as people call it. */
function shortName(mediaType: string): string {
  const [type = ''] = mediaType.split(';');
  return formats.find((each) => each.mediaType.startsWith(type))?.name ?? type.replace('application/', '');
}
