import { expect } from 'chai';
import { type CatalogTable, catalogText, recordLinkedData } from '../../src/format/catalog.ts';
import { attributionOf, odbl } from '../../src/model/attribution.ts';
import { kinds } from '../../src/model/kinds.ts';

const citation = { name: 'Fictional Service', siteUrl: 'https://service.example' };
const catalog = JSON.parse(
  catalogText({
    home: 'https://m.example/',
    citation,
    retrievedAt: '2026-03-01T06:00:00.000Z',
    tables: kinds.map(
      (kind): CatalogTable => ({
        name: kind.plural,
        description: kind.description,
        columns: kind.columns,
        records: 3,
        attribution: attributionOf(citation, { licence: kind.dataset ? odbl : null }),
        page: null,
        distributions: [{ address: `https://m.example/${kind.plural}.csv`, mediaType: 'text/csv' }],
      }),
    ),
  }),
);
const addressOf = (kind: string, key: string) => `https://m.example/${kind}/${key}`;

describe('the catalog', () => {
  it('has a dataset of every kind with all of its columns', () => {
    const datasets = catalog['@graph'].filter((node: never) => [node['@type']].flat().includes('Dataset' as never));
    expect(datasets.map(({ identifier }: { identifier: string }) => identifier)).to.deep.equal(
      kinds.map(({ plural }) => plural),
    );
    for (const [at, { columns }] of kinds.entries())
      expect(datasets[at].variableMeasured.map(({ name }: { name: string }) => name)).to.deep.equal(
        columns.map(({ name }) => name),
      );
  });

  it('states a licence only where the service does', () => {
    for (const { identifier, license, distribution } of catalog['@graph'].slice(2)) {
      const isLicensed = kinds.find(({ plural }) => plural === identifier)!.dataset;
      expect(license, identifier).to.equal(isLicensed ? odbl.url : undefined);
      expect(distribution[0].license, identifier).to.equal(license);
    }
  });

  it('reads without anything from elsewhere', () => {
    expect(catalog['@context']).to.be.an('object').with.property('@vocab', 'https://schema.org/');
  });
});

describe('a record as linked data', () => {
  const attribution = attributionOf(citation);
  it('is a person with what the record states, and nothing else', () => {
    const person = {
      slug: 'o-b',
      full_name: 'Océane Bruyevre',
      birth_date: null,
      website: 'javascript:alert(1)',
      affiliations: [{ party: 'verger', role: 'Membre', start: '2020-01-01', end: null }],
    };
    const [node] = JSON.parse(recordLinkedData('politician', person, { addressOf, attribution })!)['@graph'];
    expect(node).to.include({
      '@type': 'Person',
      name: 'Océane Bruyevre',
      url: 'https://m.example/politician/o-b',
    });
    expect(node).not.to.have.any.keys('birthDate', 'sameAs', 'jobTitle');
    expect(node.memberOf).to.deep.equal([
      {
        '@type': 'OrganizationRole',
        memberOf: { '@id': 'https://m.example/party/verger', '@type': 'Organization' },
        roleName: 'Membre',
        startDate: '2020-01-01',
      },
    ]);
  });

  it('is an organization for a party, and none of the other kinds', () => {
    const party = { slug: 'verger', name: 'Parti du Verger', short_name: 'PDV' };
    const [node] = JSON.parse(recordLinkedData('party', party, { addressOf, attribution })!)['@graph'];
    expect(node).to.include({ '@type': 'Organization', alternateName: 'PDV' });
    expect(recordLinkedData('promise', { id: 'p' }, { addressOf, attribution })).to.equal(null);
  });
});
