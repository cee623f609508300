import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { kindOf } from '../../../src/model/kinds.ts';
import { replicaKinds, replicaText } from '../../../src/store/following/replica.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { startBucketServer } from '../../helpers/bucket-server.ts';
import { demoMirrorForEach } from '../../helpers/demo-mirror.ts';
import { listeningServers } from '../../helpers/loopback-servers.ts';
import { askProgram, runProgram } from '../../helpers/program.ts';

/** Every record of a mirror with its versions, as another mirror would get them. */
function recordsOf(db: string): string[] {
  const mirror = openMirror(db);
  const ids = mirror.column<number>('SELECT id FROM record WHERE kind = ? ORDER BY key');
  const texts = replicaKinds.flatMap(({ name }) => ids.all(name).map((id) => replicaText(mirror, id)));
  mirror.close();
  return texts;
}

/** The number of bytes that this process has read from files (proc(5)). */
const readBytes = () => Number(/^rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1]);

/** Saves three promises that say something else each time. */
function saveVersions(db: string, times: number): void {
  const mirror = openWritableMirror(db);
  for (let time = 1; time <= times; time += 1)
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('promise'), { at: `2026-11-0${1 + time}T06:00:00.000Z` });
      for (const id of ['one', 'two', 'three']) saver.save({ id, title: `${id}, as of night ${time}` });
      saver.finish();
    });
  mirror.close();
}

describe('backup and restore', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(argv, { env: demo.env });
  const at = (db: string, ...argv: string[]) => run(...argv, '--db', join(demo.folder, db));
  const file = (name: string) => join(demo.folder, name);

  for (const ending of ['tar', 'tar.gz', 'tar.zst'])
    it(`gives back every record with all versions from a .${ending}`, async () => {
      saveVersions(demo.db, 4);
      expect((await run('backup', '-o', file(`kept.${ending}`))).exit).to.equal(0);
      expect(await at('new/mirror.db', 'restore', file(`kept.${ending}`))).to.include({ exit: 0 });
      expect(recordsOf(file('new/mirror.db'))).to.deep.equal(recordsOf(demo.db));
    });

  it('gives back every record from an object of a bucket, also where the answer to its upload was lost', async () => {
    const servers = listeningServers();
    const { bucketServer, env } = await startBucketServer(servers);
    const inBucket = (...argv: string[]) => runProgram(argv, { env: { ...demo.env, ...env } });
    saveVersions(demo.db, 4);
    bucketServer.beforeAnswer = async () => {
      bucketServer.cuts = 1;
      delete bucketServer.beforeAnswer;
    };
    const sent = await inBucket('backup', '-o', 's3://kept/nights/mirror.tar.zst');
    expect(sent.exit, sent.stderr).to.equal(0);
    expect(bucketServer.requests.filter((each) => each.startsWith('PUT'))).to.have.length(2);
    const words = ['restore', 's3://kept/nights/mirror.tar.zst', '--db', file('new/mirror.db')];
    expect(await inBucket(...words)).to.include({ exit: 0 });
    expect(recordsOf(file('new/mirror.db'))).to.deep.equal(recordsOf(demo.db));
    expect((await inBucket('backup', '-o', 's3://kept/nights/mirror.zip')).stderr).to.include(
      's3://kept/nights/mirror.zip does not end in .tar',
    );
    const missing = await inBucket('restore', 's3://kept/other.tar', '--db', file('more/mirror.db'));
    expect(missing.stderr).to.include('s3://kept/other.tar: NoSuchKey');
    servers.closeAll();
  });

  it('replaces the object of the night before in a storage that compares tags without quotes, but no other one', async () => {
    const servers = listeningServers();
    const { bucketServer, env } = await startBucketServer(servers);
    bucketServer.keepsQuotes = true;
    const inBucket = () => runProgram(['backup', '-o', 's3://kept/mirror.tar'], { env: { ...demo.env, ...env } });
    expect(await inBucket()).to.include({ exit: 0 });
    const first = bucketServer.objects.get('kept/mirror.tar')!;
    saveVersions(demo.db, 2);
    const second = await inBucket();
    expect(second.exit, second.stderr).to.equal(0);
    expect(bucketServer.objects.get('kept/mirror.tar')!.equals(first)).to.equal(false);
    const others = Buffer.from('written meanwhile');
    bucketServer.afterHead = () => {
      bucketServer.objects.set('kept/mirror.tar', others);
      delete bucketServer.afterHead;
    };
    const third = await inBucket();
    expect([third.exit, bucketServer.objects.get('kept/mirror.tar')]).to.deep.equal([9, others]);
    servers.closeAll();
  });

  it('is searched for withheld records in a bucket, until it is no longer there', async () => {
    const servers = listeningServers();
    const { bucketServer, env } = await startBucketServer(servers);
    const inBucket = (...argv: string[]) => runProgram(argv, { env: { ...demo.env, ...env } });
    const checked = async () => {
      const { exit, stdout } = await inBucket('withhold', '--check', '--json');
      return [exit, JSON.parse(stdout).copies.map((each: { state: string }) => each.state)];
    };
    saveVersions(demo.db, 1);
    const { slug } = JSON.parse((await run('politicians', '--json', '-n', '1')).stdout).items[0];
    expect((await inBucket('backup', '-o', 's3://kept/nights/mirror.tar')).exit).to.equal(0);
    const withheld = await inBucket('withhold', `politician:${slug}`, '--reason', 'objection');
    expect(withheld.exit, withheld.stderr).to.be.oneOf([0, 12]);
    expect(await checked()).to.deep.equal([12, ['holds']]);
    bucketServer.objects.clear();
    expect(await checked()).to.deep.equal([0, ['missing']]);
    servers.closeAll();
  });

  it('is a tar file with a manifest of sizes and sums, readable by its owner alone', async () => {
    await run('backup', '-o', file('kept.tar'));
    const names = execFileSync('tar', ['tf', file('kept.tar')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(names).to.deep.equal(['manifest.json', 'mirror.db']);
    const manifest = JSON.parse(execFileSync('tar', ['xOf', file('kept.tar'), 'manifest.json'], { encoding: 'utf8' }));
    expect(manifest).to.include({ format: 'hemicycle-backup', version: 1, has_secrets: true });
    expect(manifest.attribution.name).to.be.a('string');
    expect(statSync(file('kept.tar')).mode & 0o777).to.equal(0o600);
  });

  it('takes watches, tokens and settings along, and leaves them out without secrets', async () => {
    await run('token', 'create', 'newsroom');
    await run('config', 'set', 'site-url', 'https://data.example');
    await run('watch', 'add', 'housing', 'search', 'logement', '--file', file('logement.atom'));
    await run('backup', '-o', file('all.tar'));
    await run('backup', '-o', file('open.tar'), '--without-secrets');
    const names = (archive: string) =>
      execFileSync('tar', ['tf', file(archive)], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .slice(1);
    expect(names('all.tar')).to.deep.equal(['config.json', 'viewer-tokens.json', 'watches.db', 'mirror.db']);
    expect(names('open.tar')).to.deep.equal(['mirror.db']);
    expect(readFileSync(file('open.tar')).includes('newsroom')).to.equal(false);
    const env = {
      ...demo.env,
      HOME: file('home'),
      XDG_CONFIG_HOME: file('home/config'),
      HEMICYCLE_DB: file('home/mirror.db'),
    };
    expect((await askProgram(['restore', file('all.tar')], { env })).exit).to.equal(0);
    expect((await askProgram(['watch', 'list', '--json'], { env })).stdout).to.include('housing');
    expect((await askProgram(['token', 'list'], { env })).stdout).to.include('newsroom');
  });

  it('moves aside what stands there, with --replace alone', async () => {
    await run('backup', '-o', file('kept.tar'));
    saveVersions(demo.db, 1);
    const now = recordsOf(demo.db);
    const refused = await run('restore', file('kept.tar'));
    expect([refused.exit, refused.stderr]).to.satisfy(
      ([exit, message]: [number, string]) => exit === 2 && message.includes('--replace'),
    );
    expect(recordsOf(demo.db)).to.deep.equal(now);
    expect((await run('restore', file('kept.tar'), '--replace')).exit).to.equal(0);
    expect(recordsOf(demo.db)).to.have.length(now.length - 3);
    expect(recordsOf(`${demo.db}.before`)).to.deep.equal(now);
  });

  it('refuses what is damaged, cut short or no backup (exit 12), and changes nothing', async () => {
    await run('backup', '-o', file('kept.tar'));
    const bytes = readFileSync(file('kept.tar'));
    bytes.writeUInt8(bytes.readUInt8(500_000) ^ 1, 500_000);
    writeFileSync(file('damaged.tar'), bytes);
    copyFileSync(file('kept.tar'), file('cut.tar'));
    truncateSync(file('cut.tar'), 400_000);
    await run('backup', '-o', file('kept.tar.gz'));
    writeFileSync(file('cut.tar.gz'), readFileSync(file('kept.tar.gz')).subarray(0, 100_000));
    writeFileSync(file('other.tar'), 'no archive');
    for (const name of ['damaged.tar', 'cut.tar', 'cut.tar.gz', 'other.tar']) {
      const { exit, stderr } = await at('new/mirror.db', 'restore', file(name));
      expect([name, exit, /nothing was restored/.test(stderr)]).to.deep.equal([name, 12, true]);
      expect(existsSync(file('new/mirror.db'))).to.equal(false);
    }
  });

  it('waits for no pipe and reads no device', async () => {
    execFileSync('mkfifo', [file('pipe.tar')]);
    for (const path of [file('pipe.tar'), '/dev/zero', demo.folder, file('nowhere.tar')])
      expect(await at('new/mirror.db', 'restore', path)).to.include({ exit: 12 });
  });

  it('never writes where an archive says, only where this mirror stands', async () => {
    writeFileSync(
      file('manifest.json'),
      JSON.stringify({
        format: 'hemicycle-backup',
        version: 1,
        files: [{ name: '../outside', bytes: 4, sha256: 'x' }],
      }),
    );
    writeFileSync(file('outside'), 'evil');
    execFileSync(
      'tar',
      ['cPf', file('evil.tar'), '--transform', 's,^outside$,../outside,', 'manifest.json', 'outside'],
      { cwd: demo.folder },
    );
    expect((await at('new/mirror.db', 'restore', file('evil.tar'))).exit).to.equal(12);
    expect(existsSync(join(demo.folder, '..', 'outside'))).to.equal(false);
  });

  it('reads no more of an archive whose first header is longer than any name', async () => {
    const bytes = 2 ** 28;
    execFileSync('tar', ['cf', file('long.tar'), '--format=pax', '--pax-option=comment=x', '-C', '/dev', 'null']);
    const head = readFileSync(file('long.tar')).subarray(0, 512);
    head.write(bytes.toString(8).padStart(11, '0'), 124, 'latin1');
    head.write(' '.repeat(8), 148, 'latin1');
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    writeFileSync(file('long.tar'), head);
    truncateSync(file('long.tar'), bytes);
    const before = readBytes();
    expect((await at('new/mirror.db', 'restore', file('long.tar'))).exit).to.equal(12);
    expect(readBytes() - before).to.be.below(bytes / 4);
  });

  it('names files that nothing here reads', async () => {
    const note = 'from a newer version\n';
    const sha256 = createHash('sha256').update(note).digest('hex');
    const files = [{ name: 'notes.json', bytes: note.length, sha256 }];
    writeFileSync(file('manifest.json'), JSON.stringify({ format: 'hemicycle-backup', version: 1, files }));
    writeFileSync(file('notes.json'), note);
    execFileSync('tar', ['cf', file('more.tar'), 'manifest.json', 'notes.json'], { cwd: demo.folder });
    const { exit, stderr } = await at('new/mirror.db', 'restore', file('more.tar'));
    expect([exit, stderr.includes('not restored, as nothing here reads it: notes.json')]).to.deep.equal([0, true]);
  });

  it('is one state of the mirror while another process writes to it', async () => {
    const writes = `
      const database = new (require('better-sqlite3'))(process.argv[1]);
      database.exec('CREATE TABLE one (n); CREATE TABLE two (n)');
      const add = database.transaction((n) => {
        for (const table of ['one', 'two']) database.prepare('INSERT INTO ' + table + ' VALUES (?)').run(n);
      });
      for (let n = 1; ; n += 1) {
        add(n);
        if (n === 1) console.log('begun');
      }`;
    const writer = spawn(process.execPath, ['-e', writes, demo.db], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data');
    try {
      expect((await run('backup', '-o', file('kept.tar'))).exit).to.equal(0);
    } finally {
      writer.kill('SIGKILL');
      await once(writer, 'close');
    }
    execFileSync('tar', ['xf', file('kept.tar'), '--transform', 's,mirror.db,copy.db,', 'mirror.db'], {
      cwd: demo.folder,
    });
    const copy = new Database(file('copy.db'), { readonly: true });
    const [one, two] = ['one', 'two'].map((table) => copy.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    expect(copy.pragma('integrity_check', { simple: true })).to.equal('ok');
    copy.close();
    expect(one).to.equal(two).and.to.be.greaterThan(0);
  });
});

describe('import of a backup', () => {
  const demo = demoMirrorForEach();
  const run = (...argv: string[]) => askProgram(argv, { env: demo.env });
  const file = (name: string) => join(demo.folder, name);

  it('reads every record with all versions, once', async () => {
    saveVersions(demo.db, 5);
    await run('backup', '-o', file('open.tar.gz'), '--without-secrets');
    const first = await run('import', file('open.tar.gz'), '--db', file('other.db'));
    expect([first.exit, recordsOf(file('other.db'))]).to.deep.equal([0, recordsOf(demo.db)]);
    const again = await run('import', file('open.tar.gz'), '--db', file('other.db'));
    expect(again.stderr).to.match(/^0 added with all versions, [\d,]+ unchanged$/m);
  });

  it('adds what a mirror lacks, and keeps the history of what it holds', async () => {
    const own = file('own.db');
    copyFileSync(demo.db, own);
    saveVersions(demo.db, 3);
    await run('backup', '-o', file('open.tar'), '--without-secrets');
    const mirror = openWritableMirror(own);
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('promise'), { at: '2026-11-09T06:00:00.000Z' });
      saver.save({ id: 'one', title: 'said here alone' });
      saver.finish();
    });
    mirror.close();
    const { stderr } = await run('import', file('open.tar'), '--db', own);
    expect(stderr).to.include('2 added with all versions').and.to.include('are left unchanged');
    const records = recordsOf(own).map((text) => JSON.parse(text));
    const versions = (key: string) => records.find((each) => each.key === key).versions.length;
    expect([versions('one'), versions('two'), versions('three')]).to.deep.equal([0, 2, 2]);
  });
});
