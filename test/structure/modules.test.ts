import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Modules from the lowest rank to the highest; an import goes to a lower rank or stays in its module. */
const ranks: string[][] = [
  ['words'],
  ['errors.ts', 'model', 'language', 'drawing'],
  ['parliament'],
  ['names'],
  ['service', 'store', 'format'],
  ['questions', 'sync', 'export', 'evidence'],
  ['watches'],
  ['terminal', 'server'],
  ['cli', 'index.ts', 'client'],
];

/** The folders of the store in the same way; `store` are the files beside them: the mirror as a file. */
const storeRanks: string[][] = [
  ['store'],
  ['syncs'],
  ['word-index'],
  ['search'],
  ['saving'],
  ['records'],
  ['history', 'following'],
  ['statements'],
];

type File = { path: string; text: string; imports: string[] };

/** Relative imports of values and types: static, dynamic and re-exported. */
const importing = /(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm;

const files: File[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const imports = [...text.matchAll(importing)].map(([, target]) => normalize(join(dirname(path), target!)));
    return { path, text, imports };
  });

const moduleOf = (path: string) => path.split('/')[0]!;
const rankOf = (path: string) => ranks.findIndex((modules) => modules.includes(moduleOf(path)));
const folderOf = (path: string) => path.split('/').at(-2)!;
const storeRankOf = (path: string) => storeRanks.findIndex((folders) => folders.includes(folderOf(path)));

/** Names and statements that only some files may contain, by pattern. */
const confined: { what: string; pattern: RegExp; allowed: RegExp }[] = [
  { what: 'undici', pattern: /['"]undici['"]/, allowed: /^service\// },
  // The API reference shows a sample of it.
  { what: 'fetch', pattern: /(?<![.\w])fetch\(/, allowed: /^service\/|^server\/pages\/reference\.ts$/ },
  {
    what: 'hyparquet-writer',
    pattern: /['"]hyparquet-writer/,
    allowed: /^format\/parquet\//,
  },
  // Node does not return for a folder that cannot be created, such as one below /proc; `makeFolder` does.
  { what: 'mkdir with its parents', pattern: /mkdir(Sync)?\([^;]*recursive/, allowed: /^$/ },
  { what: 'new Database', pattern: /new Database\(/, allowed: /^store\/open\.ts$/ },
  {
    what: 'SQL',
    pattern: /\b(SELECT [\s\S]{1,80}? FROM|INSERT (OR \w+ )?INTO|DELETE FROM|UPDATE \w+ SET)\b/,
    // `export` writes databases of others; two files show statements to type.
    allowed: /^((store|names|export)\/|(questions|cli\/commands)\/sql\.ts$)/,
  },
  // SQLite fails for all records if one value is no JSON: `elementFieldSql` tests the type first.
  {
    what: 'a field of what json_each lists',
    pattern: /json_extract\((\w+\.)?value\b|\bvalue -(>>|>)/,
    // The other files list JSON that the program itself wrote.
    allowed: /^(names\/database|store\/(rows|history\/change-counts))\.ts$/,
  },
  {
    what: 'a write to stored records',
    pattern: /INTO (record|version)\b|UPDATE record SET (?:(?:row|hash|detail|key)\b|\$)|UPDATE version\b/,
    // These files admit log entries through `admitDocument` or receive admitted ones; withholding only removes fields, and
    // the end of a record only adds its key, or that of another.
    allowed:
      /^store\/(anonymous-log|migrations|record|following\/save-replica|saving\/(save|detail|withhold|withdrawals|reused-slugs))\.ts$/,
  },
  {
    what: 'process',
    pattern: /\bprocess\.[a-z]/,
    allowed: /^(cli\/.*|server\/run\/.*|terminal\/terminal\.ts)$/,
  },
];

/** Names exported by two files, with the reason. */
const sharedNames: Record<string, string> = {
  execute: 'bin/run.js calls the same name in either bundle',
};

/** Type names that do not describe their content. */
const emptyTypeNames = ['Stored', 'Kept', 'Placed', 'Asking', 'Asked', 'Told', 'Made', 'Going', 'Standing', 'Fortune'];

/** Names that a file declares and exports; an overloaded function is declared several times. */
const declared = /^export (?:default )?(?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm;

/** The files of one import cycle, or null if there is none. */
function findCycle(): string[] | null {
  const imports = new Map(files.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const walk = (path: string, above: string[]): string[] | null => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const target of imports.get(path) ?? []) {
      const cycle = walk(target, [...above, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const { path } of files) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return null;
}

describe('the top level', () => {
  it('holds what the design has there, and nothing that a run left', function () {
    const root = join(src, '..');
    // A copy of the tree without its history keeps nothing.
    if (!existsSync(join(root, '.git'))) return this.skip();
    const trackedFiles = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], {
      cwd: root,
      encoding: 'utf8',
    }).split('\0');
    const names = new Set(trackedFiles.filter(Boolean).map((path) => path.split('/')[0]!));
    expect([...names].filter((name) => !name.startsWith('.')).sort()).to.deep.equal([
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'biome.json', 'docs'],
      ...['fixtures', 'oclif.manifest.json', 'package-lock.json', 'package.json', 'src', 'test', 'tsconfig.json'],
    ]);
  });
});

describe('the modules of src/', () => {
  it('contain every file of src/', () => {
    expect(files.filter(({ path }) => rankOf(path) < 0).map(({ path }) => path)).to.deep.equal([]);
  });

  it('import only from a lower rank or from their own module, types included', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => moduleOf(target) !== moduleOf(path) && rankOf(target) >= rankOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('import within the store only from a folder of a lower rank or from their own', () => {
    const wrong = files
      .filter(({ path }) => moduleOf(path) === 'store')
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => moduleOf(target) === 'store' && folderOf(target) !== folderOf(path))
          .filter((target) => storeRankOf(path) < 0 || storeRankOf(target) >= storeRankOf(path))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).to.deep.equal([]);
  });

  it('have no import cycle, types included', () => {
    expect(findCycle()).to.equal(null);
  });

  it('import files that exist', () => {
    const sourcePaths = new Set(files.map(({ path }) => path));
    const missing = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.endsWith('.ts') && !sourcePaths.has(target))
        .map((target) => `${path}: ${target}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('have a client that imports nothing outside its folder', () => {
    const own = files.filter(({ path }) => path.startsWith('client/'));
    expect(own.filter(({ text }) => /from '(?!\.\/)|import\(/.test(text)).map(({ path }) => path)).to.deep.equal([]);
  });

  it('pass values to commands as values: only `demo` changes the environment', () => {
    const change = /process\.env(?:\.\w+|\[[^\]]+\]) (?:\?\?)?= |(?:delete |Object\.assign\()process\.env/;
    const changing = files.filter(({ text }) => change.test(text)).map(({ path }) => path);
    expect(changing).to.deep.equal(['cli/commands/demo.ts']);
  });

  it('have no command that imports another', () => {
    const wrong = files.filter(
      ({ path, imports }) =>
        path.startsWith('cli/commands/') && imports.some((target) => target.startsWith('cli/commands/')),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  for (const { what, pattern, allowed } of confined) {
    it(`name ${what} only where it belongs`, () => {
      expect(
        files.filter(({ path, text }) => pattern.test(text) && !allowed.test(path)).map(({ path }) => path),
      ).to.deep.equal([]);
    });
  }

  it('depend on the libraries that the design fixes, and use each of them', () => {
    const { dependencies } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8'));
    const fixed = '@oclif/plugin-help better-sqlite3 undici cli-table3 ora p-throttle csv-parse hyparquet conf'.split(
      ' ',
    );
    expect(Object.keys(dependencies)).to.include.members(fixed);
    const unused = fixed.filter((name) => !files.some(({ text }) => text.includes(`'${name}'`)));
    expect(unused).to.deep.equal([]);
  });

  it('have no file with an empty or double name', () => {
    const wrong = files.filter(({ path }) =>
      /(utils?|helpers?|common|misc|manager|shared|types|-and-[a-z]+)\.ts$/.test(path),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('have no file of more than 300 lines but the table of errors', () => {
    // The types of the client are written by the build.
    const allowed = ['errors.ts', 'client/interface.ts'];
    const isLong = ({ path, text }: File) => !allowed.includes(path) && text.split('\n').length > 300;
    const long = files.filter(isLong).map(({ path }) => path);
    expect(long).to.deep.equal([]);
  });

  it('export no name from two files, but those with a reason', () => {
    const homes = new Map<string, Set<string>>();
    // The types of the client are written by the build; no command imports another.
    for (const { path, text } of files.filter(({ path }) => !/^(client\/interface\.ts|cli\/commands\/)/.test(path)))
      for (const [, name] of text.matchAll(declared)) homes.set(name!, (homes.get(name!) ?? new Set()).add(path));
    const twins = [...homes].filter(([name, paths]) => paths.size > 1 && !Object.hasOwn(sharedNames, name));
    expect(twins.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).to.deep.equal([]);
  });

  it('name no type by a bare participle', () => {
    const wrong = files.flatMap(({ path, text }) =>
      emptyTypeNames
        .filter((name) => new RegExp(`^(export )?type ${name}\\b`, 'm').test(text))
        .map((name) => `${path}: ${name}`),
    );
    expect(wrong).to.deep.equal([]);
  });
});
