import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { exportFolder } from '../../src/export/folder.ts';
import { createPart } from '../../src/export/part.ts';
import { allTables, exportTable } from '../../src/export/tables.ts';
import type { FormatName } from '../../src/format/formats.ts';
import { readNdjson } from '../../src/format/ndjson.ts';
import { kindOf, kinds } from '../../src/model/kinds.ts';
import { exportColumns } from '../../src/store/columns.ts';
import { readMeta } from '../../src/store/mirror.ts';
import { findContradictions } from '../../src/store/records/contradictions.ts';
import { rows } from '../../src/store/rows.ts';
import { parseBallotRanges } from '../../src/sync/ballots.ts';
import { findImportFiles, importFiles, skippedFileNotes } from '../../src/sync/import.ts';
import { loadLanguage, type Phrase, textIn } from '../../src/words/speech.ts';
import { engineText } from '../helpers/engine-text.ts';
import { createTemporaryMirror, hashesOf } from '../helpers/sync-run.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
/** Written by DuckDB: a fault of our own writer cannot hide in our reader. */
const foreign = fileURLToPath(new URL('../../fixtures/parquet', import.meta.url));
const at = '2026-11-01T00:00:00.000Z';
const citation = { name: 'Test', siteUrl: null };
const checksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

describe('an import', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(() => own.remove());

  const write = (name: string, content: string | Uint8Array) => {
    const folder = join(own.folder, 'in');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
    return folder;
  };
  const run = (folder: string) => importFiles(own.mirror, findImportFiles(folder), { at });

  for (const format of ['csv', 'parquet', 'ndjson'] as FormatName[]) {
    it(`of an export as ${format} gives the same records, hash for hash`, async () => {
      const source = createTemporaryMirror();
      await importFiles(source.mirror, findImportFiles(fixtures), { at });
      const tables = allTables.map((each) => exportTable(source.mirror, each, { citation, filter: {} }));
      const out = join(own.folder, 'out');
      const parts = tables.map((table) => createPart(table, { format, header: true }));
      await exportFolder(parts, out, { created: at, ifChanged: false, maxShrink: 0.2 });
      await run(out);
      for (const { name } of kinds)
        expect(hashesOf(own.mirror, name), name).to.deep.equal(hashesOf(source.mirror, name));
      source.remove();
    });
  }

  it('notes counts of ballots that are no numbers once, and the data check lists each', async () => {
    const groups = [{ party: 'verger', for: '3', against: 'Y', members: 'six' }];
    const ballot = { scrutin_id: 'V4', chamber: 'AN', totals: { for: 3, abstention: 'N' }, votes_by_party: groups };
    const notes: string[] = [];
    const files = findImportFiles(write('ballots.ndjson', `${JSON.stringify(ballot)}\n`));
    const note = (text: Phrase) => notes.push(String(text));
    await importFiles(own.mirror, files, { at, note });
    await importFiles(own.mirror, files, { at, note });
    expect(notes).to.deep.equal([
      'counts of ballots that are no numbers, shown as missing: 3, the first abstention "N" (ballot) in AN:V4; `hemicycle contradictions --rule count` lists them',
    ]);
    const checks = [...findContradictions(own.mirror, 'count')];
    expect(checks.map(({ key, about, one, one_of: origin }) => [key, about, one, origin])).to.deep.equal([
      ['AN:V4', 'abstention', 'N', 'ballot'],
      ['AN:V4', 'against', 'Y', 'verger'],
      ['AN:V4', 'members', 'six', 'verger'],
    ]);
  });

  it('names each data file of a folder that it skips, with the reason', () => {
    const folder = write('promises.ndjson', '{"id":"p1"}\n');
    const companions = [
      'README.md',
      'LICENSE.txt',
      'datapackage.json',
      'SHA256SUMS',
      'record_sources.csv',
      'votes.csv',
    ];
    for (const name of [...companions, 'promises.ndjson.meta.json', '.cache.json', 'promises.csv', 'positions.json'])
      write(name, '');
    write('Quotes.csv', '');
    const notes = (path: string) => skippedFileNotes(path, findImportFiles(path)).map(String);
    const endings = 'ndjson, ndjson.gz, ndjson.zst, parquet, csv, csv.gz, csv.zst';
    expect(notes(folder)).to.deep.equal([
      `${join(folder, 'Quotes.csv')} was skipped: its name is not that of a kind, such as politicians.csv`,
      `${join(folder, 'positions.json')} was skipped: an import reads files with the ending ${endings}`,
      `${join(folder, 'promises.csv')} was skipped: promises.ndjson is read for the same kind`,
    ]);
    expect(notes(join(folder, 'promises.ndjson'))).to.deep.equal([]);
  });

  it('names no file of an export as skipped', async () => {
    await importFiles(own.mirror, findImportFiles(fixtures), { at });
    const tables = allTables.map((each) => exportTable(own.mirror, each, { citation, filter: {} }));
    const out = join(own.folder, 'out');
    const parts = tables.map((table) => createPart(table, { format: 'csv', header: true }));
    await exportFolder(parts, out, { created: at, ifChanged: false, maxShrink: 0.2 });
    expect(skippedFileNotes(out, findImportFiles(out)).map(String)).to.deep.equal([]);
  });

  const notesOf = async (folder: string) => {
    const notes: string[] = [];
    const results = await importFiles(own.mirror, findImportFiles(folder), {
      at,
      note: (text) => notes.push(`${text}`),
    });
    return { notes, outcomes: results[0]!.outcomes };
  };

  for (const [what, line] of [
    ['items', '{"items":[{"slug":"ada","full_name":"Ada"},{"slug":"bo"}],"total":2,"next":null}'],
    ['results', '{"results":[{"slug":"ada","full_name":"Ada"},{"slug":"bo"}]}'],
    ['data.items', '{"data":{"items":[{"slug":"ada","full_name":"Ada"},{"slug":"bo"}]}}'],
  ])
    it(`reads a line that holds records under ${what} as these records`, async () => {
      const { notes, outcomes } = await notesOf(write('politicians.ndjson', `${line}\n{"slug":"cy"}\n`));
      expect([notes, outcomes?.added]).to.deep.equal([[], 3]);
      const people = [...rows(own.mirror, kindOf('politician'))];
      expect(people).to.have.deep.members([{ slug: 'ada', full_name: 'Ada' }, { slug: 'bo' }, { slug: 'cy' }]);
    });

  it('keeps a record that has both a key and a list of items', async () => {
    const record = { slug: 'ada', items: [{ slug: 'bo' }] };
    await run(write('politicians.ndjson', JSON.stringify(record)));
    expect([...rows(own.mirror, kindOf('politician'))]).to.deep.equal([record]);
  });

  it('reads no record without any field of its kind, and names the first', async () => {
    const lines = ['{"id":"p1"}', '{}', '{"type":"x"}', '{"data":[{"type":"x"},7,{"title":"Deux"}]}'];
    const folder = write('promises.ndjson', lines.join('\n'));
    const { notes, outcomes } = await notesOf(folder);
    const file = join(folder, 'promises.ndjson');
    expect(notes).to.deep.equal([`${file}: 4 records not read, without any field of the kind (first: line 2)`]);
    expect(outcomes).to.include({ added: 2, same: 0 });
    await loadLanguage('fr');
    const french: string[] = [];
    const note = (text: Phrase) => french.push(textIn(text, 'fr'));
    await importFiles(own.mirror, findImportFiles(folder), { at, note });
    expect(french[0]).to.match(/4 enregistrements non lus, sans aucun champ du type \(première fois.: ligne 2\)$/);
  });

  it('keeps the stored row of a repeated key, otherwise the first, and names the first other one', async () => {
    const first = '{"id":"p1","title":"Un"}';
    const folder = write(
      'promises.ndjson',
      `${first}\n${first}\n{"id":"p1","title":"Une"}\n{"id":"p1","title":"Uns"}\n`,
    );
    const file = join(folder, 'promises.ndjson');
    const repeats = (count: string, line: number) => [
      `${file}: ignored ${count} with a repeated key (first: line ${line}); the stored row is kept, otherwise the first of that key`,
    ];
    const titles = () => [...rows(own.mirror, kindOf('promise'))].map(({ title }) => title);
    const fresh = await notesOf(folder);
    expect(fresh.notes).to.deep.equal(repeats('2 rows', 3));
    expect(fresh.outcomes).to.include({ added: 1, edited: 0, same: 3 });
    write('promises.ndjson', `{"id":"p1","title":"Deux"}\n${first}\n{"id":"p1","title":"Deux"}\n`);
    const again = await notesOf(folder);
    expect(again.notes).to.deep.equal(repeats('2 rows', 2));
    expect(again.outcomes).to.include({ edited: 0, same: 3 });
    expect([titles(), readMeta(own.mirror, 'repeated_promise')]).to.deep.equal([['Un'], '2']);
    write('promises.ndjson', '{"id":"p1","title":"Deux"}\n'.repeat(2));
    const edited = await notesOf(folder);
    expect(edited.notes).to.deep.equal([]);
    expect(edited.outcomes).to.include({ edited: 1, same: 1 });
    expect([titles(), readMeta(own.mirror, 'repeated_promise')]).to.deep.equal([['Deux'], '0']);
    const versions = own.mirror.column('SELECT count(*) FROM version').get();
    expect(versions).to.equal(1);
  });

  it('waits for no pipe in the place of a file, and takes the others', async () => {
    const folder = write('parties.ndjson', '{"slug":"one"}\n');
    write('politicians.csv', 'slug,full_name\nada,Ada\n');
    for (const name of ['quotes.ndjson', 'ballots.csv', 'datapackage.json'])
      execFileSync('mkfifo', [join(folder, name)]);
    const results = await run(folder);
    const errorsByFile = results.map(({ file, error }) => [basename(file.path), error?.message]);
    expect(Object.fromEntries(errorsByFile)).to.deep.equal({
      'parties.ndjson': undefined,
      'politicians.csv': undefined,
      'quotes.ndjson': `${join(folder, 'quotes.ndjson')}: it is not a regular file`,
      'ballots.csv': `${join(folder, 'ballots.csv')}: it is not a regular file`,
    });
  });

  it('follows no link out of its folder, nor within it, and reads none of what it leads to', async () => {
    const secret = join(own.folder, 'secret.txt');
    writeFileSync(secret, 'root:x:0:0:Alice\n');
    mkdirSync(join(own.folder, 'beyond'));
    writeFileSync(join(own.folder, 'beyond/quotes.ndjson'), '{"id":"q1"}\n');
    const folder = write('parties.ndjson', '{"slug":"one"}\n');
    const links = {
      'politicians.ndjson': secret,
      'quotes.ndjson': '../beyond/quotes.ndjson',
      'promises.csv': 'promises.ndjson',
      'promises.ndjson': 'promises.csv',
      'positions.parquet': '/dev/zero',
      'sources.csv': 'parties.ndjson',
      'ballots.ndjson.gz': 'nothing',
      'speeches.ndjson': '../beyond',
      'audit.ndjson': '../beyond/../secret.txt',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
    symlinkSync(secret, join(folder, 'datapackage.json'));
    const results = await importFiles(own.mirror, findImportFiles(folder), { at });
    const refused = results.filter(({ error }) => error);
    expect(refused).to.have.length(8);
    for (const { file, error } of refused) {
      expect(error!.message).to.equal(`${file.path}: it leads through a symbolic link`);
      expect(`${error!.hint}`).not.to.include('root');
    }
    expect(Object.keys(hashesOf(own.mirror, 'party'))).to.deep.equal(['one']);
    expect(hashesOf(own.mirror, 'quote')).to.deep.equal({});
  });

  it('takes a folder, or one file, that is a link itself', async () => {
    const folder = write('quotes.ndjson', '{"id":"q1"}\n');
    symlinkSync(folder, join(own.folder, 'latest'));
    mkdirSync(join(own.folder, 'one'));
    symlinkSync(join(folder, 'quotes.ndjson'), join(own.folder, 'one/quotes.ndjson'));
    for (const location of ['latest', 'one/quotes.ndjson']) {
      const [result] = await run(join(own.folder, location));
      expect(result?.error, location).to.equal(null);
    }
    expect(Object.keys(hashesOf(own.mirror, 'quote'))).to.deep.equal(['q1']);
  });

  it('reads no file that the description of its folder names elsewhere', async () => {
    writeFileSync(join(own.folder, 'secret.csv'), 'root,secret\n');
    const folder = write('quotes.csv', 'q1,Un\n');
    const schema = { fields: [{ name: 'id' }, { name: 'text' }] };
    const resources = [
      '../secret.csv',
      join(own.folder, 'secret.csv'),
      'https://data.example/quotes.csv',
      'quotes.csv',
    ];
    const described = resources.map((path) => ({ path, dialect: { header: false }, schema }));
    write('datapackage.json', JSON.stringify({ resources: described }));
    await run(folder);
    expect([...rows(own.mirror, kindOf('quote'))]).to.deep.equal([{ id: 'q1', text: 'Un' }]);
  });

  for (const format of ['csv', 'ndjson'] as FormatName[])
    for (const [ending, compress] of Object.entries({ gz: gzipSync, zst: zstdCompressSync })) {
      const name = `promises.${format}.${ending}`;
      it(`reads ${name}, also of several parts`, async () => {
        const texts = Array.from({ length: 9000 }, (_, at) => `Promesse ${at} sur les écluses ${at ** 3}`);
        const lines = texts.map((text, at) =>
          format === 'csv' ? `p${at},${text}\n` : `${JSON.stringify({ id: `p${at}`, text })}\n`,
        );
        const parts = [format === 'csv' ? 'id,text\n' : '', ...lines.slice(0, 4000)].join('');
        const content = Buffer.concat([compress(parts), compress(lines.slice(4000).join(''))]);
        await run(join(write(name, content), name));
        expect([...rows(own.mirror, kindOf('promise'))].map(({ text }) => text)).to.have.members(texts);
      });

      it(`refuses ${name} whole if it is damaged or cut off`, async () => {
        const content = compress((format === 'csv' ? 'id,text\np1,Un\n' : '{"id":"p1"}\n').repeat(3000), checksum);
        const isDamaged = /\.(gz|zst): the compressed data is damaged or cut off$/;
        const middle = content.length >> 1;
        const damaged = Buffer.from(content).fill(0x55, middle, middle + 8);
        for (const bytes of [content.subarray(0, -3), damaged, Buffer.concat([content, Buffer.from('trailer')])]) {
          const [result] = await run(join(write(name, bytes), name));
          expect(result?.error?.message).to.match(isDamaged);
          expect(hashesOf(own.mirror, 'promise')).to.deep.equal({});
        }
      });
    }

  it('names the line of compressed CSV whose first line is too long', async () => {
    const [result] = await run(write('parties.csv.zst', zstdCompressSync('slug,name;'.repeat(2 ** 21))));
    expect(result?.error?.message).to.match(/parties\.csv\.zst:1: .*longer than 16 MB/);
  });

  it('unpacks no more of a file than the most that is read, and names both', async () => {
    const content = `{"slug":"one"}\n${'\n'.repeat(1_000_000)}`;
    const path = join(write('parties.ndjson.gz', gzipSync(content)), 'parties.ndjson.gz');
    const frames = Buffer.concat([zstdCompressSync(content.slice(0, 500_000)), zstdCompressSync(content)]);
    const framesPath = join(write('parties.ndjson.zst', frames), 'parties.ndjson.zst');
    const read = async (maxBytes: number, file = path) => {
      let count = 0;
      for await (const batch of readNdjson(file, maxBytes)) count += batch.length;
      return count;
    };
    expect(await read(2_000_000, framesPath)).to.equal(2);
    const refusedFrames = await read(1_200_000, framesPath).catch((error: Error) => error.message);
    expect(refusedFrames).to.equal(`${framesPath}: its uncompressed size exceeds the maximum of 1.2 MB`);
    expect(await read(2_000_000)).to.equal(1);
    const refused = await read(900_000).catch((error: Error) => error.message);
    expect(refused).to.equal(`${path}: its uncompressed size exceeds the maximum of 900 kB`);
  });

  it('of Parquet from another writer gives the same records, hash for hash', async () => {
    const source = createTemporaryMirror();
    await importFiles(source.mirror, findImportFiles(fixtures), { at });
    await run(foreign);
    for (const { name, dataset } of kinds.filter(({ dataset }) => dataset))
      expect([name, dataset, hashesOf(own.mirror, name)]).to.deep.equal([name, true, hashesOf(source.mirror, name)]);
    source.remove();
  });

  it('names a bad line by file and number, keeps all of that file out, and takes the others in', async () => {
    const folder = write('quotes.ndjson', '{"id":"q1","text":"Un"}\n\n{"id":"q2","text":\n{"id":"q3"}\n');
    write('promises.ndjson.gz', gzipSync('{"id":"p1","title":"Deux"}\n'));
    const results = await run(folder);
    const failed = results.find(({ error }) => error);
    expect(failed?.error?.message).to.match(/quotes\.ndjson:3: not JSON/);
    expect(failed?.error?.exit).to.equal(5);
    expect(hashesOf(own.mirror, 'quote')).to.deep.equal({});
    expect(Object.keys(hashesOf(own.mirror, 'promise'))).to.deep.equal(['p1']);
  });

  it('keeps two numbers apart that are one to a double, also within a field', async () => {
    const lines = [
      '{"id":9007199254740993,"source_ids":[12]}',
      '{"id":9007199254740992,"more":{"n":9007199254740993}}',
    ];
    await run(write('quotes.ndjson', `${lines.join('\n')}\n`));
    expect([...rows(own.mirror, kindOf('quote'))]).to.deep.equal([
      { id: 9007199254740992, more: { n: '9007199254740993' } },
      { id: '9007199254740993', source_ids: [12] },
    ]);
  });

  for (const [name, content, place] of [
    ['parties.csv', 'slug,name;'.repeat(2 ** 21), /parties\.csv:1: /],
    ['quotes.csv', `id,text\nq1,Un\nq2,"${'x'.repeat(2 ** 24)}"\n`, /quotes\.csv:3, row 2: /],
    ['quotes.ndjson', `{"id":"q1"}\n{"id":"q2","text":"${'x'.repeat(2 ** 25)}"}\n`, /quotes\.ndjson:2: /],
  ] as const)
    it(`names a record that is too long to be held in memory, and takes nothing of ${name}`, async () => {
      const [result] = await run(write(name, content));
      expect(result?.error?.message)
        .to.match(place)
        .and.to.match(/longer than 16 MB/);
      expect(hashesOf(own.mirror, 'quote')).to.deep.equal({});
    });

  const firstLine = '{"id":"é"}\n'.padStart(2 ** 18 + 3); // A chunk of 2^18 bytes ends within the é.
  const brokenLater = Buffer.concat([Buffer.from(`${firstLine}{}\n`), Buffer.from([0xff, 0x0a])]);
  const broken: [string, string, string | Uint8Array, RegExp][] = [
    ['a line that is a list', 'quotes.ndjson', '[1]\n', /quotes\.ndjson:1: not a record/],
    [
      'a gzip file that was cut',
      'quotes.ndjson.gz',
      gzipSync('{"id":"q1"}\n'.repeat(1000)).subarray(0, 40),
      /quotes\.ndjson\.gz/,
    ],
    ['bytes that are not UTF-8', 'quotes.ndjson', Buffer.from([0x7b, 0x22, 0xff, 0x22]), /quotes\.ndjson:1/],
    [
      'a later line that is not UTF-8',
      'quotes.ndjson',
      Buffer.from('{"id":"q1"}\n{}\n{"id":"\xe9"}\n', 'latin1'),
      /:3: is not/,
    ],
    [
      'a line that is not UTF-8 after a character on the border of two chunks',
      'quotes.ndjson',
      brokenLater,
      /:3: is not/,
    ],
    [
      'a character cut off at the end',
      'quotes.ndjson',
      Buffer.from('{"id":"q1"}\n{"id":"\xe9', 'latin1'),
      /:2: is not/,
    ],
    [
      'a later row of CSV that is not UTF-8',
      'quotes.csv',
      Buffer.from('id,text\nq1,Un\nq2,\xe9t\xe9\nq3,Trois\n', 'latin1'),
      /quotes\.csv:3: is not UTF-8/,
    ],
    ['a row with a cell too many', 'quotes.csv', 'id,text\nq1,Un\nq2,Deux,Trois\n', /quotes\.csv:3: not CSV/],
    ['an empty CSV file', 'quotes.csv', '', /quotes\.csv:1: holds no header/],
    ['a Parquet file that was cut', 'quotes.parquet', 'PAR1xxxx', /quotes\.parquet: damaged: it is too short/],
    ['a CSV file in the place of Parquet', 'quotes.parquet', 'id,text\nq1,Un\nq2,Deux\n', /quotes\.parquet: damaged: /],
    [
      'a text in the place of gzip',
      'quotes.ndjson.gz',
      '{"id":"q1"}\n',
      /\.gz: the compressed data is damaged or cut off/,
    ],
    [
      'gzip of bytes that are not UTF-8',
      'quotes.ndjson.gz',
      gzipSync(Buffer.from([0x7b, 0xff])),
      /\.gz:1: is not UTF-8/,
    ],
    ['a line of secrets', 'quotes.ndjson', 'root:x:0:0\n', /quotes\.ndjson:1: not JSON$/],
    ['half a line', 'quotes.ndjson', '{"id":"q1"}\n{"id":', /quotes\.ndjson:2: not JSON$/],
    ['a line of null', 'quotes.ndjson', 'null\n', /quotes\.ndjson:1: not a record/],
    ['JSON over several lines', 'quotes.ndjson', '[\n{"id":"q1"}]\n', /quotes\.ndjson:1: not JSON$/],
    [
      'a quote that is never closed',
      'quotes.csv',
      'id,text\nq1,"Un\n',
      /quotes\.csv:\d+: not CSV: a quote is never closed/,
    ],
    ['text behind a quote', 'quotes.csv', 'id,text\nq1,"Un"x\n', /quotes\.csv:2: not CSV: text follows the quote/],
    [
      'a quote within a cell',
      'quotes.csv',
      'id,text\nq1,U"n\n',
      /quotes\.csv:2: not CSV: an unquoted cell contains a quote/,
    ],
    ['a header with half a quote', 'quotes.csv', 'id,"te\nq1,Un\n', /quotes\.csv:1: not CSV: a quote is never closed/],
    ['UTF-16', 'quotes.csv', Buffer.from('\ufeffid,text\nq1,Un\n', 'utf16le'), /quotes\.csv:\d+: is not UTF-8/],
  ];
  for (const [what, name, content, message] of broken) {
    it(`refuses ${what}`, async () => {
      const [result] = await run(write(name, content));
      expect(result?.error?.message).to.match(message);
      expect(`${result?.error?.message} ${result?.error?.hint}`).not.to.match(engineText);
      expect(own.mirror.database.prepare('SELECT count(*) FROM record').pluck().get()).to.equal(0);
    });
  }

  it('takes moderation entries without what may identify a person, and says what it left out', async () => {
    const [result] = await run(write('audit.csv', 'id,role,email\na,editor,x@valombre.example\nb,editor,\n'));
    expect([...result!.omittedCounts]).to.deep.equal([['email', 1]]);
    expect([...rows(own.mirror, kindOf('audit'))]).to.deep.equal([
      { id: 'a', role: 'editor' },
      { id: 'b', role: 'editor' },
    ]);
    expect(exportColumns(own.mirror, kindOf('audit')).map(({ name }) => name)).to.not.include('email');
  });

  for (const [what, text] of [
    ['commas', 'id,text,source_ids\nq1,"Un, deux","[""s1""]"\nq2,"",\n'],
    ['semicolons, a BOM and CRLF', '\ufeffid;text;source_ids\r\nq1;Un, deux;"[""s1""]"\r\nq2;"";\r\n'],
    ['tabs', 'id\ttext\tsource_ids\nq1\tUn, deux\t"[""s1""]"\nq2\t""\t\n'],
  ] as const) {
    it(`reads CSV with ${what}, an empty cell as null and a quoted empty one as empty text`, async () => {
      await run(write('quotes.csv', text));
      expect([...rows(own.mirror, kindOf('quote'))]).to.deep.equal([
        { id: 'q1', text: 'Un, deux', source_ids: ['s1'] },
        { id: 'q2', text: '', source_ids: null },
      ]);
    });
  }

  it('takes from CSV for a number only what a number writes, and for columns what the header means', async () => {
    const header = 'slug,member_count,"a,""b""", c ';
    await run(write('parties.csv', `${header}\none,12,x,y\nthree,-0,,\ntwo,007,x,y\n`));
    const counts = [...rows(own.mirror, kindOf('party'))].map(({ member_count }) => member_count);
    expect(counts).to.deep.equal([12, '-0', '007']);
    expect(exportColumns(own.mirror, kindOf('party')).map(({ name }) => name)).to.deep.equal([
      'slug',
      'member_count',
      'a,"b"',
      ' c ',
    ]);
  });

  it('takes no record from a header that stands again between the rows', async () => {
    await run(write('quotes.csv', 'id,text\nq1,Un\nid,text\nq2,id\n'));
    expect(Object.keys(hashesOf(own.mirror, 'quote'))).to.deep.equal(['q1', 'q2']);
  });

  it('keeps fields that nobody knows, in the order in which they came', async () => {
    await run(write('promises.ndjson', '{"zeta":1,"id":"p1","title":"Un","alpha":{"b":[true]}}\n'));
    expect(exportColumns(own.mirror, kindOf('promise')).map(({ name }) => name)).to.deep.equal([
      'zeta',
      'id',
      'title',
      'alpha',
    ]);
    const row = own.mirror.database.prepare('SELECT zeta, title, alpha FROM promises').get();
    expect(row).to.deep.equal({ zeta: 1, title: 'Un', alpha: '{"b":[true]}' });
  });

  it('exports the columns of every imported file, not of the last one alone', async () => {
    await run(write('promises.csv', 'id,title,amount,old\np1,Un,500,\np2,Deux,600,\n'));
    await run(write('promises.csv', 'id,text\np3,Trois\n'));
    const names = exportColumns(own.mirror, kindOf('promise')).map(({ name }) => name);
    // No record has a value in `old`.
    expect(names).to.deep.equal(['id', 'text', 'title', 'amount']);
    const rows = own.mirror.database.prepare('SELECT id, title, amount, text FROM promises ORDER BY id').raw().all();
    expect(rows).to.deep.equal([
      ['p1', 'Un', '500', null],
      ['p2', 'Deux', '600', null],
      ['p3', null, null, 'Trois'],
    ]);
  });

  it('keeps equal records without an id as often as a file lists them, however often it is imported', async () => {
    const file = write(
      'audit.ndjson',
      '{"role":"editor","date":"2026-01-01"}\n{"date":"2026-01-01","role":"editor"}\n',
    );
    for (const _ of [1, 2]) await run(file);
    expect(Object.keys(hashesOf(own.mirror, 'audit'))).to.have.length(2);
  });
});

describe('ranges of ballots', () => {
  const table: [string, string[]][] = [
    ['AN:1-3', ['AN:1', 'AN:2', 'AN:3']],
    ['Senat:2025-300', ['Senat:2025-300']],
    ['Sénat:2025-1..2025-3', ['Senat:2025-1', 'Senat:2025-2', 'Senat:2025-3']],
    ['AN:VAL1V9..VAL1V11', ['AN:VAL1V9', 'AN:VAL1V10', 'AN:VAL1V11']],
    ['AN:VAL1V9..11, Senat:2026-4', ['AN:VAL1V9', 'AN:VAL1V10', 'AN:VAL1V11', 'Senat:2026-4']],
    ['AN:50-1', ['AN:50-1']],
  ];
  for (const [text, expected] of table) {
    it(`read ${text} as ${expected.length} ballots`, () => {
      expect(parseBallotRanges(text).map(({ chamber, scrutinId }) => `${chamber}:${scrutinId}`)).to.deep.equal(
        expected,
      );
    });
  }

  for (const text of ['1-50', 'Lords:1-5', 'AN:1..99999999', 'AN:A1..B5', 'AN:']) {
    it(`refuse ${text}`, () => expect(() => parseBallotRanges(text)).to.throw());
  }
});
