import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { exportFolder } from '../../src/export/folder.ts';
import { type MetadataName, metadataNamed } from '../../src/export/metadata.ts';
import { partOf } from '../../src/export/part.ts';
import { allTables, exportTable } from '../../src/export/tables.ts';
import { verifyExport } from '../../src/export/verify.ts';
import type { FormatName } from '../../src/format/formats.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
const everything: MetadataName[] = ['csvw', 'croissant', 'dcat'];

// biome-ignore lint/suspicious/noExplicitAny: documents of others' making, looked into field by field.
type Read = any;

describe('descriptions for the tools of others', () => {
  const demo = readDemoMirror();
  let out: string;
  beforeEach(() => {
    out = join(demo.folder, 'out');
    rmSync(out, { recursive: true, force: true });
  });
  const exported = (
    format: FormatName = 'csv',
    { metadata = everything, ifChanged = false }: { metadata?: MetadataName[]; ifChanged?: boolean } = {},
  ) => {
    const tables = allTables.map((table) => exportTable(demo.mirror, table, { citation, filter: {} }));
    const parts = tables.map((table) => partOf(table, { format, header: true }));
    const options = { created: '2026-03-01T06:00:00Z', ifChanged, maxShrink: 1, metadata };
    return exportFolder(parts, out, options);
  };
  const read = (name: string): Read => JSON.parse(readFileSync(join(out, name), 'utf8'));

  it('name in CSVW every column of every file, and a type that each value has', async () => {
    await exported();
    const { tables } = read('csv-metadata.json');
    expect(tables.map(({ url }: Read) => url)).to.deep.equal(
      read('datapackage.json').resources.map(({ path }: Read) => path),
    );
    const types = new Set<string>();
    for (const { url, tableSchema } of tables) {
      const [header, ...rows] = parse(readFileSync(join(out, url)));
      expect(tableSchema.columns.map(({ titles }: Read) => titles)).to.deep.equal(header);
      for (const [at, { name, datatype }] of tableSchema.columns.entries()) {
        expect(name).to.match(/^[A-Za-z0-9.%][\w.%]*$/);
        types.add(datatype.base ?? datatype);
        const cells = rows.map((row: string[]) => row[at]!).filter((cell: string) => cell !== '');
        for (const cell of cells) expect(isOf(datatype, cell), `${url} ${name} ${cell}`).to.equal(true);
      }
      for (const key of tableSchema.primaryKey ?? [])
        expect(tableSchema.columns.map(({ name }: Read) => name)).to.include(key);
      for (const { reference } of tableSchema.foreignKeys ?? [])
        expect(tables.map((each: Read) => each.url)).to.include(reference.resource);
    }
    expect([...types]).to.include.members(['string', 'integer', 'date', 'json']);
    expect(tables.some(({ tableSchema }: Read) => tableSchema.foreignKeys)).to.equal(true);
  });

  it('give Croissant the hash of each file, and fields that are in it', async () => {
    for (const format of ['csv', 'ndjson', 'parquet'] as const) {
      await exported(format, { metadata: ['croissant'] });
      const { distribution, recordSet, conformsTo, ...dataset } = read('croissant.json');
      expect(conformsTo).to.equal('http://mlcommons.org/croissant/1.0');
      const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
      for (const { '@id': id, sha256 } of distribution) expect(sums).to.contain(`${sha256}  ${id}\n`);
      const fields = new Set(recordSet.flatMap(({ field }: Read) => field.map((each: Read) => each['@id'])));
      for (const { key, field } of recordSet) {
        for (const { '@id': id } of [key ?? []].flat()) expect(fields).to.include(id);
        for (const { references } of field)
          if (references) expect(fields).to.include(references.field['@id']);
        const [{ source }] = field;
        expect(Object.keys(source.extract)).to.deep.equal([format === 'ndjson' ? 'jsonPath' : 'column']);
      }
      expect(dataset).to.not.have.property('license');
    }
  });

  it('state a licence of a file where the service does, and of no other', async () => {
    await exported();
    const ours: string[] = read('datapackage.json')
      .resources.filter(({ licenses }: Read) => licenses)
      .map(({ path }: Read) => path);
    expect(ours).to.include('politicians.csv').and.not.include('ballots.csv');
    const csvw = read('csv-metadata.json').tables.filter((table: Read) => table['dc:license']);
    expect(csvw.map(({ url }: Read) => url)).to.deep.equal(ours);
    const croissant = read('croissant.json').distribution.filter(({ license }: Read) => license);
    expect(croissant.map(({ name }: Read) => name)).to.deep.equal(ours);
    const datasets = read('catalog.jsonld')['@graph'].filter((node: Read) => node.license);
    expect(datasets.map(({ distribution }: Read) => distribution[0]['@id'])).to.deep.equal(
      ours.map((path) => `./${path}`),
    );
  });

  it('are vouched for as all that stands in the folder, and go when nobody asks for them any more', async () => {
    await exported();
    const checked = await verifyExport(out);
    expect(checked.flatMap(({ faults }) => faults)).to.deep.equal([]);
    expect(checked.map(({ path }) => path)).to.include.members(['croissant.json', 'catalog.jsonld']);
    expect((await exported('csv', { ifChanged: true })).outcome).to.equal('unchanged');
    expect((await exported('csv', { ifChanged: true, metadata: [] })).outcome).to.equal('written');
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).to.not.contain('croissant');
  });

  it('take the place of no file of somebody else', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'croissant.json'), '{}');
    const error = await exported().catch((thrown: Error) => thrown);
    expect(String(error)).to.contain('croissant.json');
    await exported('csv', { metadata: ['csvw'] });
    expect(read('croissant.json')).to.deep.equal({});
  });

  it('are asked for by name, and those of all are what fits', () => {
    const folder = { to: 'folder', format: 'csv' } as const;
    expect(metadataNamed('dcat, CSVW', folder)).to.deep.equal(['csvw', 'dcat']);
    expect(metadataNamed('all', folder)).to.deep.equal(everything);
    expect(metadataNamed('all', { to: 'folder', format: 'parquet' })).to.deep.equal(['croissant', 'dcat']);
    for (const [words, place, said] of [
      ['croissan', folder, 'there is no metadata called "croissan"'],
      ['csvw', { to: 'folder', format: 'parquet' }, 'is for CSV files in a folder'],
      ['dcat', { to: 'stdout', format: 'csv' }, 'for a folder or an SQLite file'],
    ] as const)
      expect(() => metadataNamed(words, place)).to.throw(said);
  });
});

/** True if CSVW would take a cell for a value of that type. */
function isOf(datatype: string | { base: string; format: string }, cell: string): boolean {
  if (typeof datatype === 'object') return new RegExp(datatype.format).test(cell);
  if (datatype === 'integer') return /^-?\d+$/.test(cell);
  if (datatype === 'number') return Number.isFinite(Number(cell));
  if (datatype === 'date') return /^\d{4}-\d\d-\d\d$/.test(cell) && !Number.isNaN(Date.parse(cell));
  if (datatype === 'json') return JSON.parse(cell) !== undefined;
  return datatype === 'string';
}
