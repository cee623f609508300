import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError } from '../../../src/errors.ts';
import { bucketLocation } from '../../../src/export/bucket.ts';
import { exportLake } from '../../../src/export/lake/lake.ts';
import { openBucketStorage } from '../../../src/export/lake/storage.ts';
import { allTables } from '../../../src/export/tables.ts';
import { verifyLake } from '../../../src/export/verify.ts';
import { warehouseTables } from '../../../src/export/warehouse.ts';
import { openBucket } from '../../../src/service/bucket.ts';
import { type BucketServer, startBucketServer } from '../../helpers/bucket-server.ts';
import { createProxy, listeningServers } from '../../helpers/loopback-servers.ts';
import { nightAt, takeNight } from '../../helpers/moving-mirror.ts';
import { runProgram } from '../../helpers/program.ts';
import { createRandom } from '../../helpers/random.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
const location = 's3://open-data/lake';
const network = { userAgent: 'test', now: () => 0, sleep: async () => {} };

describe('a lake in a bucket', () => {
  const servers = listeningServers();
  let own: ReturnType<typeof createTemporaryMirror>;
  let bucketServer: BucketServer;
  let env: Record<string, string>;
  const random = createRandom(5);
  beforeEach(async () => {
    own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random });
    ({ bucketServer, env } = await startBucketServer(servers));
  });
  afterEach(() => {
    own.remove();
    servers.closeAll();
  });

  async function write(night = 1) {
    const { mirror } = own;
    const tables = warehouseTables(mirror, [...allTables], { citation, isFlat: false });
    bucketServer.requests.length = 0;
    const storage = await openBucketStorage(await openBucket(bucketLocation(location, env), network));
    try {
      return await exportLake(tables, storage, {
        ...{ maxShrink: 1, watch: () => undefined, countWithheld: () => 0, keepMs: null },
        ...{ moment: nightAt(night), nowMs: Date.parse(nightAt(night)) },
      });
    } finally {
      await storage.close();
    }
  }
  const puts = () => bucketServer.requests.filter((each) => /^PUT .*\.(parquet|json)$/.test(each));
  async function faults(): Promise<string[]> {
    const folder = join(own.folder, 'taken');
    for (const [name, bytes] of bucketServer.objects) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    return (await verifyLake(join(folder, 'open-data/lake'))).flatMap((file) => file.faults.map(String));
  }

  it('is that of a folder, and one of which nothing changed takes no file', async () => {
    await write();
    expect(await faults()).to.deep.equal([]);
    expect([...bucketServer.objects.keys()].filter((name) => !name.startsWith('open-data/lake/'))).to.deep.equal([]);
    await write();
    expect(puts()).to.deep.equal([]);
    takeNight(own.mirror, { at: nightAt(1), random, only: 'quote' });
    await write(2);
    expect(puts()).to.satisfy((all: string[]) => all.some((each) => each.includes('quotes/data/')));
    expect(puts().some((each) => each.includes('ballots/'))).to.equal(false);
    expect(await faults()).to.deep.equal([]);
  });

  it('goes on where connections are cut, also behind a commit that had arrived', async () => {
    bucketServer.cuts = 2;
    await write();
    takeNight(own.mirror, { at: nightAt(1), random });
    const running = write(2);
    bucketServer.cuts = 1;
    bucketServer.halves = 2;
    await running;
    expect(await faults()).to.deep.equal([]);
  });

  it('has one winner of each version where several write at once', async () => {
    await Promise.all([write(), write(), write()]);
    const commits = [...bucketServer.objects.keys()].filter((name) => name.includes('/ballots/_delta_log/'));
    expect(commits).to.have.lengthOf(1);
    expect(await faults()).to.deep.equal([]);
  });

  it('is refused where the storage writes over what is there, and leaves nothing', async () => {
    bucketServer.ignoresConditions = true;
    const error = await write().catch((thrown) => thrown);
    expect(String(error)).to.include(`${location}: it ignores If-None-Match`);
    expect(bucketServer.objects.size).to.equal(0);
  });

  it('takes keys, region and endpoint from the files and the profile of AWS', async () => {
    const { AWS_ENDPOINT_URL: endpoint } = env;
    const files = join(own.folder, '.aws');
    mkdirSync(files);
    writeFileSync(
      join(files, 'credentials'),
      '[default]\naws_access_key_id = other\naws_secret_access_key = x\n\n[press]\naws_access_key_id = known\naws_secret_access_key=never shown\n',
    );
    writeFileSync(
      join(files, 'config'),
      `[default]\nregion = eu-west-1\n[profile press]\nregion = eu-west-3\nendpoint_url = ${endpoint}\n`,
    );
    env = { HOME: own.folder, AWS_PROFILE: 'press' };
    await write();
    expect(await faults()).to.deep.equal([]);
    expect(bucketLocation(location, { HOME: own.folder })).to.include({
      region: 'eu-west-1',
      baseUrl: 'https://open-data.s3.eu-west-1.amazonaws.com',
      accessKeyId: 'other',
    });
    const none = { HOME: own.folder, AWS_PROFILE: 'none' };
    expect(() => bucketLocation(location, none)).to.throw('the profile none');
  });

  it('is reached through the proxy of the environment, and no key is told while requests are traced', async () => {
    const tunnelled: (string | undefined)[] = [];
    const HTTP_PROXY = `http://127.0.0.1:${await servers.listen(createProxy(tunnelled))}`;
    const words = ['export', 'parties', '--lake', location, '--db', own.mirror.path, '--debug'];
    const { exit, stderr } = await runProgram(words, { env: { HOME: own.folder, HTTP_PROXY, ...env } });
    expect(exit, stderr).to.equal(0);
    expect(tunnelled).to.not.deep.equal([]);
    expect(stderr).to.include('> PUT ').and.not.include('never shown');
  });

  it('says what is missing or refused, and never the key', async () => {
    const whole = { ...env, HOME: own.folder };
    for (const [change, message] of [
      [{ AWS_SECRET_ACCESS_KEY: '' }, 'no keys for s3://open-data/lake'],
      [{ AWS_ACCESS_KEY_ID: 'unknown' }, 's3://open-data/lake: InvalidAccessKeyId'],
      [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, '127.0.0.1:1/open-data/'],
    ] as const) {
      env = { ...env, ...change };
      const error = await write().catch((thrown) => thrown);
      Object.assign(env, whole);
      expect(`${error} ${error.hint}`).to.include(message).and.not.include('never shown');
    }
    expect(() => bucketLocation('s3://', env)).to.throw('contains no bucket name');
    expect(() => bucketLocation('s3://Bucket_x/y', env))
      .to.throw(ConfigurationError)
      .with.property('hint')
      .that.includes('a to z, 0 to 9, "." and "-"');
  });
});
