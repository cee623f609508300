import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { delayRequires } from '../../src/cli/delayed-requires.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

const oclif = (name: string, body: string) =>
  `__commonJS({"node_modules/@oclif/core/lib/${name}.js"(exports){${body}}});`;

describe('the program’s one file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const run = (code: string) => {
    const file = join(folder, 'program.cjs');
    writeFileSync(file, code);
    delayRequires(file);
    return { exported: createRequire(import.meta.url)(file), text: readFileSync(file, 'utf8') };
  };

  it('evaluates what oclif names when it is used', () => {
    const { exported } = run(`
      exports.evaluated=[];
      var __commonJS=(all)=>{let made;return()=>{if(!made){made={};Object.values(all)[0](made)}return made}};
      var require_b=${oclif('b', 'module.exports.evaluated.push("b");exports.b=(n)=>n+1;exports.C=class{c=2}')}
      var require_a=${oclif(
        'a',
        `var __importDefault=m=>({default:m});const b_1=require_b();var b_2=__importDefault(require_b());
        exports.b=()=>[(0,b_1.b)(1),new b_2.default.C().c];exports.base=()=>class extends b_1.C{}`,
      )}
      module.exports.a=require_a();`);
    expect(exported.evaluated).to.deep.equal([]);
    expect(exported.a.b()).to.deep.equal([2, 2]);
    expect(exported.evaluated).to.deep.equal(['b']);
    expect(new (exported.a.base())().c).to.equal(2);
  });

  it('asks for modules of Node when they are used, and once', () => {
    const { exported, text } = run(`
      var import_node_path,asked=0;var real=require;require=(name)=>{asked+=1;return real(name)};
      (()=>{import_node_path=require("node:path")})();
      exports.before=asked;exports.joined=[(0,import_node_path.join)("a","b"),import_node_path.sep];exports.asked=asked;`);
    expect(exported).to.deep.equal({ before: 0, joined: ['a/b', '/'], asked: 1 });
    expect(text).not.to.match(/import_node_path=require/);
  });

  it('asks for a module of Node in whole without evaluating what that puts off', () => {
    const { exported } = run(`
      var asked=[],require=(name)=>({get lazy(){asked.push(name);return 1},eager:2}),__toESM=()=>{throw new Error("copied")};
      var import_promises,import_node_fs2;
      (()=>{import_node_fs2=__toESM(require("node:fs"),1);import_promises=__toESM(require("node:fs/promises"),1)})();
      exports.eager=[import_node_fs2.default.eager,import_node_fs2.eager];exports.before=[...asked];
      exports.lazy=import_promises.default.lazy;exports.asked=asked;`);
    expect(exported).to.deep.equal({ eager: [2, 2], before: [], lazy: 1, asked: ['node:fs/promises'] });
  });

  it('leaves packages to who evaluates it', () => {
    const { exported } = run(
      'const importPackage=(name)=>name.length;exports.all=()=>[import("undici"),"reimport(\\"a\\")"]',
    );
    expect(exported.all()).to.deep.equal([6, 'reimport("a")']);
  });

  it('is ASCII, and says the same', () => {
    const { exported, text } = run(
      'exports.all=["œ’ 𝛼",`é`,/^[«»𝛼]$/u.test("𝛼"),new RegExp(String.raw`[é]`).test("é")]',
    );
    expect(exported.all).to.deep.equal(['œ’ 𝛼', 'é', true, true]);
    expect(text).to.match(/^[ -~]*$/);
  });
});

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
});
