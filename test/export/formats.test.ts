import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportFile, exportFolder } from '../../src/export/folder.ts';
import { createPart } from '../../src/export/part.ts';
import { allTables, exportTable } from '../../src/export/tables.ts';
import { verifyExport, verifyFile } from '../../src/export/verify.ts';
import type { Format } from '../../src/format/format.ts';
import { exportFormatOf, type FormatName, formats } from '../../src/format/formats.ts';
import { readJsonFile } from '../../src/format/package-description.ts';
import { documentsIn } from '../../src/model/document.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

/** A format that is written and never read, as a row in the registry says it. */
const lines: Format = {
  name: 'lines',
  mediaType: 'application/x-lines',
  keepsAllFields: true,
  isText: true,
  isExported: true,
  rowFormat: () => ({
    head: () => '',
    row: (document) => `${JSON.stringify(document)}\n`,
    escapeControls: (text) => text,
  }),
};

describe('every format of the registry', () => {
  const demo = readDemoMirror();
  const registry = formats as Format[];
  before(() => void registry.push(lines));
  after(() => void registry.pop());

  const parts = (format: FormatName) =>
    allTables.map((table) =>
      createPart(
        exportTable(demo.mirror, table, {
          citation: { name: 'Vitrine', siteUrl: 'https://vitrine.example' },
          filter: {},
        }),
        { format, header: true },
      ),
    );
  const options = { created: '2026-03-01T06:00:00Z', ifChanged: false, maxShrink: 1 };

  it('is exported into a folder that verifies, with the media type of its row', async () => {
    for (const { name, mediaType } of registry.filter(({ isExported }) => isExported)) {
      const out = join(demo.folder, name);
      await exportFolder(parts(name as FormatName), out, options);
      const checked = await verifyExport(out);
      expect(checked.flatMap(({ path, faults }) => faults.map((fault) => `${path} ${fault}`))).to.deep.equal([]);
      const resources = documentsIn((await readJsonFile(join(out, 'datapackage.json')))?.resources);
      expect(resources).to.have.length(allTables.length);
      for (const { mediatype } of resources) expect(mediatype).to.equal(mediaType.split(';')[0]);
      rmSync(out, { recursive: true });
    }
  });

  it('is exported into a file that verifies, and is known by the name of that', async () => {
    for (const { name } of registry.filter(({ isExported }) => isExported)) {
      const file = join(demo.folder, `parties.${name}`);
      expect(exportFormatOf(file)).to.deep.equal({ format: name, compression: null });
      expect(exportFormatOf(`${file}.zst`)).to.deep.equal({ format: name, compression: 'zst' });
      await exportFile(parts(name as FormatName)[1]!, file, options);
      expect((await verifyFile(file)).flatMap(({ faults }) => faults)).to.deep.equal([]);
    }
    expect(exportFormatOf('facts.db')).to.equal(null);
  });
});
