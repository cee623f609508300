import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { maxChars } from '../../src/server/mcp/answer.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { startServedProgram } from '../helpers/served-program.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

const toolArguments: Record<string, Record<string, unknown>> = {
  search: { q: 'gardiens' },
  record: { key: 'AN:VAL1V4' },
  politicians: { party: 'ADR' },
  feed: { politician: 'Océane Bruyèvre' },
  ballots: { voted: ['ADR:for'] },
  compare: { group: ['ADR', 'majority'] },
  cohesion: {},
  affiliations: { event: 'began' },
  changes: { since: '2026-10-01' },
  history: { key: 'oceane-bruyevre' },
  topics: {},
  ask: { name: 'members-by-group' },
};

/** Lists the tools and calls each, as the client of the protocol's own authors does. */
async function askAll(transport: Transport, mode: 'legacy' | 'auto'): Promise<string | undefined> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).to.have.members(Object.keys(toolArguments));
  for (const { name, annotations } of tools) {
    expect(annotations, name).to.include({ readOnlyHint: true });
    const { content, isError } = await client.callTool({ name, arguments: toolArguments[name]! });
    const { text } = content[0] as { text: string };
    expect(isError ?? false, text).to.equal(false);
    expect(text).to.have.lengthOf.within(200, maxChars);
    expect(JSON.parse(text)).to.nested.include({ 'attribution.name': 'Service de Valombre (fictional)' });
  }
  const wrong = await client.callTool({ name: 'record', arguments: { kind: 'politician', key: 'nobody' } });
  expect(wrong.isError).to.equal(true);
  expect(await client.callTool({ name: 'rank_honesty' }).catch(String)).to.match(/no tool "rank_honesty"/);
  const version = client.getNegotiatedProtocolVersion();
  await client.close();
  return version;
}

describe('assistants', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  for (const mode of ['legacy', 'auto'] as const)
    it(`list and call every tool on stdin, by the ${mode === 'auto' ? 'newest' : 'former'} protocol, with the network cut`, async () => {
      const isCut = spawnSync('unshare', ['-n', 'true']).status === 0;
      const words = [...(isCut ? ['unshare', '-n'] : []), process.execPath, program, 'mcp', '--db', demo.db];
      const transport = new StdioClientTransport({
        command: words[0]!,
        args: words.slice(1),
        env: { PATH: process.env.PATH ?? '', HOME: demo.folder },
        stderr: 'inherit',
      });
      expect(await askAll(transport, mode)).to.equal(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    });

  for (const mode of ['legacy', 'auto'] as const)
    it(`list and call every tool over HTTP, by the ${mode === 'auto' ? 'newest' : 'former'} protocol, from two processes`, async () => {
      const served = await startServedProgram(['--mcp', '--workers', '2', '--db', demo.db], {
        HOME: demo.folder,
      });
      try {
        const transport = new StreamableHTTPClientTransport(new URL(`${served.origin}/mcp`));
        expect(await askAll(transport, mode)).to.equal(mode === 'auto' ? '2026-07-28' : '2025-11-25');
      } finally {
        const { stderr, exit } = await served.stop();
        expect(exit).to.equal(143);
        expect(stderr).not.to.match(/Error/);
      }
    });

  it('may send a line of 400 MB, and binary: it is not kept, and the next question is answered', async () => {
    const child = spawn(process.execPath, [program, 'mcp', '--db', demo.db], {
      env: { PATH: process.env.PATH ?? '', HOME: demo.folder },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string);
    const write = async (bytes: string | Buffer) => {
      if (!child.stdin.write(bytes)) await once(child.stdin, 'drain');
    };
    const status = `/proc/${child.pid}/status`;
    // Not every /proc tells it.
    const peak = () => Number(existsSync(status) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]);
    const question = { name: 'ballots', arguments: { limit: 1 } };
    const call = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: question })}\n`;
    await write(call);
    expect(await next()).to.have.property('result');
    const before = peak();
    const lineKb = 400 * 1024;
    for (let at = 0; at < lineKb / 1024; at += 1)
      await write(Buffer.alloc(2 ** 20, at % 2 === 0 ? 'x' : 0xff).fill(0x61, 0, 1));
    await write('\n');
    for (let at = 0; at < 2000; at += 1) await write(Buffer.from([0, 0xff, 0xc3, 0x28, 0x0a]));
    await write(call);
    expect(await next()).to.have.property('result');
    // What is read and dropped waits to be collected: under 90 MB however long the line is.
    expect(peak() - before).to.not.be.above(lineKb / 2);
    child.stdin.end();
    expect(await ended).to.deep.equal([0, null]);
  });

  it('are told on stderr where there is no mirror, and stdout stays theirs', async () => {
    const { stdout, stderr, exit } = await runProgram(['mcp', '--db', `${demo.folder}/none.db`]);
    expect({ stdout, exit }).to.deep.equal({ stdout: '', exit: 10 });
    expect(stderr).to.match(/none\.db/);
  });

  // The program that holds a server against the protocol brings too much with it to be a dependency: `.ci/run` installs it.
  const conformance = process.env.MCP_CONFORMANCE;
  (conformance === undefined ? it.skip : it)(
    'pass the scenarios of the protocol’s own conformance program that ask for no tool of its own',
    async () => {
      const served = await startServedProgram(['--mcp', '--rate-limit', 'off'], { HEMICYCLE_DB: demo.db });
      const url = `${served.origin}/mcp`;
      for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
        const argv = [conformance!, 'server', '--url', url, '--scenario', scenario];
        const child = spawn(process.execPath, argv, {
          cwd: demo.folder,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [output, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')]);
        expect(exit, output).to.equal(0);
        expect(output, scenario).to.match(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
      }
      await served.stop();
    },
  );
});
