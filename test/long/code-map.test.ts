import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const map = readFileSync(join(root, 'src/README.md'), 'utf8');

/** What one block of the code map says: a whole file, or lines behind or in place of a line of one. */
type Block = { path: string; anchor: string | null; isReplacing: boolean; text: string };

function blocksUnder(heading: string): Block[] {
  const section = map.split(/^##+ /m).find((each) => each.startsWith(`${heading}\n`))!;
  return [
    ...section.matchAll(/```ts\n\/\/ ([^\n,]+)(?:, (behind|replacing): ?([^\n]*))?\n([\s\S]*?)```/g),
  ].map(([, path, how, anchor, text]) => ({
    path: path!,
    anchor: anchor ?? null,
    isReplacing: how === 'replacing',
    text: text!,
  }));
}

/** Does what a block says, in a copy of the sources. */
function follow(copy: string, { path, anchor, isReplacing, text }: Block): void {
  const file = join(copy, path);
  if (anchor === null) {
    expect(existsSync(file), `${path} is new`).to.equal(false);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.trim() === anchor.trim());
  expect(at, `${path} has the line "${anchor}"`).to.be.greaterThan(-1);
  lines.splice(isReplacing ? at : at + 1, isReplacing ? 1 : 0, ...text.trimEnd().split('\n'));
  writeFileSync(file, lines.join('\n'));
}

describe('the code map', () => {
  let copy: string;
  let db: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'hemicycle-map-'));
    for (const part of ['src', 'bin', 'fixtures/demo', 'package.json']) {
      mkdirSync(dirname(join(copy, part)), { recursive: true });
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    db = join(copy, 'mirror.db');
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  /** The program of the copy, without a build. */
  async function hemicycle(...argv: string[]): Promise<string> {
    const env = { ...process.env, HOME: copy, HEMICYCLE_DB: db };
    const program = join(copy, 'bin/dev.js');
    return (await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...argv], { env }))
      .stdout;
  }

  /** The commands and flags of the copy, written down as the build does it, of the sources. */
  async function describeCommands(): Promise<void> {
    const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const oclif = { ...pjson.oclif, commands: './src/cli/commands' };
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...pjson, oclif }));
    const builder = join(root, 'node_modules/oclif/bin/run.js');
    await run(process.execPath, ['--disable-warning=ExperimentalWarning', builder, 'manifest'], {
      cwd: copy,
    });
  }

  const fill = () => hemicycle('import', join(copy, 'fixtures/demo'), '--quiet');

  it('names files that exist', () => {
    const named = [...map.matchAll(/`((?:\w+\/)+[\w.-]+\.ts)`/g)].map(([, path]) => path!);
    expect(named.length).to.be.greaterThan(10);
    const missing = named.filter(
      (path) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('tells how to add a question, which is a command and a described route then', async () => {
    for (const block of blocksUnder('A question')) follow(copy, block);
    await describeCommands();
    await fill();
    const rows = (await hemicycle('publishers', '--limit', '2', '--format', 'csv')).split('\n');
    expect(rows[0]).to.equal('publisher,sources');
    expect(rows).to.have.length(4);
    expect(await hemicycle('publishers', '--help')).to.include('number of publishers');
    const asking = `
      const { createApp } = await import('./src/server/app.ts');
      const { openMirror } = await import('./src/store/open.ts');
      const settings = { citation: { name: 'x', siteUrl: null }, rateLimit: false, semantic: false };
      const app = await createApp({ mirror: openMirror(process.env.HEMICYCLE_DB), settings });
      const get = async (url) => (await app.inject({ url })).json();
      const { paths } = await get('/openapi.json');
      const refused = await get('/api/v1/publishers?limit=0');
      const answer = await get('/api/v1/publishers?limit=2');
      console.log(JSON.stringify([paths['/api/v1/publishers'].get.operationId, refused.status, answer.items.length]));`;
    const { stdout } = await run(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', asking],
      { cwd: copy, env: { ...process.env, HEMICYCLE_DB: db } },
    );
    expect(JSON.parse(stdout)).to.deep.equal(['listPublishers', 422, 2]);
  });

  it('tells how to add a kind of record, which is imported, shown and exported then', async () => {
    for (const block of blocksUnder('A kind of record')) follow(copy, block);
    await describeCommands();
    const folder = join(copy, 'data');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'meetings.ndjson'),
      '{"id":"m-1","date":"2026-01-01","title":"On lighthouses"}\n',
    );
    await hemicycle('import', folder, '--quiet');
    expect(await hemicycle('export', 'meetings')).to.equal('id,date,title\nm-1,2026-01-01,On lighthouses\n');
    expect(await hemicycle('show', 'meeting', 'm-1')).to.include('On lighthouses');
    expect(await hemicycle('search', 'lighthouses', '--type', 'meeting', '--format', 'csv')).to.include(
      'm-1',
    );
  });

  it('tells how to add a format, which answers and exports are written in then', async () => {
    for (const block of blocksUnder('A format')) follow(copy, block);
    await describeCommands();
    await fill();
    expect(await hemicycle('export', 'parties', '--format', 'yaml')).to.match(
      /^- \{"slug":"alliance-des-rivages"/,
    );
    expect(await hemicycle('topics', '--format', 'yaml')).to.match(/^- \{"topic":/);
  });

  it('tells how to add a channel of watches, which is added, tested, delivered and listed then', async () => {
    for (const block of blocksUnder('A channel of watches')) follow(copy, block);
    await describeCommands();
    await fill();
    const log = join(copy, 'watch.log');
    expect(await hemicycle('watch', 'add', '--help')).to.include('append the message as a line of JSON');
    await hemicycle('watch', 'add', 'tout', 'changes', '--log', log, '--from', '2020-01-01', '--quiet');
    await hemicycle('watch', 'test', 'tout', '--quiet');
    await hemicycle('watch', 'run', '--quiet');
    const told = readFileSync(log, 'utf8').trim().split('\n');
    expect(told.map((line) => JSON.parse(line).type)).to.deep.equal(['watch.test', 'watch.changes']);
    const [watch] = JSON.parse(await hemicycle('watch', 'list', '--json')).items;
    expect(watch).to.deep.include({ channels: [`log:${log}`], waiting: 0, dead: 0 });
  });

  it('tells how to add a command', async () => {
    for (const block of blocksUnder('A command')) follow(copy, block);
    await describeCommands();
    expect(await hemicycle('where')).to.equal(`${db}\n`);
  });

  it('shows a program that uses the library, which runs', async () => {
    const [example] = blocksUnder('As a library');
    cpSync(join(root, 'fixtures/demo'), join(copy, 'data'), { recursive: true });
    writeFileSync(join(copy, 'example.ts'), example!.text.replace("'hemicycle'", "'./src/index.ts'"));
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'example.ts'], {
      cwd: copy,
    });
    expect(stdout).to.match(/^rejeté \[[\s\S]*'VAL1V11'/);
  });
});
