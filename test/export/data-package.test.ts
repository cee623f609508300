import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { attributionText as allAttributions, checksums, fileMeta, licenceText } from '../../src/export/companions.ts';
import { dataPackage } from '../../src/export/data-package.ts';
import type { Resource } from '../../src/export/part.ts';
import { writeAtomically } from '../../src/format/atomic-file.ts';
import { attributionOf, odbl } from '../../src/model/attribution.ts';
import type { Column } from '../../src/model/kinds.ts';
import { attribution, attributionText } from '../helpers/memory-sink.ts';

const columns: Column[] = [
  { name: 'slug', type: 'text', description: 'Identifier.' },
  { name: 'date', type: 'date', description: 'Day.' },
  { name: 'source_ids', type: 'json', description: 'Sources.' },
];

const parties: Resource = {
  name: 'parties',
  path: 'parties.csv',
  format: 'csv',
  bytes: 12,
  sha256: 'ab12',
  rows: 3,
  columns,
  attribution,
  description: 'Parties.',
  key: ['slug'],
  references: [{ columns: ['slug'], table: 'groups', keys: ['id'] }],
};

const created = '2031-05-06T07:08:09Z';
const packed = (resources: Resource[]) => JSON.parse(dataPackage({ created, resources }));
const free = attributionOf({ name: 'Vitrine', siteUrl: 'https://vitrine.example' });
const ballots: Resource = { ...parties, name: 'ballots', path: 'ballots.csv', attribution: free };

describe('a data package', () => {
  it('describes its files after version 2 of the standard', () => {
    expect(packed([parties])).to.deep.equal({
      $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
      name: 'hemicycle-export',
      title: 'Export of Vitrine',
      description: attributionText,
      created,
      licenses: [{ name: odbl.id, path: odbl.url }],
      sources: [{ title: 'Vitrine', path: 'https://vitrine.example' }],
      contributors: [{ title: 'Vitrine', path: 'https://vitrine.example', roles: ['publisher'] }],
      resources: [
        {
          name: 'parties',
          description: 'Parties.',
          type: 'table',
          path: 'parties.csv',
          format: 'csv',
          mediatype: 'text/csv',
          encoding: 'utf-8',
          bytes: 12,
          hash: 'sha256:ab12',
          rows: 3,
          retrieved_at: created,
          licenses: [{ name: odbl.id, path: odbl.url }],
          attribution,
          schema: {
            fields: [
              { name: 'slug', type: 'string', description: 'Identifier.' },
              { name: 'date', type: 'date', format: 'any', description: 'Day.' },
              { name: 'source_ids', type: 'any', description: 'Sources.' },
            ],
            missingValues: [''],
            primaryKey: ['slug'],
            foreignKeys: [{ fields: ['slug'], reference: { resource: 'groups', fields: ['id'] } }],
          },
        },
      ],
    });
  });

  it('gives no file a licence that is not its own', () => {
    const text = packed([parties, ballots]);
    expect(text).to.not.have.property('licenses');
    expect(text.resources.map((each: { licenses?: unknown }) => each.licenses !== undefined)).to.deep.equal([
      true,
      false,
    ]);
  });

  it('states terms and days of all files only where they are those of each', () => {
    const descriptions = [
      [parties, { ...parties, name: 'quotes' }],
      [parties, ballots],
      [ballots, { ...ballots, name: 'audit' }],
      [parties, { ...parties, attribution: { ...attribution, retrieved_at: '2031-01-01T00:00:00Z' } }],
    ].map((resources) => packed(resources).description);
    expect(descriptions).to.deep.equal([
      attributionText,
      'Source: Vitrine (https://vitrine.example); each file has terms of its own',
      'Source: Vitrine (https://vitrine.example); free for non-commercial use',
      attributionText.replace(', retrieved 2031-05-06', ''),
    ]);
    const attributions = packed([parties, ballots]).resources.map((each: Resource) => each.attribution);
    expect(attributions).to.deep.equal([attribution, free]);
  });
});

describe('the files beside an export', () => {
  it('say what the ODbL covers and what it does not', () => {
    const text = licenceText([parties, ballots]);
    expect(text).to.match(/^parties\.csv\n\nThis database is made available under the Open Database License:\n/);
    expect(text).to.contain(odbl.url).and.contain('ballots.csv\n\nThese files are no whole-dataset exports');
    expect(text.endsWith('cite Vitrine by its name and link to https://vitrine.example.\n')).to.equal(true);
    const only = licenceText([ballots]);
    expect(only).to.not.contain('This database is made available');
  });

  it('grant nothing in the contents of a database, and say where the data states their licences', () => {
    const licence: Column = { name: 'licence', type: 'text', description: 'Licence.' };
    const sources = { ...parties, name: 'sources', path: 'sources.csv', columns: [licence] };
    const unstated = { ...sources, columns: [columns[0]!] };
    for (const tables of [[parties, sources], [parties], [ballots, unstated]]) {
      const text = licenceText(tables);
      expect(text)
        .to.contain('nothing here grants any right in it')
        .and.not.match(/DbCL|Contents License/i);
      expect(text).to.contain('Records name their sources in `source_ids`.');
    }
    expect(licenceText([parties, sources])).to.contain('The column `licence` of sources.csv says what');
    expect(licenceText([parties])).to.contain('The dataset `sources` states the licence');
    expect(licenceText([ballots, unstated]))
      .to.contain('sources.csv lists them.')
      .and.not.contain('`licence`');
    expect(licenceText([sources])).to.not.contain('source_ids');
  });

  it('name each attribution once', () => {
    expect(allAttributions([attribution, attribution])).to.equal(
      `${attributionText}\n\nEvery reuse must name the service and link its site.\n`,
    );
  });

  it('hold checksums that sha256sum itself finds right', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hemicycle-'));
    const files = [];
    for (const path of ['b.csv', 'a b.csv']) {
      const sink = await writeAtomically(join(folder, path), (file) => file.write(path));
      files.push({ path, sha256: sink.sha256() });
    }
    await writeFile(join(folder, 'SHA256SUMS'), checksums(files));
    const output = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
      cwd: folder,
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    expect(output.toString()).to.equal('a b.csv: OK\nb.csv: OK\n');
    await rm(folder, { recursive: true });
  });

  it('describe a file that is exported alone', () => {
    const file = { path: 'parties.csv', created, mark: 'cd34', rows: 3, bytes: 12, sha256: 'ab12' };
    const description = {
      name: 'parties',
      description: 'A party.',
      dialect: { delimiter: ';', lineTerminator: '\n', quoteChar: '"', doubleQuote: true, header: true },
      attribution,
      columns,
    };
    expect(JSON.parse(fileMeta({ ...description, ...file }, created))).to.deep.equal({
      ...file,
      ...description,
    });
  });
});
