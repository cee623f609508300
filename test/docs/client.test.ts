import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { apiDescription, clientInterfaceSource } from '../../src/server/client-interface.ts';
import { startDemoServer } from '../server/demo-server.ts';
import { clientExample } from './guide.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the client of the package', () => {
  it('has the types of the interface as it is now (`npm run client` writes them anew)', async () => {
    const generated = await clientInterfaceSource(await apiDescription());
    expect(readFileSync(`${root}src/client/interface.ts`, 'utf8')).to.equal(generated);
  });

  it('is one file that imports nothing, and knows no Node', () => {
    const text = readFileSync(`${root}dist/client/client.js`, 'utf8');
    expect(text).to.not.match(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|node:/);
  });

  it('does what the guide shows, by the name of the package', async () => {
    const server = await startDemoServer();
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-client-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules/hemicycle'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'example.ts'), clientExample().replace('http://127.0.0.1:8000', server.url));
      const { stdout } = await run(process.execPath, ['example.ts'], { cwd: folder });
      expect(stdout)
        .to.match(/^20\d\d-\d+ .+\n/)
        .and.to.include('422 ');
    } finally {
      rmSync(folder, { recursive: true });
      await server.close();
    }
  });
});
