import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { delayRequires } from '../../src/cli/delayed-requires.ts';

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
