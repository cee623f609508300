import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { NotFoundError } from '../../../src/errors.ts';
import { createStoredZip } from '../../../src/evidence/bag.ts';
import { verifyEvidence } from '../../../src/evidence/verify.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { loadLanguage } from '../../../src/words/speech.ts';
import { day, evidenceOf, fillWithPast, forgedEvidence, promise } from '../../evidence/evidence-samples.ts';
import { createRandom, isLong, seedOf } from '../../helpers/random.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';

describe('evidence', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
    fillWithPast(own.mirror);
  });
  afterEach(() => own.remove());

  const faultsOf = (bytes: Uint8Array) => verifyEvidence(bytes).faults.map(({ part, reason }) => `${part}: ${reason}`);

  it('holds every version as the mirror keeps it, and when it was seen, edited, withdrawn and returned', () => {
    const { bytes } = evidenceOf(own.mirror);
    const files = unzipSync(bytes);
    const facts = JSON.parse(Buffer.from(files['evidence/data/evidence.json']!).toString());
    const [record] = facts.records;
    expect(
      record.versions.map((each: Record<string, unknown>) => [each.seen_from, each.seen_to, each.ended_by]),
    ).to.deep.equal([
      [day(1), day(2), 'edited'],
      [day(2), day(3), 'withdrawn'],
      [day(4), null, null],
    ]);
    const storedVersions = own.mirror.column<string>('SELECT json FROM version ORDER BY rowid').all();
    const current = own.mirror.column<string>("SELECT row FROM record WHERE kind = 'promise'").get()!;
    const evidenceVersions = record.versions.map(({ file }: { file: string }) =>
      Buffer.from(files[`evidence/${file}`]!).toString(),
    );
    expect(evidenceVersions).to.deep.equal([...storedVersions, current]);
    expect(record.versions[1].changes).to.deep.equal([{ field: 'text', old: 'Mille arbres.', new: 'Cent arbres.' }]);
    expect([record.first_seen, record.last_seen, record.withdrawn]).to.deep.equal([day(1), day(4), null]);
    expect(record.sources).to.deep.equal([
      {
        id: 'src-1',
        url: 'https://gazette.example/arbres',
        title: 'La Gazette',
        publisher: 'Gazette de Valombre',
        date: '2026-10-30',
      },
      { id: 'src-unknown', url: null, title: null, publisher: null, date: null },
    ]);
  });

  it('is the same bytes from the same mirror at the same moment, and states the moment otherwise', () => {
    const one = evidenceOf(own.mirror);
    const same = evidenceOf(own.mirror);
    expect(one.bytes.equals(same.bytes)).to.equal(true);
    const later = evidenceOf(own.mirror, { madeAt: '2026-11-23T10:00:00.000Z' });
    const differing = later.entries.filter(({ bytes }) => !one.bytes.includes(Buffer.from(bytes)));
    expect(differing.map(({ path }) => path)).to.deep.equal([
      'evidence/bag-info.txt',
      'evidence/manifest-sha256.txt',
      'evidence/tagmanifest-sha256.txt',
      'evidence/data/evidence.json',
      'evidence/data/index.html',
    ]);
  });

  it('tells of a moment of the past what was known then', () => {
    const { facts } = evidenceOf(own.mirror, { asOf: day(3) });
    const [record] = facts.records;
    expect(record!.versions.map(({ seen_to, ended_by }) => [seen_to, ended_by])).to.deep.equal([
      [day(2), 'edited'],
      [day(3), 'withdrawn'],
    ]);
    expect([record!.withdrawn, record!.last_seen]).to.deep.equal([null, null]);
    expect(evidenceOf(own.mirror, { asOf: day(1) }).facts.records[0]!.versions[0]).to.include({
      seen_to: null,
    });
  });

  it('is made of what is withdrawn too, and of nothing that the mirror never saw', () => {
    transaction(own.mirror, () => own.mirror.sql("UPDATE record SET withdrawn = ? WHERE kind = 'promise'").run(day(5)));
    expect(evidenceOf(own.mirror).facts.records[0]!.withdrawn).to.equal(day(5));
    const unknown = () => evidenceOf(own.mirror, { references: [{ kind: 'promise', key: 'prm-2' }] });
    expect(unknown).to.throw(NotFoundError, 'never contained');
  });

  it('holds a record once, in paths that every file system takes, whatever its key is', () => {
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('promise'), { at: day(5) });
      for (const id of ['../../etc/passwd', 'é\n\u202e', 'CON', 'x'.repeat(300)]) saver.save({ ...promise, id });
      saver.finish();
    });
    const keys = ['../../etc/passwd', 'é\n\u202e', 'CON', 'x'.repeat(300), 'CON'];
    const { entries, bytes } = evidenceOf(own.mirror, {
      references: keys.map((key) => ({ kind: 'promise', key })),
    });
    const folders = entries.flatMap(({ path }) => /data\/(\d.*)\//.exec(path)?.[1] ?? []);
    expect(folders).to.deep.equal([
      '1-promise-etc-passwd',
      '2-promise-record',
      '3-promise-con',
      `4-promise-${'x'.repeat(60)}`,
    ]);
    expect(faultsOf(bytes)).to.deep.equal([]);
  });

  it('has a page that runs and loads nothing, says in both languages what is not shown, and escapes what records say', async () => {
    await loadLanguage('fr');
    for (const language of ['en', 'fr'] as const) {
      const { entries } = evidenceOf(own.mirror, {}, language);
      const page = entries.find(({ path }) => path.endsWith('index.html'))!.bytes.toString();
      expect(page).to.include('Planter &lt;b&gt;mille&lt;/b&gt; arbres').and.to.not.include('<b>');
      expect(page)
        .to.include("default-src 'none'")
        .and.to.not.match(/<script|<img|<link|src=|javascript:/i);
      expect([...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).to.deep.equal([
        '1-promise-prm-1/1-row.json',
        '1-promise-prm-1/2-row.json',
        '1-promise-prm-1/3-row.json',
      ]);
      expect(page)
        .to.include(`<html lang="${language}">`)
        .and.to.include(language === 'en' ? 'What this does not prove' : 'Ce que cela ne prouve pas');
      expect(page).to.include('sha256sum -c manifest-sha256.txt');
      expect(page).to.include('https://gazette.example/arbres').and.to.include('<del>Mille arbres.</del>');
    }
  });

  it('is checked with unzip and sha256sum alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-evidence-'));
    try {
      writeFileSync(join(folder, 'e.zip'), evidenceOf(own.mirror).bytes);
      const run = (file: string, ...argv: string[]) => execFileSync(file, argv, { cwd: folder, encoding: 'utf8' });
      // Where there is no unzip, Python has one.
      run('python3', '-m', 'zipfile', '-e', 'e.zip', '.');
      const check = 'cd evidence && sha256sum -c manifest-sha256.txt && sha256sum -c tagmanifest-sha256.txt';
      expect(run('sh', '-c', check).match(/: OK$/gm)).to.have.length(8);
      expect(readFileSync(join(folder, 'evidence/bagit.txt'), 'utf8')).to.equal(
        'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is whole where nobody touched it, and no longer after any byte of it was changed', () => {
    const { bytes } = evidenceOf(own.mirror);
    expect(verifyEvidence(bytes)).to.deep.include({
      faults: [],
      madeAt: '2026-11-22T10:00:00.000Z',
      records: ['promise:prm-1'],
    });
    const random = createRandom(seedOf('EVIDENCE_SEED'));
    const places = isLong ? [...bytes.keys()] : Array.from({ length: 600 }, () => random.integer(bytes.length));
    const undetected = places.filter((offset) => {
      const changed = Buffer.from(bytes);
      changed[offset] = changed[offset]! ^ (1 + random.integer(255));
      return verifyEvidence(changed).faults.length === 0;
    });
    expect(undetected).to.deep.equal([]);
  }).timeout(120_000);

  it('names what was changed', () => {
    const { bytes, entries } = evidenceOf(own.mirror);
    const changed = (offset: number, to = 0x7e) => {
      const copy = Buffer.from(bytes);
      copy[offset] = to;
      return faultsOf(copy);
    };
    const version = bytes.indexOf('Cent arbres');
    expect(changed(version)).to.deep.equal([
      'data/1-promise-prm-1/2-row.json: its SHA-256 is not the one in manifest-sha256.txt',
    ]);
    const sums = bytes.indexOf('tagmanifest-sha256.txt') + 'tagmanifest-sha256.txt'.length;
    expect(changed(sums)).to.deep.equal(['bag-info.txt: its SHA-256 is not the one in tagmanifest-sha256.txt']);
    const central = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    for (const offset of [10, central + 8, bytes.length - 1])
      expect(changed(offset)).to.deep.equal([`ZIP: byte ${offset} differs`]);
    const end = bytes.length;
    expect(faultsOf(Buffer.concat([bytes, Buffer.from('more')]))).to.deep.equal([`ZIP: byte ${end} differs`]);
    for (const torn of [bytes.subarray(0, -5), Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes])])
      expect(faultsOf(torn)).to.not.deep.equal([]);
    expect(faultsOf(Buffer.from('<html>'))).to.include('ZIP: it is not an evidence file');
    expect(entries.length).to.equal(9);
  });

  it('takes no archive that somebody else put together', () => {
    const { entries } = evidenceOf(own.mirror);
    const remade = (change: (files: typeof entries) => typeof entries) =>
      faultsOf(createStoredZip(change([...entries])));
    const more = (path: string) => ({ path, bytes: Buffer.from('x') });
    expect(remade((files) => [...files, more('evidence/data/more.txt')])).to.deep.equal([
      'data/more.txt: manifest-sha256.txt does not list it',
    ]);
    expect(remade((files) => [...files, more('evidence/../../etc/passwd')])).to.deep.equal([
      '../../etc/passwd: it does not belong to evidence',
    ]);
    expect(remade((files) => [...files, more('/etc/passwd')])[0]).to.equal(
      '/etc/passwd: it does not belong to evidence',
    );
    expect(remade((files) => files.slice(0, -1))).to.deep.equal([
      'data/index.html: manifest-sha256.txt lists it, but it is missing',
    ]);
    expect(remade((files) => [files[1]!, files[0]!, ...files.slice(2)])[0]).to.match(/^ZIP: byte \d+ differs/);
    const claims = Buffer.from(evidenceOf(own.mirror).bytes);
    // Files that say they are larger than the archive, as a bomb would.
    for (let at = claims.indexOf('PK\x01\x02'); at >= 0; at = claims.indexOf('PK\x01\x02', at + 1))
      claims.writeUInt32LE(claims.length, at + 20);
    expect(faultsOf(claims)).to.not.deep.equal([]);
  });

  it('tells the first faults of a manifest without end, counts the others, and reads none that is too large', () => {
    const { entries } = evidenceOf(own.mirror);
    const withManifest = (manifest: Buffer) =>
      verifyEvidence(
        createStoredZip(
          entries.map((entry) => (entry.path.endsWith('/manifest-sha256.txt') ? { ...entry, bytes: manifest } : entry)),
        ),
      );
    const sum = '0'.repeat(64);
    const lines = Array.from({ length: 200_000 }, (_, at) => `${sum}  data/${at}\n`);
    const long = withManifest(Buffer.from(lines.join('')));
    // Its own sum, and those of the files that it leaves out, stand among the faults.
    expect([long.faults.length, long.faults.length + long.more]).to.deep.equal([100, 200_006]);
    expect(`${long.faults.at(-1)!.reason}`).to.equal('manifest-sha256.txt lists it, but it is missing');
    const same = withManifest(Buffer.from('x\n'.repeat(200_000)));
    expect(same.faults, 'told once, though all lines name one file').to.have.length(7);
    const large = withManifest(Buffer.alloc(20_000_001));
    expect(large.faults.map(({ part, reason }) => `${part}: ${reason}`)).to.deep.equal([
      'manifest-sha256.txt: it is larger than 20 MB, and was not read',
      'manifest-sha256.txt: its SHA-256 is not the one in tagmanifest-sha256.txt',
    ]);
  });

  it('lists a file once, and states no more than whoever checks it would read', () => {
    const { entries } = evidenceOf(own.mirror);
    const manifest = entries.find(({ path }) => path.endsWith('/manifest-sha256.txt'))!;
    const [line = ''] = Buffer.from(manifest.bytes).toString().split('\n');
    const twice = entries.map((entry) =>
      entry === manifest ? { ...entry, bytes: Buffer.concat([entry.bytes, Buffer.from(`${line}\n`)]) } : entry,
    );
    expect(faultsOf(createStoredZip(twice))).to.deep.equal([
      'manifest-sha256.txt: its SHA-256 is not the one in tagmanifest-sha256.txt',
    ]);
    expect(faultsOf(forgedEvidence(own.mirror, { more: 'x'.repeat(16_000_000) }))).to.deep.equal([
      'data/evidence.json: it is larger than 16 MB, and was not read',
    ]);
  });

  it('is whole with a time stamp that somebody added, whose bytes it holds to their place', () => {
    const { entries } = evidenceOf(own.mirror);
    const stamp = { path: 'evidence/timestamp.tsr', bytes: Buffer.from('stamp') };
    const stamped = Buffer.from(createStoredZip([...entries, stamp]));
    expect(verifyEvidence(stamped)).to.deep.include({ faults: [], isStamped: true });
    stamped[stamped.indexOf('stamp', stamped.indexOf('timestamp.tsr') + 13)] = 0;
    expect(faultsOf(stamped)).to.have.length(1);
  });

  it('is none of this program where it states no moment, or records without a name', () => {
    const statesOf = (facts: object) => faultsOf(forgedEvidence(own.mirror, facts));
    const refused = ['data/evidence.json: this program cannot read it'];
    expect(statesOf({})).to.deep.equal([]);
    for (const made_at of ['yesterday', '\u001b[2J', '2026-02-30T10:00:00.000Z', '2026-11-22 (\u001b[2J)', 5, null])
      expect(statesOf({ made_at }), `${made_at}`).to.deep.equal(refused);
    for (const records of [
      null,
      [null],
      [{ kind: 'promise' }],
      [{ kind: 'promise', key: { a: 1 } }],
      [{ kind: 1, key: 'a' }],
    ])
      expect(statesOf({ records }), JSON.stringify(records)).to.deep.equal(refused);
  });
});
