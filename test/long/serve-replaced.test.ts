import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMarkedMirror, markedPaths } from '../helpers/marked-mirror.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

describe('serve, whose mirror is replaced', () => {
  let folder: string;
  let server: ServedProgram;
  const at = (name: string) => join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-replaced-'));
    createMarkedMirror(at('a.db'), 'ancien');
    // Longer than the former one: what another process remembers of that one's length would not do.
    createMarkedMirror(at('n.db'), 'nouveau', { more: 2000 });
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Connections of their own, so that every worker gets some; of an answer, its status and the word in it. */
  const ask = async (path: string) => {
    const answer = await fetch(`${server.origin}${path}`, { headers: { connection: 'close' } });
    const [word = ''] = /ancien|nouveau/.exec(await answer.text()) ?? [];
    return `${answer.status} ${word}`.trim();
  };
  /** Twice, one after the other: one caller may have two exports at a time. */
  const askAll = async () => {
    const ways = () => Promise.all(markedPaths.map(ask));
    return new Set([...(await ways()), ...(await ways())]);
  };

  /** Asks until every answer is of the new file; what comes before that may only be "not now". */
  async function expectNew(): Promise<void> {
    const before = new Set<string>();
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const answers = await askAll();
      if (answers.size === 1 && answers.has('200 nouveau')) break;
      for (const each of answers) before.add(each);
    }
    before.delete('200 nouveau');
    before.delete('503');
    expect([...before]).to.deep.equal([]);
    expect([...(await askAll())]).to.deep.equal(['200 nouveau']);
  }

  for (const workers of ['1', '2']) {
    it(`answers all of it from the new file, or 503, with --workers ${workers}`, async () => {
      const argv = ['--rate-limit', 'off', '--workers', workers, '--operator-port', '0'];
      server = await startServedProgram(argv, { HEMICYCLE_DB: at('a.db'), HOME: folder });
      const metrics = `${(await server.output(/watches on (http:\S+)/))[1]!}/metrics`;
      const parties = async () =>
        /hemicycle_mirror_records\{kind="party"\} (\d+)/.exec(await (await fetch(metrics)).text())?.[1];
      expect([...(await askAll())]).to.deep.equal(['200 ancien']);
      expect(await parties()).to.equal('1');
      renameSync(at('a.db'), at('b.db'));
      expect([...(await askAll())]).to.deep.equal(['503']);
      expect(await parties()).to.equal(undefined);
      copyFileSync(at('n.db'), at('a.db'));
      await expectNew();
      expect(await parties()).to.equal('2001');
      expect(server.stderr()).to.match(/there is no mirror at/);
      expect(server.stderr()).not.to.match(/\n +at /);
    });
  }
});
