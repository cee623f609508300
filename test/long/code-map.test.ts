import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const map = readFileSync(join(root, 'src/README.md'), 'utf8');

/** What one block of the code map says: a whole file, lines behind or in place of a line of one, or what is typed. */
type Block = { path: string; anchor: string | null; isReplacing: boolean; text: string };

const fence =
  /```(?:ts|json|md)\n(?:\/\/|<!--) ([^\n,]+?)(?:, (behind|replacing): ?([^\n]*?))?(?: -->)?\n([\s\S]*?)```/g;

const sectionUnder = (heading: string) => map.split(/^##+ /m).find((each) => each.startsWith(`${heading}\n`))!;

const blocksUnder = (heading: string): Block[] =>
  [...sectionUnder(heading).matchAll(fence)].map(([, path, how, anchor, text]) => ({
    path: path!,
    anchor: anchor ?? null,
    isReplacing: how === 'replacing',
    text: text!,
  }));

/** What is typed after all blocks of a heading were followed. */
const typedUnder = (heading: string): string[] =>
  [...sectionUnder(heading).matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, line]) => line!);

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

/** Suites that hold whatever was added, and those among their tests that would need a build. */
const suites = [
  'structure/modules',
  'words/catalogue',
  'words/help',
  'docs/readme',
  'server/openapi',
  'server/parameters',
  'server/examples',
  'server/beyond',
  'server/pages',
  'server/site',
  'server/base-path',
  'export/export-sums',
  'questions/table',
  'format/row-format',
  'server/export',
  'watches/channels',
  'watches/run',
  'cli/same-flags',
  'cli/help',
];
const built = '^the commands that the documents show|^the help of';

describe('the code map', () => {
  let copy: string;
  let db: string;
  let mirrorCount = 0;
  /** All lists are followed in one copy, one after another: to lint and test it takes longer than all else. */
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'hemicycle-map-'));
    const files = ['package.json', 'tsconfig.json', 'biome.json', '.gitignore', 'README.md', 'CHANGELOG.md'];
    for (const part of ['src', 'bin', 'docs', 'test', 'fixtures', ...files])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, 'dist'));
    symlinkSync(join(root, 'dist/assets'), join(copy, 'dist/assets'));
  });
  beforeEach(() => {
    mirrorCount += 1;
    db = join(copy, `mirror-${mirrorCount}.db`);
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  /** Follows a list, and writes down the commands of the copy as the build does. */
  async function followAll(heading: string): Promise<void> {
    for (const block of blocksUnder(heading)) follow(copy, block);
    await describeCommands();
    for (const line of typedUnder(heading)) await inCopy('sh', '-c', line);
  }

  /** Runs a program in the copy; what it wrote is the message where it fails. */
  async function inCopy(file: string, ...argv: string[]): Promise<string> {
    const env = { ...process.env, HOME: copy, TEST_LONG: '' };
    const options = { cwd: copy, env, maxBuffer: 2 ** 26 };
    try {
      return (await run(file, argv, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${file} ${argv.join(' ')}\n${stdout}${stderr}`);
    }
  }

  /** The program of the copy, without a build. */
  async function hemicycle(...argv: string[]): Promise<string> {
    const env = { ...process.env, HOME: copy, HEMICYCLE_DB: db };
    const program = join(copy, 'bin/dev.js');
    return (await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...argv], { env })).stdout;
  }

  /** What the program of the copy says on stderr as it fails. */
  const failure = (...argv: string[]) =>
    hemicycle(...argv).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    );

  /** The commands and flags of the copy, written down as the build does it, of the sources. */
  async function describeCommands(): Promise<void> {
    const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const oclif = { ...pjson.oclif, commands: './src/cli/commands' };
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...pjson, oclif }));
    await run(process.execPath, ['bin/build/manifest.ts'], { cwd: copy });
  }

  /** What the server of the copy answers: the value of an expression that asks with `get`. */
  async function served(expression: string): Promise<unknown> {
    const asking = `
      const { createApp } = await import('./src/server/app.ts');
      const { openMirror } = await import('./src/store/open.ts');
      const settings = { citation: { name: 'x', siteUrl: null }, rateLimit: false, semantic: false };
      const assetsFolder = './dist/assets';
      const app = await createApp({ mirror: openMirror('${db}'), settings, assetsFolder });
      const get = (url) => app.inject({ url });
      console.log(JSON.stringify(${expression}));`;
    const argv = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', asking];
    return JSON.parse(await inCopy(process.execPath, ...argv));
  }

  const fill = () => hemicycle('import', join(copy, 'fixtures/demo'), '--quiet');

  it('names files that exist', () => {
    const mentionedPaths = [...map.matchAll(/`((?:\w+\/)+[\w.-]+\.ts)`/g)].map(([, path]) => path!);
    expect(mentionedPaths.length).to.be.greaterThan(10);
    const missing = mentionedPaths.filter(
      (path) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('tells how to add a question, which is a command and a described route then', async () => {
    await followAll('A question');
    await fill();
    const rows = (await hemicycle('publishers', '--limit', '2', '--format', 'csv')).split('\n');
    expect(rows[0]).to.equal('publisher,sources');
    expect(rows).to.have.length(4);
    expect(await hemicycle('publishers', '--help')).to.include('number of publishers');
    const answers = await served(`[
      (await get('/openapi.json')).json().paths['/api/v1/publishers'].get.operationId,
      (await get('/api/v1/publishers?limit=0')).statusCode,
      (await get('/api/v1/publishers?limit=2')).json().items.length,
    ]`);
    expect(answers).to.deep.equal(['listPublishers', 422, 2]);
  });

  it('tells how to add a page, which stands in both languages with its other forms then', async () => {
    await followAll('A page');
    await fill();
    const answers = await served(`[
      (await get('/ages')).body.split(/<li>[^<]+: \\d{4}-/).length,
      (await get('/ages?lang=fr')).body.includes('<h1>Responsables politiques</h1>'),
      (await get('/ages.csv')).body.split(',')[0],
    ]`);
    expect(answers).to.deep.equal([20, true, 'slug']);
  });

  it('tells how to add a kind of record, which is imported, shown and exported then', async () => {
    await followAll('A kind of record');
    const folder = join(copy, 'data');
    mkdirSync(folder);
    writeFileSync(join(folder, 'meetings.ndjson'), '{"id":"m-1","date":"2026-01-01","title":"On lighthouses"}\n');
    await hemicycle('import', folder, '--quiet');
    expect(await hemicycle('export', 'meetings')).to.equal('id,date,title\nm-1,2026-01-01,On lighthouses\n');
    expect(await hemicycle('show', 'meeting', 'm-1')).to.include('On lighthouses');
    expect(await hemicycle('search', 'lighthouses', '--type', 'meeting', '--format', 'csv')).to.include('m-1');
  });

  it('tells how to add a format, which answers and exports are written in then', async () => {
    await followAll('A format');
    await fill();
    expect(await hemicycle('export', 'parties', '--format', 'yaml')).to.match(/^- \{"slug":"alliance-des-rivages"/);
    expect(await hemicycle('topics', '--format', 'yaml')).to.match(/^- \{"topic":/);
    const folder = join(copy, 'out');
    await hemicycle('export', '--all', '--format', 'yaml', '-o', folder);
    await hemicycle('export', 'verify', folder);
    writeFileSync(join(folder, 'parties.yaml'), '- {}\n');
    expect(await failure('export', 'verify', folder)).to.include('parties.yaml');
  });

  it('tells how to add a channel of watches, which is added, tested, delivered and listed then', async () => {
    await followAll('A channel of watches');
    await fill();
    const log = join(copy, 'watch.log');
    expect(await hemicycle('watch', 'add', '--help')).to.include('append the message as a line of JSON');
    await hemicycle('watch', 'add', 'tout', 'changes', '--log', log, '--from', '2020-01-01', '--quiet');
    await hemicycle('watch', 'test', 'tout', '--quiet');
    await hemicycle('watch', 'run', '--quiet');
    const logLines = readFileSync(log, 'utf8').trim().split('\n');
    // Programs get all changes, in as many messages as that takes.
    const types = new Set(logLines.map((line) => JSON.parse(line).type));
    expect([...types]).to.deep.equal(['watch.test', 'watch.changes']);
    const [watch] = JSON.parse(await hemicycle('watch', 'list', '--json')).items;
    expect(watch).to.deep.include({ channels: [`log:${log}`], waiting: 0, dead: 0 });
  });

  it('tells how to add a setting, which every surface of settings has then', async () => {
    await followAll('A setting');
    await fill();
    const listedSetting = async (...argv: string[]) => {
      const rows: Record<string, unknown>[] = JSON.parse(
        await hemicycle('config', 'list', '--origin', '--json', ...argv),
      );
      return rows.find(({ setting }) => setting === 'newsroom');
    };
    const row = { setting: 'newsroom', value: '(set, not shown)', variable: 'HEMICYCLE_NEWSROOM' };
    expect(await listedSetting()).to.deep.equal({ ...row, origin: 'default' });
    const config = join(copy, '.config/hemicycle');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), '{"newsroom":"kept"}');
    expect(await listedSetting()).to.deep.equal({ ...row, origin: 'user config' });
    process.env.HEMICYCLE_NEWSROOM = 'of the environment';
    try {
      expect(await failure('config', 'get', 'newsroom')).to.include(
        'newsroom contains characters that are not allowed',
      );
      process.env.HEMICYCLE_NEWSROOM = 'environment';
      expect(await listedSetting()).to.deep.equal({ ...row, origin: 'environment' });
    } finally {
      delete process.env.HEMICYCLE_NEWSROOM;
    }
    expect(await listedSetting('--newsroom', 'typed')).to.deep.equal({ ...row, origin: 'flag' });
    expect(await failure('config', 'set', 'newsroom', 'typed')).to.include('hemicycle config set newsroom <');
    expect(await hemicycle('help', 'environment')).to.include('HEMICYCLE_NEWSROOM');
    expect(await hemicycle('status', '--help')).to.include('--newsroom');
    await hemicycle('config', 'unset', 'newsroom');
    expect(await listedSetting()).to.deep.equal({ ...row, origin: 'default' });
  });

  it('tells how to add a command', async () => {
    await followAll('A command');
    expect(await hemicycle('where')).to.equal(`${db}\n`);
  });

  it('tells all this so that the copy is linted, and passes the suites that hold what was added', async function () {
    this.timeout(0);
    const tool = (path: string) => join(root, 'node_modules', path);
    await inCopy(tool('.bin/biome'), 'check', '--error-on-warnings', 'src', 'test');
    await inCopy(tool('.bin/tsc'), '-p', 'test');
    const files = suites.map((suite) => `test/${suite}.test.ts`);
    const mocha = [tool('mocha/bin/mocha.js'), '--no-config', '--timeout', '60000', '--reporter', 'dot'];
    await inCopy(process.execPath, ...mocha, '--invert', '--grep', built, ...files);
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
