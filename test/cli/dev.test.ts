import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { childrenOf } from '../helpers/child-processes.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the sources without a bundle', () => {
  it('answer in readers of their own too', async () => {
    const demo = await createDemoMirror();
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', `${root}bin/dev.js`, 'serve', '--port', '0', '--db', demo.db],
      { env: { HOME: demo.folder } },
    );
    try {
      let origin: string | undefined;
      for await (const line of createInterface({ input: child.stdout })) {
        origin = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
        if (origin) break;
      }
      const today = new Date().toISOString().slice(0, 10);
      const answer = await fetch(`${origin}/api/v1/parties?as_of=${today}`);
      expect(answer.status, await answer.text()).to.equal(200);
      if (process.platform !== 'linux') return;
      expect(childrenOf(child.pid!, 'src/server/run/reader.ts')).not.to.deep.equal([]);
    } finally {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      demo.remove();
    }
  });
});
