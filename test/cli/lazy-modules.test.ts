import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { build, type Plugin } from 'esbuild';
import { lazyModules, programSources } from '../../bin/build/plugins.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

describe('a bundle of the program', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (files: Record<string, string>) => {
    for (const [name, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), code);
    }
  };
  const bundle = async (plugin: Plugin, entry = 'main.ts') => {
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      bundle: true,
      format: 'cjs',
      platform: 'node',
      write: false,
      logLevel: 'silent',
      plugins: [plugin],
    });
    return outputFiles[0]!.text;
  };
  const run = (code: string) => {
    const module = { exports: {} as Record<string, unknown> };
    new Function('require', 'exports', 'module', code)(createRequire(import.meta.url), module.exports, module);
    return module.exports;
  };
  const core = {
    'core/a.js': `
      var __importDefault=(mod)=>mod&&mod.__esModule?mod:{default:mod};Object.defineProperty(exports,'__esModule',{value:true});
      const b_1=require('./b');const b_2=__importDefault(require('./b'));const c_1=__importDefault(require('./c'));const c=require('./c');
      exports.all=()=>[(0,b_1.b)(1),b_2.default,(0,c_1.default)(),c()];exports.made=()=>{class D extends b_1.C{}return new D().c};`,
    'core/b.js': `globalThis.evaluated=true;Object.defineProperty(exports,'__esModule',{value:true});
      exports.b=(n)=>n+1;exports.C=class{c=2};exports.default='whole';`,
    'core/c.js': `module.exports=()=>'function';`,
    'main.ts': `import { join, sep } from 'node:path'; import paths from 'node:path';
      import * as core from './core/a.js'; export const answer = () => [...core.all(), core.made(), join('a', 'b'), sep, paths.sep];`,
  };

  it('evaluates files of a package, and modules of Node, when they are used', async () => {
    write(core);
    const { answer } = run(await bundle(lazyModules(join(folder, 'core'))));
    expect(globalThis).not.to.have.property('evaluated');
    expect((answer as () => unknown)()).to.deep.equal([2, 'whole', 'function', 'function', 2, 'a/b', '/', '/']);
    expect(Reflect.deleteProperty(globalThis, 'evaluated')).to.equal(true);
  });

  it('finds the package behind a link', async () => {
    write(core);
    mkdirSync(join(folder, 'clone'));
    writeFileSync(join(folder, 'clone/main.ts'), core['main.ts']);
    symlinkSync(join(folder, 'core'), join(folder, 'clone/core'));
    const code = await bundle(lazyModules(join(folder, 'clone/core')), 'clone/main.ts');
    expect(code)
      .to.include('new Proxy')
      .and.match(/lazy-file/);
  });

  it('is not made where there is nothing to put off, or to escape', async () => {
    write(core);
    const failure = (plugin: Plugin, entry?: string) =>
      bundle(plugin, entry).then(
        () => 'made',
        (error: Error) => error.message,
      );
    expect(await failure(lazyModules(tmpdir().concat('/.')), 'core/c.js')).to.include('found no builtins');
    mkdirSync(join(folder, 'other'));
    expect(await failure(lazyModules(join(folder, 'other')))).to.include('found no files');
    expect(await failure(programSources(['conf']))).to.include('found no imports');
  });

  it('is ASCII, says the same, and leaves packages to who evaluates it', async () => {
    write({
      'main.ts':
        'export const all = ["œ’ 𝛼", `é`, /^[«»𝛼]$/u.test("𝛼"), new RegExp(String.raw`[é]`).test("é")];\n' +
        "export const imported = () => import('conf');\nexport type Conf = typeof import('conf');",
    });
    const code = await bundle(programSources(['conf']));
    const { all, imported } = run(`const importPackage = (name) => name;${code}`);
    expect(all).to.deep.equal(['œ’ 𝛼', 'é', true, true]);
    expect((imported as () => unknown)()).to.equal('conf');
    expect(code).to.match(/^[\n -~]*$/);
  });
});

/** Names of the bundled modules that a run evaluated, from the coverage that V8 writes into a folder. */
function evaluatedModules(folder: string): string[] {
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const scripts: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[] =
    reports.flatMap(({ result }) => result);
  const functions = scripts.filter(({ url }) => url.endsWith('hemicycle.cjs')).flatMap((script) => script.functions);
  const evaluated = functions.filter(({ functionName, ranges }) => /^src\//.test(functionName) && ranges[0]!.count > 0);
  return evaluated.map(({ functionName }) => functionName);
}

describe('a start', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  for (const words of ['--help', 'politicians', 'vote VAL1V4', 'search retraites'])
    it(`evaluates no module of Node that an answer of the mirror has no use for: ${words}`, async () => {
      const { stderr, exit } = await runProgram(words.split(' '), {
        env: {
          HOME: demo.folder,
          HEMICYCLE_DB: demo.db,
          NODE_OPTIONS: `--import="data:text/javascript,process.on('exit',()=>console.error(process.moduleLoadList.join()))"`,
        },
      });
      expect(exit, stderr).to.equal(0);
      expect(stderr).to.include('NativeModule vm,');
      const heavy = [
        'crypto',
        'http',
        'https',
        'tls',
        'child_process',
        'fs/promises',
        'readline',
        'perf_hooks',
        'inspector',
      ];
      for (const name of heavy) expect(stderr).not.to.match(new RegExp(`NativeModule ${name}(,|$)`, 'm'));
    });

  for (const words of ['--help', 'politicians', 'vote VAL1V4', 'search retraites'])
    it(`evaluates no module of syncs, exports, pages and watches, and not every question: ${words}`, async () => {
      const coverage = join(demo.folder, `coverage-${words.replace(/\W/g, '')}`);
      const { stderr, exit } = await runProgram(words.split(' '), {
        env: { HOME: demo.folder, HEMICYCLE_DB: demo.db, NODE_V8_COVERAGE: coverage },
      });
      expect(exit, stderr).to.equal(0);
      const modules = evaluatedModules(coverage);
      expect(modules).to.include('src/cli/oclif.ts');
      const needless = /^src\/(?:sync|export|server|watches)\/|^src\/questions\/table\.ts$/;
      expect(modules.filter((name) => needless.test(name))).to.deep.equal([]);
    });
});
