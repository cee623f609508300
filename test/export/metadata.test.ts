import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportFolder } from '../../src/export/folder.ts';
import { type MetadataName, metadataNamed } from '../../src/export/metadata.ts';
import { partOf } from '../../src/export/part.ts';
import { allTables, exportTable } from '../../src/export/tables.ts';
import { verifyExport } from '../../src/export/verify.ts';
import type { FormatName } from '../../src/format/formats.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
const everything: MetadataName[] = ['dcat'];

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

  it('state a licence of a file where the service does, and of no other', async () => {
    await exported();
    const ours: string[] = read('datapackage.json')
      .resources.filter(({ licenses }: Read) => licenses)
      .map(({ path }: Read) => path);
    expect(ours).to.include('politicians.csv').and.not.include('ballots.csv');
    const datasets = read('catalog.jsonld')['@graph'].filter((node: Read) => node.license);
    expect(datasets.map(({ distribution }: Read) => distribution[0]['@id'])).to.deep.equal(
      ours.map((path) => `./${path}`),
    );
  });

  it('are vouched for as all that stands in the folder, and go when nobody asks for them any more', async () => {
    await exported();
    const checked = await verifyExport(out);
    expect(checked.flatMap(({ faults }) => faults)).to.deep.equal([]);
    expect(checked.map(({ path }) => path)).to.include('catalog.jsonld');
    expect((await exported('csv', { ifChanged: true })).outcome).to.equal('unchanged');
    expect((await exported('csv', { ifChanged: true, metadata: [] })).outcome).to.equal('written');
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).to.not.contain('catalog');
  });

  it('take the place of no file of somebody else', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'catalog.jsonld'), '{}');
    const error = await exported().catch((thrown: Error) => thrown);
    expect(String(error)).to.contain('catalog.jsonld');
    await exported('csv', { metadata: [] });
    expect(read('catalog.jsonld')).to.deep.equal({});
  });

  it('are asked for by name, and those of all are what fits', () => {
    expect(metadataNamed('DCAT', 'folder')).to.deep.equal(['dcat']);
    expect(metadataNamed('all', 'folder')).to.deep.equal(['dcat']);
    expect(metadataNamed('all', 'sqlite')).to.deep.equal(['datasette']);
    for (const [words, target, said] of [
      ['dcta', 'folder', 'there is no metadata called "dcta"'],
      ['csvw', 'folder', 'there is no metadata called "csvw"'],
      ['datasette', 'folder', '--metadata datasette is not for this export'],
      ['dcat', 'stdout', 'for a folder or an SQLite file'],
    ] as const)
      expect(() => metadataNamed(words, target)).to.throw(said);
  });
});
