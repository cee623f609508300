import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

describe('filters of what the service is asked', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let served: ServedProgram;
  before(async () => {
    demo = await createDemoMirror();
    served = await startServedProgram(['--rate-limit', 'off'], { HEMICYCLE_DB: demo.db, HOME: demo.folder });
  });
  after(async () => {
    await served.stop();
    demo.remove();
  });
  const ask = (line: string, db = demo.db) =>
    runProgram([...line.split(' '), '--source', 'service', '--format', 'ndjson'], {
      env: {
        HEMICYCLE_DB: db,
        HOME: demo.folder,
        HEMICYCLE_BASE_URL: `${served.origin}/api/v1`,
        HEMICYCLE_RATE: '100000',
      },
    });

  for (const [line, error] of [
    [
      'politicians --party alliance-des-rivagse',
      'the service has no party "alliance-des-rivagse"\ndid you mean: alliance-des-rivages (Alliance des Rivages)?',
    ],
    [
      'feed --politician oceane-bruyevra',
      'the service has no politician "oceane-bruyevra"\ndid you mean: oceane-bruyevre (Océane Bruyèvre)?',
    ],
    ['feed --topic logemnt', 'no topic is called "logemnt" in the mirror\ndid you mean: logement?'],
    ['audit --entity-type promse', 'no entity type is called "promse" in the mirror\ndid you mean: promise?'],
  ] as [string, string][])
    it(`that name nothing are told with near misses: ${line}`, async () => {
      const { stdout, stderr, exit } = await ask(line);
      expect([exit, stdout, stderr]).to.deep.equal([3, '', `Error: ${error}\n`]);
    });

  for (const [line, equivalentLine] of [
    ['politicians --party pdv', 'politicians --party parti-du-verger'],
    ['feed --topic Logement', 'feed --topic logement'],
    ['audit --entity-type Promises', 'audit --entity-type promise'],
  ] as [string, string][])
    it(`are understood as the mirror understands them: ${line}`, async () => {
      const { stdout, exit } = await ask(line);
      expect(exit).to.equal(0);
      expect(stdout).not.to.equal('');
      expect(stdout).to.equal((await ask(equivalentLine)).stdout);
    });

  it('that a mirror cannot tell of are left to the service', async () => {
    const { stdout, exit } = await ask('feed --topic logemnt', join(demo.folder, 'new.db'));
    expect([stdout, exit]).to.deep.equal(['', 0]);
  });

  it('that name what has no facts are answered with nothing', async () => {
    const { stdout, exit } = await ask('feed --politician oceane-bruyevre --party cercle-des-deux-rives');
    expect([stdout, exit]).to.deep.equal(['', 0]);
  });
});
