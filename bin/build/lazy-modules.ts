import { realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Node modules to load eagerly: they export a function, or have methods that need `this`. */
const eager = new Set(['assert', 'assert/strict', 'cluster', 'events', 'module', 'process', 'stream']);

/** Source of proxy handlers that load the module when it is called or one of its exports is read. */
const lazily = (load: string) =>
  `let all;const loaded=()=>all??=${load};const lazily={apply:(_,self,args)=>loaded()(...args),get:(_,name)=>name==='__esModule'||(name==='default'&&!loaded().__esModule?all:loaded()[name])};`;

/**
 * An esbuild plugin: Node's modules, and files of the package at `folder` that require each other, are
 * evaluated on first use. Throws if it finds none, as the bundle would start twice as slowly without a sign
 * of it.
 */
export function lazyModules(folder = dirname(require.resolve('@oclif/core/package.json'))): Plugin {
  const inside = realpathSync(folder) + sep;
  return {
    name: 'lazy-modules',
    setup(build) {
      const made = { builtins: new Set<string>(), files: new Set<string>() };
      build.onResolve({ filter: /^(node:)?[a-z\d_/]+$/ }, ({ path }) => {
        const name = path.replace('node:', '');
        if (!isBuiltin(path) || eager.has(name)) return null;
        made.builtins.add(name);
        return { path: name, namespace: 'lazy-builtin' };
      });
      build.onResolve(
        { filter: /./ },
        async ({ path, importer, namespace, resolveDir, kind, pluginData }) => {
          if (pluginData === 'found' || namespace !== 'file' || kind !== 'require-call') return null;
          if (!importer.startsWith(inside)) return null;
          const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: 'found' });
          if (found.external || !found.path.endsWith('.js')) return found;
          made.files.add(found.path);
          return { path: found.path, namespace: 'lazy-file', pluginData: { resolveDir } };
        },
      );
      build.onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({
        // No own properties: esbuild copies those to each importer, but leaves inherited ones to the proxy.
        contents: `${lazily(`process.getBuiltinModule('node:${path}')`)}module.exports=Object.create(new Proxy({},lazily))`,
      }));
      build.onLoad({ filter: /.*/, namespace: 'lazy-file' }, ({ path, pluginData }) => ({
        contents: `${lazily(`require(${JSON.stringify(path)})`)}module.exports=new Proxy(()=>{},lazily)`,
        resolveDir: pluginData.resolveDir,
      }));
      build.onEnd(() => {
        for (const [what, names] of Object.entries(made))
          if (names.size === 0)
            throw new Error(`lazy-modules found no ${what} to put off: is the filter still right?`);
      });
    },
  };
}
