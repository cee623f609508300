import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { type BucketServer, startBucketServer } from '../helpers/bucket-server.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { nightAt, takeNight } from '../helpers/moving-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { createRandom } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

describe('a command that writes into a bucket', () => {
  const servers = listeningServers();
  let own: ReturnType<typeof createTemporaryMirror>;
  let bucketServer: BucketServer;
  let env: Record<string, string>;
  beforeEach(async () => {
    own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random: createRandom(5) });
    const started = await startBucketServer(servers);
    bucketServer = started.bucketServer;
    env = { HOME: own.folder, ...started.env };
  });
  afterEach(() => {
    own.remove();
    servers.closeAll();
  });
  const run = (words: string[]) =>
    askProgram([...words, '--db', own.mirror.path], { env: { ...env, TMPDIR: tmpdir() } });

  it('says what it sent by the names in the bucket, and that nothing changed', async () => {
    const words = ['export', 'parties', 'quotes', '--if-changed', '-o', 's3://open-data/package/'];
    const first = await run(words);
    expect(first.exit, first.stderr).to.equal(0);
    expect(first.stderr).to.include('s3://open-data/package/parties.csv: ').and.not.include('hemicycle-bucket-');
    expect(first.stderr).to.match(/s3:\/\/open-data\/package: \d+ files sent, 0 removed/);
    const again = await run(words);
    expect(again.stderr).to.include('s3://open-data/package: nothing changed');
    expect(again.stderr).to.include('s3://open-data/package: 0 files sent, 0 removed');
    const changes = ['export', 'parties', '--changed-since', 'last', '-o', 's3://open-data/package/'];
    expect((await run([...words, '--lang', 'fr'])).stderr).to.include('rien n’a changé');
    const refused = await run([...changes, '--lang', 'fr']);
    expect(refused.exit).to.equal(10);
    expect(refused.stderr).to.include('s3://open-data/package\u00a0: il contient');
  });

  it('refuses one file, in words that help', async () => {
    const file = await run(['export', 'parties', '-o', 's3://open-data/parties.csv']);
    expect([file.exit, file.stderr]).to.satisfy(
      ([exit, message]: [number, string]) => exit === 2 && /-o s3:\/\/BUCKET\/FOLDER\//.test(message),
    );
  });

  it('brings the pages of a site there, and the second time none', async () => {
    const words = ['site', '-o', 's3://open-data/pages'];
    const first = await run(words);
    expect(first.exit, first.stderr).to.equal(0);
    expect([...bucketServer.objects.keys()]).to.include.members([
      'open-data/pages/index.html',
      'open-data/pages/data/parties.csv',
    ]);
    bucketServer.requests.length = 0;
    const again = await run(words);
    expect(again.stderr, bucketServer.requests.join('\n')).to.include('files, 0 written, 0 removed');
  });
});
