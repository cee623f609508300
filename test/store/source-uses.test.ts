import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf, kinds } from '../../src/model/kinds.ts';
import { positionsOfKinds } from '../../src/store/journal.ts';
import { type Mirror, saveMeta } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { sourcesOf } from '../../src/store/records/profile.ts';
import { refreshIndexes } from '../../src/store/saving/indexes.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { recordsCiting } from '../../src/store/saving/source-uses.ts';

describe('what rests on a source', () => {
  let folder: string;
  let mirror: Mirror;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
  });
  afterEach(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const save = (sources: Record<string, (string | number)[]>, at = '2026-01-01T00:00:00.000Z') => {
    const saver = createSaver(mirror, kindOf('quote'), { at });
    for (const [id, source_ids] of Object.entries(sources))
      saver.save({ id, politician: 'anne-duphare', text: `Words of ${id}.`, date: '2025-01-01', source_ids });
    saver.finish();
  };
  const citing = (source: string, of = mirror) =>
    recordsCiting(of, source, 10).citingRecords.map(({ json }) => JSON.parse(json).id);

  it('is found by the records that name it now, whether a run has noted them or not', () => {
    save({ a: ['one', 'two'], b: ['two'] });
    expect(citing('two')).to.deep.equal(['b', 'a']);
    refreshIndexes(mirror);
    expect([citing('one'), citing('two')]).to.deep.equal([['a'], ['b', 'a']]);
    save({ b: ['one'], c: ['two'] }, '2026-01-02T00:00:00.000Z');
    const expected = [
      ['b', 'a'],
      ['c', 'a'],
    ];
    expect([citing('one'), citing('two')]).to.deep.equal(expected);
    refreshIndexes(mirror);
    expect([citing('one'), citing('two')]).to.deep.equal(expected);
    expect(recordsCiting(mirror, 'one', 1))
      .to.include({ total: 2 })
      .and.property('citingRecords')
      .with.length(1);
  });

  it('is found by records that name it by a number, also where a run noted texts only', () => {
    save({ a: [1, 'two'], b: [2.5], c: ['1'] });
    mirror.database.exec('CREATE TABLE source_use (source TEXT, record INTEGER, PRIMARY KEY (source, record))');
    saveMeta(mirror, 'source_use', positionsOfKinds(mirror, kinds)!);
    expect([citing('1'), citing('2.5'), citing('two')]).to.deep.equal([['c', 'a'], ['b'], ['a']]);
    refreshIndexes(mirror);
    const sources = mirror.column('SELECT DISTINCT source FROM source_use ORDER BY 1');
    expect(sources.all()).to.deep.equal(['1', '2.5', 'two']);
    expect([citing('1'), citing('2.5'), citing('two')]).to.deep.equal([['c', 'a'], ['b'], ['a']]);
  });

  it('is shown with title and address, whether a record names it by text, by number, or in a list of ids alone', () => {
    const saver = createSaver(mirror, kindOf('source'), { at: '2026-01-01T00:00:00.000Z' });
    const source = { id: 1, title: 'Programme', url: 'https://source.example/1' };
    saver.save(source);
    saver.finish();
    const citations: Document[] = [
      { source_ids: [1] },
      { source_ids: ['1', 1] },
      { sources: [{ id: 1 }] },
      { sources: [1] },
    ];
    for (const each of citations) expect(sourcesOf(mirror, each)).to.deep.equal([source]);
    const own = { id: 1, title: 'Own title' };
    expect(sourcesOf(mirror, { sources: [own], source_ids: [1, 7] })).to.deep.equal([own, { id: '7' }]);
  });

  it('is asked of the records that a run noted, and of no other', () => {
    save({ a: ['one'], b: ['two'] });
    refreshIndexes(mirror);
    const reader = openMirror(mirror.path);
    const statements: string[] = [];
    const watched: Mirror = {
      ...reader,
      get database() {
        return reader.database;
      },
      column(text) {
        statements.push(text);
        return reader.column(text);
      },
    };
    expect(citing('one', watched)).to.deep.equal(['a']);
    const query = statements.find((text) => text.includes('source_use'))!;
    const plan = reader.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all('[]', 'one', 'one') as {
      detail: string;
    }[];
    reader.close();
    const steps = plan.map(({ detail }) => detail);
    expect(steps.filter((step) => /^SCAN (record|source_use)/.test(step))).to.deep.equal([]);
    expect(steps.join('\n')).to.match(/SEARCH source_use USING PRIMARY KEY \(source=\?\)/);
  });
});
