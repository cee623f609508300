import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { verifyExport } from '../../src/export/verify.ts';
import { datasets, kindOf } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { countRows } from '../../src/store/rows.ts';
import { createDemoMirror, demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { startFakeService } from '../helpers/fake-service.ts';
import { killsOf, printKills } from '../helpers/kills.ts';
import { askProgram, runAtTerminal, runProgram } from '../helpers/program.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const companions = ['ATTRIBUTION.txt', 'DICTIONARY.md', 'LICENSE.txt', 'SHA256SUMS', 'datapackage.json'];

/** Tables of what is nested in the records of datasets, under their licence. */
const ofDatasets = ['affiliations', 'membership_days', 'party_members', 'position_ballots', 'record_sources'];

/** What stands in a folder, but for what an export leaves there for the next one. */
const listed = (folder: string) => readdirSync(folder).filter((name) => name !== '.hemicycle-state.json');

describe('an export', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(['export', ...argv], { env: demo.env });
  const read = (...parts: string[]) => readFileSync(join(demo.out, ...parts), 'utf8');
  const exported = async (...argv: string[]) => {
    const { exit, stderr } = await run(...argv);
    expect({ exit, stderr: exit === 0 ? '' : stderr }, argv.join(' ')).to.deep.equal({ exit: 0, stderr: '' });
    return stderr;
  };
  const csv = async (...argv: string[]) => {
    const { stdout, exit, stderr } = await run(...argv);
    expect(exit, stderr).to.equal(0);
    return parse(stdout, { columns: true }) as Record<string, string>[];
  };
  const nothingBeside = () =>
    expect(readdirSync(demo.folder).filter((name) => name.includes('hemicycle-'))).to.deep.equal([]);

  describe('into a folder', () => {
    it('is described, sums up, and verifies', async () => {
      await exported('--all', '-o', `${demo.out}/`);
      expect(readdirSync(demo.out)).to.include.members(companions);
      const verified = await run('verify', demo.out);
      expect(verified.exit).to.equal(0);
      expect(verified.stdout)
        .to.match(/^politicians\.csv: ok, 50 rows$/m)
        .and.match(/^votes\.csv: ok, \d+ rows$/m);
      const { resources } = JSON.parse(read('datapackage.json'));
      const promises = resources.find(({ name }: { name: string }) => name === 'promises');
      expect(promises.schema.foreignKeys).to.deep.include({
        fields: ['politician'],
        reference: { resource: 'politicians', fields: ['slug'] },
      });
      expect(read('DICTIONARY.md')).to.include('## promises.csv').and.include('| politician | text |');
      nothingBeside();
    });

    it('states the terms of each file, those of all nowhere, and who licenses what stands in them', async () => {
      await exported('--all', '-o', `${demo.out}/`);
      const { description, resources } = JSON.parse(read('datapackage.json'));
      expect(description).to.match(/; each file has terms of its own$/);
      for (const { name, attribution, licenses } of resources) {
        const isDataset = [...datasets.map(({ plural }) => plural), ...ofDatasets].includes(name);
        expect(licenses?.[0].name, name).to.equal(isDataset ? 'ODbL-1.0' : undefined);
        expect(attribution.text, name).to.match(isDataset ? /ODbL/ : /; free for non-commercial use$/);
      }
      const terms = read('LICENSE.txt');
      expect(terms).to.include(
        'politicians.csv, parties.csv, promises.csv, positions.csv, quotes.csv, sources.csv, affiliations.csv, membership_days.csv, party_members.csv, position_ballots.csv, record_sources.csv\n',
      );
      expect(terms)
        .to.include('`licence` of sources.csv')
        .and.not.match(/DbCL|dbcl/);
      await exported('promises', '--party', 'alliance-des-rivages', '-o', `${demo.out}-part/`);
      const [part] = JSON.parse(read('..', 'out-part', 'datapackage.json')).resources;
      expect([part.attribution.licence.id, part.licenses[0].name]).to.deep.equal(['ODbL-1.0', 'ODbL-1.0']);
    });

    it('is told from what was changed since: what differs, exit 12', async () => {
      await exported('parties', 'promises', '-o', `${demo.out}/`);
      writeFileSync(join(demo.out, 'parties.csv'), `${read('parties.csv')}one,more\n`);
      rmSync(join(demo.out, 'LICENSE.txt'));
      writeFileSync(join(demo.out, 'notes.txt'), 'mine');
      const { exit, stdout, stderr } = await run('verify', demo.out);
      expect(exit).to.equal(12);
      expect(stdout).to.include('LICENSE.txt: is not there').and.include('parties.csv: differs from SHA256SUMS');
      expect(stderr).to.include('not part of the export: notes.txt');
      const bare = await run('verify', demo.folder);
      expect(bare.exit).to.equal(12);
      expect(bare.stderr).to.include('SHA256SUMS cannot be read: it is not there');
      const none = await run('verify', join(demo.folder, 'nowhere'));
      expect(none.stderr).to.include('nowhere: it is not there\nname a folder or file that');
    });

    it('leaves everything alone with --if-changed, and says so', async () => {
      await exported('--all', '-o', `${demo.out}/`);
      const before = readdirSync(demo.out).map((name) => [name, statSync(join(demo.out, name)).ino]);
      const message = await exported('--all', '-o', `${demo.out}/`, '--if-changed');
      expect(message).to.include('nothing changed');
      expect(readdirSync(demo.out).map((name) => [name, statSync(join(demo.out, name)).ino])).to.deep.equal(before);
      writeFileSync(join(demo.out, 'quotes.csv'), 'spoilt');
      expect(await exported('--all', '-o', `${demo.out}/`, '--if-changed')).not.to.include('nothing changed');
      expect((await run('verify', demo.out)).exit).to.equal(0);
    });

    it('is written anew with --if-changed where another service has to be cited', async () => {
      const file = join(demo.folder, 'parties.csv');
      for (const target of [`${demo.out}/`, file]) {
        await exported('parties', '-o', target);
        demo.env.HEMICYCLE_SITE_URL = 'https://elsewhere.example';
        expect(await exported('parties', '-o', target, '--if-changed')).not.to.include('nothing changed');
        expect(await exported('parties', '-o', target, '--if-changed')).to.include('nothing changed');
        delete demo.env.HEMICYCLE_SITE_URL;
      }
      expect(read('ATTRIBUTION.txt')).to.include('https://elsewhere.example');
      expect(readFileSync(`${file}.meta.json`, 'utf8')).to.include('https://elsewhere.example');
    });

    it('takes the place of one in another format, and of nothing that is not its own', async () => {
      await exported('parties', '-o', `${demo.out}/`);
      await exported('parties', '--format', 'ndjson', '-o', `${demo.out}/`);
      expect(listed(demo.out)).to.have.members([...companions, 'parties.ndjson']);
      mkdirSync(join(demo.out, '.git'));
      writeFileSync(join(demo.out, '.git', 'config'), 'mine');
      await exported('parties', '-o', `${demo.out}/`);
      expect(listed(demo.out)).to.have.members([...companions, 'parties.csv', '.git']);
      expect(read('.git', 'config')).to.equal('mine');
      nothingBeside();
    });

    it('without header lines verifies, and gives the same records by its description', async () => {
      await exported('--all', '-o', `${demo.out}/`, '--no-header');
      const verified = await run('verify', demo.out);
      expect([verified.exit, verified.stderr]).to.deep.equal([0, '']);
      const again = join(demo.folder, 'again.db');
      expect((await askProgram(['import', demo.out, '--db', again], { env: demo.env })).exit).to.equal(0);
      const twin = join(demo.folder, 'twin');
      await exported('--all', '-o', `${twin}/`, '--no-header', '--db', again);
      const tables = (text: string) => text.split('\n').filter((line) => line.endsWith('.csv'));
      expect(tables(readFileSync(join(twin, 'SHA256SUMS'), 'utf8'))).to.deep.equal(tables(read('SHA256SUMS')));
    });

    it('touches no file of others, whatever they call it and list in sums of their own', async () => {
      mkdirSync(demo.out);
      const sum = '0'.repeat(64);
      for (const [name, text] of [
        ['disk.iso', 'mine'],
        ['SHA256SUMS', `${sum}  disk.iso\n`],
        ['LICENSE.txt', 'my terms'],
      ] as const)
        writeFileSync(join(demo.out, name), text);
      const { exit, stderr } = await run('parties', '-o', `${demo.out}/`, '--accept-shrink');
      expect(exit).to.equal(10);
      expect(stderr).to.include('it contains files from elsewhere').and.include('LICENSE.txt, SHA256SUMS');
      expect(readdirSync(demo.out)).to.have.members(['disk.iso', 'SHA256SUMS', 'LICENSE.txt']);
      expect(read('LICENSE.txt')).to.equal('my terms');
      nothingBeside();
    });

    it('keeps its place beside files of others, also after a kill between two of its own', async () => {
      mkdirSync(demo.out);
      writeFileSync(join(demo.out, 'disk.iso'), 'mine');
      await exported('parties', '-o', `${demo.out}/`);
      rmSync(join(demo.out, 'SHA256SUMS'));
      await exported('parties', '--format', 'ndjson', '-o', `${demo.out}/`);
      expect(listed(demo.out)).to.have.members([...companions, 'parties.ndjson', 'disk.iso']);
      expect(read('disk.iso')).to.equal('mine');
    });

    it('that would lose a whole table is refused, and the last good one stays', async () => {
      await exported('parties', 'promises', '-o', `${demo.out}/`);
      const before = read('SHA256SUMS');
      const { exit, stderr } = await run('parties', '-o', `${demo.out}/`);
      expect(exit).to.equal(12);
      expect(stderr).to.match(/promises: missing from this export; the previous one had 66 rows\n.*--accept-shrink/);
      expect(read('SHA256SUMS')).to.equal(before);
      await exported('parties', '-o', `${demo.out}/`, '--accept-shrink');
      expect(listed(demo.out)).to.have.members([...companions, 'parties.csv']);
    });

    it('that lost more than a fifth of its rows is refused, and the last good one stays', async () => {
      await exported('promises', '-o', `${demo.out}/`);
      const before = read('SHA256SUMS');
      const { exit, stderr } = await run('promises', '--since', '2026-01-01', '-o', `${demo.out}/`);
      expect(exit).to.equal(12);
      expect(stderr).to.match(/promises: \d+ rows; the previous export had 66\n.*--accept-shrink/);
      expect(read('SHA256SUMS')).to.equal(before);
      await exported('promises', '--since', '2026-01-01', '-o', `${demo.out}/`, '--accept-shrink');
      nothingBeside();
    });

    it('refuses a target that is a file, or a link to one or to nothing, and leaves nothing', async () => {
      const file = join(demo.folder, 'file');
      writeFileSync(file, 'mine');
      for (const [name, target] of [
        ['to-file', file],
        ['to-nothing', join(demo.folder, 'nothing')],
      ] as const) {
        symlinkSync(target, join(demo.folder, name));
        expect((await run('parties', '-o', `${join(demo.folder, name)}/`)).exit).to.equal(10);
      }
      expect((await run('parties', '-o', `${file}/`)).exit).to.equal(10);
      expect(readFileSync(file, 'utf8')).to.equal('mine');
      nothingBeside();
    });

    it('follows a link to a folder, which stays the one it was, in mode and group too', async () => {
      const real = join(demo.folder, 'real');
      mkdirSync(real);
      chmodSync(real, 0o2770);
      symlinkSync(real, demo.out);
      const before = statSync(real);
      await exported('parties', '-o', `${demo.out}/`);
      for (const name of ['parties.csv', 'SHA256SUMS']) chmodSync(join(real, name), 0o640);
      await exported('parties', 'promises', '-o', `${demo.out}/`);
      const { ino, mode, uid, gid } = statSync(real);
      expect({ ino, mode, uid, gid }).to.deep.equal({
        ino: before.ino,
        mode: before.mode,
        uid: before.uid,
        gid: before.gid,
      });
      const modes = ['parties.csv', 'promises.csv', 'SHA256SUMS'].map(
        (name) => statSync(join(real, name)).mode & 0o777,
      );
      expect(modes).to.deep.equal([0o640, 0o666 & ~process.umask(), 0o640]);
      expect(listed(real).filter((name) => name.startsWith('.'))).to.deep.equal([]);
    });

    it('finishes what a run that was killed between two files had begun, whatever it is asked for itself', async () => {
      await exported('parties', '-o', `${demo.out}/`);
      const later = join(demo.folder, 'later');
      await exported('parties', 'promises', '--format', 'ndjson', '-o', `${later}/`);
      const waiting = join(demo.out, '.hemicycle-switch');
      renameSync(later, waiting);
      renameSync(join(waiting, 'LICENSE.txt'), join(demo.out, 'LICENSE.txt'));
      writeFileSync(join(waiting, '.gone.json'), '{"gone":["parties.csv"]}');
      const cut = await run('verify', demo.out);
      expect([cut.exit, cut.stderr]).to.deep.include(12);
      expect(cut.stderr).to.include('the next one to this folder completes it first');
      expect((await run('promises', '-o', `${demo.out}/`)).exit, 'would lose the parties').to.equal(12);
      expect(listed(demo.out)).to.have.members([...companions, 'parties.ndjson', 'promises.ndjson']);
      expect((await run('verify', demo.out)).exit).to.equal(0);
    });

    it('of two at once is that of one of them', async () => {
      const formats = ['csv', 'ndjson', 'csv', 'ndjson'];
      await Promise.all(
        formats.map(async (format) => {
          const argv = ['export', '--all', '--format', format, '-o', `${demo.out}/`, '--accept-shrink'];
          expect(await runProgram(argv, { env: demo.env })).to.include({ exit: 0 });
        }),
      );
      expect((await verifyExport(demo.out)).flatMap(({ faults }) => faults)).to.deep.equal([]);
      expect(listed(demo.out).filter((name) => name.startsWith('.'))).to.deep.equal([]);
    });

    const kills = killsOf('export');
    it(`is whole after every kill in the middle of ${kills}`, async function () {
      this.timeout(900_000 + kills * 3000);
      const begunMs = performance.now();
      await exported('--all', '-o', `${demo.out}/`);
      let wholeMs = performance.now() - begunMs;
      for (let n = 0, killed = 0; killed < kills; n += 1) {
        const child = spawn(process.execPath, [program, 'export', '--all', '-o', `${demo.out}/`, '--quiet'], {
          env: { PATH: process.env.PATH, ...demo.env },
          stdio: 'ignore',
        });
        const ended = once(child, 'close');
        // Before that the program starts.
        await Promise.race([ended, delay(wholeMs * (0.3 + (0.7 * (n % kills)) / kills))]);
        child.kill('SIGKILL');
        const [, signal] = await ended;
        if (signal) killed += 1;
        else wholeMs *= 0.9;
        const cut = existsSync(join(demo.out, '.hemicycle-switch'));
        // Even one that is refused heals first.
        if (cut) expect((await run('parties', '-o', `${demo.out}/`)).exit).to.equal(12);
        expect(
          (await verifyExport(demo.out)).flatMap(({ faults }) => faults),
          `kill ${n}`,
        ).to.deep.equal([]);
      }
      printKills('export', kills);
      await exported('--all', '-o', `${demo.out}/`);
      expect((await verifyExport(demo.out)).flatMap(({ faults }) => faults)).to.deep.equal([]);
      expect(listed(demo.out).filter((name) => name.startsWith('.'))).to.deep.equal([]);
    });
  });

  describe('that is interrupted', () => {
    let large: Awaited<ReturnType<typeof createDemoMirror>>;
    before(async () => {
      large = await createDemoMirror();
      const many = join(large.folder, 'many');
      mkdirSync(many);
      const line = (n: number) => JSON.stringify({ id: `c${n}`, title: `Titre ${n}`, text: 'La séance. '.repeat(30) });
      writeFileSync(join(many, 'content.ndjson'), Array.from({ length: 40_000 }, (_, n) => line(n)).join('\n'));
      const own = { HEMICYCLE_DB: large.db, HOME: large.folder };
      expect((await askProgram(['import', many], { env: own })).exit).to.equal(0);
    });
    after(() => large.remove());
    beforeEach(() => {
      copyFileSync(large.db, demo.db);
      // As a writer leaves it.
      openWritableMirror(demo.db).close();
    });

    /** Runs an export to which `signals` are sent as soon as it has begun a file. */
    const interrupted = async (argv: string[], ...signals: NodeJS.Signals[]) => {
      const child = spawn(process.execPath, [program, 'export', ...argv], {
        cwd: demo.folder,
        env: { PATH: process.env.PATH, ...demo.env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = once(child, 'close');
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const watcher = watch(demo.folder, (_, name) => {
        if (!name?.includes('hemicycle-') && name !== 'out') return;
        watcher.close();
        for (const signal of signals) child.kill(signal);
      });
      const [exit] = await ended;
      const leftoverFiles = readdirSync(demo.folder).filter((name) => !name.startsWith('mirror.db'));
      return { exit, stderr, leftoverFiles };
    };

    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      for (const argv of [
        ['-o', 'out.csv'],
        ['-o', 'out.parquet'],
        ['-o', 'out.csv.gz'],
        ['-o', 'out/'],
        ['--sqlite', 'out.db'],
      ])
        it(`by ${signal} leaves nothing of ${argv.join(' ')}`, async () => {
          const { exit, stderr, leftoverFiles } = await interrupted(['content', ...argv], signal);
          expect(exit, stderr).to.equal(code);
          expect(stderr).to.include('interrupted; nothing was written');
          expect(stderr).to.include(`hemicycle export content ${argv.join(' ')}`);
          expect(leftoverFiles).to.deep.equal(['.cache']);
        });

    it('by Ctrl-C at the terminal, and at once by what started it, leaves nothing', async () => {
      const { exit, stderr, leftoverFiles } = await interrupted(['content', '-o', 'out.csv'], 'SIGINT', 'SIGTERM');
      // Of two that are sent at once either may arrive first.
      expect(exit, stderr).to.be.oneOf([130, 143]);
      expect(leftoverFiles).to.deep.equal(['.cache']);
    });
  });

  it('of two mirrors that were synced apart has the same bytes, in every format', async () => {
    const services = [await startFakeService(dialects[0]!), await startFakeService(dialects[0]!)];
    // They stand for one service, which both mirrors cite.
    demo.env.HEMICYCLE_SITE_URL = 'https://service.example';
    const [first, second] = services;
    const folders: string[] = [];
    // The second service knew other days: records came later, in another order, and some were corrected.
    const whole = second!.records.content!;
    // Few of them: what changes alike in many is quarantined.
    second!.records.content = whole.slice(40).map((item, at) => (at % 10 === 0 ? { ...item, zusatz: 1 } : item));
    for (const service of services) {
      const own = createTemporaryMirror();
      await syncOnce(own, service.baseUrl);
      if (service === second) {
        service.records.content = whole;
        await syncOnce(own, service.baseUrl, { now: () => Date.now() + 30 * 86_400_000 });
      }
      own.mirror.close();
      folders.push(own.mirror.path);
    }
    for (const format of ['csv', 'parquet', 'ndjson']) {
      const sums = [];
      for (const db of folders) {
        const { exit } = await run('--all', '--format', format, '-o', `${demo.out}/`, '--accept-shrink', '--db', db);
        expect(exit).to.equal(0);
        sums.push(
          read('SHA256SUMS')
            .split('\n')
            .filter((line) => line.endsWith(format)),
        );
      }
      expect(sums[0]!.length).to.be.greaterThan(8);
      expect(sums[1]).to.deep.equal(sums[0]);
    }
    for (const service of [first!, second!]) await service.close();
    for (const db of folders) rmSync(join(db, '..'), { recursive: true, force: true });
  });

  it('states the moment of SOURCE_DATE_EPOCH', async () => {
    demo.env.SOURCE_DATE_EPOCH = '1700000000';
    await exported('parties', '-o', `${demo.out}/`);
    expect(JSON.parse(read('datapackage.json')).created).to.equal('2023-11-14T22:13:20.000Z');
    demo.env.SOURCE_DATE_EPOCH = 'yesterday';
    expect((await run('parties', '-o', `${demo.out}/`)).exit).to.equal(10);
  });

  describe('of some records', () => {
    it('takes those of a politician or a party by name, and those since a day', async () => {
      const mine = await csv('promises', '--politician', 'Océane Bruyèvre');
      expect(mine.map(({ politician }) => politician)).to.have.members(Array(11).fill('oceane-bruyevre'));
      const party = await csv('politicians', '--party', 'alliance-des-rivages');
      expect(new Set(party.map((each) => each.party))).to.deep.equal(new Set(['alliance-des-rivages']));
      const since = await csv('content', '--since', '2026-01-01');
      expect(since.every(({ date }) => date! >= '2026-01-01')).to.equal(true);
      expect(since.length).to.be.greaterThan(0);
    });

    it('leaves out with --all what cannot be chosen so, and refuses it by name', async () => {
      await exported('--all', '--politician', 'oceane-bruyevre', '-o', `${demo.out}/`);
      expect(readdirSync(demo.out)).to.include('promises.csv').and.not.include('ballots.csv');
      const { exit, stderr } = await run('ballots', '--politician', 'oceane-bruyevre');
      expect([exit, stderr]).to.deep.equal([
        2,
        'Error: ballots cannot be filtered by --politician\nthose that can: politicians, parties, content, speeches, promises, positions, quotes, sources, affiliations, membership_days, party_members, record_sources, other_record_sources\n',
      ]);
    });

    it('says which were chosen, and refers to none that may be left out', async () => {
      await exported('--all', '--party', 'alliance-des-rivages', '--since', '2026-01-01', '-o', `${demo.out}/`);
      const { resources } = JSON.parse(read('datapackage.json'));
      const selectionNote =
        'Chosen: only what is of the party or group alliance-des-rivages, and dated since 2026-01-01.';
      const content = resources.find(({ name }: { name: string }) => name === 'content');
      expect(content.description).to.include(selectionNote);
      expect(content.schema).not.to.have.property('foreignKeys');
      expect(read('DICTIONARY.md')).to.include(selectionNote).and.include('and updated since 2026-01-01.');
      const file = join(demo.folder, 'quotes.csv');
      await exported('quotes', '--politician', 'Océane Bruyèvre', '--excel-fr', '-o', file);
      const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8'));
      expect([meta.name, meta.dialect.delimiter]).to.deep.equal(['quotes', ';']);
      expect(meta.description).to.match(
        /^A verbatim quote .* Chosen: only what is about the politician oceane-bruyevre\.$/,
      );
      const database = join(demo.folder, 'chosen.db');
      await exported('--all', '--party', 'alliance-des-rivages', '--sqlite', database);
      const plain = new Database(database, { readonly: true });
      expect(plain.pragma('foreign_key_check')).to.deep.equal([]);
      plain.close();
    });

    it('takes the columns that are named, in that order, and refuses others', async () => {
      const { stdout } = await run('parties', '--columns', 'name,slug');
      expect(stdout.split('\n')[0]).to.equal('name,slug');
      const ndjson = await run('parties', '--columns', 'slug', '--format', 'ndjson');
      expect(Object.keys(JSON.parse(ndjson.stdout.split('\n')[0]!))).to.deep.equal(['slug']);
      for (const columns of ['slug,height', 'slug,name,slug', 'slug,'])
        expect((await run('parties', '--columns', columns)).exit, columns).to.equal(2);
    });
  });

  it('gives the votes of each party in each ballot a line, and what is not counted no number', async () => {
    const votes = await csv('votes');
    const ballots = await csv('ballots');
    const counted = ballots.flatMap(({ votes_by_party }) => JSON.parse(votes_by_party!) as object[]);
    expect(votes.length).to.equal(counted.length);
    expect(Object.keys(votes[0]!)).to.deep.equal([
      ...['ballot', 'chamber', 'scrutin_id', 'n', 'date', 'title', 'result', 'party', 'party_name'],
      ...['members', 'votes_for', 'votes_against', 'votes_abstention', 'votes_non_voting', 'position'],
      ...['stated_position', 'no_vote_recorded', 'dissent'],
    ]);
    const memberCounts = (counted as { members?: number }[]).map(({ members }) => String(members ?? ''));
    expect(votes.map(({ members }) => members)).to.have.members(memberCounts);
    const one = votes.filter(({ scrutin_id }) => scrutin_id === 'VAL1V4');
    expect(one.map((each) => Number(each.votes_for)).reduce((sum, each) => sum + each)).to.equal(58);
  });

  describe('for a spreadsheet', () => {
    const hostile = ['=1+1', '+33 1', '-2', '@SUM(A1)', '\t=1', ' =1', '\uff1d1', 'plain; "quoted"\nline', "'mine"];
    beforeEach(async () => {
      const folder = join(demo.folder, 'hostile');
      mkdirSync(folder);
      const lines = hostile.map((text, n) => JSON.stringify({ id: `h${n}`, text, score: n + 0.5 }));
      writeFileSync(join(folder, 'quotes.ndjson'), `${lines.join('\n')}\n`);
      demo.env.HEMICYCLE_DB = join(demo.folder, 'hostile.db');
      await askProgram(['import', folder, '--quiet'], { env: demo.env });
    });

    it('is a workbook by the name of its file, and named for people in French', async () => {
      const file = join(demo.folder, 'quotes.xlsx');
      expect((await run('quotes', '-o', file)).exit).to.equal(0);
      const bytes = readFileSync(file);
      const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8'));
      expect(meta.resources).to.have.length(1);
      expect(meta.resources[0]).to.include({ name: 'quotes', rows: hostile.length, cut: 0 });
      const again = await run('quotes', '-o', file, '--if-changed');
      expect(again.stderr).to.include('nothing changed');
      expect(readFileSync(file).equals(bytes)).to.equal(true);
      const marked = await run('quotes', '--bom', '--french-headers', '--columns', 'id,text');
      expect(marked.stdout.split('\n')[0]).to.equal('\ufeffidentifiant,texte');
      for (const argv of [
        ['-o', `${demo.out}/`, '--format', 'xlsx'],
        ['--format', 'xlsx'],
        ['-o', file, '--bom'],
        ['--format', 'ndjson', '--bom'],
        ['--format', 'parquet', '--french-headers'],
      ])
        expect((await run('quotes', ...argv)).exit, argv.join(' ')).to.equal(2);
    });

    it('is refused with a flag that it could only pass over', async () => {
      for (const [flag, ...argv] of [
        ['--schema', 'desk'],
        ['--schema', 'desk', '-o', `${demo.out}/`],
        ['--no-header', '--json'],
        ['--no-header', '--sqlite', `${demo.out}.db`],
        ['--bom', '--sqlite', `${demo.out}.db`],
        ['--french-headers', '--sqlite', `${demo.out}.db`],
        ['--releases', '-o', `${demo.out}.xlsx`],
        ['--if-changed'],
      ] as [string, ...string[]][]) {
        const { exit, stdout, stderr } = await run('quotes', flag, ...argv);
        expect([exit, stdout], `${flag} ${argv.join(' ')}`).to.deep.equal([2, '']);
        expect(stderr).to.include(flag);
      }
    });

    it('has no cell that can be taken for a formula', async () => {
      const rows = await csv('quotes', '--spreadsheet-safe');
      expect(rows.map(({ text }) => text)).to.deep.equal(hostile.map((text, n) => (n < 7 ? `'${text}` : text)));
      expect((await csv('quotes')).map(({ text }) => text)).to.deep.equal(hostile);
    });

    it('in French has a byte order mark, semicolons and decimal commas, and is safe', async () => {
      const { stdout } = await run('quotes', '--excel-fr');
      expect(stdout.startsWith('\ufeffid;')).to.equal(true);
      const rows = parse(stdout, { columns: true, delimiter: ';', bom: true }) as Record<string, string>[];
      expect(rows.map(({ score }) => score)).to.deep.equal(hostile.map((_, n) => `${n},5`));
      expect(rows[0]!.text).to.equal("'=1+1");
      expect((await run('quotes', '--excel-fr', '--no-header')).stdout.startsWith('\ufeffh0;')).to.equal(true);
      expect((await run('quotes', '--excel-fr', '--format', 'parquet')).exit).to.equal(2);
    });
  });

  it('to a terminal carries no orders for it, and to a pipe what the service said', async () => {
    const folder = join(demo.folder, 'orders');
    mkdirSync(folder);
    writeFileSync(join(folder, 'quotes.ndjson'), '{"id":"q1","text":"a\\u001b[2Jb"}\n');
    demo.env.HEMICYCLE_DB = join(demo.folder, 'orders.db');
    await askProgram(['import', folder, '--quiet'], { env: demo.env });
    const { stdout } = await runAtTerminal(['export', 'quotes', '--columns', 'text', '--no-header'], {
      env: demo.env,
    });
    expect(stdout).to.include('a[2Jb\n').and.not.include('\u001b[2J');
    expect((await run('quotes', '--columns', 'text', '--no-header')).stdout).to.equal('a\u001b[2Jb\n');
  });

  it('into a file takes its format and compression from its name, and has the same bytes every time', async () => {
    const plain = (await run('parties')).stdout;
    const gz = join(demo.folder, 'parties.csv.gz');
    const zst = join(demo.folder, 'parties.csv.zst');
    await exported('parties', '-o', gz);
    await exported('parties', '-o', zst);
    const bytes = readFileSync(gz);
    expect(gunzipSync(bytes).toString()).to.equal(plain);
    expect(zstdDecompressSync(readFileSync(zst)).toString()).to.equal(plain);
    await exported('parties', '-o', gz);
    expect(readFileSync(gz).equals(bytes)).to.equal(true);
    const parquet = join(demo.folder, 'promises.parquet');
    await exported('promises', '-o', parquet);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER, count(DISTINCT politician)::INTEGER FROM '${parquet}'`,
    );
    const mirror = (await import('../../src/store/open.ts')).openMirror(demo.db);
    expect(reader.getRows()[0]![0]).to.equal(countRows(mirror, kindOf('promise')));
    mirror.close();
    for (const wrong of [
      ['-o', gz, '--format', 'ndjson'],
      ['-o', join(demo.folder, 'x.parquet.gz')],
    ])
      expect((await run('parties', ...wrong)).exit, wrong.join(' ')).to.equal(2);
  });

  for (const argv of [['export', 'content'], ['export', 'content', '--format', 'parquet'], ['politicians'], ['status']])
    it(`${argv.join(' ')} on a full disk ends with exit 10 and says so`, function () {
      if (!existsSync('/dev/full')) this.skip();
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [program, ...argv, '--quiet'], {
        env: { PATH: process.env.PATH, ...demo.env },
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(full);
      expect([status, stderr]).to.deep.equal([
        10,
        'Error: standard output: no space left on the device\nthe existing output is incomplete; free some space, or write to another location\n',
      ]);
    });

  it('says on what terms each of its tables may be used, and to --quiet nothing that stands in files', async () => {
    for (const target of [
      ['-o', `${demo.out}/`],
      ['--sqlite', join(demo.folder, 'plain.db')],
    ]) {
      expect((await exported('parties', 'content', ...target)).match(/^Source: .*$/gm)).to.satisfy(
        ([first, second]: string[]) => /ODbL/.test(first!) && /free for non-commercial use/.test(second!),
      );
      expect(await exported('parties', 'content', ...target, '--quiet')).to.equal('');
    }
    expect((await run('parties', '--quiet')).stderr).to.match(/^Source: .*ODbL.*\n$/);
  });

  it('never takes the place of the mirror', async () => {
    for (const target of [
      ['-o', demo.db],
      ['--sqlite', demo.db],
      ['-o', demo.db, '--format', 'parquet'],
    ]) {
      const { exit, stderr } = await run('parties', ...target);
      expect(exit, stderr).to.be.oneOf([2, 10]);
      if (target[0] === '--sqlite') expect(stderr).to.include('it is the mirror itself');
    }
    expect((await run('parties')).exit).to.equal(0);
  });

  it('refuses a name that promises what would not be in the file, and takes capitals', async () => {
    for (const name of ['p.ods', 'p.tsv', 'p.txt', 'p.json', 'p.csv.bz2', 'p.db', 'p.gz']) {
      const { exit, stderr } = await run('parties', '-o', join(demo.folder, name));
      expect([exit, stderr], name).to.satisfy(
        ([code, message]: [number, string]) =>
          code === 2 && message.includes('would contain csv, which does not match its name'),
      );
    }
    expect((await run('parties', '-o', join(demo.folder, 'p.db'))).stderr).to.include('--sqlite');
    await exported('parties', '-o', join(demo.folder, 'p.jsonl'), '--format', 'ndjson');
    await exported('parties', '-o', join(demo.folder, 'P.CSV.GZ'));
    expect(gunzipSync(readFileSync(join(demo.folder, 'P.CSV.GZ'))).toString()).to.match(/^slug,/);
    await exported('parties', '-o', join(demo.folder, 'parties.2026'));
  });

  it('of several tables takes a name that nothing has yet for a folder, and of one for a file', async () => {
    await exported('--all', '-o', demo.out);
    await exported('parties', 'quotes', '-o', join(demo.folder, 'made', 'on', 'the.way'));
    await exported('parties', '-o', join(demo.folder, 'parties'));
    expect(read('SHA256SUMS')).to.include('politicians.csv');
    expect(readdirSync(join(demo.folder, 'made/on/the.way'))).to.include.members(['parties.csv', 'quotes.csv']);
    expect(statSync(join(demo.folder, 'parties')).isFile()).to.equal(true);
    for (const name of ['parties', 'all.csv', 'all.ndjson.gz']) {
      const { exit, stderr } = await run('--all', '-o', join(demo.folder, name));
      expect([exit, stderr], name).to.satisfy(
        ([code, message]: [number, string]) => code === 2 && message.includes('is a single file'),
      );
    }
    expect((await run('--all', '-o', join(demo.folder, 'all.zip'))).exit).to.equal(2);
  });

  it('refuses names beside --all', async () => {
    expect((await run('--all', 'partys', '-o', `${demo.out}/`)).exit).to.equal(2);
    expect((await run('--all', 'parties', '-o', `${demo.out}/`)).stderr).to.include(
      '--all cannot be combined with dataset names',
    );
  });

  it('as Parquet of many rows goes through two threads', async () => {
    const source = join(demo.folder, 'many');
    mkdirSync(source);
    const lines = Array.from({ length: 25_000 }, (_, n) =>
      JSON.stringify({ id: `c${n}`, title: `Titre nº ${n}`, date: '2026-02-03' }),
    );
    writeFileSync(join(source, 'content.ndjson'), lines.join('\n'));
    const db = join(demo.folder, 'many.db');
    expect((await askProgram(['import', source, '--db', db], { env: demo.env })).exit).to.equal(0);
    const parquet = join(demo.folder, 'content.parquet');
    await exported('content', '--db', db, '-o', parquet);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER, count(DISTINCT title)::INTEGER, max(date)::TEXT FROM '${parquet}'`,
    );
    expect(reader.getRows()).to.deep.equal([[25_000, 25_000, '2026-02-03']]);
  });

  it('into a file leaves it alone with --if-changed, and refuses one that shrank', async () => {
    const file = join(demo.folder, 'promises.csv');
    await exported('promises', '-o', file);
    const before = statSync(file).ino;
    expect(await exported('promises', '-o', file, '--if-changed')).to.include('nothing changed');
    expect((await run('promises', '--since', '2026-01-01', '-o', file)).exit).to.equal(12);
    expect(statSync(file).ino).to.equal(before);
    await exported('promises', '-o', file);
    expect(statSync(file).ino).not.to.equal(before);
  });

  it('into a plain SQLite file has typed tables with keys, what they mean, and nothing of ours', async () => {
    const file = join(demo.folder, 'plain.db');
    await exported('--all', '--sqlite', file);
    const bytes = readFileSync(file);
    const database = new Database(file, { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
    expect(tables.all()).to.deep.equal([
      ...['about', 'affiliations', 'audit', 'ballots', 'content', 'dictionary', 'membership_days'],
      ...['other_record_sources'],
      ...[
        'parties',
        'party_members',
        'politicians',
        'position_ballots',
        'positions',
        'promises',
        'quotes',
        'record_sources',
      ],
      ...['sources', 'speeches', 'votes'],
    ]);
    const joined = database.prepare(
      'SELECT count(*) FROM promises JOIN politicians ON politicians.slug = promises.politician',
    );
    expect(joined.pluck().get()).to.equal(66);
    expect(database.pragma('foreign_key_list(promises)')).to.have.length.greaterThan(0);
    expect(database.prepare('SELECT DISTINCT typeof(votes_for) FROM votes').pluck().all()).to.include('integer');
    expect(database.prepare("SELECT value FROM about WHERE key = 'licence'").pluck().get()).to.include(
      'Open Database License',
    );
    expect(database.pragma('integrity_check', { simple: true })).to.equal('ok');
    await exported('--all', '--sqlite', file);
    expect(readFileSync(file).equals(bytes)).to.equal(true);
    const about = database.prepare("SELECT value FROM about WHERE key = 'attribution'").pluck().get();
    expect(about, 'a day would make other bytes of the same data').not.to.include('retrieved');
    database.close();
    const bad = await run('--all', '--sqlite', join(demo.folder, 'nowhere', 'plain.db'));
    expect([bad.exit, readdirSync(demo.folder).filter((name) => name.endsWith('.tmp'))]).to.deep.equal([10, []]);
  });

  it('into a plain SQLite file leaves it alone with --if-changed, and refuses one that shrank', async () => {
    const file = join(demo.folder, 'plain.db');
    await exported('promises', 'parties', '--sqlite', file);
    const before = statSync(file).ino;
    const same = await exported('promises', 'parties', '--sqlite', file, '--if-changed');
    expect(same).to.include('nothing changed');
    const without = await run('promises', '--sqlite', file);
    expect(without.exit).to.equal(12);
    expect(without.stderr).to.include('parties: missing from this export');
    expect(statSync(file).ino).to.equal(before);
    await exported('promises', '--sqlite', file, '--accept-shrink');
    const fewer = await run('promises', '--since', '2026-01-01', '--sqlite', file);
    expect(fewer.exit).to.equal(12);
    expect(fewer.stderr).to.match(/promises: \d+ rows; the previous export had 66/);
    expect(readdirSync(demo.folder).filter((name) => name.endsWith('.tmp'))).to.deep.equal([]);
    for (const wrong of [
      ['--sqlite', '-'],
      ['--sqlite', ''],
      ['-o', ''],
      ['--sqlite', file, '--excel-fr'],
    ])
      expect((await run('promises', ...wrong)).exit, wrong.join(' ')).to.equal(2);
  });
});
