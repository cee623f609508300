import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, sep } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Node modules to load eagerly: they export a function, or have methods that need `this`. */
const eagerModules = new Set(['assert', 'assert/strict', 'cluster', 'events', 'module', 'process', 'stream']);

/** Code that defines `lazily`, the handler of a proxy that runs `load` on the first call or read of an export. */
const lazily = (load: string) =>
  // `__esModule` is true without loading; the `default` of a CommonJS module is the whole module.
  `let value; const loadOnce = () => value ??= ${load};
  const defaultOf = (all) => all.__esModule ? all.default : all;
  const get = (_, name) => name === '__esModule' || (name === 'default' ? defaultOf(loadOnce()) : loadOnce()[name]);
  const lazily = { apply: (_, self, args) => loadOnce()(...args), get };`;

/** An esbuild plugin: Node's modules, and those that files in `folder` require, are evaluated on first use only. */
export function lazyModules(folder = dirname(require.resolve('@oclif/core/package.json'))): Plugin {
  const packagePrefix = realpathSync(folder) + sep;
  return {
    name: 'lazy-modules',
    setup(build) {
      const counts = { builtins: 0, files: 0 };
      build.onResolve({ filter: /^(node:)?[a-z\d_/]+$/ }, ({ path }) => {
        const name = path.replace('node:', '');
        if (!isBuiltin(path) || eagerModules.has(name)) return null;
        counts.builtins += 1;
        return { path: name, namespace: 'lazy-builtin' };
      });
      build.onResolve({ filter: /./ }, async ({ path, importer, namespace, resolveDir, kind, pluginData }) => {
        // `build.resolve` below calls this hook again; 'resolved' marks that call, which is left to other plugins.
        if (pluginData === 'resolved' || namespace !== 'file' || kind !== 'require-call') return null;
        if (!importer.startsWith(packagePrefix)) return null;
        const resolvedModule = await build.resolve(path, { importer, resolveDir, kind, pluginData: 'resolved' });
        if (resolvedModule.external || !resolvedModule.path.endsWith('.js')) return resolvedModule;
        counts.files += 1;
        return { path: resolvedModule.path, namespace: 'lazy-file', pluginData: { resolveDir } };
      });
      build.onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({
        // No own properties: esbuild copies those to each importer, but leaves inherited ones to the proxy.
        contents: `${lazily(`process.getBuiltinModule('node:${path}')`)}module.exports=Object.create(new Proxy({},lazily))`,
      }));
      build.onLoad({ filter: /.*/, namespace: 'lazy-file' }, ({ path, pluginData }) => ({
        contents: `${lazily(`require(${JSON.stringify(path)})`)}module.exports=new Proxy(()=>{},lazily)`,
        resolveDir: pluginData.resolveDir,
      }));
      // If nothing were lazy, the bundle would still work, but start twice as slowly.
      build.onEnd(() => throwIfUnused('lazy-modules', counts));
    },
  };
}

/** An esbuild plugin: dynamic imports of packages call `importPackage`, non-ASCII characters are escaped. */
export function programSources(packages: readonly string[]): Plugin {
  const importPattern = new RegExp(`(?<!typeof )\\bimport\\((?='(?:node:|(?:${packages.join('|')})['/]))`, 'g');
  return {
    name: 'program-sources',
    setup(build) {
      const counts = { imports: 0, characters: 0 };
      // `vm.Script` code has no module loader; `loadCompiled` passes it `importPackage`.
      const importPackage = () => {
        counts.imports += 1;
        return 'importPackage(';
      };
      // V8 reads a one-byte file in half the time; esbuild escapes only strings.
      const escapeCharacter = (unit: string) => {
        counts.characters += 1;
        return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      };
      build.onLoad({ filter: /\.[cm]?[jt]s$/, namespace: 'file' }, ({ path }) => {
        const text = readFileSync(path, 'utf8').replace(importPattern, importPackage);
        const isBinding = path.endsWith('better-sqlite3/lib/binding.js'); // finds its addon by `__dirname`
        const source = isBinding ? text.replaceAll('__dirname', 'sqliteFolder()') : text;
        return { contents: source.replace(/[^\0-\x7f]/g, escapeCharacter), loader: extname(path).slice(-2) as Loader };
      });
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        for (const [path, { imports }] of Object.entries(metafile?.inputs ?? {}))
          for (const { kind, external, path: name } of imports)
            if (kind === 'dynamic-import' && external)
              throw new Error(`program-sources left import('${name}') in ${path}, which has no loader`);
        throwIfUnused('program-sources', counts);
      });
    },
  };
}

function throwIfUnused(plugin: string, counts: Record<string, number>): void {
  for (const [unit, count] of Object.entries(counts))
    if (count === 0) throw new Error(`${plugin} found no ${unit} to change: is its pattern still right?`);
}
