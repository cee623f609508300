import { affiliationsIn } from '../model/affiliation.ts';
import { type Attribution, type Citation, type Licence, webAddress } from '../model/attribution.ts';
import { type Document, slugOf, textOf } from '../model/document.ts';
import { keyOf, titleOf } from '../model/facets.ts';
import { type Column, type KindName, kindOf } from '../model/kinds.ts';
import terms from './catalog.json' with { type: 'json' };

type Distribution = { address: string; mediaType: string };

/** A dataset of a catalog: a kind of record with its columns and files; `page` is the address of its list. */
export type CatalogTable = {
  name: string;
  description: string;
  columns: Pick<Column, 'name' | 'description'>[];
  records: number;
  /** Includes a licence if the service declares one. */
  attribution: Attribution;
  page: string | null;
  distributions: Distribution[];
};

type Catalog = { home: string; citation: Citation; retrievedAt: string | null; tables: readonly CatalogTable[] };

/** The media type of JSON-LD. */
export const linkedDataType = 'application/ld+json';

/** The JSON-LD context, inlined so that readers need not fetch it; terms without a prefix are of schema.org. */
const context = { ...terms.prefixes, ...Object.fromEntries(terms.links.map((term) => [term, { '@type': '@id' }])) };

type Node = { [term: string]: unknown };

const catalogFileName = 'catalog.jsonld';

/** Returns a catalog as JSON-LD (schema.org and DCAT 3); `home` is the address of a folder, with its slash. */
export function catalogText({ home, citation, retrievedAt, tables }: Catalog): string {
  const id = `${home}${catalogFileName}`;
  const organization = { '@id': `${home}#service` };
  const address = webAddress(citation.siteUrl ?? '');
  const datasets = tables.map((each) => datasetNode(each, { home, organization, retrievedAt }));
  const datasetLinks = datasets.map((each) => ({ '@id': each['@id'] }));
  const title = `Records of ${citation.name}, as mirrored`;
  return toJsonLd([
    { ...organization, '@type': 'Organization', name: citation.name, ...withoutNulls({ url: address }) },
    {
      '@id': id,
      '@type': ['DataCatalog', 'dcat:Catalog'],
      name: title,
      'dct:title': title,
      url: home,
      sourceOrganization: organization,
      'dct:source': organization,
      ...withoutNulls({ dateModified: retrievedAt, 'dct:modified': dateTime(retrievedAt), isBasedOn: address }),
      dataset: datasetLinks,
      'dcat:dataset': datasetLinks,
    },
    ...datasets,
  ]);
}

function datasetNode(
  { name, description, columns, records, attribution, page, distributions }: CatalogTable,
  { home, organization, retrievedAt }: Omit<Catalog, 'citation' | 'tables'> & { organization: Node },
): Node {
  const { licence } = attribution;
  return {
    '@id': `${home}${catalogFileName}#${name}`,
    '@type': ['Dataset', 'dcat:Dataset'],
    identifier: name,
    name,
    'dct:title': name,
    description,
    'dct:description': description,
    includedInDataCatalog: `${home}${catalogFileName}`,
    sourceOrganization: organization,
    'dct:source': organization,
    creditText: attribution.text,
    size: `${records} records`,
    ...withoutNulls({ url: page, 'dcat:landingPage': page }),
    ...withoutNulls({ dateModified: retrievedAt, 'dct:modified': dateTime(retrievedAt) }),
    ...licenceTerms(licence),
    variableMeasured: columns.map((column) => {
      return { '@type': 'PropertyValue', name: column.name, description: column.description };
    }),
    distribution: distributions.map((each) => distributionNode(each, licence)),
    'dcat:distribution': distributions.map(({ address }) => ({ '@id': address })),
  };
}

function distributionNode({ address, mediaType }: Distribution, licence: Licence | null): Node {
  return {
    '@id': address,
    '@type': ['DataDownload', 'dcat:Distribution'],
    contentUrl: address,
    'dcat:downloadURL': address,
    encodingFormat: mediaType,
    'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType.split(';')[0]}` },
    ...licenceTerms(licence),
  };
}

/** The licence in both vocabularies; empty if the service declares none. */
const licenceTerms = (licence: Licence | null) => withoutNulls({ license: licence?.url, 'dct:license': licence?.url });

/** For kinds with a type in schema.org: that type, and its terms by field of the record. */
const schemaTypes: Partial<Record<KindName, { type: string; fields: Record<string, string> }>> = terms.types;

type AddressOf = (kind: KindName, key: string) => string;

/** Returns a politician or party as JSON-LD (schema.org Person or Organization); null for another kind. */
export function recordLinkedData(
  name: KindName,
  document: Document,
  { addressOf, attribution }: { addressOf: AddressOf; attribution: Attribution },
): string | null {
  const schemaType = schemaTypes[name];
  if (schemaType === undefined) return null;
  const kind = kindOf(name);
  const address = addressOf(name, keyOf(kind, document));
  const facts = Object.entries(schemaType.fields).map(([field, term]) => {
    const value = textOf(document, field);
    return [term, term === 'sameAs' ? webAddress(value ?? '') : value];
  });
  return toJsonLd([
    {
      '@id': address,
      '@type': schemaType.type,
      name: titleOf(kind, document),
      url: address,
      ...withoutNulls(Object.fromEntries(facts)),
      ...memberships(document, addressOf),
      subjectOf: {
        '@id': `${address}.jsonld`,
        '@type': 'CreativeWork',
        creditText: attribution.text,
        ...licenceTerms(attribution.licence),
      },
    },
  ]);
}

function memberships(document: Document, addressOf: AddressOf) {
  const roles = affiliationsIn(document).flatMap((each): Node[] => {
    const party = slugOf(each.party);
    if (party === null) return [];
    const [roleName, startDate, endDate] = ['role', 'start', 'end'].map((field) => textOf(each, field));
    const memberOf = { '@id': addressOf('party', party), '@type': 'Organization' };
    return [{ '@type': 'OrganizationRole', memberOf, ...withoutNulls({ roleName, startDate, endDate }) }];
  });
  return roles.length === 0 ? {} : { memberOf: roles };
}

const dateTime = (iso: string | null) => iso && { '@value': iso, '@type': 'xsd:dateTime' };

const withoutNulls = (facts: Node): Node =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined));

const toJsonLd = (graph: Node[]) => JSON.stringify({ '@context': context, '@graph': graph }, null, 1);
