import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { clockCheck, diskCheck, proxyCheck, tlsCheck } from '../../src/cli/connection-checks.ts';
import type { KindName } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { checksText } from '../../src/terminal/doctor-view.ts';
import { verbatim } from '../../src/words/speech.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { type Dialect, type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { terminalOfWidth } from '../helpers/memory-sink.ts';
import { askProgram, runAtTerminal } from '../helpers/program.ts';
import { syncOnce, wholeScope } from '../helpers/sync-run.ts';

type Told = {
  checks: { name: string; level: string; says: string; todo: string | null; found: string[] }[];
  drift: { change: string; field: string; subject: string }[];
  exit: number;
};

describe('doctor', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  beforeEach(async () => {
    demo = await createDemoMirror();
  });
  afterEach(() => demo.remove());
  const doctor = async (argv: string[] = [], env: Record<string, string> = {}) => {
    const { stdout, stderr, exit } = await askProgram(['doctor', '--json', ...argv], {
      env: { HEMICYCLE_DB: demo.db, HOME: demo.folder, ...env },
    });
    const report: Told = JSON.parse(stdout);
    const levels = Object.fromEntries(report.checks.map(({ name, level }) => [name, level]));
    const check = (name: string) => report.checks.find((each) => each.name === name)!;
    return { ...report, levels, check, stderr, exit, text: stdout + stderr };
  };

  it('finds nothing wrong with a mirror that is whole, and never tells a token', async () => {
    const diagnosis = await doctor(['--offline'], {
      HEMICYCLE_BASE_URL: 'http://127.0.0.1:9/api/v1',
      HEMICYCLE_TOKEN: 'secret-of-this-test',
    });
    expect([diagnosis.exit, diagnosis.stderr]).to.deep.equal([0, '']);
    expect([...new Set(Object.values(diagnosis.levels))]).to.deep.equal(['ok']);
    expect(diagnosis.text).not.to.include('secret-of-this-test');
    expect(diagnosis.check('address').says).to.equal('no request was sent to http://127.0.0.1:9/api/v1 (--offline)');
  });

  it('says what to do without a mirror, and works', async () => {
    const diagnosis = await doctor(['--offline', '--db', join(demo.folder, 'none.db')]);
    expect([diagnosis.exit, diagnosis.levels.mirror, diagnosis.levels.address]).to.deep.equal([
      0,
      'warning',
      'warning',
    ]);
    expect(diagnosis.check('mirror').todo).to.include('hemicycle init URL');
  });

  it('names a damaged file, a foreign one, and settings that make no sense, with exit 12', async () => {
    const bytes = readFileSync(demo.db);
    bytes.fill(0xff, 16384 * 3, 16384 * 9);
    const damaged = join(demo.folder, 'damaged.db');
    writeFileSync(damaged, bytes);
    const diagnosis = await doctor(['--offline', '--db', damaged]);
    expect(diagnosis.exit).to.equal(12);
    expect(JSON.parse(diagnosis.stderr).error).to.include({ code: 'VERIFICATION', exit: 12 });
    expect([diagnosis.levels.integrity ?? diagnosis.levels.mirror]).to.deep.equal(['problem']);
    const foreign = join(demo.folder, 'foreign.db');
    writeFileSync(foreign, 'a letter to nobody '.repeat(10));
    const other = await doctor(['--offline', '--db', foreign]);
    expect([other.exit, other.check('mirror').says]).to.deep.equal([12, `${foreign}: is not an SQLite file`]);
    const config = join(demo.folder, '.config', 'hemicycle');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), '{');
    const broken = await doctor(['--offline']);
    expect([broken.exit, broken.levels.settings, broken.levels.integrity]).to.deep.equal([12, 'problem', 'ok']);
    expect(broken.check('settings').says).to.include('config.json is not JSON');
  });

  it('names texts that the search index lacks, and leaves to status how syncs ended', async () => {
    const mirror = openWritableMirror(demo.db);
    mirror.sql("DELETE FROM search WHERE rowid IN (SELECT id FROM record WHERE kind = 'quote' LIMIT 3)").run();
    mirror
      .sql('INSERT INTO run (origin, started_at, ended_at, exit) VALUES (?, ?, ?, 5)')
      .run('http://127.0.0.1:9', '2026-11-01T06:00:00.000Z', '2026-11-01T06:01:00.000Z');
    mirror.close();
    const diagnosis = await doctor(['--offline']);
    expect(diagnosis.levels).to.include({ 'search index': 'problem', integrity: 'ok' });
    expect(diagnosis.levels).not.to.have.any.keys('last sync', 'lock', 'failed addresses', 'budget');
    const status = await askProgram(['status'], { env: { HEMICYCLE_DB: demo.db, HOME: demo.folder } });
    expect(status.stdout + status.stderr).to.include('exit 5; `hemicycle sync` continues from there');
  });

  it('groups the digits of the numbers of texts', async () => {
    const file = join(demo.folder, 'promises.ndjson');
    const lines = Array.from(
      { length: 1234 },
      (_, at) => `${JSON.stringify({ id: `many-${at}`, title: 'Une mesure' })}\n`,
    );
    writeFileSync(file, lines.join(''));
    await askProgram(['import', file], { env: { HEMICYCLE_DB: join(demo.folder, 'many.db'), HOME: demo.folder } });
    const diagnosis = await doctor(['--offline', '--db', join(demo.folder, 'many.db')]);
    expect(diagnosis.check('search index').says).to.equal('all texts are indexed: 1,234');
  });

  it('ends with exit 12 at a terminal, too, for a damaged mirror', async () => {
    const env = { HEMICYCLE_DB: join(demo.folder, 'damaged.db'), HOME: demo.folder };
    const bytes = readFileSync(demo.db);
    bytes.fill(0xff, 16384 * 3);
    writeFileSync(env.HEMICYCLE_DB, bytes);
    expect(await runAtTerminal(['doctor', '--offline'], { env })).to.include({ exit: 12 });
  });

  describe('with a service', () => {
    const list: Dialect['list'] = (items, next) => ({ items, next_cursor: next });
    const manner = { list };
    let service: FakeService;
    beforeEach(async () => {
      manner.list = list;
      service = await startFakeService({
        name: 'as it is bent',
        list: (...listArguments) => manner.list(...listArguments),
      });
    });
    afterEach(() => service.close());

    it('asks one thing, and names what answers otherwise than a sync had it, until that is accepted', async () => {
      const db = join(demo.folder, 'synced.db');
      const mirror = openWritableMirror(db);
      for (const scope of [wholeScope, { ...wholeScope, details: 'all' as const }, wholeScope])
        await syncOnce({ mirror, folder: demo.folder }, service.baseUrl, { scope });
      mirror.close();
      const before = service.requests.length;
      const sound = await doctor(['--db', db, '--debug'], { HEMICYCLE_BASE_URL: service.baseUrl });
      expect([sound.exit, sound.levels.address, sound.levels.clock, sound.levels.drift]).to.deep.equal([
        ...[0, 'ok', 'ok', 'ok'],
      ]);
      expect(service.requests.length - before).to.equal(1);
      manner.list = (items, next) => ({ results: items, next_cursor: next });
      const again = openWritableMirror(db);
      await syncOnce({ mirror: again, folder: demo.folder }, service.baseUrl);
      again.close();
      const diagnosis = await doctor(['--db', db, '--offline']);
      expect([diagnosis.exit, diagnosis.levels.drift]).to.deep.equal([12, 'problem']);
      expect(diagnosis.check('drift').found.join()).to.include(
        '/politicians: the records are now under results, before under items, since ',
      );
      const accepted: KindName[] = ['politician', 'content', 'audit', 'ballot', 'party'];
      const taking = openWritableMirror(db);
      await syncOnce({ mirror: taking, folder: demo.folder }, service.baseUrl, { accepted });
      taking.close();
      expect((await doctor(['--db', db])).levels.drift).to.equal('ok');
    });

    it('counts what was withheld from the log, until its words are accepted, and shows no value', async () => {
      const db = join(demo.folder, 'log.db');
      const env = { HEMICYCLE_DB: db, HEMICYCLE_BASE_URL: service.baseUrl, HOME: demo.folder };
      Object.assign(service.records.audit![0]!, { role: 'Ranger', moderator: { name: 'Jean Ondoyer' } });
      const roles = async (more: Record<string, string>) => {
        const synced = await askProgram(['sync', '--only', 'audit', '--quiet'], { env: { ...env, ...more } });
        expect([synced.exit, synced.stderr]).to.deep.equal([0, '']);
        const mirror = openWritableMirror(db);
        const roleNames = mirror
          .column<string>("SELECT json_extract(row, '$.role') FROM record WHERE kind = 'audit' ORDER BY date LIMIT 1")
          .get();
        mirror.close();
        return roleNames;
      };
      expect(await roles({})).to.equal(null);
      const diagnosis = await doctor(['--offline'], env);
      expect(diagnosis.check('log')).to.include({ level: 'ok' });
      expect(diagnosis.check('log').says).to.match(/withheld: (moderator|role) 1 and (moderator|role) 1$/);
      expect(diagnosis.text).to.not.match(/Ondoyer|Ranger/);
      const status = JSON.parse((await askProgram(['status', '--json'], { env })).stdout);
      expect(status.withheld).to.deep.equal([
        { field: 'moderator', entries: 1 },
        { field: 'role', entries: 1 },
      ]);
      expect((await runAtTerminal(['doctor'], { env })).stdout).to.not.match(/Ondoyer|Ranger/);
      expect(await roles({ HEMICYCLE_AUDIT_WORDS: 'curator, ranger' })).to.equal('Ranger');
      expect(await roles({})).to.equal(null);
      expect(readFileSync(db, 'latin1')).to.not.match(/Ondoyer|Ranger/);
    });

    it('tells a clock that is days off, and a service that is not there', async () => {
      service.faults.push({
        path: /^\/politicians/,
        answer: (_, response) =>
          void response
            .writeHead(200, { 'content-type': 'application/json', date: 'Mon, 02 Nov 2020 06:00:00 GMT' })
            .end('{"items":[]}'),
      });
      const diagnosis = await doctor(['--db', demo.db], { HEMICYCLE_BASE_URL: service.baseUrl });
      expect([diagnosis.exit, diagnosis.levels.clock]).to.deep.equal([12, 'problem']);
      const unreachable = await doctor([], { HEMICYCLE_BASE_URL: 'http://127.0.0.1:9/api/v1' });
      expect([unreachable.exit, unreachable.levels.address]).to.deep.equal([12, 'problem']);
    });
  });

  it('tells the proxy without its password', () => {
    const says = (environment: Record<string, string>, url = 'https://service.example/api/v1') => {
      const { level, says } = proxyCheck(environment, url);
      return `${level}: ${says}`;
    };
    const proxied = { HTTPS_PROXY: 'http://me:secret@proxy.example:3128' };
    expect(says({})).to.equal('ok: none is set');
    expect(says(proxied)).to.equal(
      'ok: requests go through proxy.example:3128 (HTTPS_PROXY), unless NO_PROXY names their host',
    );
    expect(says(proxied, 'http://service.example')).to.equal('ok: none is set');
    expect(says({ HTTPS_PROXY: 'proxy' })).to.equal('problem: HTTPS_PROXY is not a valid address');
  });

  it('tells certificates of one’s own that are not there or are none', () => {
    const level = (environment: Record<string, string>) => tlsCheck(environment).level;
    expect(level({})).to.equal('ok');
    expect(level({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).to.equal('problem');
    expect(level({ NODE_EXTRA_CA_CERTS: join(demo.folder, 'none.pem') })).to.equal('problem');
    expect(level({ NODE_EXTRA_CA_CERTS: demo.db })).to.equal('problem');
    const broken = join(demo.folder, 'broken.pem');
    writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(level({ NODE_EXTRA_CA_CERTS: broken })).to.equal('problem');
  });

  it('tells a clock that differs by minutes, and the room of a folder that is still to be made', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    const level = (text: string) => clockCheck(Date.parse(text), now).level;
    expect([level('2026-11-22T11:59:30Z'), level('2026-11-22T11:30:00Z'), level('2026-11-20T12:00:00Z')]).to.deep.equal(
      ['ok', 'warning', 'problem'],
    );
    expect(clockCheck(null, now).level).to.equal('ok');
    expect(statSync(demo.folder).isDirectory()).to.equal(true);
    expect(String(diskCheck(join(demo.folder, 'a', 'b', 'mirror.db')).says)).to.match(
      new RegExp(`are free in ${demo.folder}$`),
    );
  });

  it('says how each check ended by a sign and in words, and below it what to do', () => {
    const check = (name: string, level: 'ok' | 'warning' | 'problem', todo: string | null) => ({
      ...{ name, level, todo: todo === null ? null : verbatim(todo) },
      says: verbatim('something that takes some room to be said'),
    });
    const checks = [check('disk', 'ok', null), check('TLS', 'warning', null), check('drift', 'problem', 'look')];
    expect(checksText(checks, terminalOfWidth(60))).to.equal(
      '✓ ok       disk   something that takes some room to be said\n' +
        '! warning  TLS    something that takes some room to be said\n' +
        '✗ problem  drift  something that takes some room to be said\n' +
        '                  → look\n',
    );
    expect(checksText(checks.slice(2), terminalOfWidth(40))).to.equal(
      '✗ problem  drift\n  something that takes some room to be\n  said\n  → look\n',
    );
  });
});
