import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { expect } from 'chai';
import { guidePage } from '../docs/guide.ts';
import { freePort } from '../helpers/redis-server.ts';
import { askPlainly, startDemoServer } from '../server/demo-server.ts';

const guide = `${guidePage('systemd')}${guidePage('proxy')}`;
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)![1]!;

describe('the guide to running serve', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-operating-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has a unit that systemd rates below 2', function () {
    if (spawnSync('systemd-analyze', ['--version']).error) this.skip();
    const unit = join(folder, 'hemicycle.service');
    writeFileSync(unit, blockOf('ini'));
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    expect(Number(/Overall exposure level for hemicycle\.service: ([\d.]+)/.exec(stdout)?.[1])).to.be.below(2);
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(verified.stderr).to.not.match(/Unknown|Failed to parse|Invalid/);
  });

  it('has a block for Caddy that passes nothing on that callers claim of themselves', async function () {
    if (spawnSync('caddy', ['version']).error) this.skip();
    const server = await startDemoServer({
      settings: { trustedProxies: ['127.0.0.1'], allowedHosts: ['data.example'], rateLimit: true },
    });
    const port = await freePort();
    const block = blockOf('caddy')
      .replace('data.example {', `http://data.example:${port} {\n  bind 127.0.0.1`)
      .replace('127.0.0.1:8000', new URL(server.url).host);
    writeFileSync(join(folder, 'Caddyfile'), `{\n  admin unix/${folder}/admin\n}\n${block}`);
    const started = spawnSync(
      'caddy',
      ['start', '--config', join(folder, 'Caddyfile'), '--pidfile', join(folder, 'pid')],
      {
        encoding: 'utf8',
        env: { ...process.env, HOME: folder },
        stdio: 'ignore',
      },
    );
    expect(started.status).to.equal(0);
    try {
      const ask = (path: string, headers: Record<string, string> = {}) =>
        askPlainly(`http://127.0.0.1:${port}${path}`, {
          host: `data.example:${port}`,
          'x-forwarded-host': 'evil.example',
          forwarded: 'for=192.0.2.9;host=evil.example;proto=https',
          'x-forwarded-proto': 'https',
          ...headers,
        });
      const { bytes } = await ask('/votes/AN/VAL1V4', { accept: 'text/html' });
      expect(bytes.toString()).to.include(`http://data.example:${port}/embed/`).and.not.include('evil.example');
      const remaining = [];
      for (const caller of ['192.0.2.1', '192.0.2.2'])
        remaining.push(
          String((await ask('/api/v1/parties', { 'x-forwarded-for': caller })).headers.ratelimit).split(';')[1],
        );
      // One caller by its own address; the page before counts in the limit of pages.
      expect(remaining).to.deep.equal(['r=59', 'r=58']);
    } finally {
      kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
      await server.close();
    }
  });
});
