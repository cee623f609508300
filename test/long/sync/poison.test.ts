import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { InputBatches, InputRecord } from '../../../src/format/format.ts';
import { readRecords } from '../../../src/format/formats.ts';
import { readParquet } from '../../../src/format/parquet/read.ts';
import {
  isTextTooDeep,
  maxColumnFields,
  maxKeyChars,
  maxRecordFields,
  type OmittedField,
  receiveRecord,
} from '../../../src/model/bounds.ts';
import type { Document } from '../../../src/model/document.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { storedColumns } from '../../../src/store/kind-state.ts';
import { readRecord } from '../../../src/store/record.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { referencedBallots } from '../../../src/store/syncs/to-fetch.ts';
import { findImportFiles, importFiles } from '../../../src/sync/import.ts';
import { dialects } from '../../helpers/dialects.ts';
import { nested, startHostileService } from '../../helpers/hostile-service.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

type Service = Awaited<ReturnType<typeof startHostileService>>;

describe('a record that is poison', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: Service;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service?.close();
  });
  const storedCount = (kind: string) => Object.keys(hashesOf(own.mirror, kind)).length;

  for (const [dialect, depths] of [
    [dialects[0]!, [1100, 200_000]],
    [dialects[1]!, [1100]],
    [dialects[3]!, [10_000]],
  ] as const) {
    for (const depth of depths) {
      it(`nested ${depth} deep is taken without that, and named, in ${dialect.name}`, async () => {
        service = await startHostileService(dialect);
        const [item] = service.records.content!;
        const [politician] = service.records.politicians!;
        const [entry] = service.records.audit!;
        const profile = { ...politician!, extra: `NESTED ${depth}` };
        service.records.content![0] = { ...item!, extra: `NESTED ${depth}` };
        service.records.audit![0] = { ...entry!, entity_id: `NESTED ${depth}` };
        service.records.politicians![0] = profile;
        service.lie({ name: 'nesting', bend: nested });
        const limits = { maxJsonBytes: 2_000_000 };
        const first = await syncOnce(own, service.baseUrl, { limits });
        expect(first.report.exit, String(first.error)).to.equal(0);
        expect([storedCount('content'), storedCount('audit')]).to.deep.equal([248, 60]);
        const { report } = await syncOnce(own, service.baseUrl, {
          scope: { ...wholeScope, full: true },
          limits,
        });
        expect(report.exit).to.equal(0);
        expect(report.records.content!.withdrawn).to.equal(0);
        expect(report.excess).to.deep.include({
          record: String(item!.id),
          field: 'extra',
          reason: 'nested more than 100 levels deep',
        });
        expect(report.excess.map(({ record }) => record)).to.include(String(politician!.slug));
        const { extra: _extra, ...otherFields } = readRecord(own.mirror, kindOf('content'), String(item!.id))!;
        expect(otherFields).to.deep.equal(item);
        expect(_extra).to.equal(undefined);
      });
    }

    it(`names a ballot with a brace that closes nothing, in ${dialect.name}`, async () => {
      service = await startHostileService(dialect);
      const strange = ['{', '{"id":', '{}', '[1]', '"', '\u0000', '../../x', 'a'.repeat(5000)];
      for (const [index, ballot] of strange.entries()) {
        service.records.positions![index]!.ballot_id = ballot;
        service.records.content![index] = { ...service.records.content![index]!, ballot_id: ballot };
      }
      for (let run = 0; run < 2; run += 1) {
        const { report, error } = await syncOnce(own, service.baseUrl);
        expect(report.exit, String(error)).to.be.oneOf([0, 5]);
        expect(
          report.errors.every(({ code }) => code === 'SERVICE_ANSWER'),
          JSON.stringify(report.errors),
        ).to.equal(true);
        expect([storedCount('content'), storedCount('audit')]).to.deep.equal([248, 60]);
      }
      expect(referencedBallots(own.mirror).map(({ scrutinId }) => scrutinId)).not.to.include('{');
      const { profiles } = own.mirror.database
        .prepare("SELECT count(*) AS profiles FROM record WHERE kind = 'politician' AND detail IS NOT NULL")
        .get() as { profiles: number };
      expect(profiles).to.equal(50);
    });
  }

  for (const dialect of [dialects[0]!, dialects[1]!])
    it(`with half a character in texts and names is taken with U+FFFD in its place, in ${dialect.name}`, async () => {
      service = await startHostileService(dialect);
      const [item] = service.records.content!;
      const [politician] = service.records.politicians!;
      service.records.content![0] = {
        ...item!,
        'na\ud800me': ['a\udc00', { '\ud83d': 'b' }],
        title: '\ud83d',
      };
      service.records.politicians![0] = { ...politician!, slug: 'half-\ud83d' };
      const { report, error } = await syncOnce(own, service.baseUrl);
      expect(report.exit, String(error)).to.equal(0);
      expect(readRecord(own.mirror, kindOf('content'), String(item!.id))).to.deep.include({
        ...{ 'na\ufffdme': ['a\ufffd', { '\ufffd': 'b' }], title: '\ufffd' },
      });
      expect(Object.keys(hashesOf(own.mirror, 'politician'))).to.include('half-\ufffd');
    });

  it('keeps no other line of a file from being imported', async () => {
    const folder = join(own.folder, 'in');
    mkdirSync(folder);
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    writeFileSync(
      join(folder, 'content.ndjson'),
      `{"id":"a","title":"Un"}\n{"id":"b","title":"Deux","extra":${deep}}\n{"id":"c","title":"Trois","ballot_id":"{"}\n`,
    );
    const notes: string[] = [];
    const [result] = await importFiles(own.mirror, findImportFiles(folder), {
      at: '2026-11-01T00:00:00.000Z',
      note: (line) => notes.push(`${line}`),
    });
    expect(result!.outcomes).to.include({ added: 3 });
    expect(notes.join()).to.include('b was saved without "extra", which is nested more than 100 levels deep');
    expect(readRecord(own.mirror, kindOf('content'), 'b')).to.deep.equal({ id: 'b', title: 'Deux' });
    expect(referencedBallots(own.mirror)).to.deep.equal([]);
  });
});

describe('a dataset with a cell that nests', () => {
  for (const depth of [1100, 10_000, 200_000])
    it(`${depth} deep is taken without that, and named, by every sync`, async () => {
      const own = createTemporaryMirror();
      const service = await startHostileService(dialects[1]!);
      const [quote] = service.records.quotes!;
      quote!.text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const record = String(quote!.id);
      for (const full of [false, true]) {
        const scope = { ...wholeScope, only: [kindOf('quote').name], full };
        const { report, error } = await syncOnce(own, service.baseUrl, { scope });
        expect(report.exit, String(error)).to.equal(0);
        const reason = 'nested more than 100 levels deep';
        expect(report.excess).to.deep.equal([{ record, field: 'text', reason }]);
      }
      expect(Object.keys(hashesOf(own.mirror, 'quote')).length).to.equal(service.records.quotes!.length);
      own.remove();
      await service.close();
    });
});

describe('a Parquet file with a cell that is too long', () => {
  /** Closes the file, too, which a reader that is dropped would leave open. */
  async function firstBatch(batches: InputBatches): Promise<InputRecord[]> {
    for await (const batch of batches) return batch;
    return [];
  }
  for (const type of ['STRING', 'JSON'] as const)
    it(`(${type}) gives the record without it, which was never made a text`, async () => {
      const own = createTemporaryMirror();
      const path = join(own.folder, 'quotes.parquet');
      const columnData: ColumnSource[] = [
        { name: 'id', data: ['a', 'b'], type: 'STRING' },
        { name: 'text', data: ['Un', 'x'.repeat(3 * 16 * 2 ** 20 + 1)], type },
      ];
      writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' })));
      const read = await firstBatch(readParquet(path));
      expect(read.map(({ text, omittedFields }) => [text.length < 100, omittedFields])).to.deep.equal([
        [true, undefined],
        [true, ['text']],
      ]);
      const excess: OmittedField[] = [];
      const records = await firstBatch(readRecords({ path, format: 'parquet' }, kindOf('quote'), excess));
      expect(records.map(({ document }) => document)).to.deep.equal([{ id: 'a', text: 'Un' }, { id: 'b' }]);
      expect(excess.map(({ record, field, reason }) => [record, field, reason])).to.deep.equal([
        ['b', 'text', 'longer than 16777216 characters'],
      ]);
      own.remove();
    });
});

describe('the bounds of a record', () => {
  const levels = (count: number): Document => {
    let inner: Document = {};
    for (let level = 1; level < count; level += 1) inner = { inner };
    return inner;
  };

  it('are a hundred levels, told from the document and from its text', () => {
    for (const [count, isTooDeep] of [
      [100, false],
      [101, true],
    ] as const) {
      const excess: Parameters<typeof receiveRecord>[1] = [];
      receiveRecord({ id: 'a', extra: levels(count) }, excess);
      expect(excess.length === 1, `${count} levels`).to.equal(isTooDeep);
      expect(isTextTooDeep(JSON.stringify(levels(count)))).to.equal(isTooDeep);
    }
    expect(isTextTooDeep(JSON.stringify({ text: '['.repeat(500), other: `\\"${'{'.repeat(500)}` }))).to.equal(false);
  });

  for (const [count, omitted] of [
    [maxRecordFields - 1, 0],
    [maxRecordFields, 0],
    [maxRecordFields + 1, 1],
    [maxRecordFields + 2500, 2500],
  ] as const)
    it(`are ${maxRecordFields} fields, of which described ones stay wherever they stand: ${count}`, () => {
      const excess: OmittedField[] = [];
      const unknown = Array.from({ length: count - 2 }, (_, at) => [`field_${at}`, at]);
      const record = receiveRecord({ ...Object.fromEntries(unknown), id: 'a', title: 'Un' }, excess);
      expect(Object.keys(record)).to.have.length(count - omitted);
      expect(record).to.deep.include({ id: 'a', title: 'Un', field_0: 0 });
      const reason = `one of ${omitted} fields beyond the first ${maxRecordFields}`;
      const field = `field_${maxRecordFields - 2}`;
      expect(excess).to.deep.equal(omitted === 0 ? [] : [{ record: 'a', field, reason }]);
    });

  it(`are ${maxColumnFields} columns from one record, whose further fields stand in its document alone`, () => {
    const own = createTemporaryMirror();
    const unknown = Array.from({ length: 2500 }, (_, at) => [`field_${at}`, at]);
    const documents: Document[] = [
      { id: 'plain', text: 'Oui.', note: 'x' },
      { ...Object.fromEntries(unknown), id: 'wide', text: 'Non.' },
    ];
    const saver = createSaver(own.mirror, kindOf('quote'), { at: '2026-11-01T00:00:00.000Z' });
    for (const document of documents) saver.save(receiveRecord(document, []));
    saver.finish();
    const columns = storedColumns(own.mirror, kindOf('quote'));
    expect(columns).to.include.members(['id', 'text', 'note', 'field_0', `field_${maxColumnFields - 3}`]);
    expect(columns).not.to.include(`field_${maxColumnFields - 2}`);
    expect(readRecord(own.mirror, kindOf('quote'), 'wide')).to.deep.equal(documents[1]);
    own.remove();
  });

  for (const field of ['slug', 'id', 'scrutin_id'])
    it(`are ${maxKeyChars} characters in a key: ${field}`, () => {
      for (const [count, isKept] of [
        [maxKeyChars - 1, true],
        [maxKeyChars, true],
        [maxKeyChars + 1, false],
      ] as const) {
        const excess: OmittedField[] = [];
        const record = receiveRecord({ [field]: 'a'.repeat(count), title: 'Un' }, excess);
        expect(Object.hasOwn(record, field), String(count)).to.equal(isKept);
        const reason = `longer than the ${maxKeyChars} characters of a key`;
        expect(excess).to.deep.equal(isKept ? [] : [{ record: 'Un', field, reason }]);
      }
    });

  it('are sixteen million characters in one field', () => {
    const excess: Parameters<typeof receiveRecord>[1] = [];
    const long = 'a'.repeat(16 * 2 ** 20 + 1);
    const document = { id: 'a', text: long, parts: [long.slice(2), 'b', 'c'], title: 'Un' };
    expect(receiveRecord(document, excess)).to.deep.equal({ id: 'a', title: 'Un' });
    expect(excess.map(({ record, field }) => [record, field])).to.deep.equal([
      ['a', 'text'],
      ['a', 'parts'],
    ]);
    expect(receiveRecord({ id: 'b', title: 'Deux' }, excess)).to.deep.equal({ id: 'b', title: 'Deux' });
  });
});
